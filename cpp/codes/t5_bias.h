// Relative position bias, Raffel et al. 2020 (T5), section 2.1: each head learns one number a
// bucket of offsets. The first half of the buckets of a side hold one distance each, the rest grow
// logarithmically up to max_distance; everything farther shares the last one.
#pragma once

#include "codes/bias_shape.h"
#include "types.h"

namespace posenc {

inline constexpr std::int64_t max_t5_buckets = 65536;

struct T5Buckets {
  bool bidirectional = true;      ///< half of the buckets each for keys before and after the query
  std::int64_t num_buckets = 32;  ///< 2 to 65536; bidirectional: 4 to 65536
  std::int64_t max_distance = 128;  ///< above the number of one-distance buckets, at most 2^24
};

/// @return an error that names numBuckets or maxDistance
Status check_t5_buckets(const T5Buckets& buckets);

/// @param buckets  checked
/// @param offset   key position minus query position, within +- 2^24
/// @return 0 to num_buckets - 1. Without `bidirectional` every key after the query is in bucket 0.
std::int32_t t5_bucket(const T5Buckets& buckets, std::int64_t offset);

/// Entries first .. first + count - 1 of the flat bias (heads, queries, keys).
/// @param shape    with first and count checked by check_bias_shape
/// @param buckets  checked
/// @param values   (num_buckets, heads), as in T5's relative_attention_bias.weight
/// @param out      (count)
void fill_t5_bias(const BiasShape& shape, const T5Buckets& buckets, const double* values,
                  std::int64_t first, std::int64_t count, float* out);

}  // namespace posenc
