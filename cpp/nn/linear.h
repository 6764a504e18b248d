// y = x W + b. Rows are multiplied from the left, as in attention.h.
#pragma once

#include "nn/gemm.h"

namespace posenc {

struct LinearShape {
  Index rows = 0;  ///< n
  Index in = 0;
  Index out = 0;
};

/// @param y       (n, out)
/// @param x       (n, in)
/// @param weight  (in, out)
/// @param bias    (out), or null for none
template <class T>
void linear_forward(T* y, const T* x, const T* weight, const T* bias, Product product,
                    const LinearShape& shape);

/// dW += x^T dy, db += column sums of dy, dx = or += dy W^T.
/// @param dx          (n, in), or null where it is not wanted
/// @param dweight     (in, out)
/// @param dbias       (out), or null
/// @param transposed  (out, in), room for W^T
template <class T>
void linear_backward(T* dx, Product product, T* dweight, T* dbias, T* transposed, const T* dy,
                     const T* x, const T* weight, const LinearShape& shape);

}  // namespace posenc
