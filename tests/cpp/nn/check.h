// Gradients against central differences, and random numbers to take them at.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "random/rng.h"

namespace posenc {

/// Standard normal.
template <class T = double>
std::vector<T> random_values(std::size_t count, std::uint32_t seed) {
  RandomState random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    value = static_cast<T>(random.gauss());
  }
  return values;
}

inline std::vector<std::int32_t> random_ids(std::size_t count, std::uint32_t below,
                                            std::uint32_t seed) {
  RandomState random(seed);
  std::vector<std::int32_t> ids(count);
  for (std::int32_t& id : ids) {
    id = static_cast<std::int32_t>(random.next_uint32() % below);
  }
  return ids;
}

inline std::vector<std::int32_t> consecutive(std::size_t count) {
  std::vector<std::int32_t> positions(count);
  for (std::size_t i = 0; i < count; ++i) {
    positions[i] = static_cast<std::int32_t>(i);
  }
  return positions;
}

inline double norm(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) {
    sum += value * value;
  }
  return std::sqrt(sum);
}

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/// |analytic - numeric| / the larger of their norms; a gradient of 0 must come out as 0 but for the
/// rounding of the differences.
/// @param values  moved one by one and put back; `loss` reads them
inline double gradient_error(std::span<double> values, std::span<const double> analytic,
                             const std::function<double()>& loss) {
  constexpr double step = 1e-5;
  constexpr double rounding = 1e-4;  // of differences, where everything else is of order 1
  std::vector<double> numeric;
  std::vector<double> difference;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    values[i] = value + step;
    const double above = loss();
    values[i] = value - step;
    const double below = loss();
    values[i] = value;
    numeric.push_back((above - below) / (2 * step));
    difference.push_back(numeric.back() - analytic[i]);
  }
  return norm(difference) / std::max({norm(numeric), norm(analytic), rounding});
}

inline constexpr double largest_gradient_error = 1e-6;

}  // namespace posenc
