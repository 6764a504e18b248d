#include "posenc/encoding/bias_shape.h"

#include <utility>

namespace posenc {

Status check_bias_shape(const BiasShape& shape, std::int64_t first, std::int64_t count) {
  if (shape.heads < 1 || shape.heads > max_heads) {
    return invalid_argument("heads", static_cast<double>(shape.heads), "an integer from 1 to 1024");
  }
  for (const auto& [name, size] : {std::pair{"queries", shape.queries}, {"keys", shape.keys}}) {
    if (size < 0 || size > max_position) {
      return invalid_argument(name, static_cast<double>(size), "an integer from 0 to 16777216");
    }
  }
  // 2^10 * 2^24 * 2^24 fits an int64.
  const std::int64_t size = shape.heads * shape.queries * shape.keys;
  if (size > max_matrix_size) {
    return invalid_argument("keys", static_cast<double>(shape.keys),
                            "few enough that heads * queries * keys is at most 67108864");
  }
  if (first < 0 || first > size) {
    return invalid_argument("first", static_cast<double>(first), "an entry of the bias");
  }
  if (count < 0 || count > size - first) {
    return invalid_argument("count", static_cast<double>(count), "no more entries than are left");
  }
  return ok_status();
}

}  // namespace posenc
