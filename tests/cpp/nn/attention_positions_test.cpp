// Attention with positions in its scores: RoPE, and the biases of ALiBi and T5.
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "codes/alibi.h"
#include "codes/rope.h"
#include "nn/attention.h"

namespace {

using posenc::AttentionPositions;
using posenc::AttentionShape;
using posenc::MatrixD;
using posenc::SentenceAttention;
using Numbers = std::vector<double>;
using Tokens = std::vector<std::uint32_t>;
using Index = Eigen::Index;

const Tokens sentence{11, 7, 4294967295U, 0, 23};

Numbers frequencies_of(Index head_dim) {
  Numbers frequencies;
  for (Index j = 0; j < head_dim / 2; ++j) {
    frequencies.push_back(
        std::pow(10000.0, -2 * static_cast<double>(j) / static_cast<double>(head_dim)));
  }
  return frequencies;
}

/// -slope * |distance|, as the engine hands it over.
Numbers symmetric_alibi(std::int64_t heads, std::int64_t tokens) {
  const Numbers slopes = posenc::alibi_slopes(heads).value();
  std::vector<float> bias(static_cast<std::size_t>(heads * tokens * tokens));
  posenc::fill_alibi_bias({heads, tokens, tokens, false}, slopes.data(), 0,
                          static_cast<std::int64_t>(bias.size()), bias.data());
  return {bias.begin(), bias.end()};
}

SentenceAttention attend(const Tokens& tokens, const AttentionShape& shape,
                         const AttentionPositions& positions) {
  auto result = posenc::attend_sentence(tokens, shape, 7, std::nullopt, positions);
  REQUIRE(result.ok());
  return std::move(result).value();
}

Tokens mirrored(const Tokens& tokens) { return {tokens.rbegin(), tokens.rend()}; }

/// The largest difference of a word's output between a sentence and its mirror image.
double mirror_difference(const AttentionShape& shape, const AttentionPositions& positions) {
  const MatrixD one = attend(sentence, shape, positions).output;
  const MatrixD other = attend(mirrored(sentence), shape, positions).output;
  return (one - other.colwise().reverse()).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("attention turns q and k and adds biases as the textbook does", "[attention]") {
  for (const AttentionShape shape :
       {AttentionShape{16, 2, false}, AttentionShape{12, 3, true}, AttentionShape{15, 3, false}}) {
    const Index size = shape.d_model / shape.heads;
    const Numbers frequencies = frequencies_of(size);
    const Numbers bias = symmetric_alibi(shape.heads, 5);
    const SentenceAttention got = attend(sentence, shape, {frequencies, bias});
    const auto weights = posenc::seeded_attention_weights(shape.d_model, 7).value();
    const MatrixD q = got.input * weights.query;
    const MatrixD k = got.input * weights.key;
    MatrixD wanted = MatrixD::Zero(shape.heads * 5, 5);
    for (Index row = 0; row < wanted.rows(); ++row) {
      const Index head = row / 5;
      const Index query = row % 5;
      for (Index key = 0; key <= (shape.causal ? query : 4); ++key) {
        double score = 0;
        for (Index c = 0; c < size; ++c) {
          const Index at = head * size + c;
          const auto pair = static_cast<std::size_t>(c / 2);
          if (pair >= frequencies.size()) {
            score += q(query, at) * k(key, at);
            continue;
          }
          // Re(q conj(k) e^(i (m - n) theta)), pair by pair.
          const double angle = static_cast<double>(query - key) * frequencies[pair];
          score += q(query, at) * k(key, at) * std::cos(angle);
          const double crossed =
              c % 2 == 0 ? -q(query, at + 1) * k(key, at) : q(query, at - 1) * k(key, at);
          score += crossed * std::sin(angle);
        }
        wanted(row, key) = std::exp(score / std::sqrt(static_cast<double>(size)) +
                                    bias[static_cast<std::size_t>(row * 5 + key)]);
      }
      wanted.row(row) /= wanted.row(row).sum();
    }
    CHECK((got.weights - wanted).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("symmetric ALiBi cannot tell a sentence from its mirror image, to the last bit",
          "[attention]") {
  const Numbers bias = symmetric_alibi(4, 5);
  CHECK(mirror_difference({16, 4, false}, {{}, bias}) == 0);
  // It is not blind to order as such, and a causal mask tells left from right.
  CHECK(mirror_difference({16, 4, true}, {{}, bias}) > 1e-3);
  const Tokens swapped{7, 11, 4294967295U, 0, 23};
  const MatrixD one = attend(sentence, {16, 4, false}, {{}, bias}).output;
  const MatrixD other = attend(swapped, {16, 4, false}, {{}, bias}).output;
  CHECK((one.row(4) - other.row(4)).cwiseAbs().maxCoeff() > 1e-3);
}

TEST_CASE("RoPE and a bias that knows the side tell a sentence from its mirror image",
          "[attention]") {
  const Numbers frequencies = frequencies_of(8);
  CHECK(mirror_difference({16, 2, false}, {frequencies, {}}) > 1e-3);
  Numbers sided = symmetric_alibi(2, 5);
  for (std::size_t entry = 0; entry < sided.size(); ++entry) {
    sided[entry] += entry % 5 > entry / 5 % 5 ? 1 : 0;
  }
  CHECK(mirror_difference({16, 2, false}, {{}, sided}) > 1e-3);
}

TEST_CASE("a bias of zeros, and frequencies of zero, leave order invisible to the last bit",
          "[attention]") {
  const Numbers zeros(2 * 5 * 5, 0.0);
  const Numbers still(4, 0.0);
  CHECK(mirror_difference({16, 2, false}, {still, zeros}) == 0);
  const MatrixD bare = attend(sentence, {16, 2, false}, {}).output;
  CHECK(attend(sentence, {16, 2, false}, {still, zeros}).output == bare);
}

TEST_CASE("rope_turn agrees with rope_rotate and keeps the norm", "[attention]") {
  const Numbers frequencies = frequencies_of(6);
  const Numbers vector{0.5, -1, 2, 0.25, -0.75, 1.5, 3};
  for (const double position : {0.0, 1.0, 60.0, 1048576.0}) {
    Numbers turned = vector;
    posenc::rope_turn(frequencies, position, turned.data());
    std::vector<float> wanted(7);
    const Numbers at{position};
    REQUIRE(posenc::rope_rotate(frequencies, posenc::RopeLayout::interleaved, 7, 1, vector, at,
                                wanted.data())
                .ok());
    for (std::size_t c = 0; c < 7; ++c) {
      CHECK(static_cast<float>(turned[c]) == wanted[c]);
    }
    CHECK(turned[6] == 3);
  }
}

TEST_CASE("biases of keys that a causal mask hides are not read", "[attention]") {
  Numbers hidden(1 * 2 * 2, 0.5);
  hidden[1] = -std::numeric_limits<double>::infinity();
  CHECK(posenc::attend_sentence(Tokens{1, 2}, {8, 1, true}, 7, std::nullopt, {{}, hidden}).ok());
  const auto seen =
      posenc::attend_sentence(Tokens{1, 2}, {8, 1, false}, 7, std::nullopt, {{}, hidden});
  REQUIRE_FALSE(seen.ok());
  CHECK(seen.error().name == "bias");
}

TEST_CASE("positions of wrong shapes and values are a typed error", "[attention]") {
  const auto name_of = [](const AttentionPositions& positions) {
    const auto result =
        posenc::attend_sentence(Tokens{1, 2}, {8, 2, false}, 7, std::nullopt, positions);
    return result.ok() ? std::string() : std::string(result.error().name);
  };
  const Numbers three(3, 1.0);
  const Numbers infinite{1, std::numeric_limits<double>::infinity()};
  const Numbers seven(7, 1.0);
  Numbers eight(8, 1.0);
  CHECK(name_of({three, {}}) == "inverseFrequencies");
  CHECK(name_of({infinite, {}}) == "inverseFrequencies");
  CHECK(name_of({{}, seven}) == "bias");
  CHECK(name_of({{}, eight}).empty());
  eight[5] = 1.1e9;
  CHECK(name_of({{}, eight}) == "bias");
  eight[5] = std::numeric_limits<double>::quiet_NaN();
  CHECK(name_of({{}, eight}) == "bias");
}
