// One run of the length lab: a model, its task, its optimizer, its curve.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codes/rope_scaling.h"
#include "lab/options.h"
#include "lab/tasks/tasks.h"
#include "types.h"

namespace posenc {

struct TrainerInfo {
  std::int64_t step = 0;
  std::int64_t parameters = 0;
  TaskShape task;
  Solvability solvability;
  std::int64_t rows = 0;        ///< of the learned table; 0 for other codes
  std::int64_t wall = 0;        ///< first length without a row; 0 where there is none
  std::int64_t max_length = 0;  ///< reach * L
  double memory_bytes = 0;
};

/// How a learned table of n trained rows serves a sequence of T > n tokens. `zeros`, `last`,
/// `wrap`: a row t >= n is zero, row n - 1, row t modulo n. `interpolate`: every row t is read at
/// t (n - 1) / (T - 1), between two trained rows linearly. Sequences that fit are served as in
/// training. Randomized positions train every row, so that nothing is left to extend.
enum class TableExtension { none, zeros, last, wrap, interpolate };
/// @param name  as the enumerator is spelled
std::optional<TableExtension> table_extension_from_name(std::string_view name);

/// What may be changed after training.
struct TestOptions {
  std::optional<RopeType> scaling;                  ///< linear, ntk or yarn; `rope` only
  double factor = 1;                                ///< 1 to 64
  std::optional<double> rope_base;                  ///< 2 to 1e9; `rope` only
  TableExtension extension = TableExtension::none;  ///< `learned` only
};

/// Accuracy by length. Every array has an entry a length, and is right after each piece for what
/// has been judged so far.
struct Curve {
  std::vector<std::int32_t> lengths;  ///< 1 .. reach * L
  std::vector<double> accuracies;     ///< right / counts; NaN where nothing was judged
  std::vector<double> losses;         ///< means; NaN likewise
  std::vector<std::int32_t> counts;   ///< targets judged at each length; 0 from the wall on
  std::vector<std::int32_t> right;    ///< of them, answered correctly
  std::vector<double> loss_sums;      ///< over the targets judged
  std::int64_t wall = 0;              ///< first length without a row under these options, or 0
  /// Accuracy near L (see near_lengths): over the targets at lengths in (3L/4, L], or, where a
  /// length has sequences of its own (no causal mask, or a task that answers after reading: copy,
  /// reverse, sort, addition) and training knew L alone, at L. NaN at first.
  double inside = 0;
  bool trained = false;  ///< inside >= trained_accuracy; false while inside is NaN
};

struct AttentionExample {
  std::int64_t length = 0;                ///< T, tokens: sequence_length(task, asked length)
  std::vector<std::int32_t> tokens;       ///< (T)
  std::vector<std::int32_t> targets;      ///< (T), -1: none
  std::vector<std::int32_t> predictions;  ///< (T)
  std::vector<float> weights;             ///< (T, T), row = query
};

struct TrainedTable {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> values;                ///< (rows, columns)
  std::vector<std::uint8_t> gradient_rows;  ///< (rows), 1: its second moment is not all zero
  std::vector<float> similarity;            ///< (rows, rows), cosine
};

class Trainer {
 public:
  struct State;  // for the sources of the trainer alone

  /// The errors of check_lab_options.
  static Result<Trainer> create(const LabOptions& options);
  /// Error::invalid_argument `bytes` unless they are a whole snapshot of this version.
  static Result<Trainer> restore(std::span<const std::uint8_t> bytes);
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;
  ~Trainer();

  [[nodiscard]] const LabOptions& options() const;
  [[nodiscard]] TrainerInfo info() const;

  /// At most `steps` more, never beyond options().steps. One loss and one accuracy a step done are
  /// appended, both of the step's batch before its update. The same bits however the steps are
  /// split and whatever is evaluated between them.
  Status train(std::int64_t steps, std::vector<float>& losses, std::vector<float>& accuracies);

  /// A whole curve is long work for a page: it is taken in pieces, in order, of at most a few
  /// milliseconds each for a model of ordinary size. The pieces' number is a function of the
  /// options alone, so a piece may have nothing to do where there are few sequences. The test data
  /// are a function of (seed, length, number of the sequence): all codes meet the same.
  /// @return pieces of a curve; run_curve_piece is called for each 0 <= piece < pieces
  [[nodiscard]] std::int64_t curve_pieces() const;

  /// @param curve      overwritten: lengths, nothing judged
  /// @param sequences  of each pass: 1 to 512
  /// @return an error that names sequences, scaling, factor, ropeBase or extend
  Status start_curve(Curve& curve, const TestOptions& test, std::int64_t sequences);

  /// @param curve, test, sequences  of start_curve; no training in between
  Status run_curve_piece(Curve& curve, const TestOptions& test, std::int64_t sequences,
                         std::int64_t piece);

  /// Where a head looks.
  /// @param layer    0 to layers - 1
  /// @param head     0 to heads - 1
  /// @param length   1 to reach * L, in the sense of the curve
  /// @param example  number of the sequence among the curve's at this length; more are drawn
  /// likewise
  /// @return an error that names layer, head, length, scaling, factor, ropeBase or extend;
  ///   Error::position_out_of_range where the table has no row
  Result<AttentionExample> attention(std::int64_t layer, std::int64_t head, std::int64_t length,
                                     std::uint32_t example, const TestOptions& test);

  /// `learned` only: else an error that names `code`.
  [[nodiscard]] Result<TrainedTable> table() const;

  /// Everything that training goes on from; restore() does so bit for bit.
  [[nodiscard]] std::vector<std::uint8_t> snapshot() const;

 private:
  explicit Trainer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace posenc
