// Checks that the analyses share. Internal to the library.
#pragma once

#include <cstdint>
#include <span>

#include "types.h"

namespace posenc::analysis {

/// d_model from 1 to `max_d_model`, base finite and at least 1.
Status check_code(std::int64_t d_model, std::int64_t max_d_model, double base);

/// rows >= 1, columns from 1 to max_dim, rows * columns within max_matrix_size and equal to the
/// number of entries.
Status check_matrix(std::span<const double> data, std::int64_t rows, std::int64_t columns);

}  // namespace posenc::analysis
