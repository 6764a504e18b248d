// Attention with linear biases, Press et al. 2022 (ALiBi), section 3: head h adds -m_h * distance
// to the score of a query and a key. m_h = 2^(-8h/n), h = 1..n, where the number of heads n is a
// power of two; for others the authors' code takes the slopes of the next lower power p and every
// other slope of 2p (transformers #28380).
#pragma once

#include <vector>

#include "codes/bias_shape.h"
#include "types.h"

namespace posenc {

/// @param heads  1 to 1024
/// @return (heads)
Result<std::vector<double>> alibi_slopes(std::int64_t heads);

/// Entries first .. first + count - 1 of the flat bias (heads, queries, keys): -slope * |distance|,
/// 0 on the diagonal, -infinity for a key after the query when causal.
/// @param shape   with first and count checked by check_bias_shape
/// @param slopes  (heads)
/// @param out     (count)
void fill_alibi_bias(const BiasShape& shape, const double* slopes, std::int64_t first,
                     std::int64_t count, float* out);

}  // namespace posenc
