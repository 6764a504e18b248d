// The small transformer of the length lab: embedding, pre-norm blocks of attention and, where asked
// for, an MLP, a last norm and a linear read-out. Forward beside backward.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "posenc/train/lab_options.h"
#include "posenc/types.h"

namespace posenc {

struct ModelShape {
  std::int64_t inputs = 0;         ///< token ids
  std::int64_t outputs = 0;        ///< classes
  std::int64_t rows = 0;           ///< of the learned table; 0 for other codes
  std::int64_t max_positions = 0;  ///< positions are below this (sinusoid, tables of biases)
};

/// One block of parameters within the flat buffer.
struct ParameterBlock {
  std::string name;          ///< "tokens", "positions", "layer0.query", "t5", "readout" ...
  std::int64_t offset = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool decays = false;       ///< weight decay reaches matrices, not biases, gains and tables
};

/// Sequences as the model reads them.
struct ModelInput {
  std::int64_t batch = 0;                    ///< B
  std::int64_t length = 0;                   ///< T
  std::span<const std::int32_t> tokens;      ///< (B, T)
  std::span<const std::int32_t> positions;   ///< (T), rising; the table's rows, the codes' angles
};

/// What may be changed after training; what is empty is as it was trained.
template <class T>
struct ModelOverrides {
  std::vector<double> inverse_frequencies;  ///< RoPE, (d_h / 2)
  double attention_factor = 1;              ///< YaRN, on every cos and sin
  std::span<const T> position_rows;         ///< learned: (length, d), row t for token t
};

template <class T>
class LabModel {
 public:
  /// Weights are a function of (seed, block) alone. @param options checked
  LabModel(const LabOptions& options, const ModelShape& shape);

  [[nodiscard]] const std::vector<ParameterBlock>& blocks() const;
  [[nodiscard]] std::span<T> parameters();
  [[nodiscard]] std::span<const T> parameters() const;
  [[nodiscard]] std::span<T> gradients();

  /// Logits of the last call: (B * T, outputs), valid until the next call.
  std::span<const T> forward(const ModelInput& input, const ModelOverrides<T>& overrides = {});

  /// Mean cross-entropy over positions with a target (-1: none), right ones among them, and the
  /// gradients of the loss (overwritten). Follows a forward of the same input.
  /// @param targets  (B, T)
  struct Judgement {
    double loss = 0;
    std::int64_t right = 0;
    std::int64_t judged = 0;
  };
  Judgement backward(const ModelInput& input, std::span<const std::int32_t> targets);

  /// Attention weights of the last forward: (T, T), row = query, of one sequence.
  [[nodiscard]] std::vector<float> attention(std::int64_t layer, std::int64_t head,
                                             std::int64_t sequence) const;

 private:
  struct State;  // buffers of activations, sized by the largest input so far
};

}  // namespace posenc
