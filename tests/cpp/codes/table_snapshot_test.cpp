#include <cstring>
#include <limits>
#include <vector>

#include "catch.h"
#include "codes/learned_table.h"

namespace posenc {
namespace {

LearnedTable trained_table(std::int64_t t_max, std::int64_t d_model) {
  LearnedTable table = LearnedTable::create(t_max, d_model, 42, 0.1).value();
  table.train_toward_sinusoid(10, 0.05, 0.5);
  return table;
}

std::uint64_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t index) {
  std::uint64_t word = 0;
  std::memcpy(&word, &bytes[index * 8], sizeof word);
  return word;
}

// Writes one word and a checksum that fits, as someone would who means harm.
std::vector<std::uint8_t> forged(std::vector<std::uint8_t> bytes, std::size_t index,
                                 std::uint64_t word) {
  std::memcpy(&bytes[index * 8], &word, sizeof word);
  std::uint64_t hash = 0xcbf29ce484222325;
  const std::size_t last = bytes.size() / 8 - 1;
  for (std::size_t i = 0; i < last; ++i) {
    hash = (hash ^ word_at(bytes, i)) * 0x100000001b3;
    hash ^= hash >> 32U;
  }
  std::memcpy(&bytes[last * 8], &hash, sizeof hash);
  return bytes;
}

std::uint64_t bits_of(double value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

void check_refused(const std::vector<std::uint8_t>& bytes) {
  const auto result = LearnedTable::restore(bytes);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == ErrorCode::invalid_argument);
  CHECK(result.error().name == "bytes");
}

TEST_CASE("A restored table goes on as the table would have") {
  // 7 x 3 values end in the middle of a Gaussian pair.
  LearnedTable table = trained_table(7, 3);
  REQUIRE(table.grow(9).ok());
  LearnedTable restored = LearnedTable::restore(table.snapshot()).value();
  CHECK(restored.values() == table.values());
  CHECK(restored.t_max() == 9);
  CHECK(restored.trained_rows() == 7);
  CHECK(restored.steps() == 10);
  CHECK(restored.rows_with_gradient() == table.rows_with_gradient());
  for (LearnedTable* one : {&table, &restored}) {
    one->train_toward_sinusoid(5, 0.05, 0.5);
    REQUIRE(one->grow(40).ok());
  }
  CHECK(restored.values() == table.values());
  CHECK(restored.snapshot() == table.snapshot());
}

TEST_CASE("A snapshot cut short or extended is refused") {
  const auto bytes = trained_table(2, 2).snapshot();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    check_refused({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
  }
  auto longer = bytes;
  longer.resize(bytes.size() + 8);
  check_refused(longer);
}

TEST_CASE("A snapshot with any bit turned is refused") {
  const auto bytes = trained_table(2, 2).snapshot();
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 3) {
    auto damaged = bytes;
    damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ (1U << (bit % 8)));
    REQUIRE_FALSE(LearnedTable::restore(damaged).ok());
  }
}

TEST_CASE("A snapshot whose fields contradict each other is refused") {
  const auto bytes = trained_table(6, 4).snapshot();
  CHECK(LearnedTable::restore(forged(bytes, 4, 11)).value().steps() == 11);
  constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t half = std::uint64_t{1} << 63U;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<std::size_t, std::uint64_t>> forgeries = {
      {0, 0x0000000250454c54},       // another version
      {1, 0},                        // no rows
      {1, 7},                        // more rows than values
      {1, half + 6},                 // a product that overflows to the right size
      {2, 0},                        // no columns
      {2, 8},                        // too many columns
      {3, 0},                        // nothing trained
      {3, 7},                        // more trained than there are
      {4, all_ones},                 // too many steps
      {5, bits_of(nan)},             // scale
      {5, bits_of(1e101)},           // scale
      {6, 625},                      // generator past its key
      {7, 2},                        // neither true nor false
      {8, bits_of(nan)},             // kept Gaussian
      {8, bits_of(1e10)},            // kept Gaussian
      {9 + 312, bits_of(nan)},       // first value
      {9 + 312, bits_of(1e200)},     // first value
      {9 + 312 + 23, bits_of(nan)},  // last value
  };
  for (const auto& [index, word] : forgeries) {
    INFO("word " << index << " = " << word);
    check_refused(forged(bytes, index, word));
  }
  // Of the key alone all words zero is impossible.
  auto zero_key = bytes;
  std::memset(&zero_key[std::size_t{9} * 8], 0, std::size_t{312} * 8);
  check_refused(forged(zero_key, 4, 10));
}

}  // namespace
}  // namespace posenc
