#include "analysis/rows.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "analysis/arguments.h"
#include "random/rng.h"

namespace posenc {
namespace {

// Plain loops: Eigen's reductions by rows made the kernel 3 KB larger, gzipped.

/// Euclidean; without `other` the length.
double distance(const double* row, const double* other, std::int64_t columns) {
  double sum = 0;
  for (std::int64_t i = 0; i < columns; ++i) {
    const double difference = row[i] - (other == nullptr ? 0 : other[i]);
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

VectorD distances(std::span<const double> data, const double* other, std::int64_t rows,
                  std::int64_t columns) {
  VectorD result(rows);
  for (std::int64_t row = 0; row < rows; ++row) {
    const double* beside = other == nullptr ? nullptr : other + row * columns;
    result.data()[row] = distance(data.data() + row * columns, beside, columns);
  }
  return result;
}

/// Another matrix of the same shape.
Status check_beside(std::string_view name, std::span<const double> data, std::int64_t rows,
                    std::int64_t columns) {
  const auto due = static_cast<double>(rows * columns);
  if (static_cast<double>(data.size()) != due) {
    return invalid_count(name, static_cast<double>(data.size()), due, due);
  }
  return ok_status();
}

}  // namespace

Result<VectorD> row_differences(std::span<const double> data, std::span<const double> other,
                                std::int64_t rows, std::int64_t columns) {
  if (Status status = analysis::check_matrix(data, rows, columns); !status.ok()) {
    return status.error();
  }
  if (Status status = check_beside("other", other, rows, columns); !status.ok()) {
    return status.error();
  }
  VectorD largest = VectorD::Zero(rows);
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const auto entry = static_cast<std::size_t>(i);
    double& most = largest.data()[i / columns];
    most = std::max(most, std::abs(data[entry] - other[entry]));
  }
  return largest;
}

Result<RowProgress> row_progress(std::span<const double> data, std::span<const double> start,
                                 std::span<const double> target, std::int64_t rows,
                                 std::int64_t columns) {
  if (Status status = analysis::check_matrix(data, rows, columns); !status.ok()) {
    return status.error();
  }
  if (Status status = check_beside("start", start, rows, columns); !status.ok()) {
    return status.error();
  }
  if (Status status = check_beside("target", target, rows, columns); !status.ok()) {
    return status.error();
  }
  RowProgress progress{distances(start, target.data(), rows, columns),
                       distances(data, target.data(), rows, columns)};
  const double whole = distance(progress.start.data(), nullptr, rows);
  if (whole > 0) {
    progress.share = 1 - distance(progress.now.data(), nullptr, rows) / whole;
  }
  return progress;
}

Result<CodeAddition> code_addition(std::int64_t d_model, std::uint32_t seed,
                                   std::span<const double> code) {
  if (Status status = check_integer("dModel", d_model, 1, max_dim); !status.ok()) {
    return status.error();
  }
  if (!code.empty()) {
    if (Status status = check_beside("code", code, 1, d_model); !status.ok()) {
      return status.error();
    }
  }
  const Result<VectorD> drawn = standard_normals(seed, d_model);
  if (!drawn.ok()) {
    return drawn.error();
  }
  CodeAddition addition;
  addition.root = std::sqrt(static_cast<double>(d_model));
  addition.word.resize(2, d_model);
  for (std::int64_t i = 0; i < d_model; ++i) {
    addition.word.data()[i] = drawn.value().data()[i] / addition.root;
    addition.word.data()[d_model + i] = addition.word.data()[i] * addition.root;
  }
  const auto entries = [](const MatrixD& matrix) {
    return std::span(matrix.data(), static_cast<std::size_t>(matrix.size()));
  };
  addition.word_norm = distances(entries(addition.word), nullptr, 2, d_model);
  addition.ratio = VectorD(2);
  if (!code.empty()) {
    addition.code_norm = distance(code.data(), nullptr, d_model);
    addition.sum.resize(2, d_model);
    for (std::int64_t i = 0; i < 2 * d_model; ++i) {
      addition.sum.data()[i] =
          addition.word.data()[i] + code[static_cast<std::size_t>(i % d_model)];
    }
    addition.sum_norm = distances(entries(addition.sum), nullptr, 2, d_model);
  }
  for (int way = 0; way < 2; ++way) {
    addition.ratio.data()[way] = addition.code_norm / addition.word_norm.data()[way];
  }
  return addition;
}

}  // namespace posenc
