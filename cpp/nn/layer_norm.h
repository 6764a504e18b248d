// Layer normalization, Ba et al. 2016: y = gain * (x - mean) / sqrt(variance + epsilon) + bias,
// over the entries of a row; the variance is the mean square deviation.
#pragma once

#include "nn/lanes.h"

namespace posenc {

inline constexpr double layer_norm_epsilon = 1e-5;

struct LayerNormShape {
  Index rows = 0;     ///< n
  Index columns = 0;  ///< d, a multiple of 4
};

/// @param y           (n, d)
/// @param normalized  (n, d), y before gain and bias: for the backward pass
/// @param inverse     (n), 1 / sqrt(variance + epsilon)
/// @param x           (n, d)
/// @param gain, bias  (d)
template <class T>
void layer_norm_forward(T* y, T* normalized, T* inverse, const T* x, const T* gain, const T* bias,
                        const LayerNormShape& shape);

/// dx, dgain and dbias are added to: dx is the gradient that runs along the residual path.
/// @param dx            (n, d)
/// @param dgain, dbias  (d)
/// @param dy            (n, d)
template <class T>
void layer_norm_backward(T* dx, T* dgain, T* dbias, const T* dy, const T* normalized,
                         const T* inverse, const T* gain, const LayerNormShape& shape);

}  // namespace posenc
