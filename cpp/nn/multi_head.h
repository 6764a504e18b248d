// Multi-head self-attention for training, Vaswani et al. 2017, section 3.2: head h owns columns
// h d_h to (h + 1) d_h - 1 and attends with softmax(q k^T / sqrt(d_h) + bias). Where attention.h is
// exact about order, this one is made of matrix products.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/position_code.h"

namespace posenc {

struct MultiHeadShape {
  Index batch = 0;    ///< B
  Index length = 0;   ///< T
  Index d_model = 0;  ///< d, a multiple of 4
  Index heads = 0;    ///< H, divides d
  bool causal = true;

  [[nodiscard]] Index head_dim() const { return d_model / heads; }
  [[nodiscard]] Index rows() const { return batch * length; }
  /// Entries of all attention weights, whose rows are padded.
  [[nodiscard]] Index weights() const { return batch * heads * length * padded(length); }
};

/// Const for the weights, not const for their gradients: (d, d) each, x * query and so on.
template <class T>
struct MultiHeadMatrices {
  T* query = nullptr;
  T* key = nullptr;
  T* value = nullptr;
  T* output = nullptr;
};

/// Positions that enter the scores.
template <class T>
struct ScorePositions {
  std::span<const std::int32_t> positions;  ///< (T)
  const TurnTable<T>* turns = nullptr;      ///< null: none
  const OffsetBias<T>* bias = nullptr;      ///< never null; without values where there is no bias
};

template <class T>
struct MultiHeadCache {
  std::vector<T> query;    ///< (B * T, d), turned
  std::vector<T> key;      ///< (B * T, d), turned
  std::vector<T> value;    ///< (B * T, d)
  std::vector<T> mixed;    ///< (B * T, d), weighted values, heads side by side
  std::vector<T> weights;  ///< (B, H, T, padded(T)), row = query; for the backward pass only.
                           ///< Causal: entries beyond the query's block of four are not written
};

/// Room that one layer after the other uses.
template <class T>
struct MultiHeadScratch {
  std::vector<T> addends;     ///< (T, padded(T)), of one head
  std::vector<T> square;      ///< (T, padded(T)), scores or their gradients
  std::vector<T> transposed;  ///< (d_h, padded(T)) keys or values of one head, or (d, d) a matrix
  std::vector<T> dbias;       ///< (T, padded(T)), of one head, summed over the batch
  std::vector<T> dmixed;      ///< (B * T, d)
  std::vector<T> dquery;      ///< (B * T, d)
  std::vector<T> dkey;        ///< (B * T, d)
  std::vector<T> dvalue;      ///< (B * T, d)
};

/// x += attention(y).
/// @param x  (B * T, d)
/// @param y  (B * T, d)
/// @param keep_weights  fills cache.weights, which the backward pass needs
template <class T>
void multi_head_forward(T* x, MultiHeadCache<T>& cache, MultiHeadScratch<T>& scratch, const T* y,
                        const MultiHeadMatrices<const T>& weights,
                        const ScorePositions<T>& positions, const MultiHeadShape& shape,
                        bool keep_weights);

/// @param dy        (B * T, d), overwritten
/// @param gradients of the matrices, added to
/// @param dbias     (H, 2 P - 1), added to, or null where it is not wanted
/// @param dx        (B * T, d), of the sum x
/// @param cache     of the forward pass, with its weights; unchanged
template <class T>
void multi_head_backward(T* dy, const MultiHeadMatrices<T>& gradients, T* dbias, const T* dx,
                         const MultiHeadCache<T>& cache, MultiHeadScratch<T>& scratch, const T* y,
                         const MultiHeadMatrices<const T>& weights,
                         const ScorePositions<T>& positions, const MultiHeadShape& shape);

/// The weights of one head in one sequence once more, from the cached queries and keys.
/// @param out  (T, T), row = query; exactly 0 where masked
template <class T>
void attention_weights(float* out, const MultiHeadCache<T>& cache,
                       const ScorePositions<T>& positions, const MultiHeadShape& shape,
                       Index sequence, Index head);

}  // namespace posenc
