#include "lab/model_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "random/rng.h"

namespace posenc {
namespace {

constexpr double token_deviation = 0.5;
constexpr double position_deviation = 0.1;

// Second words of the generator's keys.
constexpr std::uint32_t token_stream = 0;
constexpr std::uint32_t position_stream = 1;
constexpr std::uint32_t readout_stream = 2;
constexpr std::uint32_t first_layer_stream = 16;
constexpr std::uint32_t streams_of_a_layer = 8;

/// numpy.random.RandomState([seed, stream]).randn(size) * deviation
template <class T>
void draw(T* out, Index size, std::uint32_t seed, std::uint32_t stream, double deviation) {
  RandomState random = RandomState::from_keys({seed, stream}).value();
  for (Index i = 0; i < size; ++i) {
    out[i] = static_cast<T>(deviation * random.gauss());
  }
}

template <class T>
void fill_gain(T* parameters, const NormOffsets& norm) {
  std::fill(parameters + norm.gain, parameters + norm.bias, T{1});
}

}  // namespace

Index ModelLayout::add(std::string name, std::int64_t rows, std::int64_t columns, bool decays) {
  const Index offset = size;
  blocks.push_back({std::move(name), offset, rows, columns, decays});
  size += static_cast<Index>(rows * columns);
  return offset;
}

NormOffsets ModelLayout::add_norm(const std::string& name, std::int64_t columns) {
  const Index gain = add(name + ".gain", 1, columns);
  return {gain, add(name + ".bias", 1, columns)};
}

ModelLayout::ModelLayout(const LabOptions& options, const ModelShape& shape) {
  const std::int64_t d = options.d_model;
  const std::int64_t hidden = mlp_expansion * d;
  tokens = add("tokens", shape.inputs, d);
  if (options.code == PositionCode::learned) {
    positions = add("positions", shape.rows, d);
  } else if (options.code == PositionCode::t5) {
    t5 = add("t5", options.t5_buckets, options.heads);
  }
  for (std::int64_t l = 0; l < options.layers; ++l) {
    const std::string name = "layer" + std::to_string(l);
    LayerOffsets layer;
    layer.attention_norm = add_norm(name + ".attentionNorm", d);
    layer.query = add(name + ".query", d, d, true);
    layer.key = add(name + ".key", d, d, true);
    layer.value = add(name + ".value", d, d, true);
    layer.output = add(name + ".output", d, d, true);
    if (options.mlp) {
      layer.mlp_norm = add_norm(name + ".mlpNorm", d);
      layer.expand = add(name + ".expand", d, hidden, true);
      layer.expand_bias = add(name + ".expandBias", 1, hidden);
      layer.contract = add(name + ".contract", hidden, d, true);
      layer.contract_bias = add(name + ".contractBias", 1, d);
    }
    layers.push_back(layer);
  }
  last_norm = add_norm("norm", d);
  readout = add("readout", d, shape.outputs, true);
  readout_bias = add("readoutBias", 1, shape.outputs);
}

template <class T>
void draw_parameters(std::span<T> parameters, const ModelLayout& layout, std::uint32_t seed) {
  T* p = parameters.data();
  const ParameterBlock& embedding = layout.blocks.front();
  const auto d = static_cast<Index>(embedding.columns);
  const Index square = d * d;
  // Unit variance in, unit variance out.
  const double deviation = 1 / std::sqrt(static_cast<double>(d));
  const double of_hidden = 1 / std::sqrt(static_cast<double>(mlp_expansion * d));

  draw(p + layout.tokens, static_cast<Index>(embedding.rows) * d, seed, token_stream,
       token_deviation);
  if (const ParameterBlock& next = layout.blocks[1]; next.name == "positions") {
    draw(p + layout.positions, static_cast<Index>(next.rows) * d, seed, position_stream,
         position_deviation);
  }
  std::uint32_t stream = first_layer_stream;
  for (const LayerOffsets& layer : layout.layers) {
    fill_gain(p, layer.attention_norm);
    draw(p + layer.query, square, seed, stream, deviation);
    draw(p + layer.key, square, seed, stream + 1, deviation);
    draw(p + layer.value, square, seed, stream + 2, deviation);
    draw(p + layer.output, square, seed, stream + 3, deviation);
    if (layer.expand != 0) {
      fill_gain(p, layer.mlp_norm);
      draw(p + layer.expand, mlp_expansion * square, seed, stream + 4, deviation);
      draw(p + layer.contract, mlp_expansion * square, seed, stream + 5, of_hidden);
    }
    stream += streams_of_a_layer;
  }
  fill_gain(p, layout.last_norm);
  draw(p + layout.readout, layout.readout_bias - layout.readout, seed, readout_stream, deviation);
}

template void draw_parameters(std::span<float>, const ModelLayout&, std::uint32_t);
template void draw_parameters(std::span<double>, const ModelLayout&, std::uint32_t);

std::int64_t model_parameters(const LabOptions& options, const ModelShape& shape) {
  return ModelLayout(options, shape).size;
}

double pass_memory(const LabOptions& options, const ModelShape& shape, std::int64_t batch,
                   std::int64_t length, Pass pass) {
  const auto d = static_cast<double>(options.d_model);
  const auto heads = static_cast<double>(options.heads);
  const double rows = static_cast<double>(batch) * static_cast<double>(length);
  const double matrix = rows * d;
  const double square =
      static_cast<double>(length) * static_cast<double>(padded(static_cast<Index>(length)));
  const bool training = pass == Pass::training;
  const double norm = 2 * matrix + rows;
  const double hidden = options.mlp ? static_cast<double>(mlp_expansion) * matrix : 0;
  // Query, key, value, mixed; both norms; weights where they are kept.
  const double layer = 4 * matrix + norm + (options.mlp ? norm : 0) + hidden +
                       (training ? static_cast<double>(batch) * heads * square : 0);
  const double layers = pass == Pass::evaluation ? 1 : static_cast<double>(options.layers);
  const double logits = rows * static_cast<double>(shape.outputs);
  // Residual, last norm, logits, addends, one square; codes or turns by position.
  const double shared = matrix + norm + logits + 2 * square + 2 * static_cast<double>(length) * d;
  // Gradients of residual, norm, mixed, query, key, value, logits; one more square.
  const double backward = training ? 6 * matrix + logits + square + hidden : 0;
  return static_cast<double>(sizeof(float)) * (layers * layer + shared + backward);
}

}  // namespace posenc
