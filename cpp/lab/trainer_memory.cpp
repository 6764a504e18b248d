#include "lab/trainer_memory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <vector>

#include "lab/curve.h"
#include "lab/model.h"
#include "lab/tasks/tasks.h"

namespace posenc {
namespace {

constexpr double float_size = 4;

/// What is asked of a trained model beside the steps: curves, an attention example, the table.
double inspection_memory(const LabOptions& options, const ModelShape& shape) {
  const std::int64_t longest = sequence_length(options.task, options.reach * options.length);
  const auto square = static_cast<double>(longest * longest);
  double most = pass_memory(options, shape, 1, longest, Pass::inspection) + square * float_size;
  for (const Rung& rung : curve_ladder(options)) {
    const std::int64_t batch = piece_sequences(rung, max_curve_sequences, rung.first_piece);
    most = std::max(most, pass_memory(options, shape, batch, rung.tokens, Pass::evaluation));
  }
  const auto rows = static_cast<double>(shape.rows);
  const auto d = static_cast<double>(options.d_model);
  return std::max(most, (rows * rows + rows * d) * float_size);
}

/// A way to a smaller run: one option, its bounds and the values between.
struct Lowering {
  const char* name;
  std::int64_t LabOptions::*option;
  std::vector<std::int64_t> values;  ///< from large to small, all below the present one
};

std::vector<std::int64_t> values_below(std::int64_t value, std::int64_t least) {
  std::vector<std::int64_t> values;
  for (std::int64_t v = value - 1; v >= least; --v) {
    values.push_back(v);
  }
  return values;
}

std::vector<std::int64_t> choices_below(std::int64_t value,
                                        std::initializer_list<std::int64_t> choices) {
  std::vector<std::int64_t> values;
  std::copy_if(choices.begin(), choices.end(), std::back_inserter(values),
               [value](std::int64_t choice) { return choice < value; });
  return values;
}

/// The largest of its values that fits.
std::optional<std::int64_t> largest_that_fits(LabOptions options, const Lowering& lowering) {
  const auto fits = [&](std::int64_t value) {
    options.*lowering.option = value;
    return lab_memory(options) <= max_lab_memory;
  };
  const auto found = std::find_if(lowering.values.begin(), lowering.values.end(), fits);
  return found == lowering.values.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

double lab_memory(const LabOptions& options) {
  const ModelShape shape = model_shape(options);
  const std::int64_t tokens = sequence_length(options.task, options.length);
  const auto parameters = static_cast<double>(model_parameters(options, shape));
  // Parameters, gradients, two moments, and a snapshot of all but the gradients.
  const double fixed = 7 * parameters * float_size;
  const double data = 2 * float_size * static_cast<double>(options.batch * tokens);
  return fixed + data + pass_memory(options, shape, options.batch, tokens, Pass::training) +
         inspection_memory(options, shape);
}

Status check_lab_memory(const LabOptions& options) {
  if (lab_memory(options) <= max_lab_memory) {
    return ok_status();
  }
  const std::int64_t shortest =
      options.task == LabTask::back ? std::max<std::int64_t>(4, options.task_shift + 1) : 4;
  const std::array<Lowering, 6> lowerings = {{
      {"batch", &LabOptions::batch, values_below(options.batch, 1)},
      {"reach", &LabOptions::reach, choices_below(options.reach, {4})},
      {"length", &LabOptions::length, values_below(options.length, shortest)},
      {"layers", &LabOptions::layers, values_below(options.layers, 1)},
      {"heads", &LabOptions::heads, choices_below(options.heads, {4, 2, 1})},
      {"dModel", &LabOptions::d_model, choices_below(options.d_model, {64, 32, 16})},
  }};
  // Of the options that are enough by themselves, the one that keeps most of its value.
  double kept = 0;
  Error error =
      invalid_argument("length", static_cast<double>(options.length), RuleKind::memory, 1);
  for (const Lowering& lowering : lowerings) {
    const std::optional<std::int64_t> value = largest_that_fits(options, lowering);
    const auto present = static_cast<double>(options.*lowering.option);
    if (value && static_cast<double>(*value) / present > kept) {
      kept = static_cast<double>(*value) / present;
      error = invalid_argument(lowering.name, present, RuleKind::memory, 1,
                               static_cast<double>(*value));
    }
  }
  return error;
}

}  // namespace posenc
