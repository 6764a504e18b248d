// One object of named arguments, for calls that take many.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <emscripten/val.h>

#include "bindings/marshal.h"

namespace posenc::bindings {

/// @param parsed  nothing where `name` is none of the core's names
template <class T>
T known(const std::optional<T>& parsed, const char* name) {
  if (!parsed) {
    refuse(not_one_of(name, 0, {}));
  }
  return *parsed;
}

/// Reads named arguments; what is absent or of another type is refused here or becomes NaN, which
/// the core refuses.
class Arguments {
 public:
  explicit Arguments(const Object& object) : object_(object) {}

  [[nodiscard]] bool has(const char* name) const { return !object_[name].isUndefined(); }
  [[nodiscard]] Arguments nested(const char* name) const { return Arguments(object_[name]); }

  [[nodiscard]] double number(const char* name) const;
  void optional_number(const char* name, std::optional<double>& field) const;
  [[nodiscard]] std::int64_t integer(const char* name) const;
  [[nodiscard]] bool flag(const char* name) const { return object_[name].isTrue(); }
  [[nodiscard]] std::string text(const char* name) const;
  [[nodiscard]] std::vector<double> numbers(const char* name) const;
  /// As a typed array converts them: whoever is not sure of them looks first.
  [[nodiscard]] std::vector<std::int32_t> integers(const char* name) const;
  [[nodiscard]] std::vector<std::uint8_t> bytes(const char* name, std::int64_t most) const;

 private:
  Object object_;
};

using Function = StatusObject (*)(const Arguments&);

/// Out of line, because there are many such functions and all of it is downloaded.
StatusObject call(Function function, const Object& arguments);

/// What is registered: the function behind its guard.
template <Function function>
StatusObject exported(const Object& arguments) {
  return call(function, arguments);
}

}  // namespace posenc::bindings
