#include "marshal.h"

#include <cmath>

namespace posenc::bindings {

using emscripten::val;

void set(Object& object, const char* key, bool value) { object.set(key, value); }
void set(Object& object, const char* key, double value) { object.set(key, value); }
void set(Object& object, const char* key, const char* value) { object.set(key, value); }
void set(Object& object, const char* key, const std::string& value) { object.set(key, value); }
void set(Object& object, const char* key, const val& value) { object.set(key, value); }

StatusObject success() {
  StatusObject object = val::object();
  set(object, "ok", true);
  return object;
}

StatusObject failure(const Error& error) {
  StatusObject object = val::object();
  set(object, "ok", false);
  switch (error.code) {
    case ErrorCode::invalid_argument:
      set(object, "code", "invalid-argument");
      set(object, "name", error.name);
      set(object, "value", error.value);
      set(object, "expected", error.expected);
      break;
    case ErrorCode::position_out_of_range:
      set(object, "code", "position-out-of-range");
      set(object, "position", static_cast<double>(error.position));
      set(object, "tMax", static_cast<double>(error.t_max));
      break;
    case ErrorCode::out_of_memory:
      set(object, "code", "out-of-memory");
      break;
  }
  return object;
}

StatusObject failure(const char* code, const char* message) {
  StatusObject object = val::object();
  set(object, "ok", false);
  set(object, "code", code);
  set(object, "message", message);
  return object;
}

void refuse(const Error& error) { throw Refused{error}; }

namespace {

template <class T>
val slice(const T* data, std::size_t count) {
  return val(emscripten::typed_memory_view(count, data)).template call<val>("slice");
}

}  // namespace

Float32Array copy_out(const float* data, std::size_t count) { return slice(data, count); }
Float64Array copy_out(const double* data, std::size_t count) { return slice(data, count); }
Int32Array copy_out(const std::int32_t* data, std::size_t count) { return slice(data, count); }
Uint8Array copy_out(const std::uint8_t* data, std::size_t count) { return slice(data, count); }

void set_matrix(Object& object, const MatrixD& matrix) {
  set(object, "data", copy_out(matrix));
  set(object, "rows", static_cast<double>(matrix.rows()));
  set(object, "columns", static_cast<double>(matrix.cols()));
}

Result<std::size_t> length_of(const val& array, const char* name, std::int64_t most) {
  double length = -1;
  if (!array.isNull() && !array.isUndefined()) {
    const val given = array["length"];
    length = given.isNumber() ? given.as<double>() : -1;
  }
  if (!(length >= 0 && length <= static_cast<double>(most))) {
    return invalid_argument(name, length,
                            "an array of at most " + std::to_string(most) + " numbers");
  }
  return static_cast<std::size_t>(length);
}

Result<std::int64_t> integer(double value, const char* name) {
  if (!(std::abs(value) <= 9007199254740992.0) || std::trunc(value) != value) {
    return invalid_argument(name, value, "an integer");
  }
  return static_cast<std::int64_t>(value);
}

Result<std::uint32_t> unsigned_integer(double value, const char* name) {
  if (!(value >= 0 && value <= 4294967295.0) || std::trunc(value) != value) {
    return invalid_argument(name, value, "an integer from 0 to 4294967295");
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace posenc::bindings
