// What the figures ask of the analyses and of attention; see marshal.h for what crosses and how.
// Whole numbers arrive as doubles, also inside arrays: a typed array of integers would have wrapped
// or cut what does not fit, without a word.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <emscripten/bind.h>

#include "marshal.h"
#include "posenc/analysis/block_rotation.h"
#include "posenc/analysis/offset_profile.h"
#include "posenc/analysis/similarity.h"
#include "posenc/analysis/spread.h"
#include "posenc/analysis/wavelengths.h"
#include "posenc/nn/attention.h"

namespace posenc::bindings {
namespace {

/// @param convert  integer or unsigned_integer of marshal.h
template <class T>
Result<std::vector<T>> integers_in(const emscripten::val& array, const char* name,
                                   std::int64_t most, Result<T> (*convert)(double, const char*)) {
  const auto numbers = copy_in<double>(array, name, most);
  if (!numbers.ok()) {
    return numbers.error();
  }
  std::vector<T> integers;
  integers.reserve(numbers.value().size());
  for (const double number : numbers.value()) {
    const Result<T> converted = convert(number, name);
    if (!converted.ok()) {
      return converted.error();
    }
    integers.push_back(converted.value());
  }
  return integers;
}

Object matrix_object(const MatrixD& matrix) {
  Object object = emscripten::val::object();
  set_matrix(object, matrix);
  return object;
}

StatusObject with_data(const Result<VectorD>& values) {
  if (!values.ok()) {
    return failure(values.error());
  }
  StatusObject object = success();
  object.set("data", copy_out(values.value()));
  return object;
}

struct MatrixIn {
  std::vector<double> data;
  std::int64_t rows;
  std::int64_t columns;
};

Result<MatrixIn> matrix_in(const Float64Array& data, double rows, double columns) {
  const auto row_count = integer(rows, "rows");
  const auto column_count = integer(columns, "columns");
  for (const auto* number : {&row_count, &column_count}) {
    if (!number->ok()) {
      return number->error();
    }
  }
  auto entries = copy_in<double>(data, "data", max_matrix_size);
  if (!entries.ok()) {
    return entries.error();
  }
  return MatrixIn{std::move(entries).value(), row_count.value(), column_count.value()};
}

/// `{ ok, data: Float64Array(rows) }`; `data` may be of any numeric kind.
StatusObject similarity(const Float64Array& data, double rows, double columns, double row,
                        const std::string& measure) {
  return guard([&] {
    const auto matrix = matrix_in(data, rows, columns);
    if (!matrix.ok()) {
      return failure(matrix.error());
    }
    const auto one = integer(row, "row");
    if (!one.ok()) {
      return failure(one.error());
    }
    const auto how = parse_measure(measure);
    if (!how.ok()) {
      return failure(how.error());
    }
    return with_data(row_similarity(matrix.value().data, matrix.value().rows,
                                    matrix.value().columns, one.value(), how.value()));
  });
}

/// `{ ok, data: Float64Array(offsets.length) }`
StatusObject profile(double d_model, double base, double position, const Float64Array& offsets) {
  return guard([&] {
    const auto columns = integer(d_model, "dModel");
    const auto at = integer(position, "position");
    for (const auto* number : {&columns, &at}) {
      if (!number->ok()) {
        return failure(number->error());
      }
    }
    const auto steps = integers_in<std::int64_t>(offsets, "offsets", max_matrix_size, &integer);
    if (!steps.ok()) {
      return failure(steps.error());
    }
    return with_data(offset_profile(columns.value(), base, at.value(), steps.value()));
  });
}

/// `{ ok, data: Float64Array, rows, columns, error, rotatedDims, rotatedError }`: `error` over all
/// dimensions, `rotatedError` over those that the rotation carries (all but the lone sine of an
/// odd dModel).
StatusObject rotation(double d_model, double base, double offset) {
  return guard([&] {
    const auto columns = integer(d_model, "dModel");
    const auto step = integer(offset, "offset");
    for (const auto* number : {&columns, &step}) {
      if (!number->ok()) {
        return failure(number->error());
      }
    }
    const auto result = block_rotation(columns.value(), base, step.value());
    if (!result.ok()) {
      return failure(result.error());
    }
    StatusObject object = success();
    set_matrix(object, result.value().matrix);
    object.set("error", result.value().residual);
    object.set("rotatedDims", static_cast<double>(result.value().rotated_dim));
    object.set("rotatedError", result.value().rotated_residual);
    return object;
  });
}

/// `{ ok, frequency, wavelength, angle, sine, cosine: Float64Array(ceil(dModel / 2)), hasLoneSine
/// }`
StatusObject phasors(double d_model, double base, double position) {
  return guard([&] {
    const auto columns = integer(d_model, "dModel");
    const auto at = integer(position, "position");
    for (const auto* number : {&columns, &at}) {
      if (!number->ok()) {
        return failure(number->error());
      }
    }
    const auto pairs = pair_phasors(columns.value(), base, at.value());
    if (!pairs.ok()) {
      return failure(pairs.error());
    }
    StatusObject object = success();
    object.set("frequency", copy_out(pairs.value().frequency));
    object.set("wavelength", copy_out(pairs.value().wavelength));
    object.set("angle", copy_out(pairs.value().angle));
    object.set("sine", copy_out(pairs.value().sine));
    object.set("cosine", copy_out(pairs.value().cosine));
    object.set("hasLoneSine", pairs.value().has_lone_sine);
    return object;
  });
}

/// `{ ok, minimum, maximum, closest: { first, second, distance } or null }`
StatusObject with_spread(const Result<RowSpread>& spread) {
  if (!spread.ok()) {
    return failure(spread.error());
  }
  StatusObject object = success();
  object.set("minimum", spread.value().minimum);
  object.set("maximum", spread.value().maximum);
  object.set("closest", emscripten::val::null());
  if (const auto& closest = spread.value().closest) {
    Object rows = emscripten::val::object();
    rows.set("first", static_cast<double>(closest->first));
    rows.set("second", static_cast<double>(closest->second));
    rows.set("distance", closest->distance);
    object.set("closest", rows);
  }
  return object;
}

StatusObject spread_of_rows(const Float64Array& data, double rows, double columns) {
  return guard([&] {
    const auto matrix = matrix_in(data, rows, columns);
    if (!matrix.ok()) {
      return failure(matrix.error());
    }
    return with_spread(
        row_spread(matrix.value().data, matrix.value().rows, matrix.value().columns));
  });
}

StatusObject spread_of_codes(double length, double d_model, double base, double start) {
  return guard([&] {
    const auto rows = integer(length, "length");
    const auto columns = integer(d_model, "dModel");
    const auto first = integer(start, "start");
    for (const auto* number : {&rows, &columns, &first}) {
      if (!number->ok()) {
        return failure(number->error());
      }
    }
    return with_spread(sinusoidal_spread(rows.value(), columns.value(), base, first.value()));
  });
}

/// `{ ok, output: matrix, input: matrix, weights: Float64Array(heads * n * n), heads }`, a matrix
/// being `{ data, rows, columns }`. `codes` is null, or n * dModel numbers.
StatusObject attention(const Float64Array& tokens, double d_model, double heads, double seed,
                       bool causal, const Float64Array& codes) {
  return guard([&] {
    const auto columns = integer(d_model, "dModel");
    const auto head_count = integer(heads, "heads");
    for (const auto* number : {&columns, &head_count}) {
      if (!number->ok()) {
        return failure(number->error());
      }
    }
    const auto stream = unsigned_integer(seed, "seed");
    if (!stream.ok()) {
      return failure(stream.error());
    }
    const auto ids = integers_in<std::uint32_t>(tokens, "tokens", max_tokens, &unsigned_integer);
    if (!ids.ok()) {
      return failure(ids.error());
    }
    std::vector<double> added;
    std::optional<std::span<const double>> added_or_none;
    if (!codes.isNull() && !codes.isUndefined()) {
      auto copied = copy_in<double>(codes, "codes", max_tokens * max_attention_dim);
      if (!copied.ok()) {
        return failure(copied.error());
      }
      added = std::move(copied).value();
      added_or_none.emplace(added);
    }
    const auto result = attend_sentence(ids.value(), {columns.value(), head_count.value(), causal},
                                        stream.value(), added_or_none);
    if (!result.ok()) {
      return failure(result.error());
    }
    StatusObject object = success();
    object.set("output", matrix_object(result.value().output));
    object.set("input", matrix_object(result.value().input));
    object.set("weights", copy_out(result.value().weights));
    object.set("heads", heads);
    return object;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(analysis) {
  emscripten::function("similarity", &similarity);
  emscripten::function("offsetProfile", &profile);
  emscripten::function("blockRotation", &rotation);
  emscripten::function("pairPhasors", &phasors);
  emscripten::function("rowSpread", &spread_of_rows);
  emscripten::function("sinusoidalSpread", &spread_of_codes);
  emscripten::function("attention", &attention);
}

}  // namespace posenc::bindings
