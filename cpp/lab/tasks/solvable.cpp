#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "codes/t5_bias.h"
#include "lab/tasks/tasks.h"

namespace posenc {
namespace {

constexpr Solvability yes(std::string_view reason) { return {Solvable::yes, reason}; }
constexpr Solvability no(std::string_view reason) { return {Solvable::no, reason}; }
constexpr Solvability partly(std::string_view reason) { return {Solvable::partly, reason}; }

bool is_absolute(PositionCode code) {
  return code == PositionCode::sinusoidal || code == PositionCode::learned;
}

bool is_shift(LabTask task) { return task == LabTask::back || task == LabTask::previous; }

// Tasks that need a code to fall or rise over the whole training length.
bool needs_slope(LabTask task) {
  return task == LabTask::latest || task == LabTask::order || task == LabTask::first;
}

// Tasks that count places: a randomized position does not tell how many tokens lie between.
bool needs_distance(LabTask task) {
  return is_shift(task) || task == LabTask::induction || task == LabTask::modulo ||
         task == LabTask::copy || task == LabTask::reverse || task == LabTask::addition;
}

/// How far back the token is that a task asks for, where this is one number.
std::int64_t asked_distance(const LabOptions& options) {
  switch (options.task) {
    case LabTask::back:
      return options.task_shift;
    case LabTask::copy:
      return options.length;
    default:
      return 1;  // `previous`, and what the first layer of `induction` looks up
  }
}

/// Distances between positions of a training step are below this.
std::int64_t span_of_positions(const LabOptions& options) {
  const std::int64_t most = options.randomized ? options.reach * options.length : options.length;
  return sequence_length(options.task, most);
}

/// Whether no two offsets that training meets share a bucket, or, where one distance is asked for,
/// none shares that one's.
bool has_own_buckets(const LabOptions& options) {
  const T5Buckets buckets = {!options.causal, options.t5_buckets, options.t5_max_distance};
  const std::int64_t span = span_of_positions(options);
  const auto alone = [&](std::int64_t offset) {
    const std::int32_t bucket = t5_bucket(buckets, offset);
    const auto shares = [&](std::int64_t other) {
      return std::abs(other) < span && t5_bucket(buckets, other) == bucket;
    };
    return !shares(offset - 1) && !shares(offset + 1);
  };
  if (!needs_slope(options.task)) {
    return alone(-asked_distance(options));
  }
  for (std::int64_t distance = 1; distance < span; ++distance) {
    if (!alone(-distance)) {
      return false;  // the right side has the same buckets
    }
  }
  return true;
}

/// Whether half a turn of the slowest pair, over which its cosine falls, covers the distances.
bool slowest_pair_falls(const LabOptions& options) {
  const std::int64_t head_dim = options.d_model / options.heads;
  const auto d = static_cast<double>(head_dim);
  constexpr double pi = 3.14159265358979323846;
  return pi * std::pow(options.rope_base, (d - 2) / d) >=
         static_cast<double>(span_of_positions(options) - 1);
}

Solvability without_code(const LabOptions& options) {
  if (!options.causal) {
    return no("blind");
  }
  if (options.layers == 1) {
    return no("unordered");
  }
  // The first layer tells the later of the two that the other has been there.
  return options.task == LabTask::order ? yes("mask") : partly("mask-leak");
}

Solvability with_linear_bias(const LabOptions& options) {
  const bool asks_first = !task_shape(options).dense;
  if (!options.causal && !asks_first) {
    return no("symmetric");
  }
  switch (options.task) {
    case LabTask::latest:
    case LabTask::order:
    case LabTask::previous:
      return yes("recency");
    case LabTask::back:
      // The next one back: heads of different slopes differ most in it. Farther ones stay blurred.
      return options.task_shift == 1 ? yes("recency") : partly("blurred");
    case LabTask::induction:
      return yes("composition");
    case LabTask::first:
      return options.layers == 1 ? no("monotone") : partly("mask-leak");
    case LabTask::copy:
    case LabTask::addition:
      return options.layers == 1 ? no("monotone") : partly("blurred");
    default:
      return partly("blurred");
  }
}

/// RoPE and T5, whose scores depend on the signed distance as training likes.
Solvability with_relative_code(const LabOptions& options) {
  if (options.code == PositionCode::t5 && options.task != LabTask::seen &&
      !has_own_buckets(options)) {
    return partly("shared-bucket");
  }
  if (options.code == PositionCode::rope && needs_slope(options.task) &&
      !slowest_pair_falls(options)) {
    return partly("turns");
  }
  return yes(options.task == LabTask::induction ? "composition" : "relative");
}

/// Of a code that is neither absent nor ALiBi's.
Solvability with_code(const LabOptions& options) {
  const bool absolute = is_absolute(options.code);
  if (options.task == LabTask::addition) {
    return partly("arithmetic");
  }
  if (options.up_to && !task_shape(options).dense) {
    return partly("varying-length");
  }
  if (!absolute) {
    return with_relative_code(options);
  }
  return yes(options.task == LabTask::induction ? "composition" : "absolute");
}

/// Position modulo m without absolute positions, in more layers than one: the first of them can
/// mark the first token, which sees itself alone, and the distance to it counts, as far as it was
/// trained (T5, two layers: 100 % inside L; ALiBi, three layers and an MLP: 48 %). NoPE has no
/// distance and stays at chance (25 to 31 %, with an MLP and three layers, too). A start token
/// would change that, and the lab has none: Kazemnejad et al. 2023, theorem 1.
Solvability modulo_in_layers(const LabOptions& options) {
  if (options.code == PositionCode::nope) {
    return no("no-count");
  }
  return partly(options.causal ? "origin" : "edge");
}

Solvability with_fixed_positions(const LabOptions& options) {
  const bool blind = options.code == PositionCode::nope && !options.causal;
  const bool symmetric =
      options.code == PositionCode::alibi && !options.causal && task_shape(options).dense;
  if (blind || symmetric) {
    return no(blind ? "blind" : "symmetric");
  }
  const bool one_layer = options.layers == 1;
  if (options.task == LabTask::seen && options.causal) {
    return yes("set");
  }
  if (options.task == LabTask::sort) {
    return partly("counts");
  }
  if (options.task == LabTask::induction && one_layer) {
    // Sanford, Hsu and Telgarsky 2024: a single layer would have to grow with the sequence.
    return no("one-layer");
  }
  if (!is_absolute(options.code)) {
    if (options.task == LabTask::modulo) {
      return one_layer ? no("no-origin") : modulo_in_layers(options);
    }
    if (options.task == LabTask::reverse && options.code != PositionCode::nope) {
      return one_layer ? no("distance-varies") : partly("distance-varies");
    }
  }
  switch (options.code) {
    case PositionCode::nope:
      return without_code(options);
    case PositionCode::alibi:
      return with_linear_bias(options);
    default:
      return with_code(options);
  }
}

}  // namespace

std::string_view solvable_name(Solvable verdict) {
  switch (verdict) {
    case Solvable::yes:
      return "yes";
    case Solvable::no:
      return "no";
    case Solvable::partly:
      break;
  }
  return "partly";
}

Solvability solvability(const LabOptions& options) {
  const Solvability fixed = with_fixed_positions(options);
  if (!options.randomized || fixed.verdict != Solvable::yes || !needs_distance(options.task)) {
    return fixed;
  }
  return options.task == LabTask::modulo ? no("randomized") : partly("randomized");
}

}  // namespace posenc
