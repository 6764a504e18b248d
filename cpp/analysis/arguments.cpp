#include "analysis/arguments.h"

#include <cmath>

namespace posenc::analysis {

Status check_code(std::int64_t d_model, std::int64_t max_d_model, double base) {
  if (Status status = check_integer("dModel", d_model, 1, max_d_model); !status.ok()) {
    return status;
  }
  if (!std::isfinite(base) || base < 1) {
    return invalid_argument("base", base, RuleKind::number, 1);
  }
  return ok_status();
}

Status check_matrix(std::span<const double> data, std::int64_t rows, std::int64_t columns) {
  if (Status status = check_integer("columns", columns, 1, max_dim); !status.ok()) {
    return status;
  }
  if (Status status = check_integer("rows", rows, 1, max_matrix_size / columns); !status.ok()) {
    return status;
  }
  if (static_cast<std::int64_t>(data.size()) != rows * columns) {
    const auto due = static_cast<double>(rows * columns);
    return invalid_count("data", static_cast<double>(data.size()), due, due);
  }
  return ok_status();
}

}  // namespace posenc::analysis
