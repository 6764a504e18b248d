#include "lab/options.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"

namespace posenc {
namespace {

using Change = std::function<void(LabOptions&)>;

LabOptions changed(const Change& change) {
  LabOptions options;
  change(options);
  return options;
}

std::string refused_name(const LabOptions& options) {
  const Status status = check_lab_options(options);
  return status.ok() ? "" : std::string(status.error().name);
}

TEST_CASE("codes and tasks are found by their names and have them") {
  for (int i = 0; i < position_code_count; ++i) {
    const auto code = static_cast<PositionCode>(i);
    CHECK(position_code_from_name(position_code_name(code)) == code);
  }
  for (int i = 0; i < lab_task_count; ++i) {
    const auto task = static_cast<LabTask>(i);
    CHECK(lab_task_from_name(lab_task_name(task)) == task);
  }
  CHECK(position_code_from_name("rope") == PositionCode::rope);
  CHECK(position_code_from_name("t5") == PositionCode::t5);
  CHECK(lab_task_from_name("back") == LabTask::back);
  CHECK(lab_task_from_name("addition") == LabTask::addition);
  CHECK_FALSE(position_code_from_name("RoPE").has_value());
  CHECK_FALSE(lab_task_from_name("").has_value());
}

TEST_CASE("the default run is allowed, and so are the bounds of every option") {
  CHECK(refused_name(LabOptions{}).empty());
  const std::vector<Change> allowed = {
      [](auto& o) { o.length = 4; },
      [](auto& o) { o.length = 64; },
      [](auto& o) { o.reach = 8; },
      [](auto& o) { o.vocabulary = 4; },
      [](auto& o) { o.vocabulary = 32; },
      [](auto& o) { o.layers = 4; },
      [](auto& o) { o.d_model = 16, o.heads = 8; },
      [](auto& o) { o.d_model = 128, o.heads = 1; },
      [](auto& o) { o.batch = 1; },
      [](auto& o) { o.batch = 128; },
      [](auto& o) { o.steps = 1, o.warm_up = 1; },
      [](auto& o) { o.steps = 20000, o.warm_up = 20000; },
      [](auto& o) { o.warm_up = 0; },
      [](auto& o) { o.learning_rate = 1e-5; },
      [](auto& o) { o.learning_rate = 1; },
      [](auto& o) { o.clip = 1e-30; },
      [](auto& o) { o.weight_decay = 1; },
      [](auto& o) { o.length = 9, o.task_shift = 8; },
      [](auto& o) { o.length = 4, o.task_shift = 8, o.task = LabTask::order; },
      [](auto& o) { o.task_modulo = 2; },
      [](auto& o) { o.task_modulo = 8; },
      [](auto& o) { o.code = PositionCode::t5, o.t5_buckets = 4, o.t5_max_distance = 3; },
      [](auto& o) { o.code = PositionCode::t5, o.t5_buckets = 64, o.t5_max_distance = 1024; },
      [](auto& o) { o.t5_buckets = 64, o.t5_max_distance = 16; },
      [](auto& o) { o.alibi_exponent = 0.5; },
      [](auto& o) { o.alibi_exponent = 16; },
      [](auto& o) { o.rope_base = 2, o.sinusoid_base = 1e9; },
  };
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    CAPTURE(i);
    CHECK(refused_name(changed(allowed[i])).empty());
  }
}

TEST_CASE("what is out of bounds is refused by the name that JavaScript has for it") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<const char*, Change>> refused = {
      {"length", [](auto& o) { o.length = 3; }},
      {"length", [](auto& o) { o.length = 65; }},
      {"reach", [](auto& o) { o.reach = 5; }},
      {"vocabulary", [](auto& o) { o.vocabulary = 3; }},
      {"vocabulary", [](auto& o) { o.vocabulary = 33; }},
      {"layers", [](auto& o) { o.layers = 0; }},
      {"layers", [](auto& o) { o.layers = 5; }},
      {"dModel", [](auto& o) { o.d_model = 48; }},
      {"heads", [](auto& o) { o.heads = 3; }},
      {"batch", [](auto& o) { o.batch = 0; }},
      {"batch", [](auto& o) { o.batch = 129; }},
      {"steps", [](auto& o) { o.steps = 0; }},
      {"steps", [](auto& o) { o.steps = 20001; }},
      {"learningRate", [](auto& o) { o.learning_rate = 0; }},
      {"learningRate", [](auto& o) { o.learning_rate = nan; }},
      {"warmUp", [](auto& o) { o.warm_up = -1; }},
      {"warmUp", [](auto& o) { o.steps = 40; }},
      {"clip", [](auto& o) { o.clip = 0; }},
      {"clip", [](auto& o) { o.clip = infinity; }},
      {"weightDecay", [](auto& o) { o.weight_decay = -0.1; }},
      {"taskShift", [](auto& o) { o.task_shift = 0; }},
      {"taskShift", [](auto& o) { o.task_shift = 9; }},
      {"taskShift", [](auto& o) { o.length = 8, o.task_shift = 8; }},
      {"taskModulo", [](auto& o) { o.task_modulo = 9; }},
      {"t5Buckets", [](auto& o) { o.t5_buckets = 15; }},
      {"t5Buckets", [](auto& o) { o.t5_buckets = 66; }},
      {"t5MaxDistance", [](auto& o) { o.code = PositionCode::t5, o.t5_max_distance = 8; }},
      {"t5MaxDistance", [](auto& o) { o.t5_max_distance = 1025; }},
      {"alibiExponent", [](auto& o) { o.alibi_exponent = 17; }},
      {"ropeBase", [](auto& o) { o.rope_base = 1.5; }},
      {"sinusoidBase", [](auto& o) { o.sinusoid_base = nan; }},
  };
  for (const auto& [name, change] : refused) {
    CHECK(refused_name(changed(change)) == name);
  }
}

LabOptions largest_options() {
  LabOptions options;
  options.task = LabTask::addition;
  options.code = PositionCode::learned;
  options.length = 64;
  options.reach = 8;
  options.layers = 4;
  options.d_model = 128;
  options.heads = 8;
  options.mlp = true;
  options.batch = 128;
  return options;
}

TEST_CASE("memory is bounded, and whoever lowers what the error names gets through") {
  CHECK(lab_memory(LabOptions{}) < 16e6);
  CHECK(lab_memory(largest_options()) > max_lab_memory);

  LabOptions wide;
  wide.length = 64;
  wide.layers = 4;
  wide.d_model = 128;
  wide.batch = 128;
  wide.mlp = true;
  for (LabOptions options : {largest_options(), wide}) {
    int lowered = 0;
    for (Status status = check_lab_options(options); !status.ok();
         status = check_lab_options(options), ++lowered) {
      const Error& error = status.error();
      CAPTURE(error.name, error.value, error.rule.max);
      REQUIRE(lowered < 6);
      REQUIRE(error.rule.kind == RuleKind::memory);
      const auto most = static_cast<std::int64_t>(error.rule.max);
      std::int64_t& option = error.name == "batch"    ? options.batch
                             : error.name == "reach"  ? options.reach
                             : error.name == "length" ? options.length
                             : error.name == "layers" ? options.layers
                             : error.name == "heads"  ? options.heads
                                                      : options.d_model;
      REQUIRE(static_cast<double>(option) == error.value);
      REQUIRE(most < option);
      // It is the bound: the next larger batch is still too much.
      if (error.name == "batch") {
        options.batch = most + 1;
        CHECK_FALSE(check_lab_options(options).ok());
      }
      option = most;
    }
    CHECK(lowered == 1);
  }
}

TEST_CASE("memory grows with everything that costs some") {
  // A table of a row a position, because half as long a reach is no smaller for the other codes.
  const Change with_table = [](auto& o) { o.code = PositionCode::learned; };
  const double plain = lab_memory(changed(with_table));
  const std::vector<Change> larger = {
      [](auto& o) { o.length = 32; }, [](auto& o) { o.reach = 8; },
      [](auto& o) { o.layers = 2; },  [](auto& o) { o.d_model = 64; },
      [](auto& o) { o.batch = 64; },  [](auto& o) { o.mlp = true; },
      [](auto& o) { o.heads = 8; },   [](auto& o) { o.task = LabTask::copy; },
  };
  for (std::size_t i = 0; i < larger.size(); ++i) {
    CAPTURE(i);
    LabOptions options = changed(larger[i]);
    with_table(options);
    CHECK(lab_memory(options) > plain);
  }
}

}  // namespace
}  // namespace posenc
