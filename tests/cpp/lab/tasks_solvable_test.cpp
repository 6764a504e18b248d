#include <algorithm>
#include <set>
#include <string>

#include "catch.h"
#include "lab/tasks/tasks.h"

namespace posenc {
namespace {

LabOptions setting(LabTask task, PositionCode code, std::int64_t layers = 1, bool causal = true) {
  LabOptions options;
  options.task = task;
  options.code = code;
  options.layers = layers;
  options.causal = causal;
  return options;
}

std::string verdict(const LabOptions& options) {
  const Solvability answer = solvability(options);
  return std::string(solvable_name(answer.verdict)) + " " + std::string(answer.reason);
}

template <class Visit>
void for_each_setting(Visit&& visit) {
  for (int task = 0; task < lab_task_count; ++task) {
    for (int code = 0; code < position_code_count; ++code) {
      for (const std::int64_t layers : {1, 2, 4}) {
        for (int flags = 0; flags < 16; ++flags) {
          LabOptions options = setting(static_cast<LabTask>(task), static_cast<PositionCode>(code),
                                       layers, (flags & 1) != 0);
          options.up_to = (flags & 2) != 0;
          options.randomized = (flags & 4) != 0;
          options.rope_base = (flags & 8) != 0 ? 2 : 10000;
          visit(options);
        }
      }
    }
  }
}

TEST_CASE("every reason is in the list, and every one of the list is given") {
  std::set<std::string_view> given;
  for_each_setting([&](const LabOptions& options) { given.insert(solvability(options).reason); });
  CHECK(given ==
        std::set<std::string_view>(solvability_reasons.begin(), solvability_reasons.end()));
}

TEST_CASE("more layers never make a task harder") {
  const auto rank = [](const LabOptions& options) {
    const Solvable solvable = solvability(options).verdict;
    return solvable == Solvable::no ? 0 : solvable == Solvable::partly ? 1 : 2;
  };
  for_each_setting([&](LabOptions options) {
    const int before = rank(options);
    ++options.layers;
    CAPTURE(lab_task_name(options.task), position_code_name(options.code), options.layers);
    CHECK(rank(options) >= before);
  });
}

TEST_CASE("the default model's verdicts are those that small models show") {
  using enum PositionCode;
  for (const PositionCode code : {sinusoidal, learned}) {
    for (const LabTask task : {LabTask::back, LabTask::latest, LabTask::order, LabTask::modulo,
                               LabTask::first, LabTask::previous}) {
      CHECK(verdict(setting(task, code)) == "yes absolute");
    }
  }
  for (const LabTask task : {LabTask::back, LabTask::latest, LabTask::order, LabTask::first}) {
    CHECK(verdict(setting(task, rope)) == "yes relative");
    CHECK(verdict(setting(task, t5)) == "yes relative");
    CHECK(verdict(setting(task, nope)) == "no unordered");
    CHECK(verdict(setting(task, nope, 1, false)) == "no blind");
    CHECK(verdict(setting(task, alibi, 4, false)) == "no symmetric");
  }
  CHECK(verdict(setting(LabTask::back, alibi)) == "partly blurred");
  CHECK(verdict(setting(LabTask::previous, alibi)) == "yes recency");
  CHECK(verdict(setting(LabTask::latest, alibi)) == "yes recency");
  CHECK(verdict(setting(LabTask::order, alibi)) == "yes recency");
  CHECK(verdict(setting(LabTask::first, alibi)) == "no monotone");
  for (const PositionCode code : {nope, rope, alibi, t5}) {
    CHECK(verdict(setting(LabTask::modulo, code)) == "no no-origin");
    const std::string deep = code == nope ? "no no-count" : "partly origin";
    CHECK(verdict(setting(LabTask::modulo, code, 2)) == deep);
  }
  CHECK(verdict(setting(LabTask::order, nope, 2)) == "yes mask");
  CHECK(verdict(setting(LabTask::first, nope, 2)) == "partly mask-leak");
  CHECK(verdict(setting(LabTask::back, nope, 2)) == "partly mask-leak");
  for (int code = 0; code < position_code_count; ++code) {
    CHECK(verdict(setting(LabTask::seen, static_cast<PositionCode>(code))) == "yes set");
    CHECK(verdict(setting(LabTask::induction, static_cast<PositionCode>(code))) == "no one-layer");
  }
  for (const PositionCode code : {sinusoidal, learned, rope, alibi, t5}) {
    CHECK(verdict(setting(LabTask::induction, code, 2)) == "yes composition");
  }
}

TEST_CASE("a verdict follows the parameters of the task and of the code") {
  LabOptions alibi = setting(LabTask::back, PositionCode::alibi);
  CHECK(verdict(alibi) == "partly blurred");
  alibi.task_shift = 1;
  CHECK(verdict(alibi) == "yes recency");

  // The buckets of T5 hold one distance each up to a half of them; farther out they are shared.
  LabOptions t5 = setting(LabTask::back, PositionCode::t5);
  t5.t5_buckets = 8;
  t5.t5_max_distance = 64;
  CHECK(verdict(t5) == "yes relative");
  t5.task_shift = 6;
  CHECK(verdict(t5) == "partly shared-bucket");
  t5.task = LabTask::latest;
  CHECK(verdict(t5) == "partly shared-bucket");
  t5.task = LabTask::seen;
  CHECK(verdict(t5) == "yes set");

  // Half a turn of the slowest pair: pi * base^(6/8) at 8 dimensions a head.
  LabOptions rope = setting(LabTask::first, PositionCode::rope);
  rope.rope_base = 8;
  CHECK(verdict(rope) == "partly turns");
  rope.rope_base = 9;
  CHECK(verdict(rope) == "yes relative");
  rope.rope_base = 8;
  rope.task = LabTask::back;
  CHECK(verdict(rope) == "yes relative");
}

TEST_CASE("randomized positions hide distances and keep the order") {
  for (const PositionCode code : {PositionCode::sinusoidal, PositionCode::learned}) {
    LabOptions options = setting(LabTask::back, code);
    options.randomized = true;
    CHECK(verdict(options) == "partly randomized");
    options.task = LabTask::modulo;
    CHECK(verdict(options) == "no randomized");
    options.task = LabTask::latest;
    CHECK(verdict(options) == "yes absolute");
  }
  LabOptions rope = setting(LabTask::back, PositionCode::rope);
  rope.randomized = true;
  CHECK(verdict(rope) == "partly randomized");
}

TEST_CASE("lengths that vary move what a copy asks for") {
  LabOptions copy = setting(LabTask::copy, PositionCode::rope);
  CHECK(verdict(copy) == "yes relative");
  copy.up_to = true;
  CHECK(verdict(copy) == "partly varying-length");
}

}  // namespace
}  // namespace posenc
