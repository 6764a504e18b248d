// The pairs of a sinusoidal code as turning hands: frequency, wavelength, angle. And of a rotary
// code: which of its angles training has shown.
#pragma once

#include <cstdint>
#include <vector>

#include "codes/rope_scaling.h"
#include "types.h"

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

/// What a model has learned from, and how far a query sees.
struct RopeTraining {
  std::int64_t length = 0;             ///< without a scaling, 1 to 2^24
  std::int64_t further = 0;            ///< then with the scaling in force, to 2^24; 0 for none
  std::int64_t window = max_position;  ///< a query sees the `window` keys up to its own, 1 to 2^24
};

/// Which angles of a rotary code training has shown, a value a pair, fastest first.
struct RopeCoverage {
  RopeFrequencies rope;                  ///< in force at the length
  std::vector<double> wavelength;        ///< (P), 2 pi / frequency, positions a turn
  std::vector<double> plain_wavelength;  ///< (P), the same without the scaling
  std::vector<double> kept;              ///< (P), the share of its speed that the scaling leaves
  std::vector<double> turns;             ///< (P), in training; from one on every angle was shown
  std::vector<double> unseen_from;       ///< (P), the first distance at an angle that no trained
                                         ///< distance showed; infinite where there is none
  std::int64_t turned = 0;               ///< pairs with at least one turn in training
  std::int64_t unseen = 0;               ///< pairs that come to such an angle within the length
};

/// What is new in a longer text is a distance between query and key, not a position (Chen et al.
/// 2023, section 2.2). Training at length L has shown the distances below L; of a pair with
/// frequency f, the angles from 0 up to f L, or all of them when that is a whole turn.
/// @param options  its `length` is that of the text, whose largest distance is
///                 min(length, window) - 1; default: the trained length
/// Errors are those of rope_frequencies, or name trainedLength, trainedFurther or window.
Result<RopeCoverage> rope_coverage(const RopeOptions& options, const RopeTraining& training);

}  // namespace posenc
