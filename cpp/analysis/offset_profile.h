// The dot product of two sinusoidal codes as a function of their distance.
#pragma once

#include <cstdint>
#include <span>

#include "types.h"

namespace posenc {

/// PE(position) . PE(position + k) for each k of `offsets`, taken from the rows themselves.
///
/// Vaswani et al. 2017, section 3.5: sin a sin(a + b) + cos a cos(a + b) = cos b, so for an even
/// d_model the sum is the same at every position (PE PE^T is Toeplitz). The lone sine of an odd
/// d_model has no cosine to complete it, and its product does depend on the position.
///
/// @param d_model   1 to 65536
/// @param base      finite, at least 1
/// @param position  0 to 2^24
/// @param offsets   any sign, as long as position + k is from 0 to 2^24;
///                  offsets.size() * d_model at most 2^26
/// @return (offsets.size())
Result<VectorD> offset_profile(std::int64_t d_model, double base, std::int64_t position,
                               std::span<const std::int64_t> offsets);

/// The same products, and as cosines.
struct OffsetSimilarity {
  VectorD dot;     ///< (offsets.size())
  VectorD cosine;  ///< (offsets.size()), over the lengths of both codes; NaN where one is all zeros
};

/// The arguments and errors are those of offset_profile. Codes of an even d_model are equally long,
/// sqrt(d_model / 2); the lone sine of an odd one makes their lengths differ.
Result<OffsetSimilarity> offset_similarity(std::int64_t d_model, double base, std::int64_t position,
                                           std::span<const std::int64_t> offsets);

}  // namespace posenc
