#include "codes/t5_bias.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace posenc {
namespace {

std::int64_t buckets_of_a_side(const T5Buckets& buckets) {
  return buckets.bidirectional ? buckets.num_buckets / 2 : buckets.num_buckets;
}

}  // namespace

Status check_t5_buckets(const T5Buckets& buckets) {
  const std::int64_t least = buckets.bidirectional ? 4 : 2;
  if (Status status = check_integer("numBuckets", buckets.num_buckets, least, max_t5_buckets);
      !status.ok()) {
    return status;
  }
  const std::int64_t exact = buckets_of_a_side(buckets) / 2;
  return check_integer("maxDistance", buckets.max_distance, exact + 1, max_position);
}

std::int32_t t5_bucket(const T5Buckets& buckets, std::int64_t offset) {
  const std::int64_t side = buckets_of_a_side(buckets);
  const std::int64_t exact = side / 2;
  const std::int64_t start = buckets.bidirectional && offset > 0 ? side : 0;
  const std::int64_t distance =
      buckets.bidirectional ? std::abs(offset) : std::max(-offset, std::int64_t{0});
  std::int64_t bucket = distance;
  if (distance >= exact) {
    // In this order: with (buckets - exact) / log(max / exact) made one factor, distance 64 of
    // (32, 128) falls one bucket short.
    const double share =
        std::log(static_cast<double>(distance) / static_cast<double>(exact)) /
        std::log(static_cast<double>(buckets.max_distance) / static_cast<double>(exact)) *
        static_cast<double>(side - exact);
    bucket = std::min(exact + static_cast<std::int64_t>(share), side - 1);
  }
  return static_cast<std::int32_t>(start + bucket);
}

void fill_t5_bias(const BiasShape& shape, const T5Buckets& buckets, const double* values,
                  std::int64_t first, std::int64_t count, float* out) {
  for_each_bias_entry(shape, first, count, [&](auto i, auto head, auto offset) {
    out[i] = shape.causal && offset > 0
                 ? -std::numeric_limits<float>::infinity()
                 : static_cast<float>(values[t5_bucket(buckets, offset) * shape.heads + head]);
  });
}

}  // namespace posenc
