// Rotary position embedding, Su et al. 2021 (RoFormer), section 3.2.2: pair j of a query or key at
// position m is turned by the angle m * theta_j, so that the score depends on m - n alone.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "codes/rope_scaling.h"
#include "types.h"

namespace posenc {

/// Which two dimensions make a pair, r = rotary_dim. The two agree only after the dimensions (in a
/// model: the rows of Wq and Wk) are permuted (transformers #25199).
enum class RopeLayout {
  interleaved,  ///< (2j, 2j + 1), as in RoFormer and GPT-J
  half_split,   ///< (j, j + r/2), as in GPT-NeoX and transformers
};

/// @param name  "interleaved" or "half-split"
std::optional<RopeLayout> rope_layout_from_name(std::string_view name);

/// Entries larger than this would leave the range of the float32 output when turned.
inline constexpr double max_rope_entry = 1e30;

/// Turns n vectors. Angles are taken in double: in float32 they are wrong far out
/// (analysis/precision). Dimensions from rotary_dim on pass through untouched.
/// @param inverse_frequencies  (rotary_dim / 2), of rope_frequencies
/// @param head_dim   at least rotary_dim, at most 65536
/// @param magnitude  on the turned dimensions: 1, or the attention factor
/// @param vectors    (n, head_dim), entries within +- 1e30
/// @param positions  (n), integers from 0 to 2^24
/// @param out        (n, head_dim)
/// An error names headDim, vectors or positions; `out` is then unspecified.
Status rope_rotate(std::span<const double> inverse_frequencies, RopeLayout layout,
                   std::int64_t head_dim, double magnitude, std::span<const double> vectors,
                   std::span<const double> positions, float* out);

/// Turns one vector in place, all in double, pairs (2j, 2j + 1). At position 0 nothing changes.
/// @param x  (head_dim), head_dim at least twice the number of frequencies
void rope_turn(std::span<const double> inverse_frequencies, double position, double* x);

}  // namespace posenc
