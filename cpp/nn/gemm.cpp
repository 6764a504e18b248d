#include "nn/gemm.h"

#include <type_traits>

namespace posenc {
namespace {

/// A block of `rows` by vectors * (lanes of V) entries of C, held in registers over the whole
/// depth.
template <class V, int rows, int vectors, class T>
inline void tile(Target<T> c, Strided<T> a, const T* b, Index b_row, Index depth) {
  constexpr Index lanes = std::is_same_v<V, T> ? 1 : lane_count<T>;
  V sums[rows][vectors] = {};
  for (Index k = 0; k < depth; ++k) {
    V from_b[vectors];
    for (int v = 0; v < vectors; ++v) {
      from_b[v] = load<V>(b + v * lanes);
    }
    for (int r = 0; r < rows; ++r) {
      const T from_a = a.data[r * a.row];
      for (int v = 0; v < vectors; ++v) {
        sums[r][v] += from_a * from_b[v];
      }
    }
    a.data += a.column;
    b += b_row;
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      T* to = c.data + r * c.row + v * lanes;
      store(to, c.product == Product::add ? load<V>(to) + sums[r][v] : sums[r][v]);
    }
  }
}

template <int rows, class T>
void row_block(Target<T> c, Strided<T> a, const T* b, Index b_row, Index columns, Index depth) {
  constexpr Index lanes = lane_count<T>;
  for (; columns >= 2 * lanes; columns -= 2 * lanes) {
    tile<Lanes<T>, rows, 2>(c, a, b, b_row, depth);
    c.data += 2 * lanes;
    b += 2 * lanes;
  }
  for (; columns >= lanes; columns -= lanes) {
    tile<Lanes<T>, rows, 1>(c, a, b, b_row, depth);
    c.data += lanes;
    b += lanes;
  }
  for (; columns > 0; --columns) {
    tile<T, rows, 1>(c, a, b, b_row, depth);
    ++c.data;
    ++b;
  }
}

}  // namespace

template <class T>
void gemm(Target<T> c, Strided<T> a, const T* b, Index b_row, Index rows, Index columns,
          Index depth) {
  for (; rows >= 4; rows -= 4) {
    row_block<4>(c, a, b, b_row, columns, depth);
    c.data += 4 * c.row;
    a.data += 4 * a.row;
  }
  // One by one: blocks of three and two would be as large as that of four, and every byte is
  // downloaded.
  for (; rows > 0; --rows) {
    row_block<1>(c, a, b, b_row, columns, depth);
    c.data += c.row;
    a.data += a.row;
  }
}

template <class T>
void transpose(T* to, Index to_row, const T* from, Index from_row, Index rows, Index columns) {
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      to[c * to_row + r] = from[r * from_row + c];
    }
  }
}

template void gemm(Target<float>, Strided<float>, const float*, Index, Index, Index, Index);
template void gemm(Target<double>, Strided<double>, const double*, Index, Index, Index, Index);
template void transpose(float*, Index, const float*, Index, Index, Index);
template void transpose(double*, Index, const double*, Index, Index, Index);

}  // namespace posenc
