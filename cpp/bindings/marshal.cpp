#include "marshal.h"

namespace posenc::bindings {

StatusObject failure(const Error& error) {
  StatusObject object = emscripten::val::object();
  object.set("ok", false);
  switch (error.code) {
    case ErrorCode::invalid_argument:
      object.set("code", "invalid-argument");
      object.set("name", error.name);
      object.set("value", error.value);
      object.set("expected", error.expected);
      break;
    case ErrorCode::position_out_of_range:
      object.set("code", "position-out-of-range");
      object.set("position", static_cast<double>(error.position));
      object.set("tMax", static_cast<double>(error.t_max));
      break;
    case ErrorCode::out_of_memory:
      object.set("code", "out-of-memory");
      break;
  }
  return object;
}

StatusObject failure(const char* code, const char* message) {
  StatusObject object = emscripten::val::object();
  object.set("ok", false);
  object.set("code", code);
  object.set("message", message);
  return object;
}

}  // namespace posenc::bindings
