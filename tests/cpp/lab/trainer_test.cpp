#include "lab/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "catch.h"
#include "trainer_runs.h"

namespace posenc {
namespace {

TEST_CASE("the same run twice gives the same bits, another seed others") {
  for (int code = 0; code < position_code_count; ++code) {
    LabOptions options = run_options(LabTask::back, static_cast<PositionCode>(code), 20);
    Trainer one = Trainer::create(options).value();
    Trainer other = Trainer::create(options).value();
    const Log log = train(one, 20);
    CHECK(train(other, 20).losses == log.losses);
    CHECK(one.snapshot() == other.snapshot());
    ++options.seed;
    Trainer third = Trainer::create(options).value();
    CHECK(train(third, 20).losses != log.losses);
  }
}

TEST_CASE("a run's bits do not depend on how its steps are split or what is asked in between") {
  LabOptions options = run_options(LabTask::latest, PositionCode::learned, 30);
  options.up_to = true;
  options.randomized = true;
  Trainer whole = Trainer::create(options).value();
  const Log expected = train(whole, 30);

  Trainer split = Trainer::create(options).value();
  Log log;
  for (const std::int64_t steps : {1, 0, 7, 2, 15, 99}) {
    REQUIRE(split.train(steps, log.losses, log.accuracies).ok());
    curve_of(split, {}, 3);
    REQUIRE(split.attention(0, 1, 40, 2, {}).ok());
    REQUIRE(split.table().ok());
  }
  CHECK(log.losses == expected.losses);
  CHECK(log.accuracies == expected.accuracies);
  CHECK(split.snapshot() == whole.snapshot());
}

TEST_CASE("a run stops at its last step") {
  Trainer trainer = Trainer::create(run_options(LabTask::seen, PositionCode::nope, 12)).value();
  CHECK(train(trainer, 5).losses.size() == 5);
  CHECK(trainer.info().step == 5);
  CHECK(train(trainer, 1000).losses.size() == 7);
  CHECK(train(trainer, 1000).losses.empty());
  CHECK(trainer.info().step == 12);
  Log log;
  CHECK(trainer.train(-1, log.losses, log.accuracies).error().name == "steps");
}

TEST_CASE("a run begins at the loss of a model that knows nothing, and learns") {
  for (int code = 0; code < position_code_count; ++code) {
    const auto options = run_options(LabTask::seen, static_cast<PositionCode>(code), 150);
    Trainer trainer = Trainer::create(options).value();
    const Log log = train(trainer, 150);
    CAPTURE(position_code_name(options.code));
    CHECK(log.losses.front() > 0.4);
    CHECK(log.losses.front() < 1.5);
    CHECK(std::accumulate(log.losses.end() - 20, log.losses.end(), 0.0) / 20 < 0.3);
  }
}

TEST_CASE("a trainer tells what it is") {
  LabOptions options = run_options(LabTask::order, PositionCode::learned);
  TrainerInfo info = Trainer::create(options).value().info();
  CHECK(info.rows == 64);
  CHECK(info.wall == 0);
  CHECK(info.max_length == 64);
  CHECK(info.task.inputs == 10);
  CHECK(info.task.outputs == 2);
  CHECK(info.task.chance == 0.5);
  CHECK(info.solvability.verdict == Solvable::yes);
  CHECK(info.memory_bytes == lab_memory(options));

  options.wall = true;
  const std::int64_t longer = info.parameters;
  info = Trainer::create(options).value().info();
  CHECK(info.rows == 16);
  CHECK(info.wall == 17);
  CHECK(longer - info.parameters == 48 * options.d_model);

  options.randomized = true;
  info = Trainer::create(options).value().info();
  CHECK(info.rows == 64);
  CHECK(info.wall == 0);

  options = run_options(LabTask::addition, PositionCode::learned);
  options.wall = true;
  info = Trainer::create(options).value().info();
  CHECK(info.rows == 50);
  CHECK(info.wall == 17);

  info = Trainer::create(run_options(LabTask::back, PositionCode::rope)).value().info();
  CHECK(info.rows == 0);
  CHECK(info.wall == 0);

  options.batch = 0;
  CHECK(Trainer::create(options).error().name == "batch");
}

TEST_CASE("lengths up to L are drawn anew at every step") {
  LabOptions options = run_options(LabTask::first, PositionCode::nope, 60);
  options.length = 5;
  options.batch = 1;
  // The accuracy of a single sequence of n tokens is a multiple of 1 / n.
  const auto multiples = [](const std::vector<float>& accuracies, int n) {
    return std::count_if(accuracies.begin(), accuracies.end(), [n](float accuracy) {
      const float right = accuracy * static_cast<float>(n);
      return std::abs(right - std::round(right)) < 1e-4F;
    });
  };
  Trainer fixed = Trainer::create(options).value();
  CHECK(multiples(train(fixed, 60).accuracies, 5) == 60);
  options.up_to = true;
  Trainer varying = Trainer::create(options).value();
  const Log log = train(varying, 60);
  for (const int n : {2, 3, 4, 5}) {
    CAPTURE(n);
    CHECK(multiples(log.accuracies, n) < 60);
    CHECK(multiples(log.accuracies, n) > 0);
  }
}

TEST_CASE("a step always has something to learn from") {
  // Two tokens of 32 that are to be equal: nearly every draw has no target.
  LabOptions options = run_options(LabTask::induction, PositionCode::rope, 60);
  options.length = 4;
  options.vocabulary = 32;
  options.batch = 1;
  options.up_to = true;
  Trainer trainer = Trainer::create(options).value();
  const Log log = train(trainer, 60);
  CHECK(std::all_of(log.losses.begin(), log.losses.end(), [](float loss) { return loss > 0; }));
  CHECK(std::none_of(log.accuracies.begin(), log.accuracies.end(),
                     [](float accuracy) { return std::isnan(accuracy); }));
}

TEST_CASE("rows that no gradient reached have no second moment and stay as they were drawn") {
  LabOptions options = run_options(LabTask::back, PositionCode::learned, 30);
  options.length = 10;
  options.weight_decay = 0.5;
  Trainer trainer = Trainer::create(options).value();
  const TrainedTable before = trainer.table().value();
  CHECK(before.rows == 40);
  CHECK(before.columns == 32);
  CHECK(before.gradient_rows == std::vector<std::uint8_t>(40, 0));

  train(trainer, 30);
  const TrainedTable after = trainer.table().value();
  for (std::size_t row = 0; row < 40; ++row) {
    CAPTURE(row);
    REQUIRE(after.gradient_rows[row] == (row < 10 ? 1 : 0));
    const auto first = static_cast<std::ptrdiff_t>(row * 32);
    const bool same = std::equal(after.values.begin() + first, after.values.begin() + first + 32,
                                 before.values.begin() + first);
    REQUIRE(same == (row >= 10));
  }
}

TEST_CASE("a table's rows begin with a standard deviation of a tenth") {
  const TrainedTable table =
      Trainer::create(run_options(LabTask::back, PositionCode::learned)).value().table().value();
  double squares = 0;
  for (const float value : table.values) {
    squares += double{value} * value;
  }
  // 2048 numbers: one deviation of this is 0.0016.
  CHECK(std::abs(std::sqrt(squares / static_cast<double>(table.values.size())) - 0.1) < 0.008);
}

TEST_CASE("the similarity of a table's rows is their cosine") {
  Trainer trainer = trained(run_options(LabTask::order, PositionCode::learned, 25));
  const TrainedTable table = trainer.table().value();
  REQUIRE(table.similarity.size() == 64 * 64);
  for (const std::size_t a : {0U, 5U, 63U}) {
    for (std::size_t b = 0; b < 64; ++b) {
      double dot = 0;
      double norm_a = 0;
      double norm_b = 0;
      for (std::size_t c = 0; c < 32; ++c) {
        const double x = table.values[a * 32 + c];
        const double y = table.values[b * 32 + c];
        dot += x * y;
        norm_a += x * x;
        norm_b += y * y;
      }
      REQUIRE(table.similarity[a * 64 + b] ==
              Approx(dot / std::sqrt(norm_a * norm_b)).margin(1e-5));
    }
  }
}

TEST_CASE("randomized positions reach rows past L, and in the end all of them") {
  LabOptions options = run_options(LabTask::latest, PositionCode::learned, 60);
  options.length = 8;
  options.randomized = true;
  options.wall = true;
  Trainer trainer = Trainer::create(options).value();
  const auto reached = [&] {
    const auto rows = trainer.table().value().gradient_rows;
    return std::accumulate(rows.begin(), rows.end(), 0);
  };
  train(trainer, 1);
  CHECK(reached() == 8);
  train(trainer, 59);
  CHECK(reached() == 32);
}

TEST_CASE("only a learned code has a table") {
  for (int code = 0; code < position_code_count; ++code) {
    const auto options = run_options(LabTask::back, static_cast<PositionCode>(code));
    const auto table = Trainer::create(options).value().table();
    CHECK(table.ok() == (options.code == PositionCode::learned));
    if (!table.ok()) {
      CHECK(table.error().name == "code");
    }
  }
}

TEST_CASE("an attention example is a sequence of the task with a row of weights a query") {
  for (const bool causal : {true, false}) {
    LabOptions options = run_options(LabTask::latest, PositionCode::rope, 20);
    options.causal = causal;
    options.layers = 2;
    Trainer trainer = trained(options);
    const AttentionExample example = trainer.attention(1, 3, 40, 7, {}).value();
    REQUIRE(example.length == 40);
    REQUIRE(example.weights.size() == 1600);
    for (std::size_t query = 0; query < 40; ++query) {
      double sum = 0;
      for (std::size_t key = 0; key < 40; ++key) {
        const float weight = example.weights[query * 40 + key];
        REQUIRE(weight >= 0);
        REQUIRE((weight > 0 || (causal && key > query)));
        REQUIRE((weight == 0 || !causal || key <= query));
        sum += weight;
      }
      CHECK(sum == Approx(1).margin(1e-5));
      const std::int32_t token = example.tokens[query];
      CHECK(example.targets[query] == (token != 0 ? token : example.targets[query - 1]));
      CHECK(example.predictions[query] >= 0);
      CHECK(example.predictions[query] < 9);
    }
    CHECK(trainer.attention(1, 3, 40, 8, {}).value().tokens != example.tokens);
    CHECK(trainer.attention(0, 3, 40, 7, {}).value().weights != example.weights);
    CHECK(trainer.attention(1, 3, 40, 7, {}).value().weights == example.weights);
  }
}

TEST_CASE("an attention example is bounded") {
  LabOptions options = run_options(LabTask::copy, PositionCode::learned, 4);
  options.wall = true;
  Trainer trainer = trained(options);
  CHECK(trainer.attention(0, 0, 16, 0, {}).value().length == 32);
  const Error past = trainer.attention(0, 0, 17, 0, {}).error();
  CHECK(past.code == ErrorCode::position_out_of_range);
  CHECK(past.position == 32);
  CHECK(past.t_max == 32);
  TestOptions zeros;
  zeros.extension = TableExtension::zeros;
  CHECK(trainer.attention(0, 0, 17, 0, zeros).value().length == 34);
  CHECK(trainer.attention(1, 0, 16, 0, {}).error().name == "layer");
  CHECK(trainer.attention(0, 4, 16, 0, {}).error().name == "head");
  CHECK(trainer.attention(0, -1, 16, 0, {}).error().name == "head");
  CHECK(trainer.attention(0, 0, 0, 0, {}).error().name == "length");
  CHECK(trainer.attention(0, 0, 65, 0, zeros).error().name == "length");
}

}  // namespace
}  // namespace posenc
