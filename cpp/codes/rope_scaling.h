// The frequencies of rotary position embeddings, and the ways to stretch them over a longer
// context.
//   Su et al. 2021 (RoFormer): theta_j = base^(-2j/d), d = the rotary size.
//   linear    Chen et al. 2023 (position interpolation): theta_j / s
//   ntk       NTK-aware, bloc97 2023: base * s^(d/(d-2)); s is no context ratio
//             (text-generation-webui #3149)
//   dynamic   the same, growing with the current length L beyond the pretrained context L0
//   yarn      Peng et al. 2023: keep what turns often, interpolate what never turned once
//   longrope  Ding et al. 2024: one searched factor a pair
//   llama3    Llama 3.1: three bands of wavelengths
// Keys are those of config.json, so that a model's file can be used as it stands.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "types.h"

namespace posenc {

enum class RopeType { unscaled, linear, ntk, dynamic, yarn, longrope, llama3 };

/// @param name  as in config.json; RopeType::unscaled is called "default" there
std::optional<RopeType> rope_type_from_name(std::string_view name);

/// Every limit of factors below: far above any published model, low enough that no base overflows.
inline constexpr double max_rope_factor = 1e9;
inline constexpr double max_rope_theta = 1e100;
/// Smallest entry of LongRoPE's lists.
inline constexpr double min_rope_factor = 1e-9;

/// A `rope_scaling` (or `rope_parameters`) object. Numbers are doubles because JSON's are: integers
/// are checked, never rounded. A key that the type does not read is not checked either.
struct RopeScaling {
  RopeType type = RopeType::unscaled;
  std::optional<double> factor;                            ///< >= 1; default maxPositions / L0
  std::optional<double> original_max_position_embeddings;  ///< L0
  std::optional<double> attention_factor;                  ///< yarn, longrope: replaces the formula
  std::optional<double> beta_fast;                         ///< yarn, turns within L0; default 32
  std::optional<double> beta_slow;                         ///< yarn, turns within L0; default 1
  std::optional<double> mscale;                            ///< yarn, together with the next
  std::optional<double> mscale_all_dim;
  bool truncate = true;                         ///< yarn: whole pairs only begin and end the ramp
  std::optional<double> low_freq_factor;        ///< llama3
  std::optional<double> high_freq_factor;       ///< llama3
  std::vector<double> short_factor;             ///< longrope: (rotary_dim / 2)
  std::vector<double> long_factor;              ///< longrope: the same, for lengths above L0
  std::optional<double> rope_theta;             ///< where RopeOptions::theta is not set
  std::optional<double> partial_rotary_factor;  ///< likewise
};

struct RopeOptions {
  double head_dim = 0;                           ///< even, 2 to 65536
  std::optional<double> theta;                   ///< the base, 1 to 1e100; default 10000
  std::optional<double> partial_rotary_factor;   ///< above 0, at most 1; default 1
  std::optional<double> max_positions;           ///< the model's max_position_embeddings
  std::optional<double> original_max_positions;  ///< L0 where the file keeps it outside `scaling`
  std::optional<double> length;                  ///< the current length; default L0
  RopeScaling scaling;
};

struct RopeFrequencies {
  std::vector<double> inverse_frequencies;  ///< (rotary_dim / 2), radians a position
  double attention_factor = 1;              ///< on every cos and sin
  double score_factor = 1;                  ///< on the scores besides: yarn with mscale_all_dim
  std::int64_t rotary_dim = 0;              ///< floor(head_dim * partial_rotary_factor)
};

/// L0 is `original_max_position_embeddings`, else `original_max_positions`, else `max_positions`.
/// Errors name the key as the caller spells it: headDim, theta, partialRotaryFactor, maxPositions,
/// originalMaxPositions, length, or a key of `scaling`; a missing one has the value NaN.
Result<RopeFrequencies> rope_frequencies(const RopeOptions& options);

/// Whether `value` is an integer from 0 to 2^24; false for NaN.
bool is_position(double value);

}  // namespace posenc
