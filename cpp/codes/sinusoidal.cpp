#include "codes/sinusoidal.h"

#include <algorithm>
#include <cmath>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace posenc {
namespace {

// Rows are made in blocks. A block starts from pairs (sin, cos) that were turned on from the block
// before, and runs by the recurrence x(n+1) = 2 cos(step) x(n) - x(n-1): one product and one
// difference for two lanes, where a rotation takes twice that. The recurrence loses about n^2 / 2
// units in the last place over n rows and a rotation n of them over n turns, so that short blocks
// and an anchor from the C library every 1024 rows keep both far below the 3e-8 that rounding to
// float costs. Eight rows are also as many as fit one set of a first-level cache when d_model is
// a large power of two. Blocks and anchors lie at fixed positions, so that a row is the same
// wherever a call starts.
constexpr std::int64_t block_rows = 8;
constexpr std::int64_t anchor_rows = 1024;
constexpr std::int64_t blocks_per_anchor = anchor_rows / block_rows;

constexpr std::int64_t pairs_of(std::int64_t d_model) { return (d_model + 1) / 2; }

using Lanes = double __attribute__((vector_size(16)));  // (sine, cosine)

inline Lanes turned(Lanes x, double sine, double cosine) {
  // (s, c) -> (s cos + c sin, c cos - s sin)
  const Lanes swapped = {x[1], x[0]};
  const Lanes across = {sine, -sine};
  return x * cosine + swapped * across;
}

inline void store(float* out, Lanes a, Lanes b) {
#ifdef __wasm_simd128__
  // The compiler would convert lane by lane.
  const v128_t low = wasm_f32x4_demote_f64x2_zero(reinterpret_cast<v128_t>(a));
  const v128_t high = wasm_f32x4_demote_f64x2_zero(reinterpret_cast<v128_t>(b));
  wasm_v128_store(out, wasm_i64x2_shuffle(low, high, 0, 2));
#else
  out[0] = static_cast<float>(a[0]);
  out[1] = static_cast<float>(a[1]);
  out[2] = static_cast<float>(b[0]);
  out[3] = static_cast<float>(b[1]);
#endif
}

}  // namespace

Status check_sinusoidal(std::int64_t length, std::int64_t d_model, double base,
                        std::int64_t start) {
  if (Status status = check_integer("dModel", d_model, 1, max_dim); !status.ok()) {
    return status;
  }
  if (!std::isfinite(base) || base < 1) {
    return invalid_argument("base", base, RuleKind::number, 1);
  }
  if (Status status = check_integer("start", start, 0, max_position); !status.ok()) {
    return status;
  }
  return check_integer("length", length, 0,
                       std::min(max_position + 1 - start, max_matrix_size / d_model));
}

VectorD angle_divisors(std::int64_t d_model, double base) {
  VectorD divisors(pairs_of(d_model));
  for (std::int64_t i = 0; i < divisors.size(); ++i) {
    divisors[i] = std::pow(base, static_cast<double>(2 * i) / static_cast<double>(d_model));
  }
  return divisors;
}

MatrixD sinusoidal_rows(std::int64_t length, std::int64_t d_model, double base,
                        std::int64_t start) {
  const VectorD divisors = angle_divisors(d_model, base);
  MatrixD rows(length, d_model);
  for (std::int64_t r = 0; r < length; ++r) {
    for (std::int64_t j = 0; j < d_model; ++j) {
      const double angle = static_cast<double>(start + r) / divisors[j / 2];
      rows(r, j) = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return rows;
}

VectorD sinusoidal_row(std::int64_t position, std::int64_t d_model, double base) {
  return sinusoidal_rows(1, d_model, base, position).row(0);
}

void fill_sinusoidal(float* out, std::int64_t length, std::int64_t d_model, double base,
                     std::int64_t start) {
  SinusoidalWriter(d_model, base).write(out, length, start);
}

SinusoidalWriter::SinusoidalWriter(std::int64_t d_model, double base)
    : d_model_(d_model),
      divisors_(angle_divisors(d_model, base)),
      pairs_(static_cast<std::size_t>(pairs_of(d_model))) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    Pair& pair = pairs_[i];
    const double step = 1.0 / divisors_[static_cast<std::int64_t>(i)];
    pair.step_sine = std::sin(step);
    pair.step_cosine = std::cos(step);
    pair.block_sine = std::sin(step * block_rows);
    pair.block_cosine = std::cos(step * block_rows);
  }
}

void SinusoidalWriter::anchor(std::int64_t position) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const double angle = static_cast<double>(position) / divisors_[static_cast<std::int64_t>(i)];
    pairs_[i].sine = std::sin(angle);
    pairs_[i].cosine = std::cos(angle);
  }
}

void SinusoidalWriter::turn_one_block() {
  for (Pair& pair : pairs_) {
    const Lanes next = turned(Lanes{pair.sine, pair.cosine}, pair.block_sine, pair.block_cosine);
    pair.sine = next[0];
    pair.cosine = next[1];
  }
}

void SinusoidalWriter::go_to_block(std::int64_t block) {
  const std::int64_t anchored = block - block % blocks_per_anchor;
  if (block_ < anchored || block_ > block) {
    anchor(anchored * block_rows);
    block_ = anchored;
  }
  for (; block_ < block; ++block_) {
    turn_one_block();
  }
}

void SinusoidalWriter::write_block(float* out) const {
  const std::int64_t whole_groups = d_model_ / 4;
  for (std::int64_t group = 0; group < whole_groups; ++group) {
    const Pair& p = pairs_[static_cast<std::size_t>(2 * group)];
    const Pair& q = pairs_[static_cast<std::size_t>(2 * group + 1)];
    Lanes x = {p.sine, p.cosine};
    Lanes y = {q.sine, q.cosine};
    Lanes x_next = turned(x, p.step_sine, p.step_cosine);
    Lanes y_next = turned(y, q.step_sine, q.step_cosine);
    float* at = out + 4 * group;
    for (std::int64_t row = 0; row < block_rows; ++row, at += d_model_) {
      store(at, x, y);
      const Lanes x_after = x_next * (2 * p.step_cosine) - x;
      const Lanes y_after = y_next * (2 * q.step_cosine) - y;
      x = x_next;
      y = y_next;
      x_next = x_after;
      y_next = y_after;
    }
  }
  // Up to three columns are left.
  for (std::int64_t column = 4 * whole_groups; column < d_model_; column += 2) {
    const Pair& p = pairs_[static_cast<std::size_t>(column / 2)];
    Lanes x = {p.sine, p.cosine};
    Lanes x_next = turned(x, p.step_sine, p.step_cosine);
    float* at = out + column;
    for (std::int64_t row = 0; row < block_rows; ++row, at += d_model_) {
      at[0] = static_cast<float>(x[0]);
      if (column + 1 < d_model_) {
        at[1] = static_cast<float>(x[1]);
      }
      const Lanes x_after = x_next * (2 * p.step_cosine) - x;
      x = x_next;
      x_next = x_after;
    }
  }
}

void SinusoidalWriter::write(float* out, std::int64_t length, std::int64_t start) {
  const std::int64_t end = start + length;
  for (std::int64_t position = start; position < end;) {
    const std::int64_t block = position / block_rows;
    const std::int64_t first = position - block * block_rows;
    const std::int64_t rows = std::min(block_rows - first, end - position);
    go_to_block(block);
    if (rows == block_rows) {
      write_block(out);
    } else {
      partial_.resize(static_cast<std::size_t>(block_rows * d_model_));
      write_block(partial_.data());
      std::copy_n(partial_.data() + first * d_model_, rows * d_model_, out);
    }
    out += rows * d_model_;
    position += rows;
  }
}

}  // namespace posenc
