// How positions enter a model: rows that are added to the embeddings (sinusoidal, learned), turns
// of queries and keys (RoPE), biases on the scores (ALiBi, T5). The maths of the codes is
// encoding/'s; here they are laid out for training.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codes/t5_bias.h"
#include "nn/lanes.h"

namespace posenc {

/// @param rows       (T, d), amplitude * PE(position)
/// @param positions  (T), 0 to max_position
template <class T>
void sinusoidal_code_rows(T* rows, std::span<const std::int32_t> positions, Index d_model,
                          double base, double amplitude);

/// Turns as multiplications: of a row x, x * cosines + swap(x) * sines, where swap exchanges the
/// two entries of each pair. Every head turns alike.
template <class T>
struct TurnTable {
  std::vector<T> cosines;  ///< (T, d): factor * cos, twice for each pair
  std::vector<T> sines;    ///< (T, d): factor * -sin, then factor * sin for each pair
};

/// @param inverse_frequencies  (d_h / 2), pairs (2j, 2j + 1) of a head
/// @param factor  on every cosine and sine (YaRN); 1 for none
template <class T>
void fill_turns(TurnTable<T>& turns, std::span<const std::int32_t> positions,
                std::span<const double> inverse_frequencies, Index d_model, double factor);

/// @param x  (batch, T, d), turned in place
template <class T>
void turn_forward(T* x, const TurnTable<T>& turns, Index batch, Index length, Index d_model);

/// The gradient turns back.
/// @param dx  (batch, T, d), in place
template <class T>
void turn_backward(T* dx, const TurnTable<T>& turns, Index batch, Index length, Index d_model);

/// What each head adds to a score, by the offset of the key from the query.
template <class T>
struct OffsetBias {
  Index reach = 0;        ///< P: offsets are from -(P - 1) to P - 1
  std::vector<T> values;  ///< (H, 2 P - 1), entry P - 1 + offset; empty: no bias

  [[nodiscard]] Index offsets() const { return 2 * reach - 1; }
};

/// ALiBi: -2^(-exponent h / H) * |offset|, h = 1 .. H; exponent 8 gives the paper's slopes where H
/// is a power of two.
template <class T>
void fill_alibi(OffsetBias<T>& bias, Index heads, Index reach, double exponent);

/// @return (2 P - 1), the bucket of each offset
std::vector<std::int32_t> t5_bucket_of_offsets(const T5Buckets& buckets, Index reach);

/// @param values  (buckets, H)
template <class T>
void t5_bias_forward(OffsetBias<T>& bias, const T* values, std::span<const std::int32_t> buckets,
                     Index heads, Index reach);

/// @param dvalues  (buckets, H), added to
/// @param dbias    (H, 2 P - 1)
template <class T>
void t5_bias_backward(T* dvalues, std::span<const T> dbias, std::span<const std::int32_t> buckets,
                      Index heads);

/// The addends of one head's scores, the mask among them: -infinity for a key after the query when
/// causal, and in the columns that pad a row.
/// @param out   (T, padded(T)), row = query
/// @param bias  of all heads; with no values only the mask is written
template <class T>
void fill_score_addends(T* out, const OffsetBias<T>& bias, Index head,
                        std::span<const std::int32_t> positions, bool causal);

}  // namespace posenc
