// One run of the length lab: a model, its task, its optimizer, its curve.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "posenc/encoding/rope_scaling.h"
#include "posenc/train/lab_options.h"
#include "posenc/train/tasks.h"
#include "posenc/types.h"

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

/// How a learned table is extended past the rows that training reached.
enum class TableExtension { none, zeros, last, wrap, interpolate };
std::optional<TableExtension> table_extension_from_name(std::string_view name);

/// What may be changed after training.
struct TestOptions {
  std::optional<RopeType> scaling;   ///< linear, ntk or yarn; `rope` only
  double factor = 1;                 ///< 1 to 64
  std::optional<double> rope_base;   ///< 2 to 1e9; `rope` only
  TableExtension extension = TableExtension::none;  ///< `learned` only
};

struct Curve {
  std::vector<std::int32_t> lengths;   ///< 1 .. reach * L
  std::vector<double> accuracies;      ///< NaN where there is no answer
  std::vector<double> losses;          ///< NaN likewise
  std::vector<std::int32_t> counts;    ///< targets judged at each length
  std::int64_t wall = 0;               ///< first length without a row under these options, or 0
  double inside = 0;                   ///< accuracy over the targets at lengths in (3L/4, L]
};

struct AttentionExample {
  std::int64_t length = 0;                ///< T
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
  static Result<Trainer> create(const LabOptions& options);
  /// Error::invalid_argument `bytes` unless they are a whole snapshot of this version.
  static Result<Trainer> restore(std::span<const std::uint8_t> bytes);
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;
  ~Trainer();

  [[nodiscard]] const LabOptions& options() const;
  [[nodiscard]] TrainerInfo info() const;

  /// At most `steps` more, never beyond options().steps. One loss and one accuracy a step done are
  /// appended. The same bits however the steps are split.
  Status train(std::int64_t steps, std::vector<float>& losses, std::vector<float>& accuracies);

  /// A whole curve is long work for a page: it can be taken in pieces, which give the same bits.
  /// @return pieces of a curve; run_curve_piece is called for each 0 <= piece < pieces
  [[nodiscard]] std::int64_t curve_pieces() const;
  Status start_curve(Curve& curve, const TestOptions& test, std::int64_t sequences);
  Status run_curve_piece(Curve& curve, const TestOptions& test, std::int64_t sequences,
                         std::int64_t piece);

  Result<AttentionExample> attention(std::int64_t layer, std::int64_t head, std::int64_t length,
                                     std::uint32_t example, const TestOptions& test);

  /// `learned` only: else an error that names `code`.
  [[nodiscard]] Result<TrainedTable> table() const;

  [[nodiscard]] std::vector<std::uint8_t> snapshot() const;

 private:
  struct State;
  explicit Trainer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace posenc
