#include "analysis/offset_profile.h"

#include "analysis/arguments.h"
#include "codes/sinusoidal.h"

namespace posenc {

Result<VectorD> offset_profile(std::int64_t d_model, double base, std::int64_t position,
                               std::span<const std::int64_t> offsets) {
  if (Status status = analysis::check_code(d_model, max_dim, base); !status.ok()) {
    return status.error();
  }
  if (Status status = check_integer("position", position, 0, max_position); !status.ok()) {
    return status.error();
  }
  const auto count = static_cast<std::int64_t>(offsets.size());
  const std::int64_t most = max_matrix_size / d_model;
  if (count > most) {
    return invalid_count("offsets", static_cast<double>(count), 0, static_cast<double>(most));
  }
  for (const std::int64_t offset : offsets) {
    if (Status status = check_integer("offsets", offset, -position, max_position - position);
        !status.ok()) {
      return status.error();
    }
  }
  const VectorD here = sinusoidal_row(position, d_model, base);  // (d)
  VectorD profile(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::int64_t there = position + offsets[static_cast<std::size_t>(i)];
    profile[i] = here.dot(sinusoidal_row(there, d_model, base));
  }
  return profile;
}

}  // namespace posenc
