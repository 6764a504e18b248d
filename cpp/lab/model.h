// The small transformer of the length lab: embedding, pre-norm blocks of attention and, where asked
// for, an MLP, a last norm and a linear read-out. Forward beside backward.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/options.h"
#include "nn/adamw.h"
#include "nn/loss.h"
#include "types.h"

namespace posenc {

struct ModelShape {
  std::int64_t inputs = 0;         ///< token ids
  std::int64_t outputs = 0;        ///< classes
  std::int64_t rows = 0;           ///< of the learned table; 0 for other codes
  std::int64_t max_positions = 0;  ///< positions are below this (sinusoid, tables of biases)
};

/// One block of parameters within the flat buffer.
struct ParameterBlock {
  std::string name;  ///< "tokens", "positions", "layer0.query", "t5", "readout" ...
  std::int64_t offset = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool decays = false;  ///< weight decay reaches matrices, not biases, gains and tables
};

/// Sequences as the model reads them.
struct ModelInput {
  std::int64_t batch = 0;                   ///< B
  std::int64_t length = 0;                  ///< T
  std::span<const std::int32_t> tokens;     ///< (B, T)
  std::span<const std::int32_t> positions;  ///< (T), rising; the table's rows, the codes' angles
};

/// What may be changed after training; what is empty is as it was trained.
template <class T>
struct ModelOverrides {
  std::vector<double> inverse_frequencies;  ///< RoPE, (d_h / 2)
  double attention_factor = 1;              ///< YaRN, on every cos and sin
  std::span<const T> position_rows;         ///< learned: (length, d), row t for token t
};

/// What a forward pass leaves behind.
enum class Pass {
  training,    ///< whatever backward() and attention() need
  inspection,  ///< what attention() needs
  evaluation,  ///< the logits alone: the least memory
};

/// Not to be copied, because a model is large; a model that was moved from can only be destroyed or
/// assigned to.
template <class T>
class LabModel {
 public:
  /// Weights are a function of (seed, block) alone. @param options checked
  LabModel(const LabOptions& options, const ModelShape& shape);
  LabModel(LabModel&& other) noexcept;
  LabModel& operator=(LabModel&& other) noexcept;
  ~LabModel();

  [[nodiscard]] const std::vector<ParameterBlock>& blocks() const;
  [[nodiscard]] std::span<T> parameters();
  [[nodiscard]] std::span<const T> parameters() const;
  [[nodiscard]] std::span<T> gradients();

  /// Logits: (B * T, outputs), valid until the next call of anything that is not const.
  /// Nothing is allocated by a call whose input is no larger than an earlier one's.
  std::span<const T> forward(const ModelInput& input, const ModelOverrides<T>& overrides = {},
                             Pass pass = Pass::training);

  using Judgement = posenc::Judgement;

  /// The mean cross-entropy and its gradients (overwritten). Follows a training pass of the same
  /// input.
  /// @param targets  (B, T), -1: none
  Judgement backward(const ModelInput& input, std::span<const std::int32_t> targets);

  /// Attention weights of the last forward, a training or inspection pass.
  /// @return (T, T), row = query, of one sequence
  [[nodiscard]] std::vector<float> attention(std::int64_t layer, std::int64_t head,
                                             std::int64_t sequence) const;

  /// Gives back all memory but the parameters': what is left of the last pass, and the gradients.
  /// The model works on as before and allocates anew.
  void release_buffers();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One update of all parameters by the gradients of the last backward(): clip, then AdamW, which
/// decays the blocks that decay.
/// @param first, second  moments, as many as parameters; 0 before the first step
/// @return norm of the gradient before it was clipped
template <class T>
double update_model(LabModel<T>& model, std::span<T> first, std::span<T> second,
                    const AdamWStep& step, double clip);

/// Bytes that passes over an input of this size take beyond the parameters and gradients.
double pass_memory(const LabOptions& options, const ModelShape& shape, std::int64_t batch,
                   std::int64_t length, Pass pass);

/// Parameters of such a model.
std::int64_t model_parameters(const LabOptions& options, const ModelShape& shape);

}  // namespace posenc
