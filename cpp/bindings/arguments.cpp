#include "bindings/arguments.h"

#include <limits>

namespace posenc::bindings {

using emscripten::val;

double Arguments::number(const char* name) const {
  const val value = object_[name];
  return value.isNumber() ? value.as<double>() : std::numeric_limits<double>::quiet_NaN();
}

void Arguments::optional_number(const char* name, std::optional<double>& field) const {
  if (has(name)) {
    field = number(name);
  }
}

std::int64_t Arguments::integer(const char* name) const {
  return required(bindings::integer(number(name), name));
}

std::string Arguments::text(const char* name) const {
  const val value = object_[name];
  return value.isString() ? value.as<std::string>() : std::string();
}

std::vector<double> Arguments::numbers(const char* name) const {
  return required(copy_in<double>(object_[name], name, max_matrix_size));
}

std::vector<std::int32_t> Arguments::integers(const char* name) const {
  return required(copy_in<std::int32_t>(object_[name], name, max_matrix_size));
}

std::vector<std::uint8_t> Arguments::bytes(const char* name, std::int64_t most) const {
  return required(copy_in<std::uint8_t>(object_[name], name, most));
}

StatusObject call(Function function, const Object& arguments) {
  return guard([&] { return function(Arguments(arguments)); });
}

}  // namespace posenc::bindings
