// The sinusoidal code and the learned table as JavaScript calls them; see marshal.h for what
// crosses and how. Arguments are numbers as JavaScript has them.
#pragma once

#include <string>

#include "bindings/marshal.h"
#include "codes/learned_table.h"

namespace posenc::bindings {

/// `{ ok, data: Float32Array, rows, columns }`
StatusObject sinusoidal(double length, double d_model, double base, double start);

/// Fills one buffer of length * d_model floats `repeats` times, with the code or with a constant:
/// the two sides of `npm run bench`. `{ ok, last }`, an entry of the result.
StatusObject bench_sinusoidal(double length, double d_model, double repeats);
StatusObject bench_fill(double length, double d_model, double repeats);

/// The handle behind JavaScript's table; JavaScript calls delete() on it.
class Table {
 public:
  explicit Table(LearnedTable table) : table_(std::move(table)) {}

  /// `{ ok }`, or why `train` would refuse
  StatusObject check_training(double steps, double learning_rate, double target_scale);
  /// `{ ok, steps, meanSquaredError }`
  StatusObject train(double steps, double learning_rate, double target_scale);
  /// `{ ok }`
  StatusObject progress(const Float64Array& start, double target_scale);
  StatusObject grow(double t_max);
  /// `{ ok, tMax, dModel, trainedRows, steps }`
  [[nodiscard]] StatusObject info() const;
  /// `{ ok, data: Float64Array, rows, columns }`
  [[nodiscard]] StatusObject values() const;
  /// `{ ok, data: Float64Array }`
  [[nodiscard]] StatusObject lookup(double position, const std::string& behaviour) const;
  /// `{ ok, data: Uint8Array }`, 1 = a gradient has reached this row
  [[nodiscard]] StatusObject gradient_rows() const;
  /// `{ ok, data: Uint8Array }`
  [[nodiscard]] StatusObject snapshot() const;

 private:
  LearnedTable table_;
};

/// `{ ok, table }`
StatusObject create_table(double t_max, double d_model, double seed, double scale);
StatusObject restore_table(const Uint8Array& bytes);

}  // namespace posenc::bindings
