// How a curve is taken: which lengths by which passes, in how many pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/model.h"
#include "lab/options.h"

namespace posenc {

/// The most sequences that a length may be judged by.
inline constexpr std::int64_t max_curve_sequences = 512;

/// Sequences of one task length, judged at some lengths.
struct Rung {
  std::int64_t n = 0;            ///< the task's length
  std::int64_t tokens = 0;       ///< T
  std::int64_t after = 0;        ///< lengths judged: after + 1 .. n
  std::int64_t first_piece = 0;  ///< pieces first_piece .. first_piece + pieces - 1 of the curve
  std::int64_t pieces = 0;       ///< at most max_curve_sequences
};

/// From short to long.
/// A task that answers as it reads, under a causal mask: position p is what a sequence of length
/// p + 1 would end with, so the ladder n = reach * L, half of that, ..., L, half of that (rounded
/// up),
/// ..., 2 is enough, each pass for the lengths above the next shorter one. Else one pass a length.
std::vector<Rung> curve_ladder(const LabOptions& options);

/// Whether one pass gives many lengths.
bool has_ladder(const LabOptions& options);

/// Sequences of a piece: as evenly as they go, the earlier pieces the larger ones.
std::int64_t piece_sequences(const Rung& rung, std::int64_t sequences, std::int64_t piece);

/// Rows of a learned table; 0 for other codes. Randomized positions reach all of reach * L, so
/// there is no wall then.
std::int64_t table_rows(const LabOptions& options);

/// Rows that training reaches, of a table that has them all.
std::int64_t trained_rows(const LabOptions& options);

ModelShape model_shape(const LabOptions& options);

}  // namespace posenc
