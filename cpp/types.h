// Shapes, results and errors shared by the whole core. Free of Emscripten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include <Eigen/Core>

#include "rule.h"

namespace posenc {

/// Row-major, because row = position: a row is one code, contiguous in memory.
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using VectorD = Eigen::Matrix<double, Eigen::Dynamic, 1>;

/// Largest position any code is defined for (angles keep 1e-8 in double up to here).
inline constexpr std::int64_t max_position = std::int64_t{1} << 24;
/// Largest number of entries of a matrix that is returned.
inline constexpr std::int64_t max_matrix_size = std::int64_t{1} << 26;
/// Largest number of entries of a learned table.
inline constexpr std::int64_t max_table_size = std::int64_t{1} << 22;
/// Largest dModel and head size.
inline constexpr std::int64_t max_dim = 65536;
inline constexpr std::int64_t max_heads = 1024;
/// Largest number of training steps of one call.
inline constexpr std::int64_t max_steps = 1000000;

enum class ErrorCode {
  invalid_argument,       ///< `name`, `value`, `rule` are set
  position_out_of_range,  ///< `position`, `t_max` are set
  out_of_memory,
};

/// An ordinary failure, carried as data. `name` points into static storage.
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string_view name = {};
  double value = 0;
  Rule rule = {};
  std::int64_t position = 0;
  std::int64_t t_max = 0;
};

// Out of line, because wasm is downloaded and there are many calls.

[[gnu::noinline]] inline Error invalid_argument(std::string_view name, double value,
                                                const Rule& rule) {
  return {.name = name, .value = value, .rule = rule};
}

[[gnu::noinline]] inline Error invalid_argument(std::string_view name, double value, RuleKind kind,
                                                double min, double max = Rule::unbounded) {
  return invalid_argument(name, value, Rule{.kind = kind, .min = min, .max = max});
}

[[gnu::noinline]] inline Error not_one_of(std::string_view name, double value,
                                          std::span<const std::string_view> names) {
  return invalid_argument(name, value, Rule{.kind = RuleKind::choice, .names = names});
}

/// Of numbers as such, `least` to `most` are due.
[[gnu::noinline]] inline Error invalid_count(std::string_view name, double count, double least,
                                             double most) {
  const Rule rule{.kind = RuleKind::number, .of_each = true, .least = least, .most = most};
  return invalid_argument(name, count, rule);
}

/// @param kind  of each entry, from `min` to `max`
[[gnu::noinline]] inline Error invalid_entry(std::string_view name, double entry, RuleKind kind,
                                             double min, double max) {
  const Rule rule{.kind = kind, .min = min, .max = max, .of_each = true};
  return invalid_argument(name, entry, rule);
}

inline Error position_out_of_range(std::int64_t position, std::int64_t t_max) {
  Error error;
  error.code = ErrorCode::position_out_of_range;
  error.position = position;
  error.t_max = t_max;
  return error;
}

/// A value or an Error. `value()` must only be called when `ok()`.
template <class T>
class Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(const Error& error) : state_(std::in_place_index<1>, error) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// The result of an operation that returns nothing.
using Status = Result<std::monostate>;
inline Status ok_status() { return Status(std::monostate{}); }

/// @param names  of the values 0, 1, 2, ... of T, in static storage
template <class T>
Result<T> parse_name(std::string_view argument, std::string_view name,
                     std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) {
      return static_cast<T>(i);
    }
  }
  return not_one_of(argument, 0, names);
}

/// Error::invalid_argument unless `value` is one from `least` to `most`.
[[gnu::noinline]] inline Status check_integer(std::string_view name, std::int64_t value,
                                              std::int64_t least, std::int64_t most) {
  if (value < least || value > most) {
    return invalid_argument(name, static_cast<double>(value), RuleKind::integer,
                            static_cast<double>(least), static_cast<double>(most));
  }
  return ok_status();
}

}  // namespace posenc
