// Lengths and distances of rows, progress of a training, similarity at offsets, softmax of given
// scores and seeded normals.
#include "analysis/rows.h"

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "analysis/offset_profile.h"
#include "catch.h"
#include "codes/learned_table.h"
#include "codes/sinusoidal.h"
#include "nn/attention.h"
#include "random/rng.h"
#include "rule_check.h"

namespace {

using posenc::MatrixD;
using posenc::VectorD;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

template <class T>
T value_of(posenc::Result<T> result) {
  REQUIRE(result.ok());
  return std::move(result).value();
}

template <class T>
void check_rejected(const posenc::Result<T>& result, const char* name) {
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().name == name);
  check_rule(result.error());
}

}  // namespace

TEST_CASE("rows of two matrices are compared one by one") {
  const std::vector<double> data = {3, 4, 1, 1};
  const std::vector<double> other = {0, 0, 1, -6};
  const VectorD largest = value_of(posenc::row_differences(data, other, 2, 2));
  CHECK(largest[0] == 4);
  CHECK(largest[1] == 7);
  check_rejected(posenc::row_differences(data, std::span(other).first(3), 2, 2), "other");
  check_rejected(posenc::row_differences(data, other, 2, 3), "data");
}

TEST_CASE("the share of the way is that of the update rule") {
  // One step maps the error E to (1 - rate / T) E: after n steps 1 - (1 - rate / T)^n is walked.
  auto table = value_of(posenc::LearnedTable::create(8, 6, 7, 0.02));
  const auto start = value_of(table.progress({}, 0.5));
  CHECK(start.share == 0);
  const MatrixD target = value_of(posenc::LearnedTable::training_target(8, 6, 0.5));
  CHECK(start.distance[3] == Approx((table.values() - target).row(3).norm()));
  REQUIRE(table.train_toward_sinusoid(10, 2, 0.5).ok());
  const std::span<const double> from{start.distance.data(), 8};
  const auto progress = value_of(table.progress(from, 0.5));
  CHECK(progress.share == Approx(1 - std::pow(0.75, 10)));
  for (Eigen::Index row = 0; row < 8; ++row) {
    CHECK(progress.distance[row] == Approx(start.distance[row] * std::pow(0.75, 10)));
  }
  // A start that was the target has no way to go.
  auto zeros = value_of(posenc::LearnedTable::create(2, 2, 0, 0));
  CHECK(value_of(zeros.progress({}, 0)).share == 1);
  check_rejected(table.progress(from.first(3), 0.5), "start");
  check_rejected(table.progress(from, nan_value), "targetScale");
}

TEST_CASE("the target of the training is where a table ends that walks the whole way") {
  auto zeros = value_of(posenc::LearnedTable::create(5, 4, 0, 0));
  REQUIRE(zeros.train_toward_sinusoid(1, 5, 0.5).ok());
  CHECK(zeros.values() == value_of(posenc::LearnedTable::training_target(5, 4, 0.5)));
  check_rejected(posenc::LearnedTable::training_target(0, 4, 0.5), "tMax");
  check_rejected(posenc::LearnedTable::training_target(5, 4, nan_value), "targetScale");
}

TEST_CASE("a code is added to a word as it comes and scaled by the root of the width") {
  const std::vector<double> code = {1, 0, -1, 2};
  const auto addition = value_of(posenc::code_addition(4, 42, code));
  // numpy.random.RandomState(42).randn(4)[:2] / 2
  CHECK(addition.root == 2);
  CHECK(addition.word(0, 0) == Approx(0.4967141530112327 / 2));
  CHECK(addition.word(1, 0) == Approx(0.4967141530112327));
  CHECK(addition.sum(0, 1) == Approx(-0.13826430117118466 / 2));
  CHECK(addition.sum(1, 3) == addition.word(1, 3) + 2);
  CHECK(addition.code_norm == Approx(std::sqrt(6.0)));
  CHECK(addition.word_norm[1] == Approx(2 * addition.word_norm[0]));
  CHECK(addition.ratio[0] == Approx(std::sqrt(6.0) / addition.word_norm[0]));
  CHECK(addition.sum_norm[0] == Approx(addition.sum.row(0).norm()));
  const auto none = value_of(posenc::code_addition(4, 42, {}));
  CHECK(none.sum.size() == 0);
  CHECK(none.word == addition.word);
  check_rejected(posenc::code_addition(3, 42, code), "code");
  check_rejected(posenc::code_addition(0, 42, {}), "dModel");
}

TEST_CASE("the cosine at an offset is that of the two rows, whatever d_model is") {
  for (const std::int64_t d_model : {6, 7, 1}) {
    const std::vector<std::int64_t> offsets = {-3, 0, 5};
    const auto similarity = value_of(posenc::offset_similarity(d_model, 100, 4, offsets));
    for (Eigen::Index i = 0; i < 3; ++i) {
      const VectorD here = posenc::sinusoidal_row(4, d_model, 100);
      const VectorD there =
          posenc::sinusoidal_row(4 + offsets[static_cast<std::size_t>(i)], d_model, 100);
      CHECK(similarity.dot[i] == here.dot(there));
      CHECK(similarity.cosine[i] == Approx(here.dot(there) / (here.norm() * there.norm())));
    }
    CHECK(similarity.cosine[1] == 1);
  }
  // A lone sine at position 0 is zero: it has no direction.
  const std::vector<std::int64_t> none = {0};
  CHECK(std::isnan(value_of(posenc::offset_similarity(1, 100, 0, none)).cosine[0]));
}

TEST_CASE("a softmax of given scores has rows that sum to 1 and masks what is not seen") {
  // softmax([0, ln 3]) = [1/4, 3/4]
  const std::vector<double> scores = {0, 9, 0, std::log(3.0), 0, 0, 0, 0};
  const auto causal = value_of(posenc::softmax_of_scores(scores, {}, 2, 2, true, 1));
  CHECK(causal.weights(0, 0) == 1);
  CHECK(causal.weights(0, 1) == 0);
  CHECK(causal.weights(1, 0) == Approx(0.25));
  CHECK(causal.weights(1, 1) == Approx(0.75));
  CHECK(causal.weights(3, 1) == Approx(0.5));
  CHECK(causal.near_share == Approx((0.75 + 0.5) / 2));
  // A bias is added to every head; -infinity for a key that is masked is not read.
  const double far = -std::numeric_limits<double>::infinity();
  const std::vector<double> bias = {0, far, 0, -std::log(3.0)};
  const auto biased = value_of(posenc::softmax_of_scores(scores, bias, 2, 2, true, 64));
  CHECK(biased.weights(1, 1) == Approx(0.5));
  CHECK(biased.weights(3, 1) == Approx(0.25));
  CHECK(biased.near_share == Approx(1));
  check_rejected(posenc::softmax_of_scores(scores, bias, 2, 2, false, 1), "bias");
  check_rejected(posenc::softmax_of_scores(scores, {}, 2, 3, true, 1), "scores");
  check_rejected(posenc::softmax_of_scores(scores, {}, 0, 2, true, 1), "heads");
  check_rejected(posenc::softmax_of_scores(scores, {}, 2, 65, true, 1), "tokens");
  check_rejected(posenc::softmax_of_scores(scores, {}, 2, 2, true, 0), "near");
}

TEST_CASE("seeded normals are those of a table of scale 1") {
  const VectorD normals = value_of(posenc::standard_normals(42, 6));
  // numpy.random.RandomState(42).randn(6)[0]
  CHECK(normals[0] == Approx(0.4967141530112327));
  const auto table = value_of(posenc::LearnedTable::create(2, 3, 42, 1));
  for (Eigen::Index i = 0; i < 6; ++i) {
    CHECK(normals[i] == table.values().data()[i]);
  }
  check_rejected(posenc::standard_normals(42, -1), "count");
}
