#include "codes/rope.h"

#include <cmath>

namespace posenc {

std::optional<RopeLayout> rope_layout_from_name(std::string_view name) {
  if (name == "interleaved") {
    return RopeLayout::interleaved;
  }
  if (name == "half-split") {
    return RopeLayout::half_split;
  }
  return std::nullopt;
}

Status rope_rotate(std::span<const double> inverse_frequencies, RopeLayout layout,
                   std::int64_t head_dim, double magnitude, std::span<const double> vectors,
                   std::span<const double> positions, float* out) {
  const std::size_t pairs = inverse_frequencies.size();
  const auto least = std::max<std::int64_t>(1, 2 * static_cast<std::int64_t>(pairs));
  if (Status status = check_integer("headDim", head_dim, least, max_dim); !status.ok()) {
    return status;
  }
  const auto columns = static_cast<std::size_t>(head_dim);
  if (vectors.size() != positions.size() * columns) {
    const auto due = static_cast<double>(positions.size() * columns);
    return invalid_count("vectors", static_cast<double>(vectors.size()), due, due);
  }
  const bool interleaved = layout == RopeLayout::interleaved;
  const std::size_t stride = interleaved ? 2 : 1;
  const std::size_t partner = interleaved ? 1 : pairs;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const double position = positions[row];
    if (!is_position(position)) {
      return invalid_entry("positions", position, RuleKind::integer, 0, double{max_position});
    }
    const double* const x = vectors.data() + row * columns;
    float* const y = out + row * columns;
    for (std::size_t i = 0; i < columns; ++i) {
      if (!(std::abs(x[i]) <= max_rope_entry)) {
        return invalid_entry("vectors", x[i], RuleKind::number, -max_rope_entry, max_rope_entry);
      }
      y[i] = static_cast<float>(x[i]);
    }
    for (std::size_t j = 0; j < pairs; ++j) {
      const double angle = position * inverse_frequencies[j];
      const double cosine = magnitude * std::cos(angle);
      const double sine = magnitude * std::sin(angle);
      const std::size_t a = j * stride;
      const std::size_t b = a + partner;
      y[a] = static_cast<float>(x[a] * cosine - x[b] * sine);
      y[b] = static_cast<float>(x[a] * sine + x[b] * cosine);
    }
  }
  return ok_status();
}

void rope_turn(std::span<const double> inverse_frequencies, double position, double* x) {
  for (const double frequency : inverse_frequencies) {
    const double cosine = std::cos(position * frequency);
    const double sine = std::sin(position * frequency);
    const double first = x[0];
    x[0] = first * cosine - x[1] * sine;
    x[1] = first * sine + x[1] * cosine;
    x += 2;
  }
}

}  // namespace posenc
