#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "model_check.h"

namespace posenc {
namespace {

LabOptions options_of(PositionCode code, bool causal, std::int64_t layers = 2) {
  LabOptions options = small_options(code);
  options.causal = causal;
  options.layers = layers;
  options.mlp = true;
  return options;
}

const ParameterBlock& block_of(const std::vector<ParameterBlock>& blocks, const std::string& name) {
  return *std::find_if(blocks.begin(), blocks.end(),
                       [&](const ParameterBlock& block) { return block.name == name; });
}

template <class T>
std::vector<T> values_of(const LabModel<T>& model, const std::string& name) {
  const ParameterBlock& block = block_of(model.blocks(), name);
  const auto first = model.parameters().begin() + block.offset;
  return {first, first + block.rows * block.columns};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

/// `steps` updates on the same batch; the losses on the way.
template <class T>
std::vector<double> train(LabModel<T>& model, std::vector<T>& first, std::vector<T>& second,
                          const SmallInput& input, int steps, double decay = 0) {
  std::vector<double> losses;
  AdamWStep step;
  step.rate = 0.01;
  step.weight_decay = decay;
  for (step.number = 1; step.number <= steps; ++step.number) {
    model.forward(input.view());
    losses.push_back(model.backward(input.view(), input.targets).loss);
    update_model<T>(model, first, second, step, 1);
  }
  return losses;
}

TEST_CASE("float and double agree, and every pass gives the same logits") {
  const SmallInput input(3, 7);
  for (const PositionCode code : all_codes) {
    for (const bool causal : {true, false}) {
      CAPTURE(static_cast<int>(code), causal);
      LabModel<float> model(options_of(code, causal), small_shape(code));
      LabModel<double> exact(options_of(code, causal), small_shape(code));
      const std::vector<float> logits = logits_of(model, input);
      const std::vector<double> expected = logits_of(exact, input);
      CHECK(largest_difference({logits.begin(), logits.end()}, expected) < 1e-5);
      CHECK(logits_of(model, input, {}, Pass::training) == logits);
      CHECK(logits_of(model, input, {}, Pass::inspection) == logits);
    }
  }
}

TEST_CASE("Without positions and mask, outputs move with their words") {
  SmallInput input(1, 7);
  input.tokens = {0, 1, 2, 3, 4, 1, 1};
  const std::vector<std::size_t> order = {4, 0, 6, 2, 5, 1, 3};
  SmallInput moved = input;
  for (std::size_t t = 0; t < order.size(); ++t) {
    moved.tokens[t] = input.tokens[order[t]];
  }
  for (const PositionCode code : all_codes) {
    CAPTURE(static_cast<int>(code));
    LabModel<double> model(options_of(code, false), small_shape(code));
    shake_parameters(model, 4);
    const std::vector<double> logits = logits_of(model, input);
    const std::vector<double> after = logits_of(model, moved);
    double largest = 0;
    for (std::size_t t = 0; t < order.size(); ++t) {
      for (std::size_t c = 0; c < 4; ++c) {
        largest = std::max(largest, std::abs(after[t * 4 + c] - logits[order[t] * 4 + c]));
      }
    }
    if (code == PositionCode::nope) {
      CHECK(largest < 1e-12);
    } else {
      CHECK(largest > 1e-6);
    }
  }
}

TEST_CASE("Under the mask a later token changes no earlier logit, and sequences do not mix") {
  const SmallInput input(2, 7);
  SmallInput changed = input;
  changed.tokens[5] = (input.tokens[5] + 1) % 5;  // the first sequence's
  for (const PositionCode code : all_codes) {
    for (const bool causal : {true, false}) {
      CAPTURE(static_cast<int>(code), causal);
      LabModel<float> model(options_of(code, causal), small_shape(code));
      const std::vector<float> logits = logits_of(model, input);
      const std::vector<float> after = logits_of(model, changed);
      const bool earlier_same = std::equal(logits.begin(), logits.begin() + 20, after.begin());
      CHECK(earlier_same == causal);
      CHECK_FALSE(std::equal(logits.begin() + 20, logits.begin() + 28, after.begin() + 20));
      CHECK(std::equal(logits.begin() + 28, logits.end(), after.begin() + 28));
    }
  }
}

TEST_CASE("A longer pass gives the shorter one's logits at its positions") {
  const SmallInput longer(1, 9);
  SmallInput shorter(1, 6);
  std::copy_n(longer.tokens.begin(), 6, shorter.tokens.begin());
  for (const PositionCode code : all_codes) {
    LabModel<float> model(options_of(code, true), small_shape(code));
    const std::vector<float> of_longer = logits_of(model, longer);
    const std::vector<float> of_shorter = logits_of(model, shorter);
    CHECK(std::equal(of_shorter.begin(), of_shorter.end(), of_longer.begin()));
  }
}

TEST_CASE("Relative codes do not see where a sequence starts, absolute ones do") {
  const SmallInput input(2, 6);
  SmallInput moved = input;
  for (std::int32_t& position : moved.positions) {
    position += 5;
  }
  for (const PositionCode code : all_codes) {
    CAPTURE(static_cast<int>(code));
    LabModel<double> model(options_of(code, true), small_shape(code));
    shake_parameters(model, 5);
    const double difference = largest_difference(logits_of(model, input), logits_of(model, moved));
    if (code == PositionCode::sinusoidal || code == PositionCode::learned) {
      CHECK(difference > 1e-3);
    } else {
      CHECK(difference < 1e-12);
    }
  }
}

TEST_CASE("Overrides last for one pass") {
  const SmallInput input(1, 6);
  LabModel<double> rope(options_of(PositionCode::rope, true), small_shape(PositionCode::rope));
  const std::vector<double> trained = logits_of(rope, input);
  ModelOverrides<double> overrides;
  overrides.attention_factor = 1.4;
  CHECK(logits_of(rope, input, overrides) != trained);
  CHECK(logits_of(rope, input) == trained);
  overrides.attention_factor = 1;
  overrides.inverse_frequencies = {1, 0.01};  // those of base 10000
  CHECK(largest_difference(logits_of(rope, input, overrides), trained) < 1e-15);
  overrides.inverse_frequencies = {0.5, 0.005};
  SmallInput stretched = input;
  stretched.positions = {0, 2, 4, 6, 8, 10};
  CHECK(largest_difference(logits_of(rope, stretched, overrides), trained) < 1e-12);

  LabModel<double> learned(options_of(PositionCode::learned, true),
                           small_shape(PositionCode::learned));
  const std::vector<double> own = logits_of(learned, input);
  const std::vector<double> table = values_of(learned, "positions");
  ModelOverrides<double> rows;
  rows.position_rows = std::span(table).first(48);
  CHECK(logits_of(learned, input, rows) == own);
  rows.position_rows = std::span(table).subspan(8, 48);
  CHECK(logits_of(learned, input, rows) != own);
}

TEST_CASE("Weights are a function of the seed and the block alone") {
  const PositionCode code = PositionCode::learned;
  const LabModel<float> two(options_of(code, true), small_shape(code));
  LabOptions one_layer = options_of(PositionCode::t5, false, 1);
  one_layer.mlp = false;
  const LabModel<float> one(one_layer, small_shape(PositionCode::t5));
  for (const char* name : {"tokens", "layer0.query", "layer0.output", "norm.gain", "readout"}) {
    CHECK(values_of(one, name) == values_of(two, name));
  }
  CHECK(values_of(two, "layer0.query") != values_of(two, "layer0.key"));
  CHECK(values_of(two, "layer0.query") != values_of(two, "layer1.query"));
  CHECK(values_of(one, "t5") == std::vector<float>(8));
  LabOptions other_seed = options_of(code, true);
  other_seed.seed = 43;
  CHECK(values_of(LabModel<float>(other_seed, small_shape(code)), "tokens") !=
        values_of(two, "tokens"));
}

TEST_CASE("Blocks cover the buffer without gaps; only matrices decay") {
  for (const PositionCode code : all_codes) {
    const LabOptions options = options_of(code, true);
    const LabModel<float> model(options, small_shape(code));
    std::int64_t next = 0;
    for (const ParameterBlock& block : model.blocks()) {
      CHECK(block.offset == next);
      next += block.rows * block.columns;
      const bool is_table =
          block.name == "tokens" || block.name == "positions" || block.name == "t5";
      CHECK(block.decays == (block.rows > 1 && !is_table));
    }
    CHECK(next == static_cast<std::int64_t>(model.parameters().size()));
    CHECK(next == model_parameters(options, small_shape(code)));
  }
}

TEST_CASE("Attention of a pass: rows sum to 1, and a training pass shows the same") {
  const SmallInput input(3, 6);
  LabModel<float> model(options_of(PositionCode::alibi, true), small_shape(PositionCode::alibi));
  model.forward(input.view(), {}, Pass::inspection);
  const std::vector<float> weights = model.attention(1, 1, 2);
  REQUIRE(weights.size() == 36);
  for (std::size_t query = 0; query < 6; ++query) {
    float sum = 0;
    for (std::size_t key = 0; key < 6; ++key) {
      sum += weights[query * 6 + key];
      CHECK((weights[query * 6 + key] > 0) == (key <= query));
    }
    CHECK(sum == Approx(1));
  }
  CHECK(model.attention(0, 1, 2) != weights);
  model.forward(input.view());
  CHECK(model.attention(1, 1, 2) == weights);
}

TEST_CASE("Training a small batch brings its loss down, whatever the code") {
  const SmallInput input(2, 6);
  for (const PositionCode code : all_codes) {
    CAPTURE(static_cast<int>(code));
    LabModel<float> model(options_of(code, true), small_shape(code));
    std::vector<float> first(model.parameters().size());
    std::vector<float> second(first.size());
    const std::vector<double> losses = train(model, first, second, input, 200);
    CHECK(losses.back() < 0.1 * losses.front());
  }
}

TEST_CASE("Rows of the table that no gradient reached keep values, and moments of exactly 0") {
  LabModel<float> model(options_of(PositionCode::learned, true),
                        small_shape(PositionCode::learned));
  const std::vector<float> before = values_of(model, "positions");
  std::vector<float> first(model.parameters().size());
  std::vector<float> second(first.size());
  train(model, first, second, SmallInput(2, 6), 5, 0.1);
  const std::vector<float> after = values_of(model, "positions");
  const auto offset = static_cast<std::size_t>(block_of(model.blocks(), "positions").offset);
  for (std::size_t row = 0; row < small_reach; ++row) {
    bool has_moment = false;
    bool has_moved = false;
    for (std::size_t i = row * 8; i < (row + 1) * 8; ++i) {
      has_moment = has_moment || second[offset + i] != 0 || first[offset + i] != 0;
      has_moved = has_moved || before[i] != after[i];
    }
    CHECK(has_moment == (row < 6));
    CHECK(has_moved == (row < 6));
  }
}

TEST_CASE("Weight decay shrinks matrices and nothing else") {
  LabModel<float> model(options_of(PositionCode::learned, true),
                        small_shape(PositionCode::learned));
  const std::vector<float> before(model.parameters().begin(), model.parameters().end());
  std::vector<float> first(before.size());
  std::vector<float> second(before.size());
  REQUIRE(gradient_norm<float>(model.gradients()) == 0.0);  // there was no backward pass yet
  AdamWStep step;
  step.rate = 0.5;
  step.weight_decay = 0.5;
  CHECK(update_model<float>(model, first, second, step, 1) == 0.0);
  for (const ParameterBlock& block : model.blocks()) {
    for (std::int64_t i = block.offset; i < block.offset + block.rows * block.columns; ++i) {
      const auto at = static_cast<std::size_t>(i);
      CHECK(model.parameters()[at] ==
            (block.decays ? before[at] - 0.25F * before[at] : before[at]));
    }
  }
}

TEST_CASE("The same bits from a model that was moved, or gave its memory back on the way") {
  const SmallInput input(2, 7);
  const SmallInput longer(3, 10, 9);
  for (const PositionCode code : all_codes) {
    CAPTURE(static_cast<int>(code));
    LabModel<float> model(options_of(code, true), small_shape(code));
    LabModel<float> started(options_of(code, true), small_shape(code));
    std::vector<float> first(model.parameters().size());
    std::vector<float> second(first.size());
    std::vector<float> first_again = first;
    std::vector<float> second_again = first;
    std::vector<double> losses = train(model, first, second, input, 3);
    const std::vector<double> once_more = train(model, first, second, input, 3);
    losses.insert(losses.end(), once_more.begin(), once_more.end());

    std::vector<double> again = train(started, first_again, second_again, input, 3);
    started.release_buffers();
    LabModel<float> moved = std::move(started);
    logits_of(moved, longer);  // larger buffers, other positions, no caches of two layers
    const std::vector<double> rest = train(moved, first_again, second_again, input, 3);
    again.insert(again.end(), rest.begin(), rest.end());
    CHECK(again == losses);
    CHECK(logits_of(moved, longer) == logits_of(model, longer));
  }
}

TEST_CASE("An evaluation takes less memory than an inspection, and that less than training") {
  const LabOptions options = options_of(PositionCode::rope, true);
  const ModelShape shape = small_shape(PositionCode::rope);
  const double evaluation = pass_memory(options, shape, 4, 10, Pass::evaluation);
  const double inspection = pass_memory(options, shape, 4, 10, Pass::inspection);
  const double training = pass_memory(options, shape, 4, 10, Pass::training);
  CHECK(evaluation < inspection);
  CHECK(inspection < training);
  // The weights of two layers alone.
  CHECK(training > 2 * 4 * 2 * 10 * 12 * 4);
  CHECK(pass_memory(options, shape, 8, 10, Pass::training) > 1.8 * training);
}

}  // namespace
}  // namespace posenc
