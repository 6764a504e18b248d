#include "analysis/similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/arguments.h"

namespace posenc {
namespace {

using Row = Eigen::Map<const Eigen::RowVectorXd>;

/// The vector at a scale where no square overflows or vanishes: largest entry in [0.5, 1). A power
/// of two, so that nothing is rounded. Zeros and non-finite entries are left as they are.
Eigen::RowVectorXd scaled_to_one(const Row& row) {
  const double largest = row.cwiseAbs().maxCoeff();
  if (largest == 0 || !std::isfinite(largest)) {
    return row;
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  return row.unaryExpr([exponent](double entry) { return std::ldexp(entry, -exponent); });
}

/// One root of the product, not a product of roots: x / sqrt(x * x) is exactly 1.
double cosine_of_squares(double dot, double a_square, double b_square) {
  return dot / std::sqrt(a_square * b_square);
}

bool is_comfortable(double square) { return square > 1e-150 && square < 1e150; }

double cosine(const Row& a, const Row& b) {
  const double a_square = a.dot(a);
  const double b_square = b.dot(b);
  double value = 0;
  if (is_comfortable(a_square) && is_comfortable(b_square)) {
    value = cosine_of_squares(a.dot(b), a_square, b_square);
  } else if (a.hasNaN() || b.hasNaN()) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if ((a.array() != 0).any() && (b.array() != 0).any()) {
    const Eigen::RowVectorXd c = scaled_to_one(a);
    const Eigen::RowVectorXd d = scaled_to_one(b);
    value = cosine_of_squares(c.dot(d), c.dot(c), d.dot(d));
  }
  // A comparison with NaN is false, so NaN passes.
  return std::clamp(value, -1.0, 1.0);
}

}  // namespace

Result<Measure> parse_measure(std::string_view name) {
  static constexpr std::array<std::string_view, 2> names = {"dot", "cosine"};
  return parse_name<Measure>("measure", name, names);
}

Result<VectorD> row_similarity(std::span<const double> data, std::int64_t rows,
                               std::int64_t columns, std::int64_t row, Measure measure) {
  if (Status status = analysis::check_matrix(data, rows, columns); !status.ok()) {
    return status.error();
  }
  if (Status status = check_integer("row", row, 0, rows - 1); !status.ok()) {
    return status.error();
  }
  const Row one(data.data() + row * columns, columns);
  VectorD similarity(rows);
  for (Eigen::Index other = 0; other < rows; ++other) {
    const Row next(data.data() + other * columns, columns);
    similarity[other] = measure == Measure::dot ? one.dot(next) : cosine(one, next);
  }
  return similarity;
}

}  // namespace posenc
