#include "codes/sinusoidal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "catch.h"
#include "golden.h"
#include "rule_check.h"

namespace posenc {
namespace {

// The bound that the product promises; rounding to float alone costs up to 3.0e-8.
constexpr double allowed_error = 6.1e-8;

std::vector<float> filled(std::int64_t length, std::int64_t d_model, double base,
                          std::int64_t start) {
  REQUIRE(check_sinusoidal(length, d_model, base, start).ok());
  std::vector<float> out(static_cast<std::size_t>(length * d_model));
  fill_sinusoidal(out.data(), length, d_model, base, start);
  return out;
}

// The largest error of rows [start, start + length) against long double.
double largest_error(const std::vector<float>& rows, std::int64_t length, std::int64_t d_model,
                     double base, std::int64_t start) {
  double largest = 0;
  for (std::int64_t j = 0; j < d_model; j += 2) {
    const long double exponent = static_cast<long double>(j) / static_cast<long double>(d_model);
    const long double divisor = std::pow(static_cast<long double>(base), exponent);
    for (std::int64_t r = 0; r < length; ++r) {
      const long double angle = static_cast<long double>(start + r) / divisor;
      const auto error = [&](std::int64_t column, long double exact) {
        const auto value =
            static_cast<long double>(rows[static_cast<std::size_t>(r * d_model + column)]);
        return static_cast<double>(std::abs(value - exact));
      };
      largest = std::max(largest, error(j, std::sin(angle)));
      if (j + 1 < d_model) {
        largest = std::max(largest, error(j + 1, std::cos(angle)));
      }
    }
  }
  return largest;
}

TEST_CASE("Sinusoidal codes equal the 60-digit reference") {
  // (d_model, base, position) -> fast row and the row in double
  std::map<std::tuple<std::int64_t, double, std::int64_t>, std::pair<std::vector<float>, VectorD>>
      rows;
  for (const auto& row : golden_rows("sinusoidal.csv")) {
    const std::int64_t d_model = std::stoll(row[0]);
    const double base = std::stod(row[1]);
    const std::int64_t position = std::stoll(row[2]);
    const std::int64_t dim = std::stoll(row[3]);
    const double expected = std::stod(row[4]);
    auto& [fast, exact] = rows[{d_model, base, position}];
    if (fast.empty()) {
      fast = filled(1, d_model, base, position);
      exact = sinusoidal_row(position, d_model, base);
    }
    INFO("d_model " << d_model << " base " << base << " position " << position << " dim " << dim);
    CHECK(std::abs(fast[static_cast<std::size_t>(dim)] - expected) <= allowed_error);
    // An angle in double is known to about position * 2^-53.
    CHECK(std::abs(exact[dim] - expected) <= 1e-15 + static_cast<double>(position) * 4e-16);
  }
}

TEST_CASE("Pairs of sinusoidal rows have the reference products and distances") {
  for (const auto& row : golden_rows("sinusoidal_pairs.csv")) {
    const std::int64_t d_model = std::stoll(row[0]);
    const std::int64_t position = std::stoll(row[1]);
    const std::int64_t offset = std::stoll(row[2]);
    const VectorD a = sinusoidal_row(position, d_model, 10000);
    const VectorD b = sinusoidal_row(position + offset, d_model, 10000);
    INFO("d_model " << d_model << " position " << position << " offset " << offset);
    CHECK(a.dot(b) == Approx(std::stod(row[3])).epsilon(1e-12));
    CHECK(a.dot(b) / (a.norm() * b.norm()) == Approx(std::stod(row[4])).epsilon(1e-12));
    CHECK((a - b).norm() == Approx(std::stod(row[5])).epsilon(1e-12));
  }
}

TEST_CASE("Sinusoidal codes keep their error bound along whole stretches") {
  struct Stretch {
    std::int64_t start;
    std::int64_t length;
    std::int64_t d_model;
    double base;
  };
  // Stretches of over 1024 rows cross every border between blocks and anchors.
  const auto s = GENERATE(
      Stretch{0, 2100, 16, 10000}, Stretch{0, 1100, 5, 2}, Stretch{1000, 60, 64, 10000},
      Stretch{131071 - 40, 80, 32, 10000}, Stretch{(1 << 20) - 30, 1100, 6, 10000},
      Stretch{max_position - 1099, 1100, 8, 10000}, Stretch{max_position - 40, 41, 128, 10000},
      Stretch{max_position - 40, 41, 7, 500000}, Stretch{max_position - 40, 41, 4, 1},
      Stretch{0, 40, 6, 1e300}, Stretch{9999999, 20, 6, 1e12});
  INFO("start " << s.start << " d_model " << s.d_model << " base " << s.base);
  const double error = largest_error(filled(s.length, s.d_model, s.base, s.start), s.length,
                                     s.d_model, s.base, s.start);
  CHECK(error <= allowed_error);
}

TEST_CASE("Sinusoidal codes keep their error bound at scattered positions") {
  // A fixed multiplicative walk through all of 0 .. 2^24.
  double largest = 0;
  std::int64_t position = 1;
  for (int n = 0; n < 400; ++n) {
    position = (position * 7621 + 1) % (max_position + 1);
    largest =
        std::max(largest, largest_error(filled(1, 10, 10000, position), 1, 10, 10000, position));
  }
  CHECK(largest <= allowed_error);
}

TEST_CASE("A sinusoidal row depends on its position alone, to the last bit") {
  const std::int64_t d_model = GENERATE(1, 2, 3, 4, 7, 16);
  const std::int64_t length = 2500;
  const auto all = filled(length, d_model, 10000, 0);
  SECTION("wherever the call starts") {
    for (const std::int64_t start : {1, 15, 16, 17, 1000, 1023, 1024, 1025, 2048, 2499}) {
      const auto part = filled(length - start, d_model, 10000, start);
      INFO("d_model " << d_model << " start " << start);
      CHECK(std::equal(part.begin(), part.end(), all.begin() + start * d_model));
    }
  }
  SECTION("in whatever pieces a writer is asked for them") {
    for (const std::int64_t piece : {1, 7, 16, 100, 1024, 1500}) {
      SinusoidalWriter writer(d_model, 10000);
      std::vector<float> pieces(all.size());
      for (std::int64_t row = 0; row < length; row += piece) {
        writer.write(pieces.data() + row * d_model, std::min(piece, length - row), row);
      }
      INFO("d_model " << d_model << " piece " << piece);
      CHECK(pieces == all);
    }
  }
  SECTION("also when a writer goes back") {
    SinusoidalWriter writer(d_model, 10000);
    std::vector<float> row(static_cast<std::size_t>(d_model));
    for (const std::int64_t position : {2000, 5, 1030, 1029, 1029, 0, 2499}) {
      writer.write(row.data(), 1, position);
      CHECK(std::equal(row.begin(), row.end(), all.begin() + position * d_model));
    }
  }
}

TEST_CASE("An odd d_model has one more sine than cosines") {
  const auto one = filled(3, 1, 10000, 0);
  for (int position = 0; position < 3; ++position) {
    CHECK(one[static_cast<std::size_t>(position)] == Approx(std::sin(position)).margin(1e-7));
  }
  const auto five = filled(1, 5, 10000, 3);
  CHECK(five[4] == Approx(std::sin(3 / std::pow(10000, 4.0 / 5))).margin(1e-7));
  CHECK(sinusoidal_row(3, 5, 10000)[4] == std::sin(3 / std::pow(10000, 4.0 / 5)));
}

TEST_CASE("Filling writes its rows and nothing else") {
  const std::int64_t d_model = GENERATE(1, 2, 3, 5, 6, 8);
  const std::int64_t length = GENERATE(0, 1, 2, 16, 33);
  const std::int64_t start = GENERATE(0, 9);
  constexpr float untouched = 77;
  const auto count = static_cast<std::size_t>(length * d_model);
  std::vector<float> out(count + 16, untouched);
  fill_sinusoidal(out.data() + 8, length, d_model, 10000, start);
  CHECK(std::count(out.begin(), out.end(), untouched) == 16);
  CHECK(out[7] == untouched);
  CHECK(out[count + 8] == untouched);
}

TEST_CASE("The widest code is computed") {
  const auto row = filled(17, max_dim, 10000, 12345);
  CHECK(largest_error(std::vector<float>(row.end() - max_dim, row.end()), 1, max_dim, 10000,
                      12361) <= allowed_error);
}

TEST_CASE("Base 1 gives every pair the same angle") {
  const auto row = filled(1, 6, 1, 2);
  CHECK(row[0] == row[2]);
  CHECK(row[2] == row[4]);
  CHECK(row[1] == row[5]);
}

TEST_CASE("Bad arguments of a sinusoidal code are named") {
  struct Bad {
    std::int64_t length, d_model;
    double base;
    std::int64_t start;
    const char* name;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  const auto bad = GENERATE_COPY(
      Bad{-1, 4, 10000, 0, "length"}, Bad{lowest, 4, 10000, 0, "length"},
      Bad{highest, 4, 10000, 0, "length"}, Bad{max_position + 2, 1, 10000, 0, "length"},
      Bad{2, 4, 10000, max_position, "length"}, Bad{1025, 65536, 10000, 0, "length"},
      Bad{1, 0, 10000, 0, "dModel"}, Bad{1, -4, 10000, 0, "dModel"},
      Bad{1, 65537, 10000, 0, "dModel"}, Bad{1, lowest, 10000, 0, "dModel"},
      Bad{1, 4, 0.5, 0, "base"}, Bad{1, 4, 0, 0, "base"}, Bad{1, 4, -10000, 0, "base"},
      Bad{1, 4, nan, 0, "base"}, Bad{1, 4, infinity, 0, "base"}, Bad{1, 4, 10000, -1, "start"},
      Bad{1, 4, 10000, max_position + 1, "start"}, Bad{1, 4, 10000, highest, "start"});
  const Status status = check_sinusoidal(bad.length, bad.d_model, bad.base, bad.start);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::invalid_argument);
  CHECK(status.error().name == bad.name);
  check_rule(status.error());
}

TEST_CASE("The largest arguments of a sinusoidal code are accepted") {
  CHECK(check_sinusoidal(1, 1, 1, max_position).ok());
  CHECK(check_sinusoidal(0, 65536, 10000, max_position).ok());
  CHECK(check_sinusoidal(max_position + 1, 1, 10000, 0).ok());
  CHECK(check_sinusoidal(1024, 65536, 10000, 0).ok());
  CHECK(check_sinusoidal(1, 1, std::numeric_limits<double>::max(), 0).ok());
}

}  // namespace
}  // namespace posenc
