#include "analysis/spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/arguments.h"
#include "codes/sinusoidal.h"

namespace posenc {
namespace {

using Row = Eigen::Map<const Eigen::RowVectorXd>;

/// Squared distances over the full pairs at each offset k = 0 .. length - 1.
VectorD pair_squares(std::int64_t length, std::int64_t d_model, const VectorD& divisors) {
  VectorD squares = VectorD::Zero(length);
  for (Eigen::Index i = 0; 2 * i + 1 < d_model; ++i) {
    for (Eigen::Index k = 1; k < length; ++k) {
      const double half_chord = std::sin(static_cast<double>(k) / (2 * divisors[i]));
      squares[k] += 4 * half_chord * half_chord;
    }
  }
  return squares;
}

/// The lone sine of an odd-sized code at each position, or nothing.
VectorD lone_sines(std::int64_t length, std::int64_t d_model, std::int64_t start,
                   const VectorD& divisors) {
  if (d_model % 2 == 0) {
    return {};
  }
  VectorD sines(length);
  for (Eigen::Index t = 0; t < length; ++t) {
    sines[t] = std::sin(static_cast<double>(start + t) / divisors[d_model / 2]);
  }
  return sines;
}

ClosestRows closest_codes(const VectorD& squares, const VectorD& lone) {
  ClosestRows closest;
  double smallest = std::numeric_limits<double>::infinity();
  for (Eigen::Index k = 1; k < squares.size(); ++k) {
    const Eigen::Index positions = lone.size() == 0 ? 1 : squares.size() - k;
    // What the pairs are apart is the least the whole rows can be.
    for (Eigen::Index t = 0; t < positions && squares[k] < smallest; ++t) {
      const double rest = lone.size() == 0 ? 0 : lone[t + k] - lone[t];
      const double square = squares[k] + rest * rest;
      if (square < smallest) {
        smallest = square;
        closest = {t, t + k, std::sqrt(square)};
      }
    }
  }
  return closest;
}

}  // namespace

Result<RowSpread> row_spread(std::span<const double> data, std::int64_t rows,
                             std::int64_t columns) {
  if (Status status = analysis::check_matrix(data, rows, columns); !status.ok()) {
    return status.error();
  }
  if (rows > max_spread_work / (rows * columns)) {
    const std::int64_t square = max_spread_work / columns;
    const double most = std::floor(std::sqrt(static_cast<double>(square)));
    return invalid_argument("rows", static_cast<double>(rows), RuleKind::integer, 1, most);
  }
  for (const double entry : data) {
    if (!std::isfinite(entry)) {
      return invalid_entry("data", entry, RuleKind::number, -Rule::unbounded, Rule::unbounded);
    }
  }
  RowSpread spread;
  const auto [minimum, maximum] = std::minmax_element(data.begin(), data.end());
  spread.minimum = *minimum;
  spread.maximum = *maximum;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::int64_t first = 0; first < rows; ++first) {
    const Row one(data.data() + first * columns, columns);
    for (std::int64_t second = first + 1; second < rows; ++second) {
      const double square = (one - Row(data.data() + second * columns, columns)).squaredNorm();
      if (!spread.closest || square < smallest) {
        smallest = square;
        spread.closest = ClosestRows{first, second, std::sqrt(square)};
      }
    }
  }
  return spread;
}

Result<RowSpread> sinusoidal_spread(std::int64_t length, std::int64_t d_model, double base,
                                    std::int64_t start) {
  if (Status status = check_sinusoidal(length, d_model, base, start); !status.ok()) {
    return status.error();
  }
  const std::int64_t longest =
      std::min({max_matrix_size / d_model, max_position + 1 - start,
                d_model % 2 == 0 ? max_position + 1 : max_odd_spread_length});
  if (Status status = check_integer("length", length, 1, longest); !status.ok()) {
    return status.error();
  }
  const VectorD divisors = angle_divisors(d_model, base);
  const VectorD lone = lone_sines(length, d_model, start, divisors);

  RowSpread spread;
  spread.minimum = std::numeric_limits<double>::infinity();
  spread.maximum = -spread.minimum;
  const auto include = [&spread](double entry) {
    spread.minimum = std::min(spread.minimum, entry);
    spread.maximum = std::max(spread.maximum, entry);
  };
  for (const double entry : lone) {
    include(entry);
  }
  for (Eigen::Index i = 0; 2 * i + 1 < d_model; ++i) {
    for (std::int64_t position = start; position < start + length; ++position) {
      const double angle = static_cast<double>(position) / divisors[i];
      include(std::sin(angle));
      include(std::cos(angle));
    }
  }
  if (length > 1) {
    spread.closest = closest_codes(pair_squares(length, d_model, divisors), lone);
  }
  return spread;
}

}  // namespace posenc
