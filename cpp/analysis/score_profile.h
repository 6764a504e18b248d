// The score of a query with keys at growing distance, before the softmax: what each encoding makes
// of distance alone. Query and key are the words themselves (W_q = W_k = 1, one head), so that
// nothing but the encoding is in the picture: s(k) = q(m) . k(m + k) / sqrt(d) + bias(k).
#pragma once

#include <cstdint>
#include <span>

#include "types.h"

namespace posenc {

inline constexpr std::int64_t max_score_contents = 1024;
inline constexpr std::int64_t max_score_distances = 4096;
inline constexpr std::int64_t max_score_dim = 128;
/// Largest contents * distances * d_model: some tenths of a second.
inline constexpr std::int64_t max_score_work = std::int64_t{1} << 25;

struct ScoreOptions {
  std::int64_t d_model = 16;   ///< 1 to 128
  std::int64_t distances = 1;  ///< 1 to 4096: keys at position + 0 .. distances - 1
  std::int64_t contents = 64;  ///< 1 to 1024: how many words, or pairs of words
  bool same_word = true;       ///< the key is the query's own word; otherwise another one
  std::uint32_t seed = 42;
  std::int64_t position = 0;  ///< of the query, 0 to 2^24
  /// (distances, d), row k = code at position + k, row 0 also the query's, within +- 10^6; or empty
  std::span<const double> codes = {};
  /// (pairs), 2 * pairs at most d, within +- 10^9: RoPE turns query and key; or empty
  std::span<const double> inverse_frequencies = {};
  /// (distances), within +- 10^9, added to the scores; or empty
  std::span<const double> biases = {};
};

struct ScoreProfile {
  VectorD one;   ///< (distances), of the first content
  VectorD mean;  ///< (distances), over all contents
  VectorD
      deviation;  ///< (distances), standard deviation over all contents (divided by their number)
};

/// Content c is token_embedding(c, d, seed); another word is token_embedding(contents + c, d,
/// seed).
/// @return an error that names dModel, distances, contents, position, codes, inverseFrequencies or
///         bias
Result<ScoreProfile> score_profile(const ScoreOptions& options);

}  // namespace posenc
