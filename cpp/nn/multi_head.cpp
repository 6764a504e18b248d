#include "nn/multi_head.h"

#include <algorithm>
#include <cmath>

#include "nn/linear.h"

namespace posenc {
namespace {

// Scores are made four queries at a time. Under a causal mask a block needs the keys up to its own
// last query: about half of all products are never made.
constexpr Index block = row_padding;

/// Offsets of one head of one sequence.
struct HeadView {
  Index rows;   ///< of the entry (first token, first column of the head) in a (B * T, d) matrix
  Index token;  ///< entries from one token to the next
  Index dim;    ///< d_h
  Index length;
  Index stride;  ///< padded length
  bool causal;

  HeadView(const MultiHeadShape& shape, Index sequence, Index head)
      : rows(sequence * shape.length * shape.d_model + head * shape.head_dim()),
        token(shape.d_model),
        dim(shape.head_dim()),
        length(shape.length),
        stride(padded(shape.length)),
        causal(shape.causal) {}

  [[nodiscard]] Index block_rows(Index first) const { return std::min(block, length - first); }
  /// Keys that a block of queries needs, a multiple of four.
  [[nodiscard]] Index keys(Index first_query) const {
    return causal ? first_query + block : stride;
  }
};

/// @param out  (d_h, padded length); the columns that pad are 0
template <class T>
void pack_transposed(T* out, const T* from, const HeadView& view) {
  transpose(out, view.stride, from, view.token, view.length, view.dim);
  for (Index c = 0; c < view.dim; ++c) {
    std::fill(out + c * view.stride + view.length, out + (c + 1) * view.stride, T{0});
  }
}

/// Softmax of scale * score + addend, in place.
/// @param count  a multiple of four
template <class T>
void softmax_forward(T* row, const T* addends, T scale, Index count) {
  using V = Lanes<T>;
  constexpr Index lanes = lane_count<T>;
  V largest = load<V>(row) * scale + load<V>(addends);
  store(row, largest);
  for (Index c = lanes; c < count; c += lanes) {
    const V score = load<V>(row + c) * scale + load<V>(addends + c);
    store(row + c, score);
    largest = max_lanes(largest, score);
  }
  const V shift = splat(max_of_lanes(largest));
  V sum{};
  for (Index c = 0; c < count; c += lanes) {
    const V e = exp_lanes<T>(load<V>(row + c) - shift);
    store(row + c, e);
    sum += e;
  }
  const V share = splat(T{1} / sum_of_lanes(sum));
  for (Index c = 0; c < count; c += lanes) {
    store(row + c, load<V>(row + c) * share);
  }
}

/// Gradients of the weights become gradients of the scores: dS = P (dP - sum(P dP)), in place.
/// @param dbias  the same row of what is summed over the batch, or null
template <class T>
void softmax_backward(T* row, T* dbias, const T* weights, T scale, Index count) {
  using V = Lanes<T>;
  constexpr Index lanes = lane_count<T>;
  V sum{};
  for (Index c = 0; c < count; c += lanes) {
    sum += load<V>(row + c) * load<V>(weights + c);
  }
  const V mean = splat(sum_of_lanes(sum));
  if (dbias != nullptr) {
    for (Index c = 0; c < count; c += lanes) {
      const V dscore = load<V>(weights + c) * (load<V>(row + c) - mean);
      store(dbias + c, load<V>(dbias + c) + dscore);
    }
  }
  for (Index c = 0; c < count; c += lanes) {
    store(row + c, load<V>(weights + c) * (load<V>(row + c) - mean) * scale);
  }
}

template <class T>
T score_scale(const HeadView& view) {
  return T{1} / std::sqrt(static_cast<T>(view.dim));
}

/// Weights of the block of queries that starts at `first`.
/// @param out   rows of the head's weights, the first being the block's
/// @param keys  (d_h, padded length)
template <class T>
void weigh_block(T* out, const T* query, const T* keys, const T* addends, const HeadView& view,
                 Index first) {
  const Index rows = view.block_rows(first);
  const Index count = view.keys(first);
  gemm(Target<T>{out, view.stride}, Strided<T>{query + view.rows + first * view.token, view.token},
       keys, view.stride, rows, count, view.dim);
  for (Index r = 0; r < rows; ++r) {
    softmax_forward(out + r * view.stride, addends + (first + r) * view.stride,
                    score_scale<T>(view), count);
  }
}

template <class T>
void attend_forward(MultiHeadCache<T>& cache, MultiHeadScratch<T>& scratch, const HeadView& view,
                    T* weights) {
  pack_transposed(scratch.transposed.data(), cache.key.data() + view.rows, view);
  for (Index first = 0; first < view.length; first += block) {
    T* rows = weights + first * view.stride;
    weigh_block(rows, cache.query.data(), scratch.transposed.data(), scratch.addends.data(), view,
                first);
    gemm(Target<T>{cache.mixed.data() + view.rows + first * view.token, view.token},
         Strided<T>{rows, view.stride}, cache.value.data() + view.rows, view.token,
         view.block_rows(first), view.dim, std::min(view.keys(first), view.length));
  }
}

template <class T>
void attend_backward(MultiHeadScratch<T>& scratch, T* dbias, const MultiHeadCache<T>& cache,
                     const HeadView& view, const T* weights) {
  T* dscores = scratch.square.data();
  const T* dmixed = scratch.dmixed.data() + view.rows;
  pack_transposed(scratch.transposed.data(), cache.value.data() + view.rows, view);
  for (Index first = 0; first < view.length; first += block) {
    const Index rows = view.block_rows(first);
    const Index count = view.keys(first);
    T* of_block = dscores + first * view.stride;
    gemm(Target<T>{of_block, view.stride}, Strided<T>{dmixed + first * view.token, view.token},
         scratch.transposed.data(), view.stride, rows, count, view.dim);
    for (Index r = 0; r < rows; ++r) {
      softmax_backward(of_block + r * view.stride,
                       dbias == nullptr ? nullptr : dbias + (first + r) * view.stride,
                       weights + (first + r) * view.stride, score_scale<T>(view), count);
    }
    gemm(Target<T>{scratch.dquery.data() + view.rows + first * view.token, view.token},
         Strided<T>{of_block, view.stride}, cache.key.data() + view.rows, view.token, rows,
         view.dim, std::min(count, view.length));
  }
  for (Index first = 0; first < view.length; first += block) {
    const Index rows = view.block_rows(first);
    const Index from = view.causal ? first : 0;  // earlier queries do not see these keys
    const Index corner = from * view.stride + first;
    gemm(Target<T>{scratch.dkey.data() + view.rows + first * view.token, view.token},
         Strided<T>{dscores + corner, 1, view.stride},
         cache.query.data() + view.rows + from * view.token, view.token, rows, view.dim,
         view.length - from);
    gemm(Target<T>{scratch.dvalue.data() + view.rows + first * view.token, view.token},
         Strided<T>{weights + corner, 1, view.stride}, dmixed + from * view.token, view.token, rows,
         view.dim, view.length - from);
  }
}

/// Sums over the batch by query and key become sums by offset.
template <class T>
void gather_offsets(T* by_offset, const T* dbias, const ScorePositions<T>& positions,
                    const HeadView& view) {
  const std::int32_t* at = positions.positions.data();
  for (Index query = 0; query < view.length; ++query) {
    const Index seen = view.causal ? query + 1 : view.length;
    T* to = by_offset + positions.bias->reach - 1 - at[query];
    for (Index key = 0; key < seen; ++key) {
      to[at[key]] += dbias[query * view.stride + key];
    }
  }
}

LinearShape square_shape(const MultiHeadShape& shape) {
  return {shape.rows(), shape.d_model, shape.d_model};
}

Index square_size(const MultiHeadShape& shape) { return shape.length * padded(shape.length); }

Index transposed_size(const MultiHeadShape& shape) {
  return std::max(shape.d_model * shape.d_model, shape.head_dim() * padded(shape.length));
}

}  // namespace

template <class T>
void multi_head_forward(T* x, MultiHeadCache<T>& cache, MultiHeadScratch<T>& scratch, const T* y,
                        const MultiHeadMatrices<const T>& weights,
                        const ScorePositions<T>& positions, const MultiHeadShape& shape,
                        bool keep_weights) {
  const Index entries = shape.rows() * shape.d_model;
  for (std::vector<T>* buffer : {&cache.query, &cache.key, &cache.value, &cache.mixed}) {
    ensure_size(*buffer, entries);
  }
  ensure_size(scratch.addends, square_size(shape));
  ensure_size(scratch.transposed, transposed_size(shape));
  keep_weights ? ensure_size(cache.weights, shape.weights())
               : ensure_size(scratch.square, square_size(shape));

  linear_forward<T>(cache.query.data(), y, weights.query, nullptr, Product::set,
                    square_shape(shape));
  linear_forward<T>(cache.key.data(), y, weights.key, nullptr, Product::set, square_shape(shape));
  linear_forward<T>(cache.value.data(), y, weights.value, nullptr, Product::set,
                    square_shape(shape));
  if (positions.turns != nullptr) {
    turn_forward(cache.query.data(), *positions.turns, shape.batch, shape.length, shape.d_model);
    turn_forward(cache.key.data(), *positions.turns, shape.batch, shape.length, shape.d_model);
  }
  for (Index head = 0; head < shape.heads; ++head) {
    fill_score_addends(scratch.addends.data(), *positions.bias, head, positions.positions,
                       shape.causal);
    for (Index b = 0; b < shape.batch; ++b) {
      T* of_head = keep_weights
                       ? cache.weights.data() + (b * shape.heads + head) * square_size(shape)
                       : scratch.square.data();
      attend_forward(cache, scratch, HeadView(shape, b, head), of_head);
    }
  }
  linear_forward<T>(x, cache.mixed.data(), weights.output, nullptr, Product::add,
                    square_shape(shape));
}

template <class T>
void multi_head_backward(T* dy, const MultiHeadMatrices<T>& gradients, T* dbias, const T* dx,
                         const MultiHeadCache<T>& cache, MultiHeadScratch<T>& scratch, const T* y,
                         const MultiHeadMatrices<const T>& weights,
                         const ScorePositions<T>& positions, const MultiHeadShape& shape) {
  const Index entries = shape.rows() * shape.d_model;
  for (std::vector<T>* buffer :
       {&scratch.dmixed, &scratch.dquery, &scratch.dkey, &scratch.dvalue}) {
    ensure_size(*buffer, entries);
  }
  ensure_size(scratch.square, square_size(shape));
  ensure_size(scratch.transposed, transposed_size(shape));
  const LinearShape square = square_shape(shape);
  linear_backward<T>(scratch.dmixed.data(), Product::set, gradients.output, nullptr,
                     scratch.transposed.data(), dx, cache.mixed.data(), weights.output, square);
  for (Index head = 0; head < shape.heads; ++head) {
    if (dbias != nullptr) {
      scratch.dbias.assign(static_cast<std::size_t>(square_size(shape)), T{0});
    }
    for (Index b = 0; b < shape.batch; ++b) {
      attend_backward(scratch, dbias == nullptr ? nullptr : scratch.dbias.data(), cache,
                      HeadView(shape, b, head),
                      cache.weights.data() + (b * shape.heads + head) * square_size(shape));
    }
    if (dbias != nullptr) {
      gather_offsets(dbias + head * positions.bias->offsets(), scratch.dbias.data(), positions,
                     HeadView(shape, 0, head));
    }
  }
  if (positions.turns != nullptr) {
    turn_backward(scratch.dquery.data(), *positions.turns, shape.batch, shape.length,
                  shape.d_model);
    turn_backward(scratch.dkey.data(), *positions.turns, shape.batch, shape.length, shape.d_model);
  }
  linear_backward<T>(dy, Product::set, gradients.query, nullptr, scratch.transposed.data(),
                     scratch.dquery.data(), y, weights.query, square);
  linear_backward<T>(dy, Product::add, gradients.key, nullptr, scratch.transposed.data(),
                     scratch.dkey.data(), y, weights.key, square);
  linear_backward<T>(dy, Product::add, gradients.value, nullptr, scratch.transposed.data(),
                     scratch.dvalue.data(), y, weights.value, square);
}

template <class T>
void attention_weights(float* out, const MultiHeadCache<T>& cache,
                       const ScorePositions<T>& positions, const MultiHeadShape& shape,
                       Index sequence, Index head) {
  const HeadView view(shape, sequence, head);
  std::vector<T> addends(static_cast<std::size_t>(square_size(shape)));
  std::vector<T> keys(static_cast<std::size_t>(view.dim * view.stride));
  std::vector<T> rows(static_cast<std::size_t>(block * view.stride));
  fill_score_addends(addends.data(), *positions.bias, head, positions.positions, shape.causal);
  pack_transposed(keys.data(), cache.key.data() + view.rows, view);
  for (Index first = 0; first < view.length; first += block) {
    std::fill(rows.begin(), rows.end(), T{0});
    weigh_block(rows.data(), cache.query.data(), keys.data(), addends.data(), view, first);
    for (Index r = 0; r < view.block_rows(first); ++r) {
      for (Index key = 0; key < view.length; ++key) {
        *out++ = static_cast<float>(rows[static_cast<std::size_t>(r * view.stride + key)]);
      }
    }
  }
}

template void multi_head_forward(float*, MultiHeadCache<float>&, MultiHeadScratch<float>&,
                                 const float*, const MultiHeadMatrices<const float>&,
                                 const ScorePositions<float>&, const MultiHeadShape&, bool);
template void multi_head_backward(float*, const MultiHeadMatrices<float>&, float*, const float*,
                                  const MultiHeadCache<float>&, MultiHeadScratch<float>&,
                                  const float*, const MultiHeadMatrices<const float>&,
                                  const ScorePositions<float>&, const MultiHeadShape&);
template void attention_weights(float*, const MultiHeadCache<float>&, const ScorePositions<float>&,
                                const MultiHeadShape&, Index, Index);
template void multi_head_forward(double*, MultiHeadCache<double>&, MultiHeadScratch<double>&,
                                 const double*, const MultiHeadMatrices<const double>&,
                                 const ScorePositions<double>&, const MultiHeadShape&, bool);
template void multi_head_backward(double*, const MultiHeadMatrices<double>&, double*, const double*,
                                  const MultiHeadCache<double>&, MultiHeadScratch<double>&,
                                  const double*, const MultiHeadMatrices<const double>&,
                                  const ScorePositions<double>&, const MultiHeadShape&);
template void attention_weights(float*, const MultiHeadCache<double>&,
                                const ScorePositions<double>&, const MultiHeadShape&, Index, Index);

}  // namespace posenc
