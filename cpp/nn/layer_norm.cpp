#include "nn/layer_norm.h"

#include <cmath>

namespace posenc {

template <class T>
void layer_norm_forward(T* y, T* normalized, T* inverse, const T* x, const T* gain, const T* bias,
                        const LayerNormShape& shape) {
  using V = Lanes<T>;
  constexpr Index lanes = lane_count<T>;
  const Index d = shape.columns;
  const T share = T{1} / static_cast<T>(d);
  for (Index r = 0; r < shape.rows; ++r, x += d, y += d, normalized += d) {
    V sum{};
    for (Index c = 0; c < d; c += lanes) {
      sum += load<V>(x + c);
    }
    const V mean = splat(sum_of_lanes(sum) * share);
    V squares{};
    for (Index c = 0; c < d; c += lanes) {
      const V deviation = load<V>(x + c) - mean;
      squares += deviation * deviation;
    }
    const T variance = sum_of_lanes(squares) * share;
    inverse[r] = T{1} / std::sqrt(variance + static_cast<T>(layer_norm_epsilon));
    const V scale = splat(inverse[r]);
    for (Index c = 0; c < d; c += lanes) {
      const V unit = (load<V>(x + c) - mean) * scale;
      store(normalized + c, unit);
      store(y + c, unit * load<V>(gain + c) + load<V>(bias + c));
    }
  }
}

// With u the normalized row and g = gain * dy: dx = inverse * (g - mean(g) - u * mean(g u)).
template <class T>
void layer_norm_backward(T* dx, T* dgain, T* dbias, const T* dy, const T* normalized,
                         const T* inverse, const T* gain, const LayerNormShape& shape) {
  using V = Lanes<T>;
  constexpr Index lanes = lane_count<T>;
  const Index d = shape.columns;
  const T share = T{1} / static_cast<T>(d);
  for (Index r = 0; r < shape.rows; ++r, dx += d, dy += d, normalized += d) {
    V sum{};
    V with_unit{};
    for (Index c = 0; c < d; c += lanes) {
      const V from_above = load<V>(dy + c);
      const V unit = load<V>(normalized + c);
      const V scaled = from_above * load<V>(gain + c);
      sum += scaled;
      with_unit += scaled * unit;
      store(dgain + c, load<V>(dgain + c) + from_above * unit);
      store(dbias + c, load<V>(dbias + c) + from_above);
    }
    const V mean = splat(sum_of_lanes(sum) * share);
    const V slope = splat(sum_of_lanes(with_unit) * share);
    const V scale = splat(inverse[r]);
    for (Index c = 0; c < d; c += lanes) {
      const V scaled = load<V>(dy + c) * load<V>(gain + c);
      const V change = (scaled - mean - load<V>(normalized + c) * slope) * scale;
      store(dx + c, load<V>(dx + c) + change);
    }
  }
}

template void layer_norm_forward(float*, float*, float*, const float*, const float*, const float*,
                                 const LayerNormShape&);
template void layer_norm_forward(double*, double*, double*, const double*, const double*,
                                 const double*, const LayerNormShape&);
template void layer_norm_backward(float*, float*, float*, const float*, const float*, const float*,
                                  const float*, const LayerNormShape&);
template void layer_norm_backward(double*, double*, double*, const double*, const double*,
                                  const double*, const double*, const LayerNormShape&);

}  // namespace posenc
