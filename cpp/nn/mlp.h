// The feed-forward layer of a block: max(0, y W1 + b1) W2 + b2. Vaswani et al. 2017, section 3.3.
#pragma once

#include <vector>

#include "nn/linear.h"

namespace posenc {

/// Entries of a hidden row for one of the model's, as in the paper.
inline constexpr Index mlp_expansion = 4;

struct MlpShape {
  Index rows = 0;    ///< n
  Index model = 0;   ///< d
  Index hidden = 0;  ///< m, a multiple of 4
};

/// Const for the weights, not const for their gradients.
template <class T>
struct MlpMatrices {
  T* expand = nullptr;         ///< (d, m)
  T* expand_bias = nullptr;    ///< (m)
  T* contract = nullptr;       ///< (m, d)
  T* contract_bias = nullptr;  ///< (d)
};

/// x += mlp(y).
/// @param x       (n, d)
/// @param hidden  (n, m), after the rectifier: the cache of the backward pass
/// @param y       (n, d)
template <class T>
void mlp_forward(T* x, std::vector<T>& hidden, const T* y, const MlpMatrices<const T>& weights,
                 const MlpShape& shape);

template <class T>
struct MlpScratch {
  std::vector<T> dhidden;     ///< (n, m)
  std::vector<T> transposed;  ///< (d, m) or (m, d)
};

/// @param dy         (n, d), overwritten
/// @param gradients  added to
/// @param dx         (n, d), of the sum x
template <class T>
void mlp_backward(T* dy, const MlpMatrices<T>& gradients, const T* dx, const std::vector<T>& hidden,
                  MlpScratch<T>& scratch, const T* y, const MlpMatrices<const T>& weights,
                  const MlpShape& shape);

}  // namespace posenc
