// What each code can and cannot learn: short runs of the default model.
#include <cmath>
#include <numeric>
#include <utility>

#include "catch.h"
#include "trainer_runs.h"

namespace posenc {
namespace {

constexpr double ln2 = 0.69314718055994531;

void check_learns(LabTask task, PositionCode code, std::int64_t steps) {
  CAPTURE(lab_task_name(task), position_code_name(code));
  const LabOptions options = run_options(task, code, steps);
  Trainer trainer = trained(options);
  const Curve curve = curve_of(trainer, {}, 128);
  CHECK(curve.inside >= 0.95);
  CHECK(solvability(options).verdict != Solvable::no);
}

TEST_CASE("absolute and relative codes learn what stood three back") {
  check_learns(LabTask::back, PositionCode::sinusoidal, 500);
  check_learns(LabTask::back, PositionCode::learned, 500);
  check_learns(LabTask::back, PositionCode::rope, 500);
  check_learns(LabTask::back, PositionCode::t5, 500);
}

TEST_CASE("ALiBi learns the latest token that is not blank") {
  check_learns(LabTask::latest, PositionCode::alibi, 500);
}

TEST_CASE("a causal model without positions learns whether a token was there") {
  check_learns(LabTask::seen, PositionCode::nope, 400);
}

TEST_CASE("a model without positions and without a mask is blind to order") {
  LabOptions options = run_options(LabTask::order, PositionCode::nope, 300);
  options.causal = false;
  REQUIRE(solvability(options).reason == "blind");
  Trainer trainer = Trainer::create(options).value();
  const Log log = train(trainer, 300);
  CHECK(std::abs(std::accumulate(log.losses.end() - 50, log.losses.end(), 0.0) / 50 - ln2) < 0.01);
  const Curve curve = curve_of(trainer, {}, 64);
  CHECK(std::abs(curve.losses[15] - ln2) < 0.01);
  CHECK(std::abs(accuracy_between(curve, 8, 32) - 0.5) < 0.05);
}

TEST_CASE("symmetric biases cannot tell left from right") {
  LabOptions options = run_options(LabTask::order, PositionCode::alibi, 300);
  options.causal = false;
  REQUIRE(solvability(options).reason == "symmetric");
  Trainer trainer = trained(options);
  // The reversed sequence has the same answers at the mirrored places and the opposite target.
  const Curve curve = curve_of(trainer, {}, 64);
  CHECK(std::abs(accuracy_between(curve, 8, 32) - 0.5) < 0.05);
  CHECK(curve.losses[15] > ln2 - 0.03);
}

TEST_CASE("one layer of relative codes cannot count from the beginning") {
  for (const PositionCode code :
       {PositionCode::nope, PositionCode::rope, PositionCode::alibi, PositionCode::t5}) {
    const LabOptions options = run_options(LabTask::modulo, code, 300);
    CAPTURE(position_code_name(code));
    REQUIRE(solvability(options).verdict == Solvable::no);
    Trainer trainer = trained(options);
    const Curve curve = curve_of(trainer, {}, 128);
    CHECK(curve.inside < 0.35);
    // One value modulo 4 each.
    CHECK((curve.losses[12] + curve.losses[13] + curve.losses[14] + curve.losses[15]) / 4 >
          std::log(4.0) - 0.05);
  }
  check_learns(LabTask::modulo, PositionCode::learned, 400);
}

TEST_CASE("without positions two layers tell what came first, and do not count") {
  const auto run = [](LabTask task, PositionCode code) {
    LabOptions options = run_options(task, code, 700);
    options.layers = 2;
    options.learning_rate = 0.005;
    Trainer trainer = trained(options);
    return std::pair(curve_of(trainer, {}, 64), solvability(options).verdict);
  };
  const auto [first, can] = run(LabTask::first, PositionCode::nope);
  CHECK(can != Solvable::no);
  CHECK(first.trained);
  CHECK(accuracy_between(first, 49, 64) > 0.95);
  const auto [modulo, cannot] = run(LabTask::modulo, PositionCode::nope);
  CHECK(cannot == Solvable::no);
  CHECK(modulo.inside < 0.35);
  // A signed distance to the first token counts, as far as it was trained.
  const auto [counted, partly] = run(LabTask::modulo, PositionCode::t5);
  CHECK(partly == Solvable::partly);
  CHECK(counted.inside > 0.6);
  CHECK(accuracy_between(counted, 49, 64) < 0.35);
}

TEST_CASE("inside L a learned table is right, past its trained rows it is not") {
  Trainer trainer = trained(run_options(LabTask::back, PositionCode::learned, 500));
  const Curve curve = curve_of(trainer, {}, 128);
  CHECK(accuracy_between(curve, 13, 16) > 0.95);
  CHECK(accuracy_between(curve, 33, 64) < 0.4);
}

}  // namespace
}  // namespace posenc
