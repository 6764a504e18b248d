#include "analysis/precision.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "catch.h"

namespace posenc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> frequencies_of(double head_dim) {
  RopeOptions options;
  options.head_dim = head_dim;
  return rope_frequencies(options).value().inverse_frequencies;
}

std::vector<double> errors_at(NumberFormat format, const std::vector<double>& positions) {
  return position_errors(frequencies_of(64), format, positions).value();
}

double largest_error(NumberFormat format, double head_dim, int length) {
  std::vector<double> positions(static_cast<std::size_t>(length));
  std::iota(positions.begin(), positions.end(), 0.0);
  const auto errors = position_errors(frequencies_of(head_dim), format, positions).value();
  return *std::max_element(errors.begin(), errors.end());
}

TEST_CASE("numbers are rounded as the formats do") {
  const auto bfloat16 = [](double x) { return round_to_format(NumberFormat::bfloat16, x); };
  const auto float16 = [](double x) { return round_to_format(NumberFormat::float16, x); };
  CHECK(bfloat16(0) == 0);
  CHECK(bfloat16(1) == 1);
  CHECK(bfloat16(257) == 256);  // a tie: to even
  CHECK(bfloat16(259) == 260);
  CHECK(bfloat16(-3.14159265) == -3.140625);
  CHECK(bfloat16(3.3895313892515355e38) == 3.3895313892515355e38);
  CHECK(bfloat16(3.4e38) == infinity);
  CHECK(float16(2049) == 2048);
  CHECK(float16(2051) == 2052);
  CHECK(float16(0.1) == 0.0999755859375);
  CHECK(float16(65504) == 65504);
  CHECK(float16(65519.9) == 65504);
  CHECK(float16(65520) == infinity);
  CHECK(float16(-1e9) == -infinity);
  CHECK(float16(std::ldexp(1, -24)) == std::ldexp(1, -24));  // the smallest subnormal
  CHECK(float16(std::ldexp(1, -25)) == 0);
  CHECK(float16(std::ldexp(1.5, -24)) == std::ldexp(1, -23));
  CHECK(round_to_format(NumberFormat::float32, 16777217) == 16777216);
  CHECK_FALSE(number_format_from_name("float64").has_value());
}

// The reporter's program: dim 32, 2048 positions, cast to half; position 1857, pair 1.
TEST_CASE("gpt-neox #1003: float16 angles are wrong by 0.78 in a cosine") {
  const double inverse_frequency = frequencies_of(32)[1];
  CHECK(1857 * inverse_frequency == Approx(1044.2678).epsilon(1e-6));
  CHECK(round_to_format(NumberFormat::float16,
                        1857 * round_to_format(NumberFormat::float16, inverse_frequency)) == 1045);
  CHECK(largest_error(NumberFormat::float16, 32, 2048) == Approx(0.7819).margin(5e-4));
}

TEST_CASE("shorter formats are worse, and worse farther out") {
  const std::vector<double> positions{0, 100, 8192};
  const std::vector<double> single = errors_at(NumberFormat::float32, positions);
  const std::vector<double> half = errors_at(NumberFormat::float16, positions);
  const std::vector<double> brain = errors_at(NumberFormat::bfloat16, positions);
  for (const auto& errors : {single, half, brain}) {
    CHECK(errors[0] == 0);
    CHECK(errors[1] < errors[2]);
  }
  CHECK(single[2] < 1e-3);
  CHECK(half[1] < brain[1]);
  CHECK(single[2] < half[2]);
}

TEST_CASE("neighbours become the same code where the format runs out of integers") {
  const auto collision = [](NumberFormat format, std::int64_t begin = 0) {
    return first_collision(frequencies_of(64), format, begin, max_position).value();
  };
  CHECK(collision(NumberFormat::bfloat16) == 256);
  CHECK(collision(NumberFormat::bfloat16, 257) == 259);
  CHECK(collision(NumberFormat::float16) == 2048);
  CHECK(collision(NumberFormat::float32, max_position - 100000) == -1);
  CHECK(first_collision(frequencies_of(64), NumberFormat::float32, 2, 1).error().name == "end");
  CHECK(first_collision(frequencies_of(64), NumberFormat::float32, -1, 1).error().name == "begin");
  CHECK(first_collision({}, NumberFormat::float32, 0, 0).value() == -1);
}

TEST_CASE("an angle without room in float16 has no error to state") {
  const std::vector<double> errors = errors_at(NumberFormat::float16, {65504, 65536});
  CHECK(std::isfinite(errors[0]));
  CHECK(std::isnan(errors[1]));
}

TEST_CASE("precision rejects what is no position") {
  for (const double position : {-1.0, 0.5, 16777217.0, infinity}) {
    const auto report =
        position_errors(frequencies_of(64), NumberFormat::bfloat16, std::array{position});
    REQUIRE_FALSE(report.ok());
    CHECK(report.error().name == "positions");
  }
}

}  // namespace
}  // namespace posenc
