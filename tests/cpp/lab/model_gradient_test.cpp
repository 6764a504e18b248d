// Every parameter of whole models against central differences.
#include <span>
#include <string>
#include <vector>

#include "catch.h"
#include "model_check.h"

namespace posenc {
namespace {

/// Largest error over the blocks of parameters.
void check_model(const LabOptions& options, const SmallInput& input,
                 const ModelOverrides<double>& overrides = {}) {
  LabModel<double> model(options, small_shape(options.code));
  shake_parameters(model, 3);
  model.forward(input.view(), overrides);
  const Judgement judgement = model.backward(input.view(), input.targets);
  const std::vector<double> analytic(model.gradients().begin(), model.gradients().end());
  const auto loss = [&] {
    return cross_entropy_forward(model.forward(input.view(), overrides, Pass::evaluation),
                                 std::span<const std::int32_t>(input.targets), 4)
        .loss;
  };
  CHECK(judgement.loss == loss());
  for (const ParameterBlock& block : model.blocks()) {
    CAPTURE(block.name);
    const auto offset = static_cast<std::size_t>(block.offset);
    const auto size = static_cast<std::size_t>(block.rows * block.columns);
    CHECK(gradient_error(model.parameters().subspan(offset, size),
                         std::span(analytic).subspan(offset, size), loss) < largest_gradient_error);
  }
}

void check_codes(bool causal, bool mlp, std::int64_t layers) {
  for (const PositionCode code : all_codes) {
    CAPTURE(static_cast<int>(code), causal, mlp, layers);
    LabOptions options = small_options(code);
    options.causal = causal;
    options.mlp = mlp;
    options.layers = layers;
    check_model(options, SmallInput(2, 5));
  }
}

TEST_CASE("Gradients of one layer, attention only") {
  check_codes(true, false, 1);
  check_codes(false, false, 1);
}

TEST_CASE("Gradients of one layer with its MLP") {
  check_codes(true, true, 1);
  check_codes(false, true, 1);
}

TEST_CASE("Gradients of two layers, attention only") {
  check_codes(true, false, 2);
  check_codes(false, false, 2);
}

TEST_CASE("Gradients of two layers with their MLPs") {
  check_codes(true, true, 2);
  check_codes(false, true, 2);
}

TEST_CASE("Gradients at positions with gaps") {
  SmallInput input(2, 5);
  input.positions = {0, 2, 3, 9, 11};
  for (const bool causal : {true, false}) {
    for (const PositionCode code : all_codes) {
      CAPTURE(static_cast<int>(code), causal);
      LabOptions options = small_options(code);
      options.causal = causal;
      check_model(options, input);
    }
  }
}

TEST_CASE("Gradients when the frequencies and the factor are overridden") {
  ModelOverrides<double> overrides;
  overrides.inverse_frequencies = {0.7, 0.05};
  overrides.attention_factor = 1.3;
  check_model(small_options(PositionCode::rope), SmallInput(2, 5), overrides);
}

TEST_CASE("Rows that are handed in get no gradient, nor do the table's") {
  LabModel<double> model(small_options(PositionCode::learned), small_shape(PositionCode::learned));
  const SmallInput input(2, 5);
  const std::vector<double> rows = random_values(40, 8);
  ModelOverrides<double> overrides;
  overrides.position_rows = rows;
  model.forward(input.view(), overrides);
  model.backward(input.view(), input.targets);
  for (std::size_t i = 40; i < (5 + small_reach) * 8; ++i) {
    CHECK(model.gradients()[i] == 0.0);
  }
}

}  // namespace
}  // namespace posenc
