// The border between the core and JavaScript. Everything crosses by copy: JavaScript owns what it
// is given, and no view of wasm memory outlives the statement that makes it, because the next
// allocation may grow the memory and detach the view. Failures cross as data.
#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include "types.h"

namespace posenc::bindings {

// Named by what JavaScript sees.
using Object = emscripten::val;
using Float32Array = emscripten::val;
using Float64Array = emscripten::val;
using Int32Array = emscripten::val;
using Uint8Array = emscripten::val;
/// `{ ok: true, ... }` or `{ ok: false, code, ... }`.
using StatusObject = emscripten::val;

StatusObject success();
/// `{ ok: false, code, ... }` with the fields that belong to the code.
StatusObject failure(const Error& error);
/// `{ ok: false, code, message }` for what is no ordinary failure.
StatusObject failure(const char* code, const char* message);

/// Carries an Error from anywhere inside a binding to its guard, so that a binding reads as the
/// steps that succeed.
struct Refused {
  Error error;
};

[[noreturn]] void refuse(const Error& error);

/// The value of a result; its error goes to the guard.
template <class T>
T required(Result<T> result) {
  if (!result.ok()) {
    refuse(result.error());
  }
  return std::move(result).value();
}

/// Runs `f`, which returns a StatusObject. Refusals become data, and no C++ exception leaves; one
/// thrown by JavaScript (a RangeError for an array that does not fit) passes to the caller as it
/// is.
template <class F>
StatusObject guard(F&& f) {
  try {
    return std::forward<F>(f)();
  } catch (const Refused& refused) {
    return failure(refused.error);
  } catch (const std::bad_alloc&) {
    return failure("out-of-memory", "out of memory");
  } catch (const std::exception& exception) {
    return failure("internal", exception.what());
  }
}

/// Sets one field. Out of line, because a binding sets many and all of it is downloaded.
void set(Object& object, const char* key, bool value);
void set(Object& object, const char* key, double value);
void set(Object& object, const char* key, const char* value);
void set(Object& object, const char* key, const std::string& value);
void set(Object& object, const char* key, const emscripten::val& value);

/// A fresh typed array of the matching kind, owned by JavaScript.
Float32Array copy_out(const float* data, std::size_t count);
Float64Array copy_out(const double* data, std::size_t count);
Int32Array copy_out(const std::int32_t* data, std::size_t count);
Uint8Array copy_out(const std::uint8_t* data, std::size_t count);

/// The same for anything that has data() and size().
template <class Values>
emscripten::val copy_out(const Values& values) {
  return copy_out(values.data(), static_cast<std::size_t>(values.size()));
}

/// Sets `data`, `rows` and `columns`.
void set_matrix(Object& object, const MatrixD& matrix);

/// How many numbers a typed or plain array has. Error::invalid_argument, named `name`, for what has
/// no length or more than `most` entries.
Result<std::size_t> length_of(const emscripten::val& array, const char* name, std::int64_t most);

/// The numbers of a typed or plain array, converted to T as a typed array's `set` does; the errors
/// are those of length_of.
template <class T>
Result<std::vector<T>> copy_in(const emscripten::val& array, const char* name, std::int64_t most) {
  const auto length = length_of(array, name, most);
  if (!length.ok()) {
    return length.error();
  }
  std::vector<T> values(length.value());
  emscripten::val(emscripten::typed_memory_view(values.size(), values.data()))
      .template call<void>("set", array);
  return values;
}

/// Embind turns a missing or textual argument into a number without a word, and integer types
/// into truncation; numbers therefore cross as double and become integers here.
/// Error::invalid_argument unless `value` is an integer of at most 2^53 in size.
Result<std::int64_t> integer(double value, const char* name);

/// The same for a seed or a token: 0 .. 2^32 - 1.
Result<std::uint32_t> unsigned_integer(double value, const char* name);

}  // namespace posenc::bindings
