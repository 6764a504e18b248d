// The border between the core and JavaScript. Everything crosses by copy: JavaScript owns what it
// is given, and no view of wasm memory outlives the statement that makes it, because the next
// allocation may grow the memory and detach the view. Failures cross as data.
#pragma once

#include <cmath>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include "posenc/types.h"

namespace posenc::bindings {

// Named by what JavaScript sees.
using Object = emscripten::val;
using Float32Array = emscripten::val;
using Float64Array = emscripten::val;
using Int32Array = emscripten::val;
using Uint8Array = emscripten::val;
/// `{ ok: true, ... }` or `{ ok: false, code, ... }`.
using StatusObject = emscripten::val;

inline StatusObject success() {
  StatusObject object = emscripten::val::object();
  object.set("ok", true);
  return object;
}

/// `{ ok: false, code, ... }` with the fields that belong to the code.
StatusObject failure(const Error& error);
/// `{ ok: false, code, message }` for what is no ordinary failure.
StatusObject failure(const char* code, const char* message);

/// Runs `f`, which returns a StatusObject. No C++ exception leaves it; one thrown by JavaScript
/// (a RangeError for an array that does not fit) passes to the caller as it is.
template <class F>
StatusObject guard(F&& f) {
  try {
    return std::forward<F>(f)();
  } catch (const std::bad_alloc&) {
    return failure("out-of-memory", "out of memory");
  } catch (const std::exception& exception) {
    return failure("internal", exception.what());
  }
}

/// A fresh typed array of the matching kind, owned by JavaScript.
template <class T>
emscripten::val copy_out(const T* data, std::size_t count) {
  return emscripten::val(emscripten::typed_memory_view(count, data))
      .template call<emscripten::val>("slice");
}

template <class T>
emscripten::val copy_out(const std::vector<T>& values) {
  return copy_out(values.data(), values.size());
}

inline Float64Array copy_out(const VectorD& values) {
  return copy_out(values.data(), static_cast<std::size_t>(values.size()));
}

inline Float64Array copy_out(const MatrixD& values) {
  return copy_out(values.data(), static_cast<std::size_t>(values.size()));
}

/// Sets `data`, `rows` and `columns`.
inline void set_matrix(Object& object, const MatrixD& matrix) {
  object.set("data", copy_out(matrix));
  object.set("rows", static_cast<double>(matrix.rows()));
  object.set("columns", static_cast<double>(matrix.cols()));
}

/// The numbers of a typed or plain array, converted to T as a typed array's `set` does.
/// Error::invalid_argument, named `name`, for what has no length or more than `most` entries.
template <class T>
Result<std::vector<T>> copy_in(const emscripten::val& array, const char* name, std::int64_t most) {
  const double length = array.isNull() || array.isUndefined() ? -1 : [&] {
    const emscripten::val given = array["length"];
    return given.isNumber() ? given.as<double>() : -1;
  }();
  if (!(length >= 0 && length <= static_cast<double>(most))) {
    return invalid_argument(name, length,
                            "an array of at most " + std::to_string(most) + " numbers");
  }
  std::vector<T> values(static_cast<std::size_t>(length));
  emscripten::val(emscripten::typed_memory_view(values.size(), values.data()))
      .call<void>("set", array);
  return values;
}

/// Embind turns a missing or textual argument into a number without a word, and integer types
/// into truncation; numbers therefore cross as double and become integers here.
/// Error::invalid_argument unless `value` is an integer of at most 2^53 in size.
inline Result<std::int64_t> integer(double value, const char* name) {
  if (!(std::abs(value) <= 9007199254740992.0) || std::trunc(value) != value) {
    return invalid_argument(name, value, "an integer");
  }
  return static_cast<std::int64_t>(value);
}

/// The same for a seed or a token: 0 .. 2^32 - 1.
inline Result<std::uint32_t> unsigned_integer(double value, const char* name) {
  if (!(value >= 0 && value <= 4294967295.0) || std::trunc(value) != value) {
    return invalid_argument(name, value, "an integer from 0 to 4294967295");
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace posenc::bindings
