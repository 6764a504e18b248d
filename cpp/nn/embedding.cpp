#include "nn/embedding.h"

namespace posenc {
namespace {

template <class T>
void add_row(T* to, const T* from, Index columns) {
  for (Index c = 0; c < columns; c += lane_count<T>) {
    store(to + c, load<Lanes<T>>(to + c) + load<Lanes<T>>(from + c));
  }
}

}  // namespace

template <class T>
void embedding_forward(T* x, const std::int32_t* tokens, const T* table, const T* codes,
                       const EmbeddingShape& shape) {
  const Index d = shape.columns;
  for (Index b = 0; b < shape.batch; ++b) {
    for (Index t = 0; t < shape.length; ++t, x += d) {
      std::memcpy(x, table + *tokens++ * d, static_cast<std::size_t>(d) * sizeof(T));
      if (codes != nullptr) {
        add_row(x, codes + t * d, d);
      }
    }
  }
}

template <class T>
void embedding_backward(T* dtable, T* dcodes, const T* dx, const std::int32_t* tokens,
                        const EmbeddingShape& shape) {
  const Index d = shape.columns;
  for (Index b = 0; b < shape.batch; ++b) {
    for (Index t = 0; t < shape.length; ++t, dx += d) {
      add_row(dtable + *tokens++ * d, dx, d);
      if (dcodes != nullptr) {
        add_row(dcodes + t * d, dx, d);
      }
    }
  }
}

template void embedding_forward(float*, const std::int32_t*, const float*, const float*,
                                const EmbeddingShape&);
template void embedding_forward(double*, const std::int32_t*, const double*, const double*,
                                const EmbeddingShape&);
template void embedding_backward(float*, float*, const float*, const std::int32_t*,
                                 const EmbeddingShape&);
template void embedding_backward(double*, double*, const double*, const std::int32_t*,
                                 const EmbeddingShape&);

}  // namespace posenc
