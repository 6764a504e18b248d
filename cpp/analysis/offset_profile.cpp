#include "analysis/offset_profile.h"

#include <cmath>
#include <utility>

#include "analysis/arguments.h"
#include "codes/sinusoidal.h"

namespace posenc {

namespace {

Status check_offsets(std::int64_t d_model, double base, std::int64_t position,
                     std::span<const std::int64_t> offsets) {
  if (Status status = analysis::check_code(d_model, max_dim, base); !status.ok()) {
    return status;
  }
  if (Status status = check_integer("position", position, 0, max_position); !status.ok()) {
    return status;
  }
  const auto count = static_cast<std::int64_t>(offsets.size());
  const std::int64_t most = max_matrix_size / d_model;
  if (count > most) {
    return invalid_count("offsets", static_cast<double>(count), 0, static_cast<double>(most));
  }
  for (const std::int64_t offset : offsets) {
    if (Status status = check_integer("offsets", offset, -position, max_position - position);
        !status.ok()) {
      return status;
    }
  }
  return ok_status();
}

}  // namespace

Result<VectorD> offset_profile(std::int64_t d_model, double base, std::int64_t position,
                               std::span<const std::int64_t> offsets) {
  auto similarity = offset_similarity(d_model, base, position, offsets);
  if (!similarity.ok()) {
    return similarity.error();
  }
  return std::move(similarity).value().dot;
}

Result<OffsetSimilarity> offset_similarity(std::int64_t d_model, double base, std::int64_t position,
                                           std::span<const std::int64_t> offsets) {
  if (Status status = check_offsets(d_model, base, position, offsets); !status.ok()) {
    return status.error();
  }
  const auto count = static_cast<Eigen::Index>(offsets.size());
  const VectorD here = sinusoidal_row(position, d_model, base);  // (d)
  const double square = here.dot(here);
  OffsetSimilarity similarity{VectorD(count), VectorD(count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    const VectorD there =
        sinusoidal_row(position + offsets[static_cast<std::size_t>(i)], d_model, base);
    similarity.dot[i] = here.dot(there);
    // One root of the product, not a product of roots: x / sqrt(x * x) is exactly 1.
    similarity.cosine[i] = similarity.dot[i] / std::sqrt(square * there.dot(there));
  }
  return similarity;
}

}  // namespace posenc
