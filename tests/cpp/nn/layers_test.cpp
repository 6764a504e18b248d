#include <cmath>
#include <span>
#include <vector>

#include "catch.h"
#include "check.h"
#include "nn/embedding.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/loss.h"
#include "nn/mlp.h"

namespace posenc {
namespace {

using Values = std::vector<double>;

TEST_CASE("Gradients of a linear layer") {
  for (const auto& [rows, in, out] :
       {LinearShape{5, 8, 3}, LinearShape{1, 4, 8}, LinearShape{6, 12, 12}, LinearShape{3, 5, 2}}) {
    const LinearShape shape{rows, in, out};
    CAPTURE(rows, in, out);
    const auto size = [](Index a, Index b) { return static_cast<std::size_t>(a * b); };
    Values x = random_values(size(rows, in), 1);
    Values weight = random_values(size(in, out), 2);
    Values bias = random_values(size(out, 1), 3);
    const Values dy = random_values(size(rows, out), 4);
    Values y(size(rows, out));
    const auto loss = [&] {
      linear_forward(y.data(), x.data(), weight.data(), bias.data(), Product::set, shape);
      return dot(y, dy);
    };
    Values dx(x.size());
    Values dweight(weight.size());
    Values dbias(bias.size());
    Values transposed(weight.size());
    linear_backward(dx.data(), Product::set, dweight.data(), dbias.data(), transposed.data(),
                    dy.data(), x.data(), weight.data(), shape);
    CHECK(gradient_error(x, dx, loss) < largest_gradient_error);
    CHECK(gradient_error(weight, dweight, loss) < largest_gradient_error);
    CHECK(gradient_error(bias, dbias, loss) < largest_gradient_error);

    // A second time: weights' gradients add up, and so does dx where that is asked for.
    const Values once = dweight;
    const Values dx_once = dx;
    linear_backward(dx.data(), Product::add, dweight.data(), dbias.data(), transposed.data(),
                    dy.data(), x.data(), weight.data(), shape);
    CHECK(dweight[0] == Approx(2 * once[0]));
    CHECK(dx[0] == Approx(2 * dx_once[0]));
  }
}

TEST_CASE("Layer norm: zero mean, unit variance, and its gradients") {
  for (const LayerNormShape shape :
       {LayerNormShape{3, 8}, LayerNormShape{1, 4}, LayerNormShape{4, 16}}) {
    const auto entries = static_cast<std::size_t>(shape.rows * shape.columns);
    const auto columns = static_cast<std::size_t>(shape.columns);
    Values x = random_values(entries, 1);
    Values gain(columns, 1.0);
    Values bias(columns);
    Values y(entries);
    Values normalized(entries);
    Values inverse(static_cast<std::size_t>(shape.rows));
    const auto forward = [&] {
      layer_norm_forward(y.data(), normalized.data(), inverse.data(), x.data(), gain.data(),
                         bias.data(), shape);
    };
    forward();
    for (std::size_t row = 0; row < entries; row += columns) {
      double mean = 0;
      double square = 0;
      for (std::size_t c = row; c < row + columns; ++c) {
        mean += y[c] / static_cast<double>(columns);
        square += y[c] * y[c] / static_cast<double>(columns);
      }
      CHECK(mean == Approx(0).margin(1e-14));
      CHECK(square == Approx(1).epsilon(1e-3));
    }

    gain = random_values(columns, 2);
    bias = random_values(columns, 3);
    const Values dy = random_values(entries, 4);
    const auto loss = [&] {
      forward();
      return dot(y, dy);
    };
    loss();
    const Values before = random_values(entries, 5);  // what runs along the residual path
    Values dx = before;
    Values dgain(columns);
    Values dbias(columns);
    layer_norm_backward(dx.data(), dgain.data(), dbias.data(), dy.data(), normalized.data(),
                        inverse.data(), gain.data(), shape);
    for (std::size_t i = 0; i < entries; ++i) {
      dx[i] -= before[i];
    }
    CHECK(gradient_error(x, dx, loss) < largest_gradient_error);
    CHECK(gradient_error(gain, dgain, loss) < largest_gradient_error);
    CHECK(gradient_error(bias, dbias, loss) < largest_gradient_error);
  }
}

TEST_CASE("Gradients of the feed-forward layer") {
  const MlpShape shape{5, 8, 12};
  Values y = random_values(40, 1);
  Values expand = random_values(96, 2);
  Values expand_bias = random_values(12, 3);
  Values contract = random_values(96, 4);
  Values contract_bias = random_values(8, 5);
  const Values dx = random_values(40, 6);
  const MlpMatrices<const double> weights{expand.data(), expand_bias.data(), contract.data(),
                                          contract_bias.data()};
  Values hidden;
  const auto loss = [&] {
    Values x(40);
    mlp_forward(x.data(), hidden, y.data(), weights, shape);
    return dot(x, dx);
  };
  loss();
  Values dy(40);
  Values dexpand(96);
  Values dexpand_bias(12);
  Values dcontract(96);
  Values dcontract_bias(8);
  MlpScratch<double> scratch;
  mlp_backward(dy.data(),
               MlpMatrices<double>{dexpand.data(), dexpand_bias.data(), dcontract.data(),
                                   dcontract_bias.data()},
               dx.data(), hidden, scratch, y.data(), weights, shape);
  CHECK(gradient_error(y, dy, loss) < largest_gradient_error);
  CHECK(gradient_error(expand, dexpand, loss) < largest_gradient_error);
  CHECK(gradient_error(expand_bias, dexpand_bias, loss) < largest_gradient_error);
  CHECK(gradient_error(contract, dcontract, loss) < largest_gradient_error);
  CHECK(gradient_error(contract_bias, dcontract_bias, loss) < largest_gradient_error);
}

TEST_CASE("Gradients of the embedding; a token that does not occur gets none") {
  const EmbeddingShape shape{2, 3, 4};
  const std::vector<std::int32_t> tokens = {0, 2, 2, 4, 0, 2};
  Values table = random_values(20, 1);
  Values codes = random_values(12, 2);
  const Values dx = random_values(24, 3);
  Values x(24);
  const auto loss = [&] {
    embedding_forward(x.data(), tokens.data(), table.data(), codes.data(), shape);
    return dot(x, dx);
  };
  Values dtable(20);
  Values dcodes(12);
  embedding_backward(dtable.data(), dcodes.data(), dx.data(), tokens.data(), shape);
  CHECK(gradient_error(table, dtable, loss) < largest_gradient_error);
  CHECK(gradient_error(codes, dcodes, loss) < largest_gradient_error);
  for (const std::size_t unused : {1U, 3U}) {
    for (std::size_t c = 0; c < 4; ++c) {
      CHECK(dtable[unused * 4 + c] == 0.0);
    }
  }
}

/// log(sum exp) - target, by the C library.
double reference_loss(std::span<const double> logits, std::size_t target) {
  double sum = 0;
  for (const double logit : logits) {
    sum += std::exp(logit);
  }
  return std::log(sum) - logits[target];
}

TEST_CASE("Cross-entropy: value, gradient, and what counts as right") {
  for (const std::size_t classes : {2U, 3U, 4U, 7U, 8U, 34U}) {
    CAPTURE(classes);
    const auto count = static_cast<Index>(classes);
    const std::vector<std::int32_t> targets = {1, -1, 0, static_cast<std::int32_t>(classes) - 1};
    Values logits = random_values(4 * classes, 1);
    const auto row = [&](std::size_t r) {
      return std::span<const double>(logits).subspan(r * classes, classes);
    };
    const auto loss = [&] { return cross_entropy_forward<double>(logits, targets, count).loss; };
    Values dlogits(logits.size(), 9.0);
    const Judgement judgement = cross_entropy_backward<double>(dlogits, logits, targets, count);
    const double expected = (reference_loss(row(0), 1) + reference_loss(row(2), 0) +
                             reference_loss(row(3), classes - 1)) /
                            3;
    CHECK(judgement.loss == Approx(expected).epsilon(1e-14));
    CHECK(judgement.loss == loss());
    CHECK(judgement.judged == 3);
    CHECK(gradient_error(logits, dlogits, loss) < largest_gradient_error);
    for (std::size_t c = 0; c < classes; ++c) {
      CHECK(dlogits[classes + c] == 0.0);
    }

    std::int64_t right = 0;
    for (const std::size_t r : {0U, 2U, 3U}) {
      const RowJudgement judged = judge_row<double>(row(r), targets[r]);
      CHECK(judged.loss == Approx(reference_loss(row(r), static_cast<std::size_t>(targets[r]))));
      right += judged.predicted == targets[r] ? 1 : 0;
    }
    CHECK(judgement.right == right);
  }
}

TEST_CASE("Cross-entropy of equal, of extreme and of no targets") {
  const std::vector<float> equal(8, 3.0F);
  CHECK(judge_row<float>(equal, 5).predicted == 0);
  CHECK(judge_row<float>(equal, 5).loss == Approx(std::log(8.0)));
  const std::vector<float> extreme = {-300.0F, 300.0F, 0.0F};
  CHECK(judge_row<float>(extreme, 1).loss == 0.0);
  CHECK(judge_row<float>(extreme, 0).loss == 600.0);
  std::vector<float> dlogits(3, 1.0F);
  const Judgement none =
      cross_entropy_backward<float>(dlogits, extreme, std::vector<std::int32_t>{-1}, 3);
  CHECK(none.loss == 0.0);
  CHECK(none.judged == 0);
  CHECK(dlogits == std::vector<float>(3, 0.0F));
}

}  // namespace
}  // namespace posenc
