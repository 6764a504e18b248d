// A run as bytes, in 64-bit little-endian words, so that a checksum can run over words:
//   magic and version | options, one word each in the order of for_each_option | step | number of
//   parameters | parameters, first and second moments as floats, two a word, the last one filled up
//   with zeros | checksum of all before
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "lab/curve.h"
#include "lab/trainer_state.h"
#include "snapshot_words.h"

namespace posenc {
namespace {

constexpr Word magic_and_version = 0x00000001'4e525450;  // "PTRN", version 1

/// The order of the options in a snapshot.
template <class Options, class Visit>
void for_each_option(Options& options, Visit&& visit) {
  visit(options.task);
  visit(options.code);
  visit(options.length);
  visit(options.reach);
  visit(options.vocabulary);
  visit(options.layers);
  visit(options.d_model);
  visit(options.heads);
  visit(options.mlp);
  visit(options.causal);
  visit(options.batch);
  visit(options.steps);
  visit(options.learning_rate);
  visit(options.warm_up);
  visit(options.clip);
  visit(options.weight_decay);
  visit(options.up_to);
  visit(options.randomized);
  visit(options.wall);
  visit(options.seed);
  visit(options.task_shift);
  visit(options.task_modulo);
  visit(options.t5_buckets);
  visit(options.t5_max_distance);
  visit(options.alibi_exponent);
  visit(options.rope_base);
  visit(options.sinusoid_base);
}

constexpr std::size_t option_words = 27;
constexpr std::size_t header_words = 1 + option_words + 2;

template <class T>
Word to_word(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    Word word = 0;
    std::memcpy(&word, &value, sizeof word);
    return word;
  } else {
    return static_cast<Word>(value);
  }
}

/// Words above this stand for nothing that the type can be.
template <class T>
constexpr Word largest_word() {
  if constexpr (std::is_same_v<T, LabTask>) {
    return lab_task_count - 1;
  } else if constexpr (std::is_same_v<T, PositionCode>) {
    return position_code_count - 1;
  } else if constexpr (std::is_same_v<T, bool>) {
    return 1;
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<Word>::max();
  } else {
    return static_cast<Word>(std::numeric_limits<T>::max());
  }
}

template <class T>
bool from_word(Word word, T& value) {
  if (word > largest_word<T>()) {
    return false;
  }
  if constexpr (std::is_floating_point_v<T>) {
    std::memcpy(&value, &word, sizeof value);
  } else {
    value = static_cast<T>(word);
  }
  return true;
}

std::size_t total_words(std::size_t parameters) {
  return header_words + (3 * parameters + 1) / 2 + 1;
}

Error damaged(std::span<const std::uint8_t> bytes) {
  static constexpr std::array<std::string_view, 1> names = {"trainer"};
  return invalid_argument("bytes", static_cast<double>(bytes.size()),
                          Rule{.kind = RuleKind::snapshot, .names = names});
}

}  // namespace

std::vector<std::uint8_t> Trainer::snapshot() const {
  const std::span<const float> parameters = std::as_const(state_->model).parameters();
  const std::size_t words = total_words(parameters.size());
  std::vector<std::uint8_t> bytes(words * sizeof(Word));
  std::size_t next = 0;
  const auto put = [&](Word word) {
    std::memcpy(&bytes[next], &word, sizeof word);
    next += sizeof word;
  };
  put(magic_and_version);
  for_each_option(state_->options, [&](const auto& option) { put(to_word(option)); });
  put(static_cast<Word>(state_->step));
  put(parameters.size());
  for (const std::span<const float> part :
       {parameters, std::span<const float>(state_->first_moment),
        std::span<const float>(state_->second_moment)}) {
    std::memcpy(&bytes[next], part.data(), part.size_bytes());
    next += part.size_bytes();
  }
  const Word sum = checksum(bytes, words - 1);
  std::memcpy(&bytes[(words - 1) * sizeof(Word)], &sum, sizeof sum);
  return bytes;
}

Result<Trainer> Trainer::restore(std::span<const std::uint8_t> bytes) {
  const std::size_t words = bytes.size() / sizeof(Word);
  if (bytes.size() % sizeof(Word) != 0 || words < header_words + 1 ||
      word_at(bytes, 0) != magic_and_version ||
      word_at(bytes, words - 1) != checksum(bytes, words - 1)) {
    return damaged(bytes);
  }

  // A checksum is no proof of good faith, so each field is checked as an argument would be, and
  // nothing is allocated before the options have been.
  LabOptions options;
  std::size_t next = 1;
  bool readable = true;
  for_each_option(options, [&](auto& option) {
    readable = from_word(word_at(bytes, next), option) && readable;
    ++next;
  });
  if (!readable || !check_lab_options(options).ok()) {
    return damaged(bytes);
  }
  const Word step = word_at(bytes, next);
  const Word count = word_at(bytes, next + 1);
  const auto parameters = static_cast<Word>(model_parameters(options, model_shape(options)));
  if (step > static_cast<Word>(options.steps) || count != parameters ||
      words != total_words(static_cast<std::size_t>(parameters))) {
    return damaged(bytes);
  }
  auto state = std::make_unique<State>(options);
  state->step = static_cast<std::int64_t>(step);
  std::size_t from = header_words * sizeof(Word);
  for (const std::span<float> part : {state->model.parameters(), std::span(state->first_moment),
                                      std::span(state->second_moment)}) {
    std::memcpy(part.data(), &bytes[from], part.size_bytes());
    from += part.size_bytes();
  }
  // A run that diverged holds NaN and is still a run; a sum of squares below zero never was one.
  const auto is_negative = [](float moment) { return moment < 0; };
  if (std::any_of(state->second_moment.begin(), state->second_moment.end(), is_negative)) {
    return damaged(bytes);
  }
  return Trainer(std::move(state));
}

}  // namespace posenc
