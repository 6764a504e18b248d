// Everything that a run of the length lab depends on, and its bounds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "types.h"

namespace posenc {

/// How a model learns where a word stands.
enum class PositionCode { nope, sinusoidal, learned, rope, alibi, t5 };
inline constexpr std::int64_t position_code_count = 6;

/// @param name  "nope", "sinusoidal", "learned", "rope", "alibi" or "t5"
std::optional<PositionCode> position_code_from_name(std::string_view name);
std::string_view position_code_name(PositionCode code);

enum class LabTask {
  back,
  latest,
  order,
  first,
  modulo,
  seen,
  induction,
  previous,
  copy,
  reverse,
  sort,
  addition,
};
inline constexpr std::int64_t lab_task_count = 12;

/// @param name  as the enumerator is spelled
std::optional<LabTask> lab_task_from_name(std::string_view name);
std::string_view lab_task_name(LabTask task);

/// Largest estimate of a run's memory, in bytes.
inline constexpr double max_lab_memory = 256.0 * 1024 * 1024;

struct LabOptions {
  LabTask task = LabTask::back;
  PositionCode code = PositionCode::rope;
  std::int64_t length = 16;     ///< L, the longest length that is trained on: 4 to 64
  std::int64_t reach = 4;       ///< the curve goes to reach * L: 4 or 8
  std::int64_t vocabulary = 8;  ///< content tokens: 4 to 32
  std::int64_t layers = 1;      ///< 1 to 4
  std::int64_t d_model = 32;    ///< 16, 32, 64 or 128
  std::int64_t heads = 4;       ///< 1, 2, 4 or 8
  bool mlp = false;             ///< a hidden layer of 4 d after each attention
  bool causal = true;           ///< a query sees keys at its own position and before
  std::int64_t batch = 16;      ///< sequences a step: 1 to 128
  std::int64_t steps = 1000;    ///< of the whole run: 1 to 20000
  double learning_rate = 0.01;  ///< 1e-5 to 1
  std::int64_t warm_up = 50;    ///< steps of linear warm-up: 0 to steps
  double clip = 1;              ///< global norm of the gradient: above 0
  double weight_decay = 0;      ///< decoupled, on matrices only: 0 to 1
  bool up_to = false;           ///< train on lengths up to L instead of L alone
  bool randomized = false;      ///< Ruoss et al. 2023
  bool wall = false;            ///< a learned table of exactly the rows that training needs
  std::uint32_t seed = 42;
  std::int64_t task_shift = 3;        ///< `back`: 1 to 8, below L
  std::int64_t task_modulo = 4;       ///< `modulo`: 2 to 8
  std::int64_t t5_buckets = 16;       ///< 4 to 64, even
  std::int64_t t5_max_distance = 16;  ///< above the one-distance buckets, at most 1024
  double alibi_exponent = 4;          ///< slopes 2^(-exponent * h / heads): 0.5 to 16
  double rope_base = 10000;           ///< 2 to 1e9
  double sinusoid_base = 10000;       ///< 2 to 1e9
};

/// @return an error that names the option as JavaScript spells it (dModel, learningRate, ...)
Status check_lab_options(const LabOptions& options);

/// Bytes that a run takes: parameters, gradients, moments, activations of a step, a curve.
/// @param options  checked but for this bound
double lab_memory(const LabOptions& options);

}  // namespace posenc
