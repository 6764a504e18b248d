// How alike one row of a matrix is to every other row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "types.h"

namespace posenc {

enum class Measure { dot, cosine };

/// @param name  "dot" or "cosine"; anything else is an invalid argument
Result<Measure> parse_measure(std::string_view name);

/// Similarity of row `row` with each of the rows, itself included.
///
/// The cosine with a row of zeros is 0, also that of a zero row with itself: a vector without a
/// direction is like nothing. Cosines stay in [-1, 1], and a row has cosine exactly 1 with itself.
/// A row that holds NaN (a missing row) gets NaN and leaves the others alone.
///
/// @param data     (rows, columns), row-major; its size must be rows * columns
/// @param rows     at least 1, rows * columns at most 2^26
/// @param columns  1 to 65536
/// @param row      0 to rows - 1
/// @return (rows)
Result<VectorD> row_similarity(std::span<const double> data, std::int64_t rows,
                               std::int64_t columns, std::int64_t row, Measure measure);

}  // namespace posenc
