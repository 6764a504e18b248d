#include "nn/mlp.h"

namespace posenc {
template <class T>
void mlp_forward(T* x, std::vector<T>& hidden, const T* y, const MlpMatrices<const T>& weights,
                 const MlpShape& shape) {
  using V = Lanes<T>;
  const Index entries = shape.rows * shape.hidden;
  ensure_size(hidden, entries);
  linear_forward<T>(hidden.data(), y, weights.expand, weights.expand_bias, Product::set,
                    {shape.rows, shape.model, shape.hidden});
  for (Index i = 0; i < entries; i += lane_count<T>) {
    store(hidden.data() + i, max_lanes(load<V>(hidden.data() + i), V{}));
  }
  linear_forward<T>(x, hidden.data(), weights.contract, weights.contract_bias, Product::add,
                    {shape.rows, shape.hidden, shape.model});
}

template <class T>
void mlp_backward(T* dy, const MlpMatrices<T>& gradients, const T* dx, const std::vector<T>& hidden,
                  MlpScratch<T>& scratch, const T* y, const MlpMatrices<const T>& weights,
                  const MlpShape& shape) {
  using V = Lanes<T>;
  const Index entries = shape.rows * shape.hidden;
  ensure_size(scratch.dhidden, entries);
  ensure_size(scratch.transposed, shape.model * shape.hidden);
  T* dhidden = scratch.dhidden.data();
  linear_backward<T>(dhidden, Product::set, gradients.contract, gradients.contract_bias,
                     scratch.transposed.data(), dx, hidden.data(), weights.contract,
                     {shape.rows, shape.hidden, shape.model});
  for (Index i = 0; i < entries; i += lane_count<T>) {
    store(dhidden + i, load<V>(hidden.data() + i) > V{} ? load<V>(dhidden + i) : V{});
  }
  linear_backward<T>(dy, Product::set, gradients.expand, gradients.expand_bias,
                     scratch.transposed.data(), dhidden, y, weights.expand,
                     {shape.rows, shape.model, shape.hidden});
}

template void mlp_forward(float*, std::vector<float>&, const float*,
                          const MlpMatrices<const float>&, const MlpShape&);
template void mlp_forward(double*, std::vector<double>&, const double*,
                          const MlpMatrices<const double>&, const MlpShape&);
template void mlp_backward(float*, const MlpMatrices<float>&, const float*,
                           const std::vector<float>&, MlpScratch<float>&, const float*,
                           const MlpMatrices<const float>&, const MlpShape&);
template void mlp_backward(double*, const MlpMatrices<double>&, const double*,
                           const std::vector<double>&, MlpScratch<double>&, const double*,
                           const MlpMatrices<const double>&, const MlpShape&);

}  // namespace posenc
