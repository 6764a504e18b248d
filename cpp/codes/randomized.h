// Randomized positions, Ruoss et al. 2023, section 3: at each training step the tokens get an
// ordered random subset of a range far longer than any training sequence, so that a code has met
// the larger positions before a longer sequence needs them.
#pragma once

#include <cstdint>
#include <vector>

#include "types.h"

namespace posenc {

/// Longer than any training sequence; bounds the time of one call.
inline constexpr std::int64_t max_randomized_length = std::int64_t{1} << 20;

/// @param length   0 to largest + 1, at most 2^20
/// @param largest  the largest position that may be drawn, 0 to 2^24
/// @return (length) different positions from 0 to largest, rising; every subset is equally
///   likely. An error names `maxPosition` or `length`.
Result<std::vector<std::int32_t>> randomized_positions(std::int64_t length, std::int64_t largest,
                                                       std::uint32_t seed);

}  // namespace posenc
