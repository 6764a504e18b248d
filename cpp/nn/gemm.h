// Matrix products for training: C = A B or C += A B.
//
// Not Eigen's, for two reasons. Eigen 3.4 has no packet maths for WebAssembly, and a training step
// is made of products so small that its dispatch costs more than the arithmetic. And its order of
// additions depends on the instruction set: here every entry of C is summed over k = 0, 1, 2, ...
// whatever the build and the shape, so a run trains to the same bits everywhere.
#pragma once

#include "nn/lanes.h"

namespace posenc {

/// A matrix seen through two strides, in entries: entry (i, k) is data[i * row + k * column]. A
/// transposed one needs no copy.
template <class T>
struct Strided {
  const T* data = nullptr;
  Index row = 0;
  Index column = 1;
};

enum class Product {
  set,  ///< C = A B
  add,  ///< C = C + (A B)
};

/// A row-major matrix that is written.
template <class T>
struct Target {
  T* data = nullptr;
  Index row = 0;  ///< entries from one row to the next
  Product product = Product::set;
};

/// @param c  (rows, columns); overlaps neither a nor b
/// @param a  (rows, depth)
/// @param b  (depth, columns), row-major, b_row entries from one row to the next
template <class T>
void gemm(Target<T> c, Strided<T> a, const T* b, Index b_row, Index rows, Index columns,
          Index depth);

/// @param to    (columns, rows), to_row entries from one row to the next
/// @param from  (rows, columns), from_row likewise
template <class T>
void transpose(T* to, Index to_row, const T* from, Index from_row, Index rows, Index columns);

}  // namespace posenc
