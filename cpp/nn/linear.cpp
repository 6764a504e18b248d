#include "nn/linear.h"

namespace posenc {

template <class T>
void linear_forward(T* y, const T* x, const T* weight, const T* bias, Product product,
                    const LinearShape& shape) {
  gemm(Target<T>{y, shape.out, product}, Strided<T>{x, shape.in, 1}, weight, shape.out, shape.rows,
       shape.out, shape.in);
  if (bias == nullptr) {
    return;
  }
  for (Index r = 0; r < shape.rows; ++r) {
    T* row = y + r * shape.out;
    for (Index c = 0; c < shape.out; ++c) {
      row[c] += bias[c];
    }
  }
}

template <class T>
void linear_backward(T* dx, Product product, T* dweight, T* dbias, T* transposed, const T* dy,
                     const T* x, const T* weight, const LinearShape& shape) {
  gemm(Target<T>{dweight, shape.out, Product::add}, Strided<T>{x, 1, shape.in}, dy, shape.out,
       shape.in, shape.out, shape.rows);
  if (dbias != nullptr) {
    for (Index r = 0; r < shape.rows; ++r) {
      const T* row = dy + r * shape.out;
      for (Index c = 0; c < shape.out; ++c) {
        dbias[c] += row[c];
      }
    }
  }
  if (dx != nullptr) {
    transpose(transposed, shape.in, weight, shape.out, shape.in, shape.out);
    gemm(Target<T>{dx, shape.in, product}, Strided<T>{dy, shape.out, 1}, transposed, shape.in,
         shape.rows, shape.in, shape.out);
  }
}

template void linear_forward(float*, const float*, const float*, const float*, Product,
                             const LinearShape&);
template void linear_forward(double*, const double*, const double*, const double*, Product,
                             const LinearShape&);
template void linear_backward(float*, Product, float*, float*, float*, const float*, const float*,
                              const float*, const LinearShape&);
template void linear_backward(double*, Product, double*, double*, double*, const double*,
                              const double*, const double*, const LinearShape&);

}  // namespace posenc
