#include "lab/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "lab/curve_summary.h"
#include "lab/tasks/tasks.h"
#include "lab/trainer_state.h"
#include "nn/loss.h"

namespace posenc {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Multiply-adds of a piece, about: some milliseconds as WebAssembly without SIMD.
constexpr double work_of_a_piece = 2e6;

/// Multiply-adds of one sequence, about.
double work_of_a_sequence(const LabOptions& options, std::int64_t tokens) {
  const auto t = static_cast<double>(tokens);
  const auto d = static_cast<double>(options.d_model);
  const double layer = (options.mlp ? 12 : 4) * t * d * d + 2 * t * t * d;
  return static_cast<double>(options.layers) * layer;
}

std::vector<std::int64_t> ladder_lengths(const LabOptions& options) {
  const std::int64_t longest = options.reach * options.length;
  std::vector<std::int64_t> lengths;
  if (has_ladder(options)) {
    for (std::int64_t n = longest; n >= 2; n = (n + 1) / 2) {
      lengths.push_back(n);
      if (n == 2) {
        break;
      }
    }
    std::reverse(lengths.begin(), lengths.end());
  } else {
    for (std::int64_t n = 1; n <= longest; ++n) {
      lengths.push_back(n);
    }
  }
  return lengths;
}

/// Adds what the model's answers to the drawn sequences are worth.
void judge(Curve& curve, const Rung& rung, const TaskBatch& batch, std::span<const float> logits,
           bool by_position) {
  const auto tokens = static_cast<std::size_t>(batch.tokens_each);
  const std::size_t outputs = logits.size() / batch.targets.size();
  const auto first = static_cast<std::size_t>(by_position ? rung.after : 0);
  for (std::size_t start = 0; start < batch.targets.size(); start += tokens) {
    for (std::size_t p = first; p < tokens; ++p) {
      const std::int32_t target = batch.targets[start + p];
      if (target < 0) {
        continue;
      }
      const RowJudgement answer = judge_row(logits.subspan((start + p) * outputs, outputs), target);
      const std::size_t at = by_position ? p : static_cast<std::size_t>(rung.n - 1);
      ++curve.counts[at];
      curve.right[at] += answer.predicted == target ? 1 : 0;
      curve.loss_sums[at] += answer.loss;
    }
  }
}

void update_means(Curve& curve, const Rung& rung, const LabOptions& options) {
  for (auto n = static_cast<std::size_t>(rung.after); n < static_cast<std::size_t>(rung.n); ++n) {
    if (curve.counts[n] > 0) {
      curve.accuracies[n] = static_cast<double>(curve.right[n]) / curve.counts[n];
      curve.losses[n] = curve.loss_sums[n] / curve.counts[n];
    }
  }
  curve.inside = accuracy_between(curve.accuracies, curve.counts,
                                  options.length - near_lengths(options) + 1, options.length);
  curve.trained = curve.inside >= trained_accuracy;
}

Status check_sequences(std::int64_t sequences) {
  return check_integer("sequences", sequences, 1, max_curve_sequences);
}

}  // namespace

bool has_ladder(const LabOptions& options) { return options.causal && task_shape(options).dense; }

std::vector<Rung> curve_ladder(const LabOptions& options) {
  std::vector<Rung> ladder;
  std::int64_t after = 0;
  std::int64_t pieces = 0;
  for (const std::int64_t n : ladder_lengths(options)) {
    Rung rung;
    rung.n = n;
    rung.tokens = sequence_length(options.task, n);
    rung.after = after;
    rung.first_piece = pieces;
    const double work = work_of_a_sequence(options, rung.tokens) * max_curve_sequences;
    rung.pieces = std::clamp(static_cast<std::int64_t>(std::ceil(work / work_of_a_piece)),
                             std::int64_t{1}, max_curve_sequences);
    ladder.push_back(rung);
    after = n;
    pieces += rung.pieces;
  }
  return ladder;
}

std::int64_t piece_sequences(const Rung& rung, std::int64_t sequences, std::int64_t piece) {
  const std::int64_t number = piece - rung.first_piece;
  return sequences / rung.pieces + (number < sequences % rung.pieces ? 1 : 0);
}

std::int64_t trained_rows(const LabOptions& options) {
  const std::int64_t n = options.randomized ? options.reach * options.length : options.length;
  return sequence_length(options.task, n);
}

std::int64_t table_rows(const LabOptions& options) {
  if (options.code != PositionCode::learned) {
    return 0;
  }
  return options.wall ? trained_rows(options)
                      : sequence_length(options.task, options.reach * options.length);
}

ModelShape model_shape(const LabOptions& options) {
  const TaskShape task = task_shape(options);
  ModelShape shape;
  shape.inputs = task.inputs;
  shape.outputs = task.outputs;
  shape.rows = table_rows(options);
  shape.max_positions = sequence_length(options.task, options.reach * options.length);
  return shape;
}

std::int64_t Trainer::curve_pieces() const {
  const Rung longest = curve_ladder(state_->options).back();
  return longest.first_piece + longest.pieces;
}

Status Trainer::start_curve(Curve& curve, const TestOptions& test, std::int64_t sequences) {
  const LabOptions& options = state_->options;
  for (const Status& status : {check_test(options, test), check_sequences(sequences)}) {
    if (!status.ok()) {
      return status;
    }
  }
  const auto size = static_cast<std::size_t>(options.reach * options.length);
  curve = Curve{};
  for (std::size_t i = 0; i < size; ++i) {
    curve.lengths.push_back(static_cast<std::int32_t>(i + 1));
  }
  curve.accuracies.assign(size, nan);
  curve.losses.assign(size, nan);
  curve.counts.assign(size, 0);
  curve.right.assign(size, 0);
  curve.loss_sums.assign(size, 0);
  curve.wall = wall_of(options, test.extension);
  curve.inside = nan;
  return ok_status();
}

Status Trainer::run_curve_piece(Curve& curve, const TestOptions& test, std::int64_t sequences,
                                std::int64_t piece) {
  State& state = *state_;
  const LabOptions& options = state.options;
  for (const Status& status : {check_test(options, test), check_sequences(sequences)}) {
    if (!status.ok()) {
      return status;
    }
  }
  const std::int64_t longest = options.reach * options.length;
  if (static_cast<std::int64_t>(curve.lengths.size()) != longest) {
    const auto due = static_cast<double>(longest);
    return invalid_count("curve", static_cast<double>(curve.lengths.size()), due, due);
  }
  const std::vector<Rung> ladder = curve_ladder(options);
  const auto rung = std::find_if(ladder.begin(), ladder.end(), [piece](const Rung& one) {
    return piece >= one.first_piece && piece < one.first_piece + one.pieces;
  });
  if (rung == ladder.end()) {
    return invalid_argument("piece", static_cast<double>(piece), RuleKind::integer, 0,
                            static_cast<double>(curve_pieces() - 1));
  }
  std::int64_t first = 0;
  for (std::int64_t earlier = rung->first_piece; earlier < piece; ++earlier) {
    first += piece_sequences(*rung, sequences, earlier);
  }
  const std::int64_t count = piece_sequences(*rung, sequences, piece);
  // L is a rung of every ladder, so a pass never needs rows for a part of its lengths alone.
  const bool past_the_wall = curve.wall != 0 && rung->n >= curve.wall;
  if (count == 0 || past_the_wall || !length_defined(options, rung->n)) {
    return ok_status();
  }
  state.draw_test(rung->n, first, count);
  state.set_positions(rung->tokens,
                      state.random(Stream::sequence_positions, rung->n, piece - rung->first_piece));
  const TestSetup setup = make_setup(state, test, rung->tokens);
  const std::span<const float> logits =
      state.model.forward(state.input(), setup.overrides, Pass::evaluation);
  judge(curve, *rung, state.batch, logits, has_ladder(options));
  update_means(curve, *rung, options);
  return ok_status();
}

}  // namespace posenc
