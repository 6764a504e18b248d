#include "codes/bias_shape.h"

#include <utility>

namespace posenc {

Status check_bias_shape(const BiasShape& shape, std::int64_t first, std::int64_t count) {
  for (const Status& status : {check_integer("heads", shape.heads, 1, max_heads),
                               check_integer("queries", shape.queries, 0, max_position)}) {
    if (!status.ok()) {
      return status;
    }
  }
  // 2^10 * 2^24 * 2^24 fits an int64.
  const std::int64_t rows = shape.heads * shape.queries;
  const std::int64_t most = rows == 0 ? max_position : max_matrix_size / rows;
  const std::int64_t size = rows * shape.keys;
  for (const Status& status :
       {check_integer("keys", shape.keys, 0, std::min(max_position, most)),
        check_integer("first", first, 0, size), check_integer("count", count, 0, size - first)}) {
    if (!status.ok()) {
      return status;
    }
  }
  return ok_status();
}

}  // namespace posenc
