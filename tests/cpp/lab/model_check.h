// Small models and inputs for the tests of LabModel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/model.h"
#include "nn/check.h"

namespace posenc {

inline constexpr PositionCode all_codes[] = {PositionCode::nope,    PositionCode::sinusoidal,
                                             PositionCode::learned, PositionCode::rope,
                                             PositionCode::alibi,   PositionCode::t5};

inline constexpr std::int64_t small_reach = 12;

/// 5 ids in, 4 classes out, d 8, 2 heads.
inline LabOptions small_options(PositionCode code) {
  LabOptions options;
  options.code = code;
  options.d_model = 8;
  options.heads = 2;
  options.t5_buckets = 4;
  options.t5_max_distance = 6;
  return options;
}

inline ModelShape small_shape(PositionCode code) {
  return {5, 4, code == PositionCode::learned ? small_reach : 0, small_reach};
}

struct SmallInput {
  std::vector<std::int32_t> tokens;     // (B, T)
  std::vector<std::int32_t> targets;    // (B, T)
  std::vector<std::int32_t> positions;  // (T)
  std::int64_t batch = 0;

  SmallInput(std::size_t sequences, std::size_t length, std::uint32_t seed = 1)
      : tokens(random_ids(sequences * length, 5, seed)),
        targets(random_ids(sequences * length, 4, seed + 1)),
        positions(consecutive(length)),
        batch(static_cast<std::int64_t>(sequences)) {
    targets[0] = -1;
  }

  [[nodiscard]] ModelInput view() const {
    return {batch, static_cast<std::int64_t>(positions.size()), tokens, positions};
  }
};

template <class T>
std::vector<T> logits_of(LabModel<T>& model, const SmallInput& input,
                         const ModelOverrides<T>& overrides = {}, Pass pass = Pass::evaluation) {
  const auto logits = model.forward(input.view(), overrides, pass);
  return {logits.begin(), logits.end()};
}

/// Of its kind: what starts at 0 or 1 moves away from there, as training would move it.
template <class T>
void shake_parameters(LabModel<T>& model, std::uint32_t seed) {
  RandomState random(seed);
  for (T& parameter : model.parameters()) {
    parameter += static_cast<T>(0.2 * random.gauss());
  }
}

}  // namespace posenc
