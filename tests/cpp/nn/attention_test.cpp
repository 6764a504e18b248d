// Multi-head attention: against a plain reference, and exact about order.
#include "nn/attention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "catch.h"
#include "codes/sinusoidal.h"
#include "random/rng.h"
#include "rule_check.h"

namespace {

using posenc::AttentionShape;
using posenc::AttentionWeights;
using posenc::MatrixD;
using posenc::SentenceAttention;
using posenc::VectorD;
using Tokens = std::vector<std::uint32_t>;
using Index = Eigen::Index;

SentenceAttention attend(const Tokens& tokens, const AttentionShape& shape, std::uint32_t seed,
                         const MatrixD* codes = nullptr,
                         const posenc::AttentionPositions& positions = {}) {
  std::optional<std::span<const double>> added;
  if (codes != nullptr) {
    added.emplace(codes->data(), static_cast<std::size_t>(codes->size()));
  }
  auto result = posenc::attend_sentence(tokens, shape, seed, added, positions);
  REQUIRE(result.ok());
  return std::move(result).value();
}

MatrixD sinusoidal_codes(Index tokens, Index d_model) {
  MatrixD codes(tokens, d_model);
  for (Index t = 0; t < tokens; ++t) {
    codes.row(t) = posenc::sinusoidal_row(t, d_model, 10000).transpose();
  }
  return codes;
}

/// The textbook, in three loops; keys summed in the order in which they stand.
struct Reference {
  MatrixD output;
  MatrixD weights;
};

Reference reference_attention(const MatrixD& x, const AttentionWeights& w,
                              const AttentionShape& shape) {
  const MatrixD q = x * w.query;
  const MatrixD k = x * w.key;
  const MatrixD v = x * w.value;
  const Index tokens = x.rows();
  const Index size = shape.d_model / shape.heads;
  MatrixD mixed = MatrixD::Zero(tokens, shape.d_model);
  MatrixD weights = MatrixD::Zero(shape.heads * tokens, tokens);
  for (Index h = 0; h < shape.heads; ++h) {
    for (Index i = 0; i < tokens; ++i) {
      double total = 0;
      for (Index j = 0; j < tokens; ++j) {
        if (shape.causal && j > i) {
          continue;
        }
        double score = 0;
        for (Index c = h * size; c < (h + 1) * size; ++c) {
          score += q(i, c) * k(j, c);
        }
        weights(h * tokens + i, j) = std::exp(score / std::sqrt(static_cast<double>(size)));
        total += weights(h * tokens + i, j);
      }
      for (Index j = 0; j < tokens; ++j) {
        weights(h * tokens + i, j) /= total;
        for (Index c = h * size; c < (h + 1) * size; ++c) {
          mixed(i, c) += weights(h * tokens + i, j) * v(j, c);
        }
      }
    }
  }
  return {mixed * w.output, weights};
}

bool same_bits(const double* a, const double* b, Index count) {
  return std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(double)) == 0;
}

double difference(const MatrixD& a, const MatrixD& b) { return (a - b).cwiseAbs().maxCoeff(); }

void check_rejected(const posenc::Result<SentenceAttention>& result, const char* name) {
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == posenc::ErrorCode::invalid_argument);
  CHECK(result.error().name == name);
  check_rule(result.error());
}

}  // namespace

TEST_CASE("attention equals the textbook loops", "[attention]") {
  const Tokens sentence{11, 7, 4294967295U, 0, 7, 23, 5, 11, 2};
  for (const bool causal : {false, true}) {
    for (const AttentionShape shape :
         {AttentionShape{16, 2, causal}, AttentionShape{1, 1, causal},
          AttentionShape{15, 5, causal}, AttentionShape{128, 8, causal},
          AttentionShape{6, 6, causal}}) {
      for (const bool coded : {false, true}) {
        const MatrixD codes = sinusoidal_codes(9, shape.d_model);
        const SentenceAttention got = attend(sentence, shape, 7, coded ? &codes : nullptr);
        const auto weights = posenc::seeded_attention_weights(shape.d_model, 7);
        REQUIRE(weights.ok());
        const Reference wanted = reference_attention(got.input, weights.value(), shape);
        CHECK(difference(got.output, wanted.output) < 1e-12);
        CHECK(difference(got.weights, wanted.weights) < 1e-12);
      }
    }
  }
}

TEST_CASE("attention input is the embedding plus the code", "[attention]") {
  const Tokens sentence{5, 6};
  const MatrixD codes = sinusoidal_codes(2, 8);
  const SentenceAttention bare = attend(sentence, {8, 2, false}, 3);
  const SentenceAttention coded = attend(sentence, {8, 2, false}, 3, &codes);
  CHECK(difference(coded.input, bare.input + codes) == 0);
}

TEST_CASE("attention is seeded as NumPy would be", "[attention]") {
  auto random = posenc::RandomState::from_keys({9, 0, 1234});
  REQUIRE(random.ok());
  const auto embedding = posenc::token_embedding(1234, 6, 9);
  REQUIRE(embedding.ok());
  for (Index c = 0; c < 6; ++c) {
    CHECK(embedding.value()[c] == random.value().gauss());
  }

  auto stream = posenc::RandomState::from_keys({9, 3});
  REQUIRE(stream.ok());
  const auto weights = posenc::seeded_attention_weights(3, 9);
  REQUIRE(weights.ok());
  for (Index r = 0; r < 3; ++r) {
    for (Index c = 0; c < 3; ++c) {
      CHECK(weights.value().value(r, c) == stream.value().gauss() / std::sqrt(3.0));
    }
  }
}

TEST_CASE("a token's embedding depends on seed and id alone", "[attention]") {
  const VectorD short_one = posenc::token_embedding(77, 4, 1).value();
  const VectorD long_one = posenc::token_embedding(77, 128, 1).value();
  CHECK(same_bits(short_one.data(), long_one.data(), 4));
  CHECK(posenc::token_embedding(77, 4, 2).value() != short_one);
  CHECK(posenc::token_embedding(78, 4, 1).value() != short_one);

  double square = 0;
  for (std::uint32_t id = 0; id < 200; ++id) {
    square += posenc::token_embedding(id, 64, 7).value().squaredNorm();
  }
  CHECK(std::abs(square / (200.0 * 64) - 1) < 0.05);
}

TEST_CASE("attention is not saturated", "[attention]") {
  // A figure of weights that are all 0 or 1 would show nothing.
  const MatrixD codes = sinusoidal_codes(6, 16);
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const SentenceAttention got = attend({1, 2, 3, 4, 5, 6}, {16, 2, false}, seed, &codes);
    CHECK(got.weights.rowwise().maxCoeff().mean() < 0.75);
    CHECK(got.output.norm() > 1);
  }
}

TEST_CASE("attention weights of a query sum to 1, and none goes to the future", "[attention]") {
  const Tokens sentence{3, 1, 4, 1, 5, 9, 2, 6};
  const MatrixD codes = sinusoidal_codes(8, 32);
  for (const bool causal : {false, true}) {
    const SentenceAttention got = attend(sentence, {32, 4, causal}, 7, &codes);
    REQUIRE(got.weights.rows() == 4 * 8);
    REQUIRE(got.weights.cols() == 8);
    for (Index row = 0; row < got.weights.rows(); ++row) {
      CHECK(std::abs(got.weights.row(row).sum() - 1) < 1e-14);
      for (Index key = 0; key < 8; ++key) {
        const bool visible = !causal || key <= row % 8;
        CHECK((got.weights(row, key) > 0) == visible);
      }
    }
  }
}

TEST_CASE("without positions a word's output is the same in every order, to the last bit",
          "[attention]") {
  const Tokens sentence{20, 10, 30, 10, 20};
  for (const AttentionShape shape :
       {AttentionShape{16, 2, false}, AttentionShape{15, 3, false}, AttentionShape{64, 4, false}}) {
    const SentenceAttention first = attend(sentence, shape, 7);
    std::vector<Index> order{0, 1, 2, 3, 4};
    int wrong = 0;
    do {
      Tokens permuted;
      for (const Index from : order) {
        permuted.push_back(sentence[static_cast<std::size_t>(from)]);
      }
      const SentenceAttention got = attend(permuted, shape, 7);
      for (std::size_t to = 0; to < order.size(); ++to) {
        wrong += same_bits(got.output.row(static_cast<Index>(to)).data(),
                           first.output.row(order[to]).data(), shape.d_model)
                     ? 0
                     : 1;
      }
      for (Index row = 0; row < got.weights.rows(); ++row) {
        const Index from = row / 5 * 5 + order[static_cast<std::size_t>(row % 5)];
        for (std::size_t to = 0; to < order.size(); ++to) {
          wrong +=
              got.weights(row, static_cast<Index>(to)) == first.weights(from, order[to]) ? 0 : 1;
        }
      }
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(wrong == 0);
    CHECK(same_bits(first.output.row(1).data(), first.output.row(3).data(), shape.d_model));
  }
}

TEST_CASE("a full sentence reversed gives the same outputs, to the last bit", "[attention]") {
  Tokens sentence;
  for (std::uint32_t t = 0; t < 64; ++t) {
    sentence.push_back(t * 2654435761U);
  }
  const Tokens reversed(sentence.rbegin(), sentence.rend());
  const SentenceAttention forwards = attend(sentence, {128, 8, false}, 42);
  const SentenceAttention backwards = attend(reversed, {128, 8, false}, 42);
  for (Index t = 0; t < 64; ++t) {
    CHECK(same_bits(forwards.output.row(t).data(), backwards.output.row(63 - t).data(), 128));
  }
}

TEST_CASE("with a code, or a causal mask, order shows", "[attention]") {
  const Tokens sentence{1, 2, 3};
  const Tokens reversed{3, 2, 1};
  const MatrixD codes = sinusoidal_codes(3, 16);
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const auto moved = [&](bool causal, const MatrixD* added, Index from, Index to) {
      const AttentionShape shape{16, 2, causal};
      const SentenceAttention a = attend(sentence, shape, seed, added);
      const SentenceAttention b = attend(reversed, shape, seed, added);
      return difference(a.output.row(from), b.output.row(to));
    };
    for (Index t = 0; t < 3; ++t) {
      CHECK(moved(false, nullptr, t, 2 - t) == 0);
      CHECK(moved(false, &codes, t, 2 - t) > 1e-3);
      CHECK(moved(true, &codes, t, 2 - t) > 1e-3);
    }
    // Causal without codes: the first word sees itself alone, and as the last one all of them.
    CHECK(moved(true, nullptr, 0, 2) > 1e-3);
    CHECK(moved(true, nullptr, 1, 1) > 1e-3);
    CHECK(moved(true, nullptr, 2, 0) > 1e-3);
  }
}

TEST_CASE("a causal output does not change with what comes later, to the last bit", "[attention]") {
  const AttentionShape shape{16, 4, true};
  const Tokens sentence{8, 6, 7, 5, 3, 0, 9};
  const MatrixD codes = sinusoidal_codes(7, 16);
  const SentenceAttention whole = attend(sentence, shape, 7, &codes);
  for (Index kept = 1; kept < 7; ++kept) {
    Tokens other(sentence.begin(), sentence.begin() + kept);
    const MatrixD short_codes = codes.topRows(kept);
    const SentenceAttention prefix = attend(other, shape, 7, &short_codes);
    other.resize(7, 1000);
    const SentenceAttention changed = attend(other, shape, 7, &codes);
    CHECK(same_bits(whole.output.data(), prefix.output.data(), kept * 16));
    CHECK(same_bits(whole.output.data(), changed.output.data(), kept * 16));
    CHECK(difference(whole.output.bottomRows(7 - kept), changed.output.bottomRows(7 - kept)) > 0);
  }
}

TEST_CASE("one word attends to itself", "[attention]") {
  const SentenceAttention got = attend({5}, {8, 2, true}, 7);
  CHECK(got.weights(0, 0) == 1);
  CHECK(got.weights(1, 0) == 1);
}

TEST_CASE("huge codes saturate attention and stay finite", "[attention]") {
  const MatrixD codes = sinusoidal_codes(4, 16) * posenc::max_attention_code;
  const SentenceAttention got = attend({1, 2, 3, 4}, {16, 2, false}, 7, &codes);
  CHECK(got.output.allFinite());
  for (Index row = 0; row < got.weights.rows(); ++row) {
    CHECK(std::abs(got.weights.row(row).sum() - 1) < 1e-14);
  }
}

TEST_CASE("attention of wrong shapes and values is a typed error", "[attention]") {
  const Tokens two{1, 2};
  const AttentionShape good{8, 2, false};
  const auto call = [](const Tokens& tokens, const AttentionShape& shape,
                       const std::vector<double>* codes) {
    std::optional<std::span<const double>> added;
    if (codes != nullptr) {
      added.emplace(*codes);
    }
    return posenc::attend_sentence(tokens, shape, 7, added);
  };
  check_rejected(call(two, {8, 3, false}, nullptr), "heads");
  check_rejected(call(two, {8, 0, false}, nullptr), "heads");
  check_rejected(call(two, {8, -2, false}, nullptr), "heads");
  check_rejected(call(two, {8, 16, false}, nullptr), "heads");
  check_rejected(call(two, {0, 1, false}, nullptr), "dModel");
  check_rejected(call(two, {-8, 2, false}, nullptr), "dModel");
  check_rejected(call(two, {129, 1, false}, nullptr), "dModel");
  check_rejected(call({}, good, nullptr), "tokens");
  check_rejected(call(Tokens(65, 1), good, nullptr), "tokens");
  CHECK(call(Tokens(64, 1), good, nullptr).ok());

  for (const std::size_t size : {std::size_t{0}, std::size_t{15}, std::size_t{17}}) {
    const std::vector<double> codes(size, 0.5);
    check_rejected(call(two, good, &codes), "codes");
  }
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), -1.1e6}) {
    std::vector<double> codes(16, 0.5);
    codes.back() = bad;
    check_rejected(call(two, good, &codes), "codes");
  }
}

TEST_CASE("attention_forward leaves its results alone when the arguments are wrong",
          "[attention]") {
  const AttentionShape shape{4, 2, false};
  const AttentionWeights weights = posenc::seeded_attention_weights(4, 7).value();
  const MatrixD input = MatrixD::Ones(3, 4);
  MatrixD output = MatrixD::Constant(1, 1, 5);
  posenc::AttentionCache cache;

  const auto rejected = [&](const MatrixD& x, const AttentionWeights& w, const char* name) {
    const posenc::Status status = posenc::attention_forward(output, cache, x, w, shape);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().name == name);
    CHECK(output(0, 0) == 5);
    CHECK(cache.scores.size() == 0);
  };
  rejected(MatrixD(0, 4), weights, "input");
  rejected(MatrixD::Ones(65, 4), weights, "input");
  rejected(MatrixD::Ones(3, 5), weights, "input");
  rejected(MatrixD::Constant(3, 4, 1e10), weights, "input");
  AttentionWeights wrong = weights;
  wrong.key.resize(4, 3);
  rejected(input, wrong, "weights.key");
  wrong = weights;
  wrong.output(3, 3) = std::numeric_limits<double>::quiet_NaN();
  rejected(input, wrong, "weights.output");

  REQUIRE(posenc::attention_forward(output, cache, input, weights, shape).ok());
  CHECK(output.rows() == 3);
  CHECK(cache.scores.allFinite());
}
