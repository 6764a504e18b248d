#include "analysis/rows.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "analysis/arguments.h"
#include "random/rng.h"

namespace posenc {
namespace {

// Plain loops: Eigen's reductions by rows made the kernel 3 KB larger, gzipped.

double norm(const double* row, std::int64_t columns) {
  double sum = 0;
  for (std::int64_t i = 0; i < columns; ++i) {
    sum += row[i] * row[i];
  }
  return std::sqrt(sum);
}

/// Of the two rows.
VectorD norms(const MatrixD& two) {
  VectorD result(2);
  for (std::int64_t row = 0; row < 2; ++row) {
    result.data()[row] = norm(two.data() + row * two.cols(), two.cols());
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
  addition.word_norm = norms(addition.word);
  addition.ratio = VectorD(2);
  if (!code.empty()) {
    addition.code_norm = norm(code.data(), d_model);
    addition.sum.resize(2, d_model);
    for (std::int64_t i = 0; i < 2 * d_model; ++i) {
      addition.sum.data()[i] =
          addition.word.data()[i] + code[static_cast<std::size_t>(i % d_model)];
    }
    addition.sum_norm = norms(addition.sum);
  }
  for (int way = 0; way < 2; ++way) {
    addition.ratio.data()[way] = addition.code_norm / addition.word_norm.data()[way];
  }
  return addition;
}

}  // namespace posenc
