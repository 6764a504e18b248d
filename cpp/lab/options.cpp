#include "lab/options.h"

#include <algorithm>
#include <array>

#include "checks.h"
#include "codes/t5_bias.h"
#include "lab/trainer_memory.h"

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

constexpr std::array<double, 2> reaches = {4, 8};
constexpr std::array<double, 4> widths = {16, 32, 64, 128};
constexpr std::array<double, 4> head_counts = {1, 2, 4, 8};

void check_model(const LabOptions& options, Checks& checks) {
  checks.integer("length", options.length, 4, 64);
  checks.one_of("reach", options.reach, reaches);
  checks.integer("vocabulary", options.vocabulary, 4, 32);
  checks.integer("layers", options.layers, 1, 4);
  checks.one_of("dModel", options.d_model, widths);
  checks.one_of("heads", options.heads, head_counts);
  checks.integer("taskShift", options.task_shift, 1, 8);
  if (options.task == LabTask::back) {
    checks.integer("taskShift", options.task_shift, 1,
                   std::min<std::int64_t>(8, options.length - 1));
  }
  checks.integer("taskModulo", options.task_modulo, 2, 8);
  checks.range(RuleKind::even, "t5Buckets", static_cast<double>(options.t5_buckets), 4, 64);
  checks.integer("t5MaxDistance", options.t5_max_distance, 2, 1024);
  if (options.code == PositionCode::t5) {
    const std::int64_t exact = options.t5_buckets / (options.causal ? 2 : 4);
    checks.integer("t5MaxDistance", options.t5_max_distance, exact + 1, 1024);
  }
  checks.number("alibiExponent", options.alibi_exponent, 0.5, 16);
  checks.number("ropeBase", options.rope_base, 2, 1e9);
  checks.number("sinusoidBase", options.sinusoid_base, 2, 1e9);
}

void check_training(const LabOptions& options, Checks& checks) {
  checks.integer("batch", options.batch, 1, 128);
  checks.integer("steps", options.steps, 1, 20000);
  checks.number("learningRate", options.learning_rate, 1e-5, 1);
  checks.integer("warmUp", options.warm_up, 0, options.steps);
  checks.range(RuleKind::above, "clip", options.clip, 0);
  checks.number("weightDecay", options.weight_decay, 0, 1);
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
