// Scores by distance: against the definition, and what "relative" means.
#include "analysis/score_profile.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "codes/sinusoidal.h"
#include "nn/attention.h"

namespace {

using posenc::ScoreOptions;
using posenc::ScoreProfile;
using posenc::VectorD;
using Numbers = std::vector<double>;
using Index = Eigen::Index;

ScoreProfile profile(const ScoreOptions& options) {
  auto result = posenc::score_profile(options);
  REQUIRE(result.ok());
  return std::move(result).value();
}

double difference(const VectorD& a, const VectorD& b) { return (a - b).cwiseAbs().maxCoeff(); }

Numbers sinusoids(Index start, Index rows, Index d_model) {
  Numbers codes;
  for (Index row = start; row < start + rows; ++row) {
    const VectorD code = posenc::sinusoidal_row(row, d_model, 10000);
    codes.insert(codes.end(), code.begin(), code.end());
  }
  return codes;
}

const Numbers frequencies{1, 0.1, 0.01, 0.001};

}  // namespace

TEST_CASE("score profile: words alone score the same at every distance", "[score_profile]") {
  const ScoreProfile got = profile({.d_model = 8, .distances = 5, .contents = 3, .seed = 9});
  const double own = posenc::token_embedding(0, 8, 9).value().squaredNorm() / std::sqrt(8.0);
  for (Index k = 0; k < 5; ++k) {
    CHECK(std::abs(got.one[k] - own) < 1e-12);
    CHECK(got.mean[k] == got.mean[0]);
  }
  CHECK(got.deviation[0] > 0.1);
}

TEST_CASE("score profile: mean and deviation are those of the single words", "[score_profile]") {
  const ScoreProfile two = profile({.d_model = 8,
                                    .distances = 4,
                                    .contents = 2,
                                    .same_word = false,
                                    .seed = 3,
                                    .inverse_frequencies = frequencies});
  const VectorD first = two.one;
  const VectorD second = 2 * two.mean - first;
  CHECK(difference(two.deviation, (first - second).cwiseAbs() / 2) < 1e-12);
  const VectorD q = posenc::token_embedding(0, 8, 3).value();
  const VectorD k = posenc::token_embedding(2, 8, 3).value();
  CHECK(std::abs(first[0] - q.dot(k) / std::sqrt(8.0)) < 1e-12);
}

TEST_CASE("score profile: added codes enter query and key", "[score_profile]") {
  const Numbers codes = sinusoids(7, 6, 8);
  const ScoreProfile got = profile(
      {.d_model = 8, .distances = 6, .contents = 1, .seed = 3, .position = 7, .codes = codes});
  const VectorD word = posenc::token_embedding(0, 8, 3).value();
  for (Index k = 0; k < 6; ++k) {
    const VectorD here = word + posenc::sinusoidal_row(7, 8, 10000);
    const VectorD there = word + posenc::sinusoidal_row(7 + k, 8, 10000);
    CHECK(std::abs(got.one[k] - here.dot(there) / std::sqrt(8.0)) < 1e-12);
    CHECK(got.deviation[k] == 0);
  }
}

TEST_CASE("score profile: RoPE and biases depend on the distance alone", "[score_profile]") {
  const Numbers bias{0, -1, -2, -3, -4, -5};
  const auto at = [&](std::int64_t position) {
    return profile({.d_model = 9,
                    .distances = 6,
                    .contents = 4,
                    .seed = 3,
                    .position = position,
                    .inverse_frequencies = frequencies,
                    .biases = bias});
  };
  CHECK(difference(at(0).one, at(1000).one) < 1e-9);
  CHECK(difference(at(0).mean, at(1 << 20).mean) < 1e-6);
  // A sinusoidal code depends on the seat as well, as long as there is a word in the input.
  const Numbers here = sinusoids(0, 6, 8);
  const Numbers there = sinusoids(40, 6, 8);
  const auto coded = [](const Numbers& codes) {
    return profile({.d_model = 8, .distances = 6, .contents = 1, .codes = codes});
  };
  CHECK(difference(coded(here).one, coded(there).one) > 0.1);
}

TEST_CASE("score profile: bad options are typed errors", "[score_profile]") {
  const auto name_of = [](const ScoreOptions& options) {
    const auto result = posenc::score_profile(options);
    return result.ok() ? std::string() : std::string(result.error().name);
  };
  const Numbers seven(7, 1.0);
  const Numbers infinite{1, std::numeric_limits<double>::infinity()};
  CHECK(name_of({.d_model = 0}) == "dModel");
  CHECK(name_of({.d_model = 129}) == "dModel");
  CHECK(name_of({.distances = 0}) == "distances");
  CHECK(name_of({.distances = 4097}) == "distances");
  CHECK(name_of({.contents = 0}) == "contents");
  CHECK(name_of({.d_model = 128, .distances = 4096, .contents = 65}) == "contents");
  CHECK(name_of({.position = -1}) == "position");
  CHECK(name_of({.distances = 2, .codes = seven}) == "codes");
  CHECK(name_of({.d_model = 8, .inverse_frequencies = seven}) == "inverseFrequencies");
  CHECK(name_of({.inverse_frequencies = infinite}) == "inverseFrequencies");
  CHECK(name_of({.distances = 2, .biases = seven}) == "bias");
  CHECK(name_of({.distances = 2, .biases = infinite}) == "bias");
}
