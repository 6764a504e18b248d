// Shapes, results and errors shared by the whole core. Free of Emscripten.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <Eigen/Dense>

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
  invalid_argument,       ///< `name`, `value`, `expected` are set
  position_out_of_range,  ///< `position`, `t_max` are set
  out_of_memory,
};

/// An ordinary failure, carried as data. `expected` is a plain English phrase that names the
/// bounds ("an integer from 1 to 65536"); the page translates by code and name, not by phrase.
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string name;
  double value = 0;
  std::string expected;
  std::int64_t position = 0;
  std::int64_t t_max = 0;
};

[[gnu::noinline]] inline Error invalid_argument(std::string name, double value,
                                                std::string expected) {
  Error error;
  error.name = std::move(name);
  error.value = value;
  error.expected = std::move(expected);
  return error;
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
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

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

}  // namespace posenc
