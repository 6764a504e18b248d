#include "codes/alibi.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace posenc {

Result<std::vector<double>> alibi_slopes(std::int64_t heads) {
  if (Status status = check_integer("heads", heads, 1, max_heads); !status.ok()) {
    return status.error();
  }
  const auto n = static_cast<std::size_t>(heads);
  const std::size_t power = std::bit_floor(n);
  std::vector<double> slopes(n);
  for (std::size_t i = 0; i < n; ++i) {
    // h/n of the paper: i + 1 of `power`, then 1, 3, 5, ... of the doubled set.
    const double numerator = static_cast<double>(i < power ? 2 * (i + 1) : 2 * (i - power) + 1);
    slopes[i] = std::pow(2.0, -8 * numerator / static_cast<double>(2 * power));
  }
  return slopes;
}

void fill_alibi_bias(const BiasShape& shape, const double* slopes, std::int64_t first,
                     std::int64_t count, float* out) {
  for_each_bias_entry(shape, first, count, [&](auto i, auto head, auto offset) {
    // 0 - x, so that the diagonal is 0 and not -0.
    out[i] = shape.causal && offset > 0
                 ? -std::numeric_limits<float>::infinity()
                 : static_cast<float>(0 - slopes[head] * static_cast<double>(std::abs(offset)));
  });
}

}  // namespace posenc
