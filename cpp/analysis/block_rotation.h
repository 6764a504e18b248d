// The linear map that carries a sinusoidal code from one position to another.
#pragma once

#include <cstdint>

#include "types.h"

namespace posenc {

/// Largest d_model whose rotation is written out as a matrix. `pair_phasors` at position k holds
/// the same cosines and sines for any size.
inline constexpr std::int64_t max_rotation_dim = 1024;

/// R(k), and how well it does, measured on real rows rather than assumed.
struct BlockRotation {
  MatrixD matrix;  ///< (d, d), orthogonal: 2 x 2 blocks, and 1 for the lone sine of an odd d

  /// How many leading dimensions R(k) carries: d, or d - 1 when d is odd. The last sine of an odd d
  /// cannot be carried: sin(a + b) needs cos(a), which the code does not contain. R(k) leaves that
  /// entry as it is, which keeps R(k) orthogonal and R(k) R(j) = R(k + j).
  std::int64_t rotated_dim = 0;

  /// Largest |R(k) PE(pos) - PE(pos + k)| of the carried dimensions (rounding only).
  double rotated_residual = 0;
  /// The same over all d dimensions: for an odd d, as wrong as the lone sine is.
  double residual = 0;
};

/// Vaswani et al. 2017, section 3.5: PE(pos + k) is a linear function of PE(pos). In pair i, with
/// b = k * base^(-2i/d):  [sin(a+b), cos(a+b)] = [[cos b, sin b], [-sin b, cos b]] [sin a, cos a].
/// The residuals are taken over the first 64 positions for which both ends are in range.
///
/// @param d_model  1 to 1024
/// @param base     finite, at least 1
/// @param offset   -2^24 to 2^24
Result<BlockRotation> block_rotation(std::int64_t d_model, double base, std::int64_t offset);

}  // namespace posenc
