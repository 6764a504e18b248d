#include "codes/rope.h"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "golden.h"
#include "random/rng.h"

namespace posenc {
namespace {

RopeFrequencies frequencies_of(double head_dim, double partial = 1) {
  RopeOptions options;
  options.head_dim = head_dim;
  options.partial_rotary_factor = partial;
  return rope_frequencies(options).value();
}

std::vector<double> random_vector(RandomState& random, std::size_t size) {
  std::vector<double> vector(size);
  for (double& entry : vector) {
    entry = 4 * random.random_sample() - 2;
  }
  return vector;
}

std::vector<float> rotate(const RopeFrequencies& frequencies, RopeLayout layout,
                          const std::vector<double>& vector, double position,
                          double magnitude = 1) {
  std::vector<float> out(vector.size());
  const Status status =
      rope_rotate(frequencies.inverse_frequencies, layout, static_cast<std::int64_t>(vector.size()),
                  magnitude, vector, std::array{position}, out.data());
  REQUIRE(status.ok());
  return out;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

TEST_CASE("RoPE rotation equals the reference") {
  std::vector<double> input;
  std::vector<double> expected;
  int rows = 0;
  for (const auto& row : golden_rows("rope_apply.csv")) {
    input.push_back(std::stod(row[4]));
    expected.push_back(std::stod(row[5]));
    const double head_dim = std::stod(row[0]);
    if (static_cast<double>(input.size()) < head_dim) {
      continue;
    }
    const RopeLayout layout = rope_layout_from_name(row[1]).value();
    const std::vector<float> out =
        rotate(frequencies_of(head_dim), layout, input, std::stod(row[2]));
    for (std::size_t i = 0; i < out.size(); ++i) {
      INFO("head size " << row[0] << ' ' << row[1] << " position " << row[2] << " dim " << i);
      CHECK(std::abs(static_cast<double>(out[i]) - expected[i]) <= 1e-6);
    }
    input.clear();
    expected.clear();
    ++rows;
  }
  REQUIRE(rows == 30);
}

TEST_CASE("RoPE angles are taken in double, to position 2^20 and beyond") {
  RandomState random(5);
  const RopeFrequencies frequencies = frequencies_of(64);
  for (const double position : {1048576.0, 1048575.0, 999983.0, 16777216.0}) {
    const std::vector<double> x = random_vector(random, 64);
    const std::vector<float> y = rotate(frequencies, RopeLayout::interleaved, x, position);
    for (std::size_t j = 0; j < 32; ++j) {
      const long double angle = static_cast<long double>(position) *
                                std::pow(10000.0L, -2 * static_cast<long double>(j) / 64);
      const long double a = x[2 * j] * std::cos(angle) - x[2 * j + 1] * std::sin(angle);
      const long double b = x[2 * j] * std::sin(angle) + x[2 * j + 1] * std::cos(angle);
      CHECK(std::abs(static_cast<double>(y[2 * j] - a)) <= 1e-6);
      CHECK(std::abs(static_cast<double>(y[2 * j + 1] - b)) <= 1e-6);
    }
  }
}

TEST_CASE("RoPE's score depends on m - n alone") {
  RandomState random(1);
  const RopeFrequencies frequencies = frequencies_of(64);
  for (const RopeLayout layout : {RopeLayout::interleaved, RopeLayout::half_split}) {
    const std::vector<double> query = random_vector(random, 64);
    const std::vector<double> key = random_vector(random, 64);
    const auto score = [&](double m, double n) {
      return dot(rotate(frequencies, layout, query, m), rotate(frequencies, layout, key, n));
    };
    for (const double distance : {0.0, 1.0, 17.0, 1000.0}) {
      const double expected = score(distance, 0);
      for (const double shift : {1.0, 500.0, 100000.0, 1000000.0}) {
        CHECK(score(distance + shift, shift) == Approx(expected).margin(3e-5));
      }
    }
    CHECK(std::abs(score(5, 0) - score(0, 5)) > 1e-3);
  }
}

TEST_CASE("both RoPE layouts agree after permuting") {
  RandomState random(2);
  const std::size_t head_dim = 48;
  const RopeFrequencies frequencies = frequencies_of(static_cast<double>(head_dim));
  const std::vector<double> interleaved = random_vector(random, head_dim);
  std::vector<double> half_split(head_dim);
  for (std::size_t j = 0; j < head_dim / 2; ++j) {
    half_split[j] = interleaved[2 * j];
    half_split[j + head_dim / 2] = interleaved[2 * j + 1];
  }
  const auto a = rotate(frequencies, RopeLayout::interleaved, interleaved, 1234);
  const auto b = rotate(frequencies, RopeLayout::half_split, half_split, 1234);
  const auto unpermuted = rotate(frequencies, RopeLayout::half_split, interleaved, 1234);
  for (std::size_t j = 0; j < head_dim / 2; ++j) {
    CHECK(a[2 * j] == b[j]);
    CHECK(a[2 * j + 1] == b[j + head_dim / 2]);
  }
  CHECK(a != unpermuted);
}

TEST_CASE("RoPE keeps norms, and the rest of a partial rotation") {
  RandomState random(3);
  const RopeFrequencies frequencies = frequencies_of(80, 0.4);
  const std::vector<double> x = random_vector(random, 80);
  const std::vector<float> plain(x.begin(), x.end());
  for (const RopeLayout layout : {RopeLayout::interleaved, RopeLayout::half_split}) {
    const std::vector<float> y = rotate(frequencies, layout, x, 777);
    CHECK(std::sqrt(dot(y, y)) == Approx(std::sqrt(dot(plain, plain))).epsilon(1e-6));
    CHECK(std::vector<float>(y.begin() + 32, y.end()) ==
          std::vector<float>(plain.begin() + 32, plain.end()));
    CHECK(y[0] != plain[0]);

    // The attention factor lengthens what is turned and nothing else.
    const std::vector<float> longer = rotate(frequencies, layout, x, 777, 1.5);
    CHECK(longer[31] == Approx(1.5 * y[31]).epsilon(1e-6));
    CHECK(longer[32] == y[32]);
  }
}

TEST_CASE("RoPE rotation rejects bad positions and entries") {
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  const RopeFrequencies frequencies = frequencies_of(2);
  std::vector<float> out(2);
  const auto error_name = [&](double entry, double position) -> std::string {
    const std::vector<double> vector{0, entry};
    const Status status = rope_rotate(frequencies.inverse_frequencies, RopeLayout::interleaved, 2,
                                      1, vector, std::array{position}, out.data());
    return status.ok() ? "no error" : std::string(status.error().name);
  };
  CHECK(error_name(1, 16777216) == "no error");
  CHECK(error_name(1, 16777217) == "positions");
  CHECK(error_name(1, -1) == "positions");
  CHECK(error_name(1, 0.5) == "positions");
  CHECK(error_name(1, not_a_number) == "positions");
  CHECK(error_name(1e30, 0) == "no error");
  CHECK(error_name(-2e30, 0) == "vectors");
  CHECK(error_name(not_a_number, 0) == "vectors");
  CHECK_FALSE(rope_layout_from_name("half_split").has_value());

  const std::array<double, 4> four{1, 2, 3, 4};
  std::vector<float> room(4);
  const auto size_error = [&](std::int64_t head_dim, std::size_t rows) {
    const std::vector<double> positions(rows, 1.0);
    const std::vector<double> two_pairs{1, 0.5};
    const Status status =
        rope_rotate(two_pairs, RopeLayout::half_split, head_dim, 1, four, positions, room.data());
    return status.ok() ? std::string("no error") : std::string(status.error().name);
  };
  CHECK(size_error(4, 1) == "no error");
  CHECK(size_error(2, 2) == "headDim");
  CHECK(size_error(-4, 1) == "headDim");
  CHECK(size_error(65537, 1) == "headDim");
  CHECK(size_error(4, 2) == "vectors");
}

}  // namespace
}  // namespace posenc
