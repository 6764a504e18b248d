#include "codes/randomized.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "catch.h"

namespace posenc {
namespace {

TEST_CASE("randomized positions are an ordered subset that the seed decides") {
  const std::vector<std::int32_t> positions = randomized_positions(40, 2047, 7).value();
  REQUIRE(positions.size() == 40);
  CHECK(std::adjacent_find(positions.begin(), positions.end(), std::greater_equal<>()) ==
        positions.end());
  CHECK(positions.front() >= 0);
  CHECK(positions.back() <= 2047);
  CHECK(positions == randomized_positions(40, 2047, 7).value());
  CHECK(positions != randomized_positions(40, 2047, 8).value());
}

TEST_CASE("as many randomized positions as there are places are all of them") {
  std::vector<std::int32_t> all(101);
  std::iota(all.begin(), all.end(), 0);
  CHECK(randomized_positions(101, 100, 3).value() == all);
  CHECK(randomized_positions(0, 100, 3).value().empty());
  CHECK(randomized_positions(1, 0, 3).value() == std::vector<std::int32_t>{0});
}

TEST_CASE("every position is drawn equally often") {
  std::array<int, 10> counts{};
  for (std::uint32_t seed = 0; seed < 5000; ++seed) {
    const std::vector<std::int32_t> positions = randomized_positions(3, 9, seed).value();
    for (const std::int32_t position : positions) {
      ++counts[static_cast<std::size_t>(position)];
    }
  }
  // 1500 expected, standard deviation 32.
  for (const int count : counts) {
    CHECK(std::abs(count - 1500) < 160);
  }
}

TEST_CASE("randomized positions are bounded") {
  CHECK(randomized_positions(12, 10, 0).error().name == "length");
  CHECK(randomized_positions(-1, 10, 0).error().name == "length");
  CHECK(randomized_positions(1, -1, 0).error().name == "maxPosition");
  CHECK(randomized_positions(1, 16777217, 0).error().name == "maxPosition");
  CHECK(randomized_positions(2, 16777216, 0).value().size() == 2);
  CHECK(randomized_positions(1048577, 16777216, 0).error().name == "length");
}

}  // namespace
}  // namespace posenc
