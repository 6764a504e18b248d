// Multi-head self-attention in double, exact about order.
// Vaswani et al. 2017, section 3.2: Attention(Q, K, V) = softmax(Q K^T / sqrt(d_h)) V, a head each,
// then one output projection.
//
// What the `order` scene shows is that attention alone cannot see order: a word's output must be
// the same in every order of the sentence, to the last bit. Floating-point sums depend on the order
// of their addends, so every sum over keys sorts them first, and every row of the sentence passes
// through the same scalar code. The price, a sort a sum, is nothing for a sentence; a trainer wants
// matrix products instead.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "types.h"

namespace posenc {

/// Longest sentence, in tokens (T).
inline constexpr std::int64_t max_tokens = 64;
inline constexpr std::int64_t max_attention_dim = 128;
/// Largest absolute entry of an added code.
inline constexpr double max_attention_code = 1e6;
/// Largest absolute entry of an input or a weight: multiplied together in the scores, still far
/// from overflow, so that no NaN can arise inside.
inline constexpr double max_attention_entry = 1e9;

struct AttentionShape {
  std::int64_t d_model = 16;  ///< 1 to 128
  std::int64_t heads = 2;     ///< divides d_model; head h owns columns h * d_h to (h + 1) * d_h - 1
  bool causal = false;        ///< true: a query sees keys at its own position and before
};

/// Rows are multiplied from the left: q = x * query.
struct AttentionWeights {
  MatrixD query;   ///< (d, d)
  MatrixD key;     ///< (d, d)
  MatrixD value;   ///< (d, d)
  MatrixD output;  ///< (d, d)
};

/// Positions that enter the scores, where codes that are added enter the input. What is empty does
/// nothing: then every word is treated alike, wherever it stands.
struct AttentionPositions {
  /// (pairs), 2 * pairs at most d_h, within +- 10^9: RoPE turns q and k of every head by position
  /// times frequency, pairs (2j, 2j + 1); further dimensions pass through.
  std::span<const double> inverse_frequencies;
  /// (H, T, T), row = query: added to the scaled scores (ALiBi, T5), within +- 10^9 wherever a key
  /// is seen; other entries are not read.
  std::span<const double> biases;
};

/// What the forward pass leaves for a backward pass and for the figures.
struct AttentionCache {
  MatrixD query;    ///< (T, d), turned where RoPE turns
  MatrixD key;      ///< (T, d), turned where RoPE turns
  MatrixD value;    ///< (T, d)
  MatrixD scores;   ///< (H * T, T), row = head * T + query; -infinity where a key is masked
  MatrixD weights;  ///< (H * T, T), softmax of scores along a row; exactly 0 where masked
  MatrixD mixed;    ///< (T, d), weighted values, heads side by side
};

/// @param output   (T, d), written; untouched, like `cache`, when the arguments are wrong
/// @param input    (T, d), T from 1 to 64
/// @param weights  like `input`, entries finite and at most 10^9 in absolute value
/// An error names dModel, heads, input, a matrix of weights, inverseFrequencies or bias.
Status attention_forward(MatrixD& output, AttentionCache& cache, const MatrixD& input,
                         const AttentionWeights& weights, const AttentionShape& shape,
                         const AttentionPositions& positions = {});

/// The four matrices of NumPy's RandomState([seed, m]).randn(d, d) / sqrt(d) for m = 1, 2, 3, 4
/// (query, key, value, output): unit variance in, unit variance out.
Result<AttentionWeights> seeded_attention_weights(std::int64_t d_model, std::uint32_t seed);

/// NumPy's RandomState([seed, 0, id]).randn(d): a function of (seed, id) alone, and the first
/// entries do not depend on d_model. Unit variance, so that codes of amplitude 1 weigh as much.
/// @param d_model  1 to 128
Result<VectorD> token_embedding(std::uint32_t id, std::int64_t d_model, std::uint32_t seed);

struct SentenceAttention {
  MatrixD input;    ///< (T, d), embedding plus code
  MatrixD output;   ///< (T, d)
  MatrixD weights;  ///< (H * T, T), row = head * T + query; rows sum to 1
};

/// Embeds the tokens, adds the codes when there are any, and attends with seeded weights. Token t
/// stands at position t.
/// @param tokens  (T), T from 1 to 64
/// @param codes   (T, d) row-major, finite, at most 10^6 in absolute value
Result<SentenceAttention> attend_sentence(
    std::span<const std::uint32_t> tokens, const AttentionShape& shape, std::uint32_t seed,
    const std::optional<std::span<const double>>& codes = std::nullopt,
    const AttentionPositions& positions = {});

/// The softmax of scores that are given, as attention has it; nothing is turned or mixed.
struct ScoreSoftmax {
  MatrixD weights;  ///< (H * T, T), row = head * T + query; rows sum to 1, exactly 0 where masked
  /// How much of the last query's weight lies on the nearest keys, the mean over all heads.
  double near_share = 0;
};

/// @param scores  (H, T, T), within +- 10^9
/// @param bias    (T, T), added to the scores of every head, within +- 10^9 wherever a key is seen;
///                or empty
/// @param heads   1 to 1024
/// @param tokens  T, 1 to 64
/// @param near    1 to 64: how many keys up to the query's own count as near
/// An error names scores, bias, heads, tokens or near.
Result<ScoreSoftmax> softmax_of_scores(std::span<const double> scores, std::span<const double> bias,
                                       std::int64_t heads, std::int64_t tokens, bool causal,
                                       std::int64_t near);

}  // namespace posenc
