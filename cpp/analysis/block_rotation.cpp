#include "analysis/block_rotation.h"

#include <algorithm>
#include <cmath>

#include "analysis/arguments.h"
#include "codes/sinusoidal.h"

namespace posenc {
namespace {

constexpr std::int64_t checked_positions = 64;

/// (d, d)
MatrixD rotation_matrix(std::int64_t d_model, double base, std::int64_t offset) {
  const VectorD divisors = angle_divisors(d_model, base);
  MatrixD matrix = MatrixD::Identity(d_model, d_model);
  for (Eigen::Index i = 0; 2 * i + 1 < d_model; ++i) {
    const double angle = static_cast<double>(offset) / divisors[i];
    const double sine = std::sin(angle);
    const double cosine = std::cos(angle);
    matrix.block<2, 2>(2 * i, 2 * i) << cosine, sine, -sine, cosine;
  }
  return matrix;
}

}  // namespace

Result<BlockRotation> block_rotation(std::int64_t d_model, double base, std::int64_t offset) {
  if (Status status = analysis::check_code(d_model, max_rotation_dim, base); !status.ok()) {
    return status.error();
  }
  if (Status status = check_integer("offset", offset, -max_position, max_position); !status.ok()) {
    return status.error();
  }
  BlockRotation rotation;
  rotation.matrix = rotation_matrix(d_model, base, offset);
  rotation.rotated_dim = d_model - d_model % 2;
  const std::int64_t first = std::max<std::int64_t>(0, -offset);
  const std::int64_t last =
      std::min(first + checked_positions - 1, max_position - std::max<std::int64_t>(0, offset));
  for (std::int64_t position = first; position <= last; ++position) {
    const VectorD carried = rotation.matrix * sinusoidal_row(position, d_model, base);  // (d)
    const VectorD apart = (carried - sinusoidal_row(position + offset, d_model, base)).cwiseAbs();
    if (rotation.rotated_dim > 0) {
      rotation.rotated_residual =
          std::max(rotation.rotated_residual, apart.head(rotation.rotated_dim).maxCoeff());
    }
    rotation.residual = std::max(rotation.residual, apart.maxCoeff());
  }
  return rotation;
}

}  // namespace posenc
