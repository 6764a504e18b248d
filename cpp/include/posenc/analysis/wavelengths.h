// The pairs of a sinusoidal code as turning hands: frequency, wavelength, angle.
#pragma once

#include <cstdint>

#include "posenc/types.h"

namespace posenc {

/// One hand a pair (2i, 2i+1), fastest first. An odd d_model ends with a sine that has no cosine
/// beside it in the code: its hand is listed last, and only its `sine` is an entry of the code.
struct PairPhasors {
  VectorD frequency;   ///< (P), base^(-2i/d), radians per position
  VectorD wavelength;  ///< (P), 2 pi / frequency, positions per turn; infinite past double's range
  VectorD angle;       ///< (P), position * frequency, radians, not reduced to one turn
  VectorD sine;        ///< (P), PE(pos, 2i)
  VectorD cosine;      ///< (P), PE(pos, 2i+1)
  bool has_lone_sine = false;
};

/// Vaswani et al. 2017, section 3.5. P = ceil(d_model / 2).
/// @param d_model   1 to 65536
/// @param base      finite, at least 1
/// @param position  0 to 2^24
Result<PairPhasors> pair_phasors(std::int64_t d_model, double base, std::int64_t position);

}  // namespace posenc
