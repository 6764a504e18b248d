// A learned position table: T_max x d parameters, one row a position, that start as seeded
// noise and are regressed towards a scaled sinusoidal table (the NumPy miniature):
//   P <- P - rate * (P - scale * PE) / T
// where T is the number of rows that receive gradients. A position past T_max has no row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "random/rng.h"
#include "types.h"

namespace posenc {

/// What a lookup past T_max does; each is what some framework does.
enum class Behaviour { raise, clamp, zeros, nan, wrap };

/// `raise`, `clamp`, `zeros`, `nan` or `wrap`; anything else is Error::invalid_argument.
Result<Behaviour> parse_behaviour(std::string_view name);

struct TrainReport {
  std::int64_t steps = 0;         ///< since the table was created
  double mean_squared_error = 0;  ///< against scale * PE over the trained rows, after the steps
};

/// How far the trained rows are from what they are trained towards.
struct TableProgress {
  VectorD distance;  ///< (trained_rows), Euclidean
  double share = 0;  ///< of the way from the distances at the start, over all rows; 1 where the
                     ///< start was the target
};

class LearnedTable {
 public:
  /// numpy.random.RandomState(seed).randn(t_max, d_model) * scale.
  /// Error::invalid_argument unless t_max and d_model are at least 1, d_model <= max_dim,
  /// t_max * d_model <= max_table_size, and |scale| <= 1e100.
  static Result<LearnedTable> create(std::int64_t t_max, std::int64_t d_model, std::uint32_t seed,
                                     double scale);

  [[nodiscard]] std::int64_t t_max() const { return values_.rows(); }
  [[nodiscard]] std::int64_t d_model() const { return values_.cols(); }
  /// How many leading rows receive gradients: t_max at creation, whatever is grown later.
  [[nodiscard]] std::int64_t trained_rows() const { return trained_rows_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

  /// (t_max, d_model), row = position.
  [[nodiscard]] const MatrixD& values() const { return values_; }

  /// (t_max), 1 where a gradient has ever reached the row.
  [[nodiscard]] std::vector<std::uint8_t> rows_with_gradient() const;

  /// Error::invalid_argument unless 0 <= steps <= max_steps, learning_rate is finite and >= 0,
  /// |target_scale| <= 1e100, and the updates stay finite: a rate above 2 * trained_rows diverges,
  /// and a run that would leave |value| <= 1e150 is refused. For a caller that takes a long run in
  /// pieces and wants to know beforehand.
  Status check_training(std::int64_t steps, double learning_rate, double target_scale);

  /// `steps` updates with PE of base 10000. The result depends on the number of steps alone, to the
  /// last bit, however they are spread over calls. The errors of check_training leave the table
  /// unchanged.
  Result<TrainReport> train_toward_sinusoid(std::int64_t steps, double learning_rate,
                                            double target_scale);

  /// What train_toward_sinusoid pulls the rows towards: target_scale * PE of base 10000, as (t_max,
  /// d_model). The errors are those of create and check_training.
  static Result<MatrixD> training_target(std::int64_t t_max, std::int64_t d_model,
                                         double target_scale);

  /// @param start  distances of an earlier call at the start, (trained_rows); empty: the start is
  /// now Error::invalid_argument as for check_training, or where `start` has another size.
  Result<TableProgress> progress(std::span<const double> start, double target_scale);

  /// More rows, drawn on from the same random stream; their values equal those of a table that
  /// was created larger. Error::invalid_argument, and an unchanged table, when t_max is below
  /// the present one or the table would exceed max_table_size.
  Status grow(std::int64_t t_max);

  /// The row at `position`, or what `behaviour` makes of a position >= t_max.
  /// Error::position_out_of_range from Behaviour::raise; Error::invalid_argument unless
  /// 0 <= position <= max_position.
  [[nodiscard]] Result<VectorD> lookup(std::int64_t position, Behaviour behaviour) const;

  /// Everything, the random stream included, as bytes: restore() goes on as this table would.
  [[nodiscard]] std::vector<std::uint8_t> snapshot() const;

  /// Error::invalid_argument when the bytes are not a whole snapshot of this version.
  static Result<LearnedTable> restore(std::span<const std::uint8_t> bytes);

 private:
  LearnedTable(MatrixD values, const RandomState& random, double scale)
      : values_(std::move(values)), random_(random), scale_(scale), trained_rows_(values_.rows()) {}

  MatrixD values_;  // (t_max, d_model)
  MatrixD target_;  // (trained_rows, d_model) PE, made by the first training call
  RandomState random_;
  double scale_;
  std::int64_t trained_rows_;
  std::int64_t steps_ = 0;
};

}  // namespace posenc
