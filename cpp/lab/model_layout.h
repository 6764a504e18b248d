// Where each block of a model's parameters stands in the flat buffer, and how it starts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/model.h"
#include "nn/lanes.h"
#include "nn/mlp.h"
#include "nn/multi_head.h"

namespace posenc {

struct NormOffsets {
  Index gain = 0;
  Index bias = 0;
};

struct LayerOffsets {
  NormOffsets attention_norm;
  Index query = 0;
  Index key = 0;
  Index value = 0;
  Index output = 0;
  NormOffsets mlp_norm;
  Index expand = 0;
  Index expand_bias = 0;
  Index contract = 0;
  Index contract_bias = 0;
};

struct ModelLayout {
  std::vector<ParameterBlock> blocks;  // in the order of the buffer
  std::vector<LayerOffsets> layers;
  Index tokens = 0;
  Index positions = 0;  // `learned` only
  Index t5 = 0;         // `t5` only
  NormOffsets last_norm;
  Index readout = 0;
  Index readout_bias = 0;
  Index size = 0;

  ModelLayout(const LabOptions& options, const ModelShape& shape);

 private:
  Index add(std::string name, std::int64_t rows, std::int64_t columns, bool decays = false);
  NormOffsets add_norm(const std::string& name, std::int64_t columns);
};

/// Views of a layer's matrices among the parameters or the gradients.
template <class T>
MultiHeadMatrices<T> multi_head_matrices(T* buffer, const LayerOffsets& layer) {
  return {buffer + layer.query, buffer + layer.key, buffer + layer.value, buffer + layer.output};
}

template <class T>
MlpMatrices<T> mlp_matrices(T* buffer, const LayerOffsets& layer) {
  return {buffer + layer.expand, buffer + layer.expand_bias, buffer + layer.contract,
          buffer + layer.contract_bias};
}

/// Fills parameters that are 0. A block's numbers depend on the seed and on what the block is, not
/// on which other blocks there are: models with different codes start alike.
template <class T>
void draw_parameters(std::span<T> parameters, const ModelLayout& layout, std::uint32_t seed);

}  // namespace posenc
