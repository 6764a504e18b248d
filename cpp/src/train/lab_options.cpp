#include "posenc/train/lab_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string>

#include "posenc/encoding/t5_bias.h"
#include "trainer_memory.h"

namespace posenc {
namespace {

constexpr std::array<std::string_view, position_code_count> code_names = {
    "nope", "sinusoidal", "learned", "rope", "alibi", "t5"};

constexpr std::array<std::string_view, lab_task_count> task_names = {
    "back",      "latest",   "order", "first",   "modulo", "seen",
    "induction", "previous", "copy",  "reverse", "sort",   "addition"};

template <class Enum, std::size_t size>
std::optional<Enum> find_name(const std::array<std::string_view, size>& names,
                              std::string_view name) {
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return std::nullopt;
  }
  return static_cast<Enum>(found - names.begin());
}

/// Remembers the first thing that is wrong, so that the bounds read as a list.
class Checks {
 public:
  [[gnu::noinline]] void integer(const char* name, std::int64_t value, std::int64_t least,
                                 std::int64_t most) {
    if (!error_ && (value < least || value > most)) {
      error_ = invalid_argument(
          name, static_cast<double>(value),
          "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    }
  }

  [[gnu::noinline]] void one_of(const char* name, std::int64_t value,
                                std::initializer_list<std::int64_t> choices, const char* expected) {
    if (!error_ && std::find(choices.begin(), choices.end(), value) == choices.end()) {
      error_ = invalid_argument(name, static_cast<double>(value), expected);
    }
  }

  // NaN fails every one.
  [[gnu::noinline]] void require(bool right, const char* name, double value, const char* expected) {
    if (!error_ && !right) {
      error_ = invalid_argument(name, value, expected);
    }
  }

  void base(const char* name, double value) {
    require(value >= 2 && value <= 1e9, name, value, "a number from 2 to 1e9");
  }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

void check_model(const LabOptions& options, Checks& checks) {
  checks.integer("length", options.length, 4, 64);
  checks.one_of("reach", options.reach, {4, 8}, "4 or 8");
  checks.integer("vocabulary", options.vocabulary, 4, 32);
  checks.integer("layers", options.layers, 1, 4);
  checks.one_of("dModel", options.d_model, {16, 32, 64, 128}, "16, 32, 64 or 128");
  checks.one_of("heads", options.heads, {1, 2, 4, 8}, "1, 2, 4 or 8");
  checks.integer("taskShift", options.task_shift, 1, 8);
  if (options.task == LabTask::back) {
    checks.integer("taskShift", options.task_shift, 1,
                   std::min<std::int64_t>(8, options.length - 1));
  }
  checks.integer("taskModulo", options.task_modulo, 2, 8);
  checks.integer("t5Buckets", options.t5_buckets, 4, 64);
  checks.require(options.t5_buckets % 2 == 0, "t5Buckets", static_cast<double>(options.t5_buckets),
                 "an even integer from 4 to 64");
  checks.integer("t5MaxDistance", options.t5_max_distance, 2, 1024);
  if (options.code == PositionCode::t5) {
    const std::int64_t exact = options.t5_buckets / (options.causal ? 2 : 4);
    checks.integer("t5MaxDistance", options.t5_max_distance, exact + 1, 1024);
  }
  checks.require(options.alibi_exponent >= 0.5 && options.alibi_exponent <= 16, "alibiExponent",
                 options.alibi_exponent, "a number from 0.5 to 16");
  checks.base("ropeBase", options.rope_base);
  checks.base("sinusoidBase", options.sinusoid_base);
}

void check_training(const LabOptions& options, Checks& checks) {
  checks.integer("batch", options.batch, 1, 128);
  checks.integer("steps", options.steps, 1, 20000);
  checks.require(options.learning_rate >= 1e-5 && options.learning_rate <= 1, "learningRate",
                 options.learning_rate, "a number from 1e-5 to 1");
  checks.integer("warmUp", options.warm_up, 0, options.steps);
  checks.require(options.clip > 0 && std::isfinite(options.clip), "clip", options.clip,
                 "a finite number above 0");
  checks.require(options.weight_decay >= 0 && options.weight_decay <= 1, "weightDecay",
                 options.weight_decay, "a number from 0 to 1");
}

}  // namespace

std::optional<PositionCode> position_code_from_name(std::string_view name) {
  return find_name<PositionCode>(code_names, name);
}

std::string_view position_code_name(PositionCode code) {
  return code_names[static_cast<std::size_t>(code)];
}

std::optional<LabTask> lab_task_from_name(std::string_view name) {
  return find_name<LabTask>(task_names, name);
}

std::string_view lab_task_name(LabTask task) { return task_names[static_cast<std::size_t>(task)]; }

Status check_lab_options(const LabOptions& options) {
  Checks checks;
  check_model(options, checks);
  check_training(options, checks);
  if (checks.error()) {
    return *checks.error();
  }
  return check_lab_memory(options);
}

}  // namespace posenc
