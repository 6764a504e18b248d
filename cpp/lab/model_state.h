// What a model is made of: parameters, the tables of its position code, buffers of its passes.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/model.h"
#include "lab/model_layout.h"
#include "nn/embedding.h"
#include "nn/layer_norm.h"

namespace posenc {

template <class T>
struct NormCache {
  std::vector<T> y;           // (B * T, d)
  std::vector<T> normalized;  // (B * T, d)
  std::vector<T> inverse;     // (B * T)
};

template <class T>
struct LayerCache {
  NormCache<T> attention_norm;
  MultiHeadCache<T> attention;
  NormCache<T> mlp_norm;
  std::vector<T> hidden;  // (B * T, 4 d)
};

/// All that passes leave behind or write on the way.
template <class T>
struct PassBuffers {
  std::vector<LayerCache<T>> layers;  // one for all in an evaluation
  NormCache<T> last_norm;
  std::vector<T> x;       // (B * T, d), the residual path
  std::vector<T> logits;  // (B * T, outputs)
  MultiHeadScratch<T> attention;
  MlpScratch<T> mlp;
  std::vector<T> transposed;  // (outputs, d)
  std::vector<T> dlogits;     // (B * T, outputs)
  std::vector<T> dx;          // (B * T, d)
  std::vector<T> dy;          // (B * T, d)
  std::vector<T> dcodes;      // (T, d)
  std::vector<T> dbias;       // (H, 2 P - 1)
};

/// What positions mean to the code, made anew when they or the overrides change.
template <class T>
struct CodeTables {
  std::vector<std::int32_t> positions;  // (T)
  std::vector<double> frequencies;      // RoPE's, (d_h / 2)
  double attention_factor = 0;          // 0: no turns made yet
  std::vector<T> rows;                  // (T, d), sinusoidal or learned
  TurnTable<T> turns;
  std::vector<std::int32_t> buckets;  // T5's, (2 P - 1)
  OffsetBias<T> bias;
};

template <class T>
struct LabModel<T>::State {
  LabOptions options;
  ModelShape shape;
  ModelLayout layout;
  std::vector<T> parameters;
  std::vector<T> gradients;
  std::vector<double> frequencies;  // RoPE's as trained, (d_h / 2)
  CodeTables<T> tables;
  PassBuffers<T> buffers;
  MultiHeadShape attention_shape;  // of the last forward
  bool own_rows = true;            // the last forward added rows of the model's own table

  State(const LabOptions& of_run, const ModelShape& of_model);

  [[nodiscard]] Index d() const { return static_cast<Index>(options.d_model); }
  [[nodiscard]] Index outputs() const { return static_cast<Index>(shape.outputs); }
  [[nodiscard]] Index reach() const { return static_cast<Index>(shape.max_positions); }
  [[nodiscard]] EmbeddingShape embedding_shape() const {
    return {attention_shape.batch, attention_shape.length, d()};
  }
  [[nodiscard]] LayerNormShape norm_shape() const { return {attention_shape.rows(), d()}; }
  [[nodiscard]] MlpShape mlp_shape() const {
    return {attention_shape.rows(), d(), mlp_expansion * d()};
  }
  [[nodiscard]] LinearShape readout_shape() const {
    return {attention_shape.rows(), d(), outputs()};
  }
  [[nodiscard]] ScorePositions<T> score_positions() const {
    return {tables.positions, options.code == PositionCode::rope ? &tables.turns : nullptr,
            &tables.bias};
  }
  /// The last forward added rows that backward owes a gradient.
  [[nodiscard]] bool learns_rows() const {
    return options.code == PositionCode::learned && own_rows;
  }

  void prepare_tables(const ModelInput& input, const ModelOverrides<T>& overrides);
  void prepare_turns(const ModelOverrides<T>& overrides, bool moved);
  /// (T, d) to add to the embeddings, or null.
  const T* code_rows(const ModelOverrides<T>& overrides);
  /// Gradients of the rows of a learned table, and of T5's numbers.
  void codes_backward();

  void norm_forward(NormCache<T>& cache, const NormOffsets& offsets);
  void norm_backward(const NormCache<T>& cache, const NormOffsets& offsets);
  void layer_forward(const LayerOffsets& offsets, LayerCache<T>& cache, Pass pass);
  void layer_backward(const LayerOffsets& offsets, const LayerCache<T>& cache);
  void readout_backward(std::span<const T> dlogits);
};

}  // namespace posenc
