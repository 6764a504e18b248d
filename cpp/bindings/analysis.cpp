// What the figures ask of the analyses and of attention; see marshal.h for what crosses and how.
// Whole numbers arrive as doubles, also inside arrays: a typed array of integers would have wrapped
// or cut what does not fit, without a word.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <emscripten/bind.h>

#include "analysis/block_rotation.h"
#include "analysis/score_profile.h"
#include "analysis/similarity.h"
#include "analysis/spread.h"
#include "analysis/wavelengths.h"
#include "bindings/marshal.h"
#include "nn/attention.h"

namespace posenc::bindings {
namespace {

/// @param convert  integer or unsigned_integer of marshal.h
template <class T>
std::vector<T> integers_in(const emscripten::val& array, const char* name, std::int64_t most,
                           Result<T> (*convert)(double, const char*)) {
  const auto numbers = required(copy_in<double>(array, name, most));
  std::vector<T> integers;
  integers.reserve(numbers.size());
  for (const double number : numbers) {
    integers.push_back(required(convert(number, name)));
  }
  return integers;
}

Object matrix_object(const MatrixD& matrix) {
  Object object = emscripten::val::object();
  set_matrix(object, matrix);
  return object;
}

StatusObject with_data(const VectorD& values) {
  StatusObject object = success();
  set(object, "data", copy_out(values));
  return object;
}

struct MatrixIn {
  std::vector<double> data;
  std::int64_t rows;
  std::int64_t columns;
};

MatrixIn matrix_in(const Float64Array& data, double rows, double columns) {
  const auto row_count = required(integer(rows, "rows"));
  const auto column_count = required(integer(columns, "columns"));
  return {required(copy_in<double>(data, "data", max_matrix_size)), row_count, column_count};
}

/// `{ ok, data: Float64Array(rows) }`; `data` may be of any numeric kind.
StatusObject similarity(const Float64Array& data, double rows, double columns, double row,
                        const std::string& measure) {
  return guard([&] {
    const auto matrix = matrix_in(data, rows, columns);
    const auto one = required(integer(row, "row"));
    const auto how = required(parse_measure(measure));
    return with_data(required(row_similarity(matrix.data, matrix.rows, matrix.columns, one, how)));
  });
}

/// `{ ok, data: Float64Array, rows, columns, error, rotatedDims, rotatedError }`: `error` over all
/// dimensions, `rotatedError` over those that the rotation carries (all but the lone sine of an
/// odd dModel).
StatusObject rotation(double d_model, double base, double offset) {
  return guard([&] {
    const auto columns = required(integer(d_model, "dModel"));
    const auto step = required(integer(offset, "offset"));
    const auto result = required(block_rotation(columns, base, step));
    StatusObject object = success();
    set_matrix(object, result.matrix);
    set(object, "error", result.residual);
    set(object, "rotatedDims", static_cast<double>(result.rotated_dim));
    set(object, "rotatedError", result.rotated_residual);
    return object;
  });
}

/// `{ ok, frequency, wavelength, angle, sine, cosine, hasLoneSine }`, arrays of ceil(dModel / 2)
StatusObject phasors(double d_model, double base, double position) {
  return guard([&] {
    const auto columns = required(integer(d_model, "dModel"));
    const auto at = required(integer(position, "position"));
    const auto pairs = required(pair_phasors(columns, base, at));
    StatusObject object = success();
    set(object, "frequency", copy_out(pairs.frequency));
    set(object, "wavelength", copy_out(pairs.wavelength));
    set(object, "angle", copy_out(pairs.angle));
    set(object, "sine", copy_out(pairs.sine));
    set(object, "cosine", copy_out(pairs.cosine));
    set(object, "hasLoneSine", pairs.has_lone_sine);
    return object;
  });
}

/// `{ ok, minimum, maximum, closest: { first, second, distance } or null }`
StatusObject with_spread(const RowSpread& spread) {
  StatusObject object = success();
  set(object, "minimum", spread.minimum);
  set(object, "maximum", spread.maximum);
  set(object, "closest", emscripten::val::null());
  if (const auto& closest = spread.closest) {
    Object rows = emscripten::val::object();
    set(rows, "first", static_cast<double>(closest->first));
    set(rows, "second", static_cast<double>(closest->second));
    set(rows, "distance", closest->distance);
    set(object, "closest", rows);
  }
  return object;
}

StatusObject spread_of_rows(const Float64Array& data, double rows, double columns) {
  return guard([&] {
    const auto matrix = matrix_in(data, rows, columns);
    return with_spread(required(row_spread(matrix.data, matrix.rows, matrix.columns)));
  });
}

StatusObject spread_of_codes(double length, double d_model, double base, double start) {
  return guard([&] {
    const auto rows = required(integer(length, "length"));
    const auto columns = required(integer(d_model, "dModel"));
    const auto first = required(integer(start, "start"));
    return with_spread(required(sinusoidal_spread(rows, columns, base, first)));
  });
}

/// Null and undefined stand for none.
std::vector<double> numbers_or_none(const Float64Array& array, const char* name) {
  if (array.isNull() || array.isUndefined()) {
    return {};
  }
  return required(copy_in<double>(array, name, max_matrix_size));
}

/// `{ ok, output: matrix, input: matrix, weights: Float64Array(heads * n * n), heads }`, a matrix
/// being `{ data, rows, columns }`. `codes` is null, or n * dModel numbers; `inverse_frequencies`
/// and `bias` are null or empty, or what AttentionPositions says.
StatusObject attention(const Float64Array& tokens, double d_model, double heads, double seed,
                       bool causal, const Float64Array& codes,
                       const Float64Array& inverse_frequencies, const Float64Array& bias) {
  return guard([&] {
    const auto columns = required(integer(d_model, "dModel"));
    const auto head_count = required(integer(heads, "heads"));
    const auto stream = required(unsigned_integer(seed, "seed"));
    const auto ids = integers_in<std::uint32_t>(tokens, "tokens", max_tokens, &unsigned_integer);
    std::vector<double> added;
    std::optional<std::span<const double>> added_or_none;
    if (!codes.isNull() && !codes.isUndefined()) {
      added = required(copy_in<double>(codes, "codes", max_tokens * max_attention_dim));
      added_or_none.emplace(added);
    }
    const auto frequencies = numbers_or_none(inverse_frequencies, "inverseFrequencies");
    const auto biases = numbers_or_none(bias, "bias");
    const auto result = required(attend_sentence(ids, {columns, head_count, causal}, stream,
                                                 added_or_none, {frequencies, biases}));
    StatusObject object = success();
    set(object, "output", matrix_object(result.output));
    set(object, "input", matrix_object(result.input));
    set(object, "weights", copy_out(result.weights));
    set(object, "heads", heads);
    return object;
  });
}

/// `{ ok, one, mean, deviation }`, arrays of `distances`. Null for `codes`, `inverse_frequencies`
/// or `bias` stands for none.
StatusObject score_by_distance(const Object& arguments) {
  return guard([&] {
    const auto whole = [&](const char* name) {
      return required(integer(arguments[name].as<double>(), name));
    };
    const auto codes = numbers_or_none(arguments["codes"], "codes");
    const auto frequencies = numbers_or_none(arguments["inverseFrequencies"], "inverseFrequencies");
    const auto biases = numbers_or_none(arguments["bias"], "bias");
    const auto profile = required(
        score_profile({.d_model = whole("dModel"),
                       .distances = whole("distances"),
                       .contents = whole("contents"),
                       .same_word = arguments["sameWord"].isTrue(),
                       .seed = required(unsigned_integer(arguments["seed"].as<double>(), "seed")),
                       .position = whole("position"),
                       .codes = codes,
                       .inverse_frequencies = frequencies,
                       .biases = biases}));
    StatusObject object = success();
    set(object, "one", copy_out(profile.one));
    set(object, "mean", copy_out(profile.mean));
    set(object, "deviation", copy_out(profile.deviation));
    return object;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(analysis) {
  emscripten::function("similarity", &similarity);
  emscripten::function("blockRotation", &rotation);
  emscripten::function("pairPhasors", &phasors);
  emscripten::function("rowSpread", &spread_of_rows);
  emscripten::function("sinusoidalSpread", &spread_of_codes);
  emscripten::function("attention", &attention);
  emscripten::function("scoreProfile", &score_by_distance);
}

}  // namespace posenc::bindings
