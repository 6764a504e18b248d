// RoPE, ALiBi, T5 bias, randomized positions and the precision of angles as JavaScript calls them:
// each function takes one object of named arguments. Long results are asked for in pieces, so that
// a worker stays responsive and wasm memory small.
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "analysis/precision.h"
#include "analysis/wavelengths.h"
#include "bindings/arguments.h"
#include "bindings/marshal.h"
#include "codes/alibi.h"
#include "codes/randomized.h"
#include "codes/rope.h"
#include "codes/t5_bias.h"

namespace posenc::bindings {
namespace {

template <class T>
StatusObject with_data(const std::vector<T>& data) {
  StatusObject object = success();
  set(object, "data", copy_out(data));
  return object;
}

RopeScaling scaling_from(const Arguments& arguments) {
  RopeScaling scaling;
  scaling.type = known(rope_type_from_name(arguments.text("rope_type")), "rope_type");
  arguments.optional_number("factor", scaling.factor);
  arguments.optional_number("original_max_position_embeddings",
                            scaling.original_max_position_embeddings);
  arguments.optional_number("attention_factor", scaling.attention_factor);
  arguments.optional_number("beta_fast", scaling.beta_fast);
  arguments.optional_number("beta_slow", scaling.beta_slow);
  arguments.optional_number("mscale", scaling.mscale);
  arguments.optional_number("mscale_all_dim", scaling.mscale_all_dim);
  arguments.optional_number("low_freq_factor", scaling.low_freq_factor);
  arguments.optional_number("high_freq_factor", scaling.high_freq_factor);
  arguments.optional_number("rope_theta", scaling.rope_theta);
  arguments.optional_number("partial_rotary_factor", scaling.partial_rotary_factor);
  scaling.truncate = !arguments.has("truncate") || arguments.flag("truncate");
  if (scaling.type == RopeType::longrope) {
    scaling.short_factor = arguments.numbers("short_factor");
    scaling.long_factor = arguments.numbers("long_factor");
  }
  return scaling;
}

/// Keys of engine.ropeFrequencies; `scaling` has those of config.json, its type as `rope_type`.
RopeOptions rope_from(const Arguments& arguments) {
  RopeOptions options;
  options.head_dim = arguments.number("headDim");
  arguments.optional_number("theta", options.theta);
  arguments.optional_number("partialRotaryFactor", options.partial_rotary_factor);
  arguments.optional_number("maxPositions", options.max_positions);
  arguments.optional_number("originalMaxPositions", options.original_max_positions);
  arguments.optional_number("length", options.length);
  if (arguments.has("scaling")) {
    options.scaling = scaling_from(arguments.nested("scaling"));
  }
  return options;
}

/// `{ ok, inverseFrequencies: Float64Array, attentionFactor, scoreFactor, rotaryDim }`
StatusObject with_frequencies(const RopeFrequencies& frequencies) {
  StatusObject object = success();
  set(object, "inverseFrequencies", copy_out(frequencies.inverse_frequencies));
  set(object, "attentionFactor", frequencies.attention_factor);
  set(object, "scoreFactor", frequencies.score_factor);
  set(object, "rotaryDim", static_cast<double>(frequencies.rotary_dim));
  return object;
}

StatusObject rope_frequencies_of(const Arguments& arguments) {
  return with_frequencies(required(rope_frequencies(rope_from(arguments))));
}

/// The fields of with_frequencies, arrays of as many pairs, and how many turned and come to new
/// angles.
StatusObject rope_coverage_of(const Arguments& arguments) {
  const RopeTraining training{arguments.integer("trainedLength"),
                              arguments.integer("trainedFurther"), arguments.integer("window")};
  const RopeCoverage coverage = required(rope_coverage(rope_from(arguments), training));
  StatusObject object = with_frequencies(coverage.rope);
  set(object, "wavelengths", copy_out(coverage.wavelength));
  set(object, "plainWavelengths", copy_out(coverage.plain_wavelength));
  set(object, "kept", copy_out(coverage.kept));
  set(object, "turns", copy_out(coverage.turns));
  set(object, "unseenFrom", copy_out(coverage.unseen_from));
  set(object, "turned", static_cast<double>(coverage.turned));
  set(object, "unseen", static_cast<double>(coverage.unseen));
  return object;
}

/// `{ ok, data: Float32Array }`, as many rows of `headDim` as there are positions
StatusObject rope_rotate_rows(const Arguments& arguments) {
  const std::vector<double> vectors = arguments.numbers("vectors");
  std::vector<float> rotated(vectors.size());
  required(rope_rotate(arguments.numbers("inverseFrequencies"),
                       known(rope_layout_from_name(arguments.text("layout")), "layout"),
                       arguments.integer("headDim"), arguments.number("magnitude"), vectors,
                       arguments.numbers("positions"), rotated.data()));
  return with_data(rotated);
}

/// `{ ok, data: Float64Array(heads) }`
StatusObject alibi_slopes_of(const Arguments& arguments) {
  return with_data(required(alibi_slopes(arguments.integer("heads"))));
}

/// Fills entries `first` to `first + count - 1` of the flat (heads, queries, keys).
/// `{ ok, data: Float32Array(count) }`
template <class Fill>
StatusObject bias_piece(const Arguments& arguments, bool causal, Fill fill) {
  const BiasShape shape{arguments.integer("heads"), arguments.integer("queries"),
                        arguments.integer("keys"), causal};
  const std::int64_t first = arguments.integer("first");
  const std::int64_t count = arguments.integer("count");
  required(check_bias_shape(shape, first, count));
  std::vector<float> bias(static_cast<std::size_t>(count));
  fill(shape, first, count, bias.data());
  return with_data(bias);
}

StatusObject alibi_bias(const Arguments& arguments) {
  return bias_piece(arguments, arguments.flag("causal"),
                    [](const BiasShape& shape, std::int64_t first, std::int64_t count, float* out) {
                      const std::vector<double> slopes = required(alibi_slopes(shape.heads));
                      fill_alibi_bias(shape, slopes.data(), first, count, out);
                    });
}

T5Buckets buckets_from(const Arguments& arguments) {
  const T5Buckets buckets{arguments.flag("bidirectional"), arguments.integer("numBuckets"),
                          arguments.integer("maxDistance")};
  required(check_t5_buckets(buckets));
  return buckets;
}

/// `{ ok, data: Int32Array }`, a bucket an offset
StatusObject t5_buckets(const Arguments& arguments) {
  const T5Buckets buckets = buckets_from(arguments);
  std::vector<std::int32_t> result;
  for (const double offset : arguments.numbers("offsets")) {
    result.push_back(t5_bucket(buckets, required(integer(offset, "offsets"))));
  }
  return with_data(result);
}

/// Without `bidirectional`, keys after the query get -infinity. `values`: (numBuckets, heads)
StatusObject t5_bias(const Arguments& arguments) {
  const T5Buckets buckets = buckets_from(arguments);
  const std::vector<double> values = arguments.numbers("values");
  return bias_piece(
      arguments, !buckets.bidirectional,
      [&](const BiasShape& shape, std::int64_t first, std::int64_t count, float* out) {
        const auto due = static_cast<double>(buckets.num_buckets * shape.heads);
        const auto given = static_cast<double>(values.size());
        if (given != due) {
          refuse(invalid_count("values", given, due, due));
        }
        fill_t5_bias(shape, buckets, values.data(), first, count, out);
      });
}

/// `{ ok, data: Int32Array(length) }`
StatusObject randomized(const Arguments& arguments) {
  return with_data(
      required(randomized_positions(arguments.integer("length"), arguments.integer("maxPosition"),
                                    required(unsigned_integer(arguments.number("seed"), "seed")))));
}

NumberFormat format_from(const Arguments& arguments) {
  return known(number_format_from_name(arguments.text("format")), "format");
}

/// `{ ok, data: Float64Array }`, an error a position
StatusObject position_errors_of(const Arguments& arguments) {
  return with_data(
      required(position_errors(arguments.numbers("inverseFrequencies"), format_from(arguments),
                               arguments.numbers("positions"))));
}

/// `{ ok, position }`, -1 for none from `begin` to `end` - 1
StatusObject first_collision_of(const Arguments& arguments) {
  const std::int64_t position =
      required(first_collision(arguments.numbers("inverseFrequencies"), format_from(arguments),
                               arguments.integer("begin"), arguments.integer("end")));
  StatusObject object = success();
  set(object, "position", static_cast<double>(position));
  return object;
}

}  // namespace

EMSCRIPTEN_BINDINGS(family) {
  emscripten::function("ropeFrequencies", &exported<rope_frequencies_of>);
  emscripten::function("ropeCoverage", &exported<rope_coverage_of>);
  emscripten::function("ropeRotate", &exported<rope_rotate_rows>);
  emscripten::function("alibiSlopes", &exported<alibi_slopes_of>);
  emscripten::function("alibiBias", &exported<alibi_bias>);
  emscripten::function("t5Buckets", &exported<t5_buckets>);
  emscripten::function("t5Bias", &exported<t5_bias>);
  emscripten::function("randomizedPositions", &exported<randomized>);
  emscripten::function("positionErrors", &exported<position_errors_of>);
  emscripten::function("firstCollision", &exported<first_collision_of>);
}

}  // namespace posenc::bindings
