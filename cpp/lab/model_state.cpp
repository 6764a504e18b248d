#include "lab/model_state.h"

#include <algorithm>
#include <cmath>

namespace posenc {
namespace {

constexpr double sinusoid_amplitude = 0.5;

}  // namespace

template <class T>
LabModel<T>::State::State(const LabOptions& of_run, const ModelShape& of_model)
    : options(of_run),
      shape(of_model),
      layout(of_run, of_model),
      parameters(static_cast<std::size_t>(layout.size)) {
  draw_parameters<T>(parameters, layout, options.seed);
  attention_shape.d_model = d();
  attention_shape.heads = static_cast<Index>(options.heads);
  attention_shape.causal = options.causal;
  // Su et al. 2021, section 3.2.2: theta_j = base^(-2j / d_h).
  const Index head_dim = attention_shape.head_dim();
  for (Index dimension = 0; dimension < head_dim; dimension += 2) {
    frequencies.push_back(std::pow(
        options.rope_base, -static_cast<double>(dimension) / static_cast<double>(head_dim)));
  }
}

template <class T>
void LabModel<T>::State::prepare_turns(const ModelOverrides<T>& overrides, bool moved) {
  const std::vector<double>& wanted =
      overrides.inverse_frequencies.empty() ? frequencies : overrides.inverse_frequencies;
  if (moved || tables.frequencies != wanted ||
      tables.attention_factor != overrides.attention_factor) {
    tables.frequencies = wanted;
    tables.attention_factor = overrides.attention_factor;
    fill_turns(tables.turns, tables.positions, wanted, d(), overrides.attention_factor);
  }
}

template <class T>
void LabModel<T>::State::prepare_tables(const ModelInput& input,
                                        const ModelOverrides<T>& overrides) {
  const bool moved = !std::equal(tables.positions.begin(), tables.positions.end(),
                                 input.positions.begin(), input.positions.end());
  if (moved) {
    tables.positions.assign(input.positions.begin(), input.positions.end());
  }
  switch (options.code) {
    case PositionCode::nope:
    case PositionCode::learned:
      break;
    case PositionCode::sinusoidal:
      if (moved) {
        tables.rows.resize(tables.positions.size() * static_cast<std::size_t>(d()));
        sinusoidal_code_rows(tables.rows.data(), tables.positions, d(), options.sinusoid_base,
                             sinusoid_amplitude);
      }
      break;
    case PositionCode::rope:
      prepare_turns(overrides, moved);
      break;
    case PositionCode::alibi:
      if (tables.bias.values.empty()) {
        fill_alibi(tables.bias, attention_shape.heads, reach(), options.alibi_exponent);
      }
      break;
    case PositionCode::t5:
      if (tables.buckets.empty()) {
        tables.buckets = t5_bucket_of_offsets({.bidirectional = !options.causal,
                                               .num_buckets = options.t5_buckets,
                                               .max_distance = options.t5_max_distance},
                                              reach());
      }
      t5_bias_forward(tables.bias, parameters.data() + layout.t5, tables.buckets,
                      attention_shape.heads, reach());
      break;
  }
}

template <class T>
const T* LabModel<T>::State::code_rows(const ModelOverrides<T>& overrides) {
  own_rows = overrides.position_rows.empty();
  if (options.code == PositionCode::sinusoidal) {
    return tables.rows.data();
  }
  if (options.code != PositionCode::learned) {
    return nullptr;
  }
  if (!own_rows) {
    return overrides.position_rows.data();
  }
  tables.rows.resize(tables.positions.size() * static_cast<std::size_t>(d()));
  T* row = tables.rows.data();
  for (const std::int32_t position : tables.positions) {
    const T* from = parameters.data() + layout.positions + position * d();
    row = std::copy(from, from + d(), row);
  }
  return tables.rows.data();
}

template <class T>
void LabModel<T>::State::codes_backward() {
  if (learns_rows()) {
    const T* row = buffers.dcodes.data();
    for (const std::int32_t position : tables.positions) {
      T* to = gradients.data() + layout.positions + position * d();
      for (Index c = 0; c < d(); ++c) {
        to[c] += *row++;
      }
    }
  } else if (options.code == PositionCode::t5) {
    t5_bias_backward<T>(gradients.data() + layout.t5, buffers.dbias, tables.buckets,
                        attention_shape.heads);
  }
}

template <class T>
void LabModel<T>::State::norm_forward(NormCache<T>& cache, const NormOffsets& offsets) {
  const Index rows = attention_shape.rows();
  ensure_size(cache.y, rows * d());
  ensure_size(cache.normalized, rows * d());
  ensure_size(cache.inverse, rows);
  layer_norm_forward<T>(cache.y.data(), cache.normalized.data(), cache.inverse.data(),
                        buffers.x.data(), parameters.data() + offsets.gain,
                        parameters.data() + offsets.bias, norm_shape());
}

/// dx += the norm's part of dy.
template <class T>
void LabModel<T>::State::norm_backward(const NormCache<T>& cache, const NormOffsets& offsets) {
  layer_norm_backward<T>(buffers.dx.data(), gradients.data() + offsets.gain,
                         gradients.data() + offsets.bias, buffers.dy.data(),
                         cache.normalized.data(), cache.inverse.data(),
                         parameters.data() + offsets.gain, norm_shape());
}

template <class T>
void LabModel<T>::State::layer_forward(const LayerOffsets& offsets, LayerCache<T>& cache,
                                       Pass pass) {
  const T* const weights = parameters.data();
  norm_forward(cache.attention_norm, offsets.attention_norm);
  multi_head_forward(buffers.x.data(), cache.attention, buffers.attention,
                     cache.attention_norm.y.data(), multi_head_matrices(weights, offsets),
                     score_positions(), attention_shape, pass == Pass::training);
  if (options.mlp) {
    norm_forward(cache.mlp_norm, offsets.mlp_norm);
    mlp_forward(buffers.x.data(), cache.hidden, cache.mlp_norm.y.data(),
                mlp_matrices(weights, offsets), mlp_shape());
  }
}

template <class T>
void LabModel<T>::State::layer_backward(const LayerOffsets& offsets, const LayerCache<T>& cache) {
  const T* const weights = parameters.data();
  if (options.mlp) {
    mlp_backward(buffers.dy.data(), mlp_matrices(gradients.data(), offsets), buffers.dx.data(),
                 cache.hidden, buffers.mlp, cache.mlp_norm.y.data(), mlp_matrices(weights, offsets),
                 mlp_shape());
    norm_backward(cache.mlp_norm, offsets.mlp_norm);
  }
  T* dbias = options.code == PositionCode::t5 ? buffers.dbias.data() : nullptr;
  multi_head_backward(buffers.dy.data(), multi_head_matrices(gradients.data(), offsets), dbias,
                      buffers.dx.data(), cache.attention, buffers.attention,
                      cache.attention_norm.y.data(), multi_head_matrices(weights, offsets),
                      score_positions(), attention_shape);
  norm_backward(cache.attention_norm, offsets.attention_norm);
}

/// dx from the logits, through the read-out and the last norm.
template <class T>
void LabModel<T>::State::readout_backward(std::span<const T> dlogits) {
  const Index entries = attention_shape.rows() * d();
  ensure_size(buffers.dx, entries);
  ensure_size(buffers.dy, entries);
  ensure_size(buffers.transposed, d() * outputs());
  linear_backward<T>(buffers.dy.data(), Product::set, gradients.data() + layout.readout,
                     gradients.data() + layout.readout_bias, buffers.transposed.data(),
                     dlogits.data(), buffers.last_norm.y.data(), parameters.data() + layout.readout,
                     readout_shape());
  std::fill_n(buffers.dx.begin(), entries, T{0});
  norm_backward(buffers.last_norm, layout.last_norm);
}

template struct LabModel<float>::State;
template struct LabModel<double>::State;

}  // namespace posenc
