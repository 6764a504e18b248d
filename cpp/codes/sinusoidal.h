// Vaswani et al. 2017, section 3.5:
//   PE(pos, 2i) = sin(pos / base^(2i/d)), PE(pos, 2i+1) = cos(same angle)
#pragma once

#include <cstdint>
#include <vector>

#include "types.h"

namespace posenc {

/// Error::invalid_argument unless length >= 0, 1 <= d_model <= max_dim, base is finite and >= 1,
/// start >= 0, the last position is at most max_position, and length * d_model is at most
/// max_matrix_size.
Status check_sinusoidal(std::int64_t length, std::int64_t d_model, double base, std::int64_t start);

/// base^(2i/d) for each sine, i = 0 .. ceil(d/2) - 1: radians are pos / this. A wavelength is
/// 2 pi times as long.
VectorD angle_divisors(std::int64_t d_model, double base);

/// Rows [start, start + length) from the C library's sine and cosine in double, for analysis and
/// training targets: (length, d_model). The arguments must have passed check_sinusoidal.
MatrixD sinusoidal_rows(std::int64_t length, std::int64_t d_model, double base, std::int64_t start);

/// One such row: (d_model).
VectorD sinusoidal_row(std::int64_t position, std::int64_t d_model, double base);

/// Rows [start, start + length) into `out`: (length, d_model), row = position.
/// The arguments must have passed check_sinusoidal; a row depends on its position alone, to the
/// last bit, wherever the call starts. Error at most 6.1e-8 up to max_position.
void fill_sinusoidal(float* out, std::int64_t length, std::int64_t d_model, double base,
                     std::int64_t start);

/// fill_sinusoidal for a caller that takes a long table in pieces: the set-up is paid once.
class SinusoidalWriter {
 public:
  /// `d_model` and `base` must have passed check_sinusoidal.
  SinusoidalWriter(std::int64_t d_model, double base);

  /// Rows [start, start + length) into `out`: (length, d_model). Going on where the last call
  /// ended is cheapest.
  void write(float* out, std::int64_t length, std::int64_t start);

 private:
  /// One sine and one cosine that share an angle. `sine` and `cosine` stand at the first row of
  /// the current block; they turn by `block_*` to reach the next one, by `step_*` to reach the
  /// next row.
  struct Pair {
    double sine = 0;
    double cosine = 1;
    double step_sine = 0;
    double step_cosine = 1;
    double block_sine = 0;
    double block_cosine = 1;
  };

  void anchor(std::int64_t position);
  void turn_one_block();
  void go_to_block(std::int64_t block);
  void write_block(float* out) const;

  std::int64_t d_model_;
  std::int64_t block_ = 0;
  VectorD divisors_;
  std::vector<Pair> pairs_;
  std::vector<float> partial_;  // a block of which only some rows are wanted
};

}  // namespace posenc
