// The learned table as bytes. Every field is one 64-bit little-endian word, so that a checksum
// can run over words:
//   magic and version | t_max | d_model | trained_rows | steps | scale | index | has_gauss |
//   gauss | 312 words of MT19937 key | t_max * d_model values | checksum of all before
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "codes/learned_table.h"
#include "snapshot_words.h"

namespace posenc {
namespace {

constexpr Word magic_and_version = 0x0000000150454c54;  // "TLEP", version 1
constexpr std::size_t key_words = RandomState::key_size / 2;
constexpr std::size_t header_words = 9 + key_words;
constexpr std::int64_t most_steps = std::int64_t{1} << 53;
constexpr double largest_scale = 1e100;
constexpr double largest_value = 1e150;

// std::bit_cast is missing from the standard library of Emscripten 3.1.6.
Word to_word(double value) {
  Word word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

double to_double(Word word) {
  double value = 0;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

Error damaged(double value) {
  static constexpr std::array<std::string_view, 1> names = {"table"};
  return invalid_argument("bytes", value, Rule{.kind = RuleKind::snapshot, .names = names});
}

}  // namespace

std::vector<std::uint8_t> LearnedTable::snapshot() const {
  const auto count = static_cast<std::size_t>(values_.size());
  const RandomState::State& random = random_.state();
  const std::array<Word, 9> fields = {magic_and_version,
                                      static_cast<Word>(t_max()),
                                      static_cast<Word>(d_model()),
                                      static_cast<Word>(trained_rows_),
                                      static_cast<Word>(steps_),
                                      to_word(scale_),
                                      random.index,
                                      random.has_gauss ? 1U : 0U,
                                      to_word(random.gauss)};
  std::vector<std::uint8_t> bytes((header_words + count + 1) * sizeof(Word));
  std::memcpy(bytes.data(), fields.data(), sizeof fields);
  std::memcpy(&bytes[sizeof fields], random.key.data(), sizeof random.key);
  std::memcpy(&bytes[header_words * sizeof(Word)], values_.data(), count * sizeof(Word));
  const Word sum = checksum(bytes, header_words + count);
  std::memcpy(&bytes[(header_words + count) * sizeof(Word)], &sum, sizeof sum);
  return bytes;
}

Result<LearnedTable> LearnedTable::restore(std::span<const std::uint8_t> bytes) {
  const auto size = static_cast<double>(bytes.size());
  const std::size_t word_count = bytes.size() / sizeof(Word);
  constexpr std::size_t most_words = header_words + static_cast<std::size_t>(max_table_size) + 1;
  if (bytes.size() % sizeof(Word) != 0 || word_count < header_words + 2 ||
      word_count > most_words) {
    return damaged(size);
  }
  if (word_at(bytes, 0) != magic_and_version ||
      word_at(bytes, word_count - 1) != checksum(bytes, word_count - 1)) {
    return damaged(size);
  }

  // A checksum is no proof of good faith, so each field is checked as an argument would be.
  const Word rows = word_at(bytes, 1);
  const Word columns = word_at(bytes, 2);
  const Word trained_rows = word_at(bytes, 3);
  const Word steps = word_at(bytes, 4);
  const auto scale = to_double(word_at(bytes, 5));
  const Word count = word_count - header_words - 1;
  if (columns < 1 || columns > static_cast<Word>(max_dim) || rows < 1 || rows > count ||
      rows * columns != count || trained_rows < 1 || trained_rows > rows ||
      steps > static_cast<Word>(most_steps) || !(std::abs(scale) <= largest_scale) ||
      word_at(bytes, 6) > RandomState::key_size || word_at(bytes, 7) > 1) {
    return damaged(size);
  }
  RandomState::State state;
  state.index = static_cast<std::uint32_t>(word_at(bytes, 6));
  state.has_gauss = word_at(bytes, 7) == 1;
  state.gauss = to_double(word_at(bytes, 8));
  std::memcpy(state.key.data(), &bytes[9 * sizeof(Word)], sizeof state.key);
  const Result<RandomState> random = RandomState::from_state(state);
  if (!random.ok()) {
    return damaged(size);
  }
  MatrixD values(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns));
  std::memcpy(values.data(), &bytes[header_words * sizeof(Word)], count * sizeof(Word));
  if (!std::all_of(values.data(), values.data() + values.size(),
                   [](double v) { return std::abs(v) <= largest_value; })) {
    return damaged(size);
  }
  LearnedTable table(std::move(values), random.value(), scale);
  table.trained_rows_ = static_cast<std::int64_t>(trained_rows);
  table.steps_ = static_cast<std::int64_t>(steps);
  return table;
}

}  // namespace posenc
