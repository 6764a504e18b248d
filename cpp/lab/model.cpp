#include "lab/model.h"

#include "lab/model_state.h"

namespace posenc {

template <class T>
LabModel<T>::LabModel(const LabOptions& options, const ModelShape& shape)
    : state_(std::make_unique<State>(options, shape)) {}

template <class T>
LabModel<T>::LabModel(LabModel&& other) noexcept = default;
template <class T>
LabModel<T>& LabModel<T>::operator=(LabModel&& other) noexcept = default;
template <class T>
LabModel<T>::~LabModel() = default;

template <class T>
const std::vector<ParameterBlock>& LabModel<T>::blocks() const {
  return state_->layout.blocks;
}

template <class T>
std::span<T> LabModel<T>::parameters() {
  return state_->parameters;
}

template <class T>
std::span<const T> LabModel<T>::parameters() const {
  return state_->parameters;
}

template <class T>
std::span<T> LabModel<T>::gradients() {
  state_->gradients.resize(state_->parameters.size());
  return state_->gradients;
}

template <class T>
std::span<const T> LabModel<T>::forward(const ModelInput& input, const ModelOverrides<T>& overrides,
                                        Pass pass) {
  State& state = *state_;
  PassBuffers<T>& buffers = state.buffers;
  const T* const weights = state.parameters.data();
  state.attention_shape.batch = static_cast<Index>(input.batch);
  state.attention_shape.length = static_cast<Index>(input.length);
  const Index rows = state.attention_shape.rows();
  ensure_size(buffers.x, rows * state.d());
  ensure_size(buffers.logits, rows * state.outputs());
  const auto layers = static_cast<Index>(state.layout.layers.size());
  const bool shares_cache = pass == Pass::evaluation;
  ensure_size(buffers.layers, shares_cache ? 1 : layers);

  state.prepare_tables(input, overrides);
  embedding_forward(buffers.x.data(), input.tokens.data(), weights + state.layout.tokens,
                    state.code_rows(overrides), state.embedding_shape());
  for (std::size_t l = 0; l < state.layout.layers.size(); ++l) {
    state.layer_forward(state.layout.layers[l], buffers.layers[shares_cache ? 0 : l], pass);
  }
  state.norm_forward(buffers.last_norm, state.layout.last_norm);
  linear_forward(buffers.logits.data(), buffers.last_norm.y.data(), weights + state.layout.readout,
                 weights + state.layout.readout_bias, Product::set, state.readout_shape());
  return {buffers.logits.data(), static_cast<std::size_t>(rows * state.outputs())};
}

template <class T>
Judgement LabModel<T>::backward(const ModelInput& input, std::span<const std::int32_t> targets) {
  State& state = *state_;
  PassBuffers<T>& buffers = state.buffers;
  const Index size = state.attention_shape.rows() * state.outputs();
  ensure_size(buffers.dlogits, size);
  const std::span<T> dlogits(buffers.dlogits.data(), static_cast<std::size_t>(size));
  const std::span<const T> logits(buffers.logits.data(), dlogits.size());
  state.gradients.assign(state.parameters.size(), T{0});
  buffers.dcodes.assign(static_cast<std::size_t>(input.length * state.d()), T{0});
  buffers.dbias.assign(state.tables.bias.values.size(), T{0});

  const Judgement judgement = cross_entropy_backward(dlogits, logits, targets, state.outputs());
  state.readout_backward(dlogits);
  for (std::size_t l = state.layout.layers.size(); l-- > 0;) {
    state.layer_backward(state.layout.layers[l], buffers.layers[l]);
  }
  embedding_backward(state.gradients.data() + state.layout.tokens,
                     state.learns_rows() ? buffers.dcodes.data() : nullptr, buffers.dx.data(),
                     input.tokens.data(), state.embedding_shape());
  state.codes_backward();
  return judgement;
}

template <class T>
std::vector<float> LabModel<T>::attention(std::int64_t layer, std::int64_t head,
                                          std::int64_t sequence) const {
  const State& state = *state_;
  const auto length = static_cast<std::size_t>(state.attention_shape.length);
  std::vector<float> weights(length * length);
  attention_weights(weights.data(), state.buffers.layers[static_cast<std::size_t>(layer)].attention,
                    state.score_positions(), state.attention_shape, static_cast<Index>(sequence),
                    static_cast<Index>(head));
  return weights;
}

template <class T>
void LabModel<T>::release_buffers() {
  state_->buffers = {};
  state_->tables = {};
  state_->gradients = {};
}

template <class T>
double update_model(LabModel<T>& model, std::span<T> first, std::span<T> second,
                    const AdamWStep& step, double clip) {
  const double norm = gradient_norm<T>(model.gradients());
  AdamWStep of_block = step;
  of_block.gradient_scale = clip_scale(norm, clip);
  for (const ParameterBlock& block : model.blocks()) {
    const auto offset = static_cast<std::size_t>(block.offset);
    const auto size = static_cast<std::size_t>(block.rows * block.columns);
    of_block.weight_decay = block.decays ? step.weight_decay : 0;
    adamw_step<T>(model.parameters().subspan(offset, size), model.gradients().subspan(offset, size),
                  first.subspan(offset, size), second.subspan(offset, size), of_block);
  }
  return norm;
}

template class LabModel<float>;
template class LabModel<double>;
template double update_model(LabModel<float>&, std::span<float>, std::span<float>, const AdamWStep&,
                             double);
template double update_model(LabModel<double>&, std::span<double>, std::span<double>,
                             const AdamWStep&, double);

}  // namespace posenc
