#include "codes/t5_bias.h"

#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "golden.h"

namespace posenc {
namespace {

std::string error_name(const T5Buckets& buckets) {
  const Status status = check_t5_buckets(buckets);
  return status.ok() ? "no error" : std::string(status.error().name);
}

TEST_CASE("T5 buckets equal the reference") {
  int rows = 0;
  for (const auto& row : golden_rows("t5_buckets.csv")) {
    const T5Buckets buckets{row[0] == "true", std::stoll(row[1]), std::stoll(row[2])};
    REQUIRE(check_t5_buckets(buckets).ok());
    INFO(row[0] << " offset " << row[3]);
    CHECK(t5_bucket(buckets, std::stoll(row[3])) == std::stoi(row[4]));
    ++rows;
  }
  REQUIRE(rows == 562);
}

TEST_CASE("every T5 distance past the maximum shares a bucket") {
  for (const std::int64_t max_distance : {20, 128, 1000}) {
    for (const bool bidirectional : {true, false}) {
      const T5Buckets buckets{bidirectional, 32, max_distance};
      for (const std::int64_t beyond : {1, 7, 5000, 16000000}) {
        CHECK(t5_bucket(buckets, -max_distance - beyond) == (bidirectional ? 15 : 31));
        CHECK(t5_bucket(buckets, max_distance + beyond) == (bidirectional ? 31 : 0));
      }
    }
  }
}

TEST_CASE("T5 buckets rise with the distance and use their whole range") {
  for (const std::int64_t num_buckets : {4, 6, 7, 16, 32, 64}) {
    for (const bool bidirectional : {true, false}) {
      const T5Buckets buckets{bidirectional, num_buckets, 200};
      REQUIRE(check_t5_buckets(buckets).ok());
      const std::int64_t side = bidirectional ? num_buckets / 2 : num_buckets;
      std::int32_t last = 0;
      for (std::int64_t distance = 0; distance <= 200; ++distance) {
        const std::int32_t bucket = t5_bucket(buckets, -distance);
        CHECK(bucket >= last);
        CHECK(bucket <= last + 1);
        CHECK((distance >= side / 2 || bucket == distance));
        const std::int64_t ahead = distance == 0 || !bidirectional ? 0 : side + bucket;
        CHECK(t5_bucket(buckets, distance) == ahead);
        last = bucket;
      }
      CHECK(last == side - 1);
    }
  }
}

TEST_CASE("T5 bias looks up one number a head and bucket") {
  const BiasShape shape{2, 3, 4, true};
  const T5Buckets buckets{false, 4, 8};
  const std::vector<double> values{0, 10, 1, 11, 2, 12, 3, 13};  // (bucket, head)
  std::vector<float> bias(24);
  fill_t5_bias(shape, buckets, values.data(), 0, 24, bias.data());
  // Query 0 stands at position 1: keys 0 and 1 are seen, 2 and 3 lie in the future.
  CHECK(bias[0] == 1);
  CHECK(bias[1] == 0);
  CHECK(std::isinf(bias[2]));
  CHECK(std::isinf(bias[3]));
  CHECK(bias[8] == static_cast<float>(t5_bucket(buckets, -3)));
  CHECK(bias[12 + 8] == static_cast<float>(10 + t5_bucket(buckets, -3)));
  CHECK(bias[12 + 11] == 10);
}

TEST_CASE("T5 bucket settings are bounded") {
  CHECK(error_name({true, 4, 2}) == "no error");
  CHECK(error_name({true, 3, 128}) == "numBuckets");
  CHECK(error_name({false, 2, 2}) == "no error");
  CHECK(error_name({false, 1, 128}) == "numBuckets");
  CHECK(error_name({true, 65537, 16777216}) == "numBuckets");
  CHECK(error_name({true, 32, 8}) == "maxDistance");
  CHECK(error_name({true, 32, 9}) == "no error");
  CHECK(error_name({false, 32, 16}) == "maxDistance");
  CHECK(error_name({true, 32, 16777217}) == "maxDistance");
}

}  // namespace
}  // namespace posenc
