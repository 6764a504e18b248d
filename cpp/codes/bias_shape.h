// The frame shared by the encodings that add to attention scores (ALiBi, T5).
#pragma once

#include "types.h"

namespace posenc {

/// A bias is (heads, queries, keys). The last query stands at the last key, as in decoding with a
/// cache: query i has position keys - queries + i.
struct BiasShape {
  std::int64_t heads = 0;    ///< 1 to 1024
  std::int64_t queries = 0;  ///< 0 to 2^24
  std::int64_t keys = 0;     ///< 0 to 2^24
  bool causal = true;        ///< keys after the query get -infinity
};

/// @param first, count  the piece of the flat bias that is wanted
/// @return an error that names heads, queries, keys, first or count; at most 2^26 entries in all
Status check_bias_shape(const BiasShape& shape, std::int64_t first, std::int64_t count);

/// Calls f(i, head, offset) for entries first + i, i = 0 .. count - 1, of the flat bias; offset is
/// key position minus query position.
template <class F>
void for_each_bias_entry(const BiasShape& shape, std::int64_t first, std::int64_t count, F f) {
  if (count == 0) {
    return;
  }
  std::int64_t key = first % shape.keys;
  std::int64_t query = first / shape.keys % shape.queries;
  std::int64_t head = first / shape.keys / shape.queries;
  for (std::int64_t i = 0; i < count; ++i) {
    f(i, head, key - (shape.keys - shape.queries + query));
    if (++key == shape.keys) {
      key = 0;
      if (++query == shape.queries) {
        query = 0;
        ++head;
      }
    }
  }
}

}  // namespace posenc
