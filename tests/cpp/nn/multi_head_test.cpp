#include "nn/multi_head.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "catch.h"
#include "check.h"
#include "codes/alibi.h"
#include "codes/rope.h"
#include "codes/sinusoidal.h"
#include "codes/t5_bias.h"
#include "nn/attention.h"

namespace posenc {
namespace {

constexpr Index reach = 40;
const std::vector<double> two_frequencies = {1.0, 0.3};

/// One layer at random weights, with a turn, a bias or neither.
struct Layer {
  MultiHeadShape shape;
  std::vector<std::int32_t> positions;
  std::vector<double> y;
  std::array<std::vector<double>, 4> matrices;  // query, key, value, output
  TurnTable<double> turns;
  OffsetBias<double> bias;
  bool turned = false;
  MultiHeadCache<double> cache;
  MultiHeadScratch<double> scratch;

  explicit Layer(const MultiHeadShape& of_layer)
      : shape(of_layer), positions(consecutive(static_cast<std::size_t>(of_layer.length))) {
    const auto d = static_cast<std::size_t>(shape.d_model);
    y = random_values(static_cast<std::size_t>(shape.rows()) * d, 1);
    for (std::size_t i = 0; i < 4; ++i) {
      matrices[i] = random_values(d * d, static_cast<std::uint32_t>(i + 2));
      for (double& weight : matrices[i]) {
        weight /= std::sqrt(static_cast<double>(d));
      }
    }
  }

  void turn(double factor = 1) {
    turned = true;
    fill_turns(turns, positions, two_frequencies, shape.d_model, factor);
  }

  void add_bias(std::uint32_t seed) {
    bias.reach = reach;
    bias.values = random_values(static_cast<std::size_t>(shape.heads * bias.offsets()), seed);
  }

  [[nodiscard]] MultiHeadMatrices<const double> weights() const {
    return {matrices[0].data(), matrices[1].data(), matrices[2].data(), matrices[3].data()};
  }
  [[nodiscard]] ScorePositions<double> score_positions() const {
    return {positions, turned ? &turns : nullptr, &bias};
  }

  /// (B * T, d)
  std::vector<double> forward(bool keep_weights = true) {
    std::vector<double> x(y.size());
    multi_head_forward(x.data(), cache, scratch, y.data(), weights(), score_positions(), shape,
                       keep_weights);
    return x;
  }

  [[nodiscard]] std::vector<float> weights_of(Index sequence, Index head) const {
    std::vector<float> out(static_cast<std::size_t>(shape.length * shape.length));
    attention_weights(out.data(), cache, score_positions(), shape, sequence, head);
    return out;
  }
};

void check_gradients(Layer layer) {
  const std::vector<double> dx = random_values(layer.y.size(), 20);
  const auto loss = [&] { return dot(layer.forward(), dx); };
  loss();
  std::array<std::vector<double>, 4> gradients;
  for (auto& gradient : gradients) {
    gradient.resize(layer.matrices[0].size());
  }
  std::vector<double> dy(layer.y.size());
  std::vector<double> dbias(layer.bias.values.size());
  multi_head_backward(dy.data(),
                      MultiHeadMatrices<double>{gradients[0].data(), gradients[1].data(),
                                                gradients[2].data(), gradients[3].data()},
                      dbias.empty() ? nullptr : dbias.data(), dx.data(), layer.cache, layer.scratch,
                      layer.y.data(), layer.weights(), layer.score_positions(), layer.shape);
  CHECK(gradient_error(layer.y, dy, loss) < largest_gradient_error);
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    CHECK(gradient_error(layer.matrices[i], gradients[i], loss) < largest_gradient_error);
  }
  CHECK(gradient_error(layer.bias.values, dbias, loss) < largest_gradient_error);
}

TEST_CASE("Gradients of attention, at every length around a block of four") {
  for (const bool causal : {true, false}) {
    for (const Index length : {1, 2, 3, 4, 5, 7, 8, 9}) {
      CAPTURE(causal, length);
      check_gradients(Layer({2, length, 8, 2, causal}));
    }
  }
}

TEST_CASE("Gradients of attention with other numbers of heads") {
  for (const bool causal : {true, false}) {
    for (const Index heads : {1, 4, 8}) {
      CAPTURE(causal, heads);
      check_gradients(Layer({2, 5, 8, heads, causal}));
    }
  }
}

TEST_CASE("Gradients of attention with turns and biases, positions with gaps") {
  for (const bool causal : {true, false}) {
    CAPTURE(causal);
    Layer layer({2, 6, 8, 2, causal});
    layer.add_bias(7);
    check_gradients(layer);
    layer.positions = {0, 3, 4, 17, 30, 39};
    check_gradients(layer);
    layer.turn(1.2);
    check_gradients(layer);
  }
}

TEST_CASE("Attention for training is the attention of a sentence") {
  for (const bool causal : {true, false}) {
    CAPTURE(causal);
    Layer layer({1, 7, 8, 2, causal});
    layer.turn();
    AttentionWeights weights;
    const std::array<MatrixD*, 4> to = {&weights.query, &weights.key, &weights.value,
                                        &weights.output};
    for (std::size_t i = 0; i < 4; ++i) {
      *to.at(i) = Eigen::Map<const MatrixD>(layer.matrices.at(i).data(), 8, 8);
    }
    AttentionPositions positions;
    positions.inverse_frequencies = two_frequencies;
    MatrixD output;
    AttentionCache cache;
    REQUIRE(attention_forward(output, cache, Eigen::Map<const MatrixD>(layer.y.data(), 7, 8),
                              weights, {.d_model = 8, .heads = 2, .causal = causal}, positions)
                .ok());
    const std::vector<double> x = layer.forward();
    CHECK((Eigen::Map<const MatrixD>(x.data(), 7, 8) - output).cwiseAbs().maxCoeff() < 1e-13);
    for (Index head = 0; head < 2; ++head) {
      const std::vector<float> of_head = layer.weights_of(0, head);
      CHECK((Eigen::Map<const MatrixF>(of_head.data(), 7, 7).cast<double>() -
             cache.weights.middleRows(head * 7, 7))
                .cwiseAbs()
                .maxCoeff() < 1e-7);
    }
  }
}

TEST_CASE("A pass that keeps no weights gives the same bits, and so do weights made once more") {
  for (const bool causal : {true, false}) {
    Layer layer({2, 7, 8, 2, causal});
    layer.add_bias(3);
    const std::vector<double> kept = layer.forward(true);
    const std::vector<double> weights = layer.cache.weights;
    CHECK(layer.forward(false) == kept);
    const std::vector<float> once_more = layer.weights_of(1, 1);
    const double* of_head = weights.data() + 168;  // after three heads of (7, 8)
    for (std::size_t query = 0; query < 7; ++query) {
      double sum = 0;
      for (std::size_t key = 0; key < 7; ++key) {
        const float weight = once_more[query * 7 + key];
        sum += static_cast<double>(weight);
        if (causal && key > query) {
          CHECK(weight == 0.0F);
        } else {
          CHECK(weight == static_cast<float>(of_head[query * 8 + key]));
        }
      }
      CHECK(sum == Approx(1));
    }
  }
}

TEST_CASE("Scores under turns depend on the offset alone") {
  for (const bool causal : {true, false}) {
    Layer layer({1, 6, 8, 2, causal});
    layer.turn();
    const std::vector<double> here = layer.forward();
    for (std::int32_t& position : layer.positions) {
      position += 1000;
    }
    layer.turn();
    const std::vector<double> there = layer.forward();
    layer.positions = {0, 2, 4, 6, 8, 10};
    layer.turn();
    const std::vector<double> wider = layer.forward();
    double moved = 0;
    double stretched = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      moved = std::max(moved, std::abs(here[i] - there[i]));
      stretched = std::max(stretched, std::abs(here[i] - wider[i]));
    }
    CHECK(moved < 1e-11);
    CHECK(stretched > 1e-3);
  }
}

TEST_CASE("Turns equal those of encoding/rope, the factor included") {
  const std::vector<std::int32_t> positions = {0, 1, 5, 400};
  TurnTable<double> turns;
  fill_turns(turns, positions, two_frequencies, 8, 1.5);
  std::vector<double> x = random_values(32, 1);
  std::vector<double> expected = x;
  turn_forward(x.data(), turns, 1, 4, 8);
  for (std::size_t t = 0; t < 4; ++t) {
    for (std::size_t head = 0; head < 2; ++head) {
      rope_turn(two_frequencies, positions[t], &expected[t * 8 + head * 4]);
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(x[i] == Approx(1.5 * expected[i]).margin(1e-13));
  }
}

/// The addends of all heads, row = query, without the columns that pad.
template <class T>
std::vector<T> addends(const OffsetBias<T>& bias, Index heads,
                       const std::vector<std::int32_t>& positions, bool causal) {
  const auto length = static_cast<Index>(positions.size());
  std::vector<T> rows(static_cast<std::size_t>(length * padded(length)));
  std::vector<T> all;
  for (Index head = 0; head < heads; ++head) {
    fill_score_addends(rows.data(), bias, head, positions, causal);
    for (Index query = 0; query < length; ++query) {
      const auto row = rows.begin() + query * padded(length);
      all.insert(all.end(), row, row + length);
      CHECK(std::all_of(row + length, row + padded(length),
                        [](T pad) { return pad == -std::numeric_limits<T>::infinity(); }));
    }
  }
  return all;
}

TEST_CASE("ALiBi's addends equal those of encoding/alibi") {
  for (const bool causal : {true, false}) {
    for (const Index heads : {1, 2, 8}) {
      OffsetBias<float> bias;
      fill_alibi(bias, heads, 21, 8);
      const BiasShape shape{heads, 21, 21, causal};
      std::vector<float> expected(static_cast<std::size_t>(heads * 21 * 21));
      fill_alibi_bias(shape, alibi_slopes(heads).value().data(), 0,
                      static_cast<std::int64_t>(expected.size()), expected.data());
      CHECK(addends(bias, heads, consecutive(21), causal) == expected);
    }
  }
}

TEST_CASE("ALiBi's exponent sets the slopes") {
  OffsetBias<double> bias;
  fill_alibi(bias, 4, 3, 4);
  for (Index head = 0; head < 4; ++head) {
    const auto at = static_cast<std::size_t>(head * 5);
    CHECK(bias.values[at + 2] == 0.0);
    CHECK(bias.values[at + 1] == -std::pow(2.0, -static_cast<double>(head + 1)));
    CHECK(bias.values[at + 4] == 2 * bias.values[at + 1]);
  }
}

TEST_CASE("T5's addends equal those of encoding/t5_bias") {
  for (const bool causal : {true, false}) {
    const T5Buckets buckets{.bidirectional = !causal, .num_buckets = 8, .max_distance = 16};
    const Index heads = 3;
    const std::vector<double> values = random_values(24, 4);
    OffsetBias<double> bias;
    t5_bias_forward(bias, values.data(), t5_bucket_of_offsets(buckets, 30), heads, 30);
    const BiasShape shape{heads, 30, 30, causal};
    std::vector<float> expected(static_cast<std::size_t>(heads * 30 * 30));
    fill_t5_bias(shape, buckets, values.data(), 0, static_cast<std::int64_t>(expected.size()),
                 expected.data());
    const std::vector<double> made = addends(bias, heads, consecutive(30), causal);
    CHECK(std::equal(made.begin(), made.end(), expected.begin(), [](double entry, float wanted) {
      return static_cast<float>(entry) == wanted;
    }));
  }
}

TEST_CASE("Rows of the sinusoidal code equal those of encoding/sinusoidal") {
  const std::vector<std::int32_t> positions = {0, 1, 7, 1024};
  std::vector<double> rows(32);
  sinusoidal_code_rows(rows.data(), positions, 8, 500, 0.5);
  for (std::size_t t = 0; t < 4; ++t) {
    const VectorD expected = sinusoidal_row(positions[t], 8, 500);
    for (std::size_t c = 0; c < 8; ++c) {
      CHECK(rows[t * 8 + c] == Approx(0.5 * expected[static_cast<Index>(c)]).margin(1e-15));
    }
  }
}

}  // namespace
}  // namespace posenc
