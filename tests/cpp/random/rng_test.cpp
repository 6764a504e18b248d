#include "random/rng.h"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"
#include "golden.h"

namespace posenc {
namespace {

// Printed by NumPy 1.24: RandomState(seed).random_sample(3).
TEST_CASE("RandomState draws NumPy's uniform numbers") {
  struct Case {
    std::uint32_t seed;
    std::vector<double> expected;
  };
  const std::vector<Case> cases = {
      {0, {0.5488135039273248, 0.7151893663724195, 0.6027633760716439}},
      {42, {0.3745401188473625, 0.9507143064099162, 0.7319939418114051}},
      {4294967295U, {0.0976320289940138, 0.9123828453026218, 0.78903530185164}},
  };
  for (const Case& c : cases) {
    RandomState random(c.seed);
    for (const double value : c.expected) {
      CHECK(random.random_sample() == value);
    }
  }
}

TEST_CASE("RandomState draws the numbers of the published MT19937 test vector") {
  // mt19937ar.out by Matsumoto and Nishimura: init_by_array {0x123, 0x234, 0x345, 0x456}.
  auto random = RandomState::from_keys({0x123, 0x234, 0x345, 0x456}).value();
  for (const std::uint32_t word : {1067595299U, 955945823U, 477289528U, 4107218783U, 4228976476U}) {
    CHECK(random.next_uint32() == word);
  }
}

TEST_CASE("RandomState takes NumPy's array seeds") {
  SECTION("no key is refused") {
    const auto result = RandomState::from_keys({});
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().name == "keys");
  }
  SECTION("more keys than the state has words") {
    auto random = RandomState::from_keys(std::vector<std::uint32_t>(1000, 7)).value();
    CHECK(random.random_sample() == 0.3151731222497399);  // NumPy 1.24
  }
}

TEST_CASE("RandomState draws the Gaussians of the NumPy example") {
  RandomState random(42);
  for (const auto& row : golden_rows("numpy_learned_table.csv")) {
    if (row[0] != "0" || row[1] == "-1") {
      continue;
    }
    INFO("position " << row[1] << " dim " << row[2]);
    CHECK(std::abs(random.gauss() * 0.1 - std::stod(row[3])) <= 1e-15);
  }
}

TEST_CASE("A saved state goes on with the same numbers") {
  RandomState random(7);
  const int draws = GENERATE(0, 1, 2, 311, 312, 313, 1001);
  for (int i = 0; i < draws; ++i) {
    random.gauss();
  }
  RandomState restored = RandomState::from_state(random.state()).value();
  CHECK(restored.state().has_gauss == (draws % 2 == 1));
  for (int i = 0; i < 2000; ++i) {
    REQUIRE(restored.gauss() == random.gauss());
  }
}

TEST_CASE("A state that no run could have left is refused") {
  RandomState::State state = RandomState(1).state();
  SECTION("index") { state.index = RandomState::key_size + 1; }
  SECTION("a kept value that the polar method cannot reach") {
    state.has_gauss = true;
    state.gauss = 20;
  }
  SECTION("NaN kept") {
    state.has_gauss = true;
    state.gauss = std::numeric_limits<double>::quiet_NaN();
  }
  SECTION("zero key, which would make the polar method run for ever") { state.key.fill(0); }
  SECTION("the same in the 19937 bits that count") {
    state.key.fill(0);
    state.key[0] = 0x7fffffff;
  }
  CHECK_FALSE(RandomState::from_state(state).ok());
}

TEST_CASE("Gaussians have the moments of a standard normal") {
  RandomState random(2024);
  constexpr int count = 200000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random.gauss();
    sum += x;
    squares += x * x;
  }
  CHECK(std::abs(sum / count) < 0.01);
  CHECK(squares / count == Approx(1).margin(0.01));
}

}  // namespace
}  // namespace posenc
