#include "codes/learned_table.h"

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "catch.h"
#include "codes/sinusoidal.h"
#include "golden.h"

namespace posenc {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

LearnedTable table_of(std::int64_t t_max, std::int64_t d_model, std::uint32_t seed = 42) {
  return LearnedTable::create(t_max, d_model, seed, 0.1).value();
}

TEST_CASE("The learned table equals NumPy's before and while it is trained") {
  LearnedTable table = table_of(50, 16);
  double mean_squared_error = table.train_toward_sinusoid(0, 0.05, 0.5).value().mean_squared_error;
  std::map<std::int64_t, int> compared;
  for (const auto& row : golden_rows("numpy_learned_table.csv")) {
    const std::int64_t steps = std::stoll(row[0]);
    if (steps > table.steps()) {
      const auto report = table.train_toward_sinusoid(steps - table.steps(), 0.05, 0.5);
      REQUIRE(report.ok());
      CHECK(report.value().steps == steps);
      mean_squared_error = report.value().mean_squared_error;
    }
    REQUIRE(table.steps() == steps);
    const std::int64_t position = std::stoll(row[1]);
    const double expected = std::stod(row[3]);
    INFO("steps " << steps << " position " << position << " dim " << row[2]);
    if (position == -1) {
      CHECK(std::abs(mean_squared_error - expected) <= 1e-12);
    } else {
      const double allowed = steps == 0 ? 1e-15 : 1e-12;
      CHECK(std::abs(table.values()(position, std::stoll(row[2])) - expected) <= allowed);
    }
    ++compared[steps];
  }
  CHECK(compared.size() == 5);
}

TEST_CASE("Many steps at once equal the update done step by step") {
  const double rate = GENERATE(0.0, 0.05, 10.0, 20.0, 25.0, 40.5);
  const double scale = GENERATE(0.5, -2.0);
  LearnedTable table = table_of(20, 6);
  MatrixD stepped = table.values();
  const MatrixD target = scale * sinusoidal_rows(20, 6, 10000, 0);
  constexpr int steps = 150;
  for (int n = 0; n < steps; ++n) {
    stepped -= rate * (stepped - target) / 20;
  }
  const auto report = table.train_toward_sinusoid(steps, rate, scale);
  REQUIRE(report.ok());
  INFO("rate " << rate << " scale " << scale);
  const double size = 1 + stepped.cwiseAbs().maxCoeff();
  CHECK((table.values() - stepped).cwiseAbs().maxCoeff() <= 1e-12 * size);
  const double error = (stepped - target).squaredNorm() / 120;
  CHECK(report.value().mean_squared_error == Approx(error).epsilon(1e-9).margin(1e-15));
}

TEST_CASE("Training does not depend on how it is cut into calls") {
  LearnedTable whole = table_of(30, 8);
  LearnedTable cut = table_of(30, 8);
  whole.train_toward_sinusoid(1000, 0.5, 0.5);
  for (const int steps : {1, 0, 99, 400, 500}) {
    cut.train_toward_sinusoid(steps, 0.5, 0.5);
  }
  CHECK(cut.steps() == whole.steps());
  CHECK(cut.values() == whole.values());
}

TEST_CASE("Training for no steps, or at rate 0, changes no bit") {
  LearnedTable table = table_of(9, 5);
  const MatrixD before = table.values();
  table.train_toward_sinusoid(0, 0.05, 0.5);
  CHECK(table.values() == before);
  CHECK(table.rows_with_gradient() == std::vector<std::uint8_t>(9, 0));
  table.train_toward_sinusoid(10, 0, 0.5);
  CHECK(table.values() == before);
}

TEST_CASE("A million steps reach the target") {
  LearnedTable table = table_of(64, 16);
  const auto report = table.train_toward_sinusoid(max_steps, 0.05, 0.5);
  CHECK(report.value().steps == max_steps);
  // A step smaller than half a unit in the last place changes nothing any more.
  CHECK(report.value().mean_squared_error <= 1e-24);
}

TEST_CASE("A diverging rate is refused before it can leave anything but numbers") {
  LearnedTable table = table_of(10, 4);
  const MatrixD before = table.values();
  SECTION("above twice the trained rows the table grows, and stays finite for a while") {
    const auto report = table.train_toward_sinusoid(100, 25, 0.5);
    REQUIRE(report.ok());
    CHECK(table.values().allFinite());
    CHECK(report.value().mean_squared_error > 1e10);
  }
  SECTION("past 1e150 it is refused, and nothing has changed") {
    for (const double rate : {25.0, 1e10, 1e300, std::numeric_limits<double>::max()}) {
      const auto report = table.train_toward_sinusoid(max_steps, rate, 0.5);
      REQUIRE_FALSE(report.ok());
      CHECK(report.error().name == "learningRate");
    }
    CHECK(table.values() == before);
    CHECK(table.steps() == 0);
  }
  SECTION("in small calls it is refused just the same") {
    bool refused = false;
    for (int n = 0; n < 10000 && !refused; ++n) {
      const auto report = table.train_toward_sinusoid(1, 35, 0.5);
      refused = !report.ok();
      REQUIRE(table.values().allFinite());
      REQUIRE((refused || std::isfinite(report.value().mean_squared_error)));
    }
    CHECK(refused);
  }
}

TEST_CASE("Growing draws on from the same stream") {
  // Odd counts end in the middle of a Gaussian pair.
  const std::int64_t d_model = GENERATE(1, 3, 16);
  const std::int64_t first = GENERATE(1, 7, 50);
  const LearnedTable large = table_of(80, d_model);
  LearnedTable table = table_of(first, d_model);
  REQUIRE(table.grow(first + 4).ok());
  REQUIRE(table.grow(first + 4).ok());
  REQUIRE(table.grow(80).ok());
  CHECK(table.t_max() == 80);
  CHECK(table.trained_rows() == first);
  CHECK(table.values() == large.values());
}

TEST_CASE("Rows that were grown never receive a gradient") {
  LearnedTable small = table_of(50, 16);
  LearnedTable table = table_of(50, 16);
  REQUIRE(table.grow(70).ok());
  const MatrixD grown = table.values().bottomRows(20);
  const auto report = table.train_toward_sinusoid(500, 0.05, 0.5);
  CHECK(table.trained_rows() == 50);
  CHECK(table.values().bottomRows(20) == grown);
  CHECK(report.value().mean_squared_error ==
        small.train_toward_sinusoid(500, 0.05, 0.5).value().mean_squared_error);
  CHECK(table.values().topRows(50) == small.values());
  const auto reached = table.rows_with_gradient();
  REQUIRE(reached.size() == 70);
  for (std::size_t row = 0; row < 70; ++row) {
    CHECK(reached[row] == (row < 50 ? 1 : 0));
  }
}

TEST_CASE("A refused growth changes nothing") {
  LearnedTable table = table_of(50, 16);
  const MatrixD before = table.values();
  for (const std::int64_t t_max :
       {std::int64_t{-1}, std::int64_t{0}, std::int64_t{49}, max_table_size / 16 + 1,
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    const Status status = table.grow(t_max);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().name == "tMax");
    // 2^22 entries in rows of 16, and no row is ever taken away.
    CHECK(status.error().rule.kind == RuleKind::integer);
    CHECK(status.error().rule.min == 50);
    CHECK(status.error().rule.max == 262144);
  }
  CHECK(table.values() == before);
  REQUIRE(table.grow(51).ok());
  CHECK(table.values() == table_of(51, 16).values());
}

TEST_CASE("A lookup past T_max does what was asked for") {
  const LearnedTable table = table_of(50, 16);
  const auto row = [&](std::int64_t r) { return VectorD(table.values().row(r)); };
  SECTION("inside the table every behaviour returns the row") {
    for (const char* name : {"raise", "clamp", "zeros", "nan", "wrap"}) {
      const Behaviour behaviour = parse_behaviour(name).value();
      CHECK(table.lookup(0, behaviour).value() == row(0));
      CHECK(table.lookup(49, behaviour).value() == row(49));
    }
  }
  SECTION("raise carries the position and T_max") {
    for (const std::int64_t position : {std::int64_t{50}, std::int64_t{60}, max_position}) {
      const auto result = table.lookup(position, Behaviour::raise);
      REQUIRE_FALSE(result.ok());
      CHECK(result.error().code == ErrorCode::position_out_of_range);
      CHECK(result.error().position == position);
      CHECK(result.error().t_max == 50);
    }
  }
  SECTION("clamp") { CHECK(table.lookup(60, Behaviour::clamp).value() == row(49)); }
  SECTION("wrap") {
    CHECK(table.lookup(50, Behaviour::wrap).value() == row(0));
    CHECK(table.lookup(160, Behaviour::wrap).value() == row(10));
  }
  SECTION("zeros") {
    CHECK(table.lookup(50, Behaviour::zeros).value() == VectorD(VectorD::Zero(16)));
  }
  SECTION("nan") {
    const VectorD values = table.lookup(50, Behaviour::nan).value();
    CHECK(values.size() == 16);
    CHECK(values.array().isNaN().all());
  }
  SECTION("no position at all") {
    for (const std::int64_t position : {std::int64_t{-1}, max_position + 1}) {
      for (const Behaviour behaviour : {Behaviour::raise, Behaviour::clamp, Behaviour::wrap}) {
        const auto result = table.lookup(position, behaviour);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().code == ErrorCode::invalid_argument);
        CHECK(result.error().name == "position");
      }
    }
  }
}

TEST_CASE("A behaviour that no framework has is refused") {
  for (const char* name : {"", "Raise", "clamp ", "none"}) {
    CHECK(parse_behaviour(name).error().name == "behaviour");
  }
}

TEST_CASE("Bad arguments of a learned table are named") {
  struct Bad {
    std::int64_t t_max, d_model;
    double scale;
    const char* name;
  };
  const auto bad = GENERATE(
      Bad{0, 16, 0.1, "tMax"}, Bad{-50, 16, 0.1, "tMax"}, Bad{262145, 16, 0.1, "tMax"},
      Bad{std::numeric_limits<std::int64_t>::max(), 16, 0.1, "tMax"}, Bad{50, 0, 0.1, "dModel"},
      Bad{50, -1, 0.1, "dModel"}, Bad{50, 65537, 0.1, "dModel"}, Bad{50, 16, nan, "scale"},
      Bad{50, 16, infinity, "scale"}, Bad{50, 16, -1e101, "scale"});
  const auto result = LearnedTable::create(bad.t_max, bad.d_model, 42, bad.scale);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == ErrorCode::invalid_argument);
  CHECK(result.error().name == bad.name);
}

TEST_CASE("Bad arguments of training are named and leave the table alone") {
  struct Bad {
    std::int64_t steps;
    double learning_rate, target_scale;
    const char* name;
  };
  const auto bad =
      GENERATE(Bad{-1, 0.05, 0.5, "steps"}, Bad{1000001, 0.05, 0.5, "steps"},
               Bad{1, -0.05, 0.5, "learningRate"}, Bad{1, nan, 0.5, "learningRate"},
               Bad{1, infinity, 0.5, "learningRate"}, Bad{1, 0.05, nan, "targetScale"},
               Bad{1, 0.05, -infinity, "targetScale"}, Bad{1, 0.05, 1e101, "targetScale"});
  LearnedTable table = table_of(5, 4);
  const auto report = table.train_toward_sinusoid(bad.steps, bad.learning_rate, bad.target_scale);
  REQUIRE_FALSE(report.ok());
  CHECK(report.error().name == bad.name);
  CHECK(table.values() == table_of(5, 4).values());
  CHECK(table.steps() == 0);
}

TEST_CASE("Extreme scales that are accepted keep every number finite") {
  LearnedTable table = LearnedTable::create(8, 8, 1, 1e100).value();
  const auto report = table.train_toward_sinusoid(3, 0.05, -1e100);
  REQUIRE(report.ok());
  CHECK(table.values().allFinite());
  CHECK(std::isfinite(report.value().mean_squared_error));
}

TEST_CASE("The smallest and the largest table") {
  CHECK(table_of(1, 1).values().size() == 1);
  LearnedTable large = table_of(max_table_size / 4096, 4096);
  CHECK(large.train_toward_sinusoid(2, 0.05, 0.5).ok());
  CHECK(large.snapshot().size() > static_cast<std::size_t>(max_table_size) * 8);
}

}  // namespace
}  // namespace posenc
