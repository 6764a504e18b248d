// What becomes of RoPE's angles when the whole rotary module is cast to a short format, as happens
// in half-precision training: positions, inverse frequencies and their products are all rounded
// (transformers #29285, #25681; gpt-neox #1003 reports a cosine wrong by 0.7819 in float16). The
// cosine itself is then taken exactly: its own rounding is small beside this.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codes/rope_scaling.h"
#include "types.h"

namespace posenc {

enum class NumberFormat {
  float32,   ///< 24 significant bits
  bfloat16,  ///< 8, the exponents of float32
  float16,   ///< 11, largest 65504
};

std::optional<NumberFormat> number_format_from_name(std::string_view name);

/// To nearest, ties to even, with subnormals; infinite where the format has no room.
double round_to_format(NumberFormat format, double value);

/// @param inverse_frequencies  of rope_frequencies
/// @param positions            (n), integers from 0 to 2^24, else an error that names `positions`
/// @return (n): largest |cos(rounded angle) - cos(angle)| over all pairs; NaN where an angle has no
///   room in the format.
Result<std::vector<double>> position_errors(std::span<const double> inverse_frequencies,
                                            NumberFormat format, std::span<const double> positions);

/// The smallest position from `begin` to `end` - 1 whose rounded angles all equal those of the next
/// one, so that the two cannot be told apart.
/// @param begin, end  0 to 2^24, else an error that names `begin` or `end`
/// @return -1 where there is none
Result<std::int64_t> first_collision(std::span<const double> inverse_frequencies,
                                     NumberFormat format, std::int64_t begin, std::int64_t end);

}  // namespace posenc
