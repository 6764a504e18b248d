// Do any two rows coincide, and do the values stay bounded?
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "types.h"

namespace posenc {

/// Largest rows * rows * columns that `row_spread` compares: a few tenths of a second in a browser.
inline constexpr std::int64_t max_spread_work = std::int64_t{1} << 28;
/// Largest length of an odd-sized code, whose distances depend on the position as well.
inline constexpr std::int64_t max_odd_spread_length = 8192;

struct ClosestRows {
  std::int64_t first = 0;  ///< row index, counted from 0 whatever the start position
  std::int64_t second = 0;
  double distance = 0;  ///< Euclidean
};

struct RowSpread {
  double minimum = 0;                  ///< smallest entry
  double maximum = 0;                  ///< largest entry
  std::optional<ClosestRows> closest;  ///< empty when there is a single row
};

/// Compares every row with every other, O(rows^2 columns).
/// @param data     (rows, columns), row-major, all finite; its size must be rows * columns
/// @param rows     at least 1, rows^2 * columns at most 2^28
/// @param columns  1 to 65536
Result<RowSpread> row_spread(std::span<const double> data, std::int64_t rows, std::int64_t columns);

/// The same for sinusoidal rows start ... start + length - 1, in O(length d_model): the squared
/// distance at offset k is the sum over pairs of 4 sin^2(k * frequency / 2), whatever the position.
/// The lone sine of an odd d_model does depend on the position; there the work is O(length^2) more
/// and the length at most 8192. Of equally close pairs the first one is named.
/// @param length   at least 1, length * d_model at most 2^26
/// @param d_model  1 to 65536
/// @param base     finite, at least 1
/// @param start    at least 0, start + length - 1 at most 2^24
Result<RowSpread> sinusoidal_spread(std::int64_t length, std::int64_t d_model, double base,
                                    std::int64_t start);

}  // namespace posenc
