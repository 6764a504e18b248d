#include "bindings/marshal.h"

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

namespace {

/// How a kind is called in JavaScript, and its bounds and names; what has no name does not cross.
struct RuleKeys {
  const char* type;
  const char* min;
  const char* max;
  const char* names;
};

/// In the order of RuleKind.
constexpr RuleKeys rule_keys[] = {
    {"integer", "min", "max", "or"},      // integer
    {"integer", "min", "max", "or"},      // even
    {"integer", "min", "divides", "or"},  // divisor
    {"number", "min", "max", "or"},       // number
    {"number", "above", "max", "or"},     // above
    {"choice", nullptr, nullptr, "values"}, {"share", nullptr, "of", nullptr},
    {"rate", nullptr, "max", nullptr},      {"memory", nullptr, "max", nullptr},
    {"snapshot", nullptr, nullptr, "of"},
};

void set_bound(Object& object, const char* key, double value) {
  if (key != nullptr && std::isfinite(value)) {
    set(object, key, value);
  }
}

/// Rule of errors.js
Object rule_object(const Rule& rule) {
  const RuleKeys& keys = rule_keys[static_cast<std::size_t>(rule.kind)];
  Object object = val::object();
  set(object, "type", keys.type);
  set_bound(object, keys.min, rule.min);
  set_bound(object, keys.max, rule.max);
  if (rule.kind == RuleKind::even) {
    set(object, "multipleOf", 2.0);
  }
  if (rule.kind == RuleKind::snapshot) {
    set(object, keys.names, std::string(rule.names.front()));
  } else if (rule.kind == RuleKind::choice || !rule.names.empty()) {
    Object values = val::array();
    const auto push = [&values](const val& value) { values.call<void>("push", value); };
    for (const std::string_view name : rule.names) {
      push(val(std::string(name)));
    }
    for (const double number : rule.numbers) {
      push(val(number));
    }
    set(object, keys.names, values);
  }
  Object outer = object;
  if (rule.of_each) {
    outer = val::object();
    set(outer, "type", "array");
    set(outer, "items", object);
    set_bound(outer, "minLength", rule.least);
    set_bound(outer, "maxLength", rule.most);
  }
  if (rule.only_with != nullptr) {
    outer = val::object();
    set(outer, "type", "only");
    set(outer, "with", rule.only_with);
    set(outer, "rule", object);
  }
  return outer;
}

}  // namespace

StatusObject failure(const Error& error) {
  StatusObject object = val::object();
  set(object, "ok", false);
  switch (error.code) {
    case ErrorCode::invalid_argument:
      set(object, "code", "invalid-argument");
      set(object, "name", std::string(error.name));
      set(object, "value", error.value);
      set(object, "rule", rule_object(error.rule));
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
    return invalid_count(name, length, 0, static_cast<double>(most));
  }
  return static_cast<std::size_t>(length);
}

Result<std::int64_t> integer(double value, const char* name) {
  constexpr double most = 9007199254740992.0;
  if (!(std::abs(value) <= most) || std::trunc(value) != value) {
    return invalid_argument(name, value, RuleKind::integer, -most, most);
  }
  return static_cast<std::int64_t>(value);
}

Result<std::uint32_t> unsigned_integer(double value, const char* name) {
  constexpr double most = 4294967295.0;
  if (!(value >= 0 && value <= most) || std::trunc(value) != value) {
    return invalid_argument(name, value, RuleKind::integer, 0, most);
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace posenc::bindings
