// What was due is told as data: each refusal of the core beside the rule that follows from the
// limits in types.h and from the other arguments.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/block_rotation.h"
#include "analysis/offset_profile.h"
#include "analysis/precision.h"
#include "analysis/score_profile.h"
#include "analysis/similarity.h"
#include "analysis/spread.h"
#include "analysis/wavelengths.h"
#include "catch.h"
#include "codes/alibi.h"
#include "codes/bias_shape.h"
#include "codes/learned_table.h"
#include "codes/randomized.h"
#include "codes/rope.h"
#include "codes/sinusoidal.h"
#include "codes/t5_bias.h"
#include "lab/trainer.h"
#include "nn/attention.h"
#include "rule_check.h"

namespace {

using namespace posenc;

constexpr double any = Rule::unbounded;
constexpr double two_to_24 = 16777216;

struct Due {
  Error error;
  std::string_view name;
  Rule rule;
};

template <class T>
Error refusal(const Result<T>& result) {
  REQUIRE_FALSE(result.ok());
  return result.error();
}

Rule range(RuleKind kind, double min, double max) { return {.kind = kind, .min = min, .max = max}; }
Rule integer(double min, double max) { return range(RuleKind::integer, min, max); }
Rule count(double least, double most) {
  return {.kind = RuleKind::number, .of_each = true, .least = least, .most = most};
}
Rule each(RuleKind kind, double min, double max) {
  return {.kind = kind, .min = min, .max = max, .of_each = true};
}

void check(const std::vector<Due>& refusals) {
  for (const auto& [error, name, rule] : refusals) {
    CAPTURE(name, error.rule.min, error.rule.max, error.rule.least, error.rule.most);
    CHECK(error.name == name);
    check_rule(error);
    CHECK(error.rule.kind == rule.kind);
    CHECK(error.rule.min == rule.min);
    CHECK(error.rule.max == rule.max);
    CHECK(error.rule.of_each == rule.of_each);
    CHECK(error.rule.least == rule.least);
    CHECK(error.rule.most == rule.most);
    CHECK((error.rule.only_with != nullptr) == (rule.only_with != nullptr));
  }
}

bool has_names(const Error& error, const std::vector<std::string_view>& names) {
  return std::equal(error.rule.names.begin(), error.rule.names.end(), names.begin(), names.end());
}

}  // namespace

TEST_CASE("Codes say what is due") {
  LearnedTable table = LearnedTable::create(50, 16, 42, 0.1).value();
  check({
      {refusal(check_sinusoidal(1, 65537, 10000, 0)), "dModel", integer(1, 65536)},
      {refusal(check_sinusoidal(1, 4, 0.5, 0)), "base", range(RuleKind::number, 1, any)},
      {refusal(check_sinusoidal(1, 4, 10000, -1)), "start", integer(0, two_to_24)},
      // 2^26 entries in rows of 8192, and then the positions that are left.
      {refusal(check_sinusoidal(8193, 8192, 10000, 0)), "length", integer(0, 8192)},
      {refusal(check_sinusoidal(8, 4, 10000, max_position - 6)), "length", integer(0, 7)},
      {refusal(LearnedTable::create(4097, 1024, 1, 0.1)), "tMax", integer(1, 4096)},
      {refusal(LearnedTable::create(1, 1, 1, 1e101)), "scale",
       range(RuleKind::number, -1e100, 1e100)},
      {refusal(table.check_training(1000001, 0.1, 1)), "steps", integer(0, 1e6)},
      {refusal(table.check_training(1, -1, 1)), "learningRate", range(RuleKind::number, 0, any)},
      // One step maps the error to 1 - rate / 50 of it.
      {refusal(table.check_training(1000000, 1e10, 1)), "learningRate",
       range(RuleKind::rate, 0, 100)},
      {refusal(table.grow(49)), "tMax", integer(50, 262144)},
      {refusal(table.lookup(-1, Behaviour::nan)), "position", integer(0, two_to_24)},
      {refusal(alibi_slopes(1025)), "heads", integer(1, 1024)},
      // 2^26 entries for 4 heads and 2^12 queries.
      {refusal(check_bias_shape({4, 4096, 4097, true}, 0, 0)), "keys", integer(0, 4096)},
      {refusal(check_bias_shape({4, 0, max_position + 1, true}, 0, 0)), "keys",
       integer(0, two_to_24)},
      {refusal(check_bias_shape({2, 3, 4, true}, 25, 0)), "first", integer(0, 24)},
      {refusal(check_bias_shape({2, 3, 4, true}, 20, 5)), "count", integer(0, 4)},
      {refusal(check_t5_buckets({true, 3, 128})), "numBuckets", integer(4, 65536)},
      {refusal(check_t5_buckets({false, 1, 128})), "numBuckets", integer(2, 65536)},
      // Of 32 buckets a side has 16, 8 of which hold one distance each.
      {refusal(check_t5_buckets({true, 32, 8})), "maxDistance", integer(9, two_to_24)},
      {refusal(randomized_positions(12, 10, 0)), "length", integer(0, 11)},
      {refusal(randomized_positions(1, -1, 0)), "maxPosition", integer(0, two_to_24)},
  });
  const Error behaviour = refusal(parse_behaviour("explode"));
  CHECK(behaviour.rule.kind == RuleKind::choice);
  CHECK(has_names(behaviour, {"raise", "clamp", "zeros", "nan", "wrap"}));
  const std::vector<std::uint8_t> nothing;
  const Error snapshot = refusal(LearnedTable::restore(nothing));
  CHECK(snapshot.rule.kind == RuleKind::snapshot);
  CHECK(has_names(snapshot, {"table"}));
  CHECK(has_names(refusal(Trainer::restore(nothing)), {"trainer"}));
}

TEST_CASE("RoPE says what is due") {
  const auto due = [](RopeOptions options, RopeType type, auto change) {
    options.head_dim = options.head_dim == 0 ? 64 : options.head_dim;
    options.scaling.type = type;
    change(options);
    return refusal(rope_frequencies(options));
  };
  const RopeOptions plain;
  const auto with_context = [] {
    RopeOptions options;
    options.scaling.factor = 4;
    options.scaling.original_max_position_embeddings = 4096;
    return options;
  }();
  Rule factors = each(RuleKind::number, 1e-9, 1e9);
  factors.least = factors.most = 32;
  check({
      {due(plain, RopeType::unscaled, [](auto& o) { o.head_dim = 63; }), "headDim",
       range(RuleKind::even, 2, 65536)},
      // floor(64 * 0.1) = 6 would do, floor(64 * 0.08) = 5 is odd.
      {due(plain, RopeType::unscaled, [](auto& o) { o.partial_rotary_factor = 0.08; }),
       "partialRotaryFactor", range(RuleKind::share, -any, 64)},
      {due(plain, RopeType::unscaled, [](auto& o) { o.partial_rotary_factor = 0; }),
       "partialRotaryFactor", range(RuleKind::above, 0, 1)},
      {due(plain, RopeType::unscaled, [](auto& o) { o.theta = 0.5; }), "theta",
       range(RuleKind::number, 1, 1e100)},
      // YaRN divides by log(theta).
      {due(with_context, RopeType::yarn, [](auto& o) { o.theta = 1; }), "theta",
       range(RuleKind::above, 1, 1e100)},
      {due(plain, RopeType::unscaled, [](auto& o) { o.length = 0.5; }), "length",
       integer(1, two_to_24)},
      {due(plain, RopeType::yarn, [](auto& o) { o.scaling.factor = 4; }),
       "original_max_position_embeddings", integer(2, two_to_24)},
      {due(plain, RopeType::linear, [](auto&) {}), "factor", range(RuleKind::number, 1, 1e9)},
      {due(plain, RopeType::linear,
           [](auto& o) {
             o.scaling.original_max_position_embeddings = 4096;
             o.max_positions = 2048;
           }),
       "maxPositions", integer(4096, two_to_24)},
      {due(with_context, RopeType::yarn, [](auto& o) { o.scaling.beta_slow = 0; }), "beta_slow",
       range(RuleKind::above, 0, 1e9)},
      {due(with_context, RopeType::yarn, [](auto& o) { o.scaling.beta_slow = 40; }), "beta_fast",
       range(RuleKind::number, 40, 1e9)},
      {due(with_context, RopeType::yarn, [](auto& o) { o.scaling.mscale = -1; }), "mscale",
       range(RuleKind::number, 0, 1e9)},
      {due(with_context, RopeType::longrope, [](auto&) {}), "short_factor", factors},
      {due(with_context, RopeType::llama3,
           [](auto& o) {
             o.scaling.low_freq_factor = 4;
             o.scaling.high_freq_factor = 1;
           }),
       "high_freq_factor", range(RuleKind::number, 4, 1e9)},
      // A quarter of the dimensions turns: 16 give the 4 that are needed.
      {due(with_context, RopeType::ntk,
           [](auto& o) {
             o.head_dim = 8;
             o.partial_rotary_factor = 0.25;
           }),
       "headDim", range(RuleKind::even, 16, 65536)},
  });
  CHECK(has_names(due(plain, RopeType::yarn, [](auto& o) { o.scaling.factor = 4; }),
                  {"originalMaxPositions", "maxPositions"}));
  CHECK(has_names(due(plain, RopeType::linear, [](auto&) {}), {"maxPositions"}));

  const std::vector<double> frequencies = {1, 0.1};
  const std::vector<double> vectors(4, 1.0);
  const std::vector<double> wild = {1, 1e31, 1, 1};
  const std::vector<double> first = {0};
  const std::vector<double> half = {0.5};
  std::vector<float> out(8);
  const auto rotate = [&](std::int64_t dim, const auto& rows, const auto& positions) {
    return refusal(
        rope_rotate(frequencies, RopeLayout::interleaved, dim, 1, rows, positions, out.data()));
  };
  check({
      {rotate(3, vectors, first), "headDim", integer(4, 65536)},
      {rotate(6, vectors, first), "vectors", count(6, 6)},
      {rotate(4, wild, first), "vectors", each(RuleKind::number, -1e30, 1e30)},
      {rotate(4, vectors, half), "positions", each(RuleKind::integer, 0, two_to_24)},
  });
}

TEST_CASE("Analyses say what is due") {
  const std::vector<double> six(6, 1.0);
  const std::vector<double> holed = {1, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<std::int64_t> offsets = {-4};
  const std::vector<double> wide(33, 1.0);
  ScoreOptions scores{.d_model = 64, .distances = 4096, .contents = 129};
  ScoreOptions few{.d_model = 4, .distances = 2, .contents = 1, .codes = six};
  ScoreOptions many{.d_model = 64, .distances = 2, .contents = 1, .inverse_frequencies = wide};
  check({
      {refusal(row_similarity(six, 2, 65537, 0, Measure::dot)), "columns", integer(1, 65536)},
      {refusal(row_similarity(six, 2, 2, 0, Measure::dot)), "data", count(4, 4)},
      {refusal(row_similarity(six, 2, 3, 2, Measure::dot)), "row", integer(0, 1)},
      {refusal(offset_profile(4, 0.5, 0, offsets)), "base", range(RuleKind::number, 1, any)},
      {refusal(offset_profile(4, 10, 3, offsets)), "offsets", integer(-3, two_to_24 - 3)},
      {refusal(block_rotation(1025, 10, 0)), "dModel", integer(1, 1024)},
      {refusal(block_rotation(4, 10, max_position + 1)), "offset", integer(-two_to_24, two_to_24)},
      {refusal(pair_phasors(4, 10, -1)), "position", integer(0, two_to_24)},
      {refusal(row_spread(holed, 1, 2)), "data", each(RuleKind::number, -any, any)},
      {refusal(sinusoidal_spread(8193, 3, 10, 0)), "length", integer(1, 8192)},
      {refusal(first_collision(six, NumberFormat::bfloat16, 5, 4)), "end", integer(5, two_to_24)},
      {refusal(position_errors(six, NumberFormat::bfloat16, std::vector<double>{-1})), "positions",
       each(RuleKind::integer, 0, two_to_24)},
      // 2^25 products of words, distances and dimensions.
      {refusal(score_profile(scores)), "contents", integer(1, 128)},
      {refusal(score_profile(few)), "codes", count(8, 8)},
      {refusal(score_profile(many)), "inverseFrequencies", count(0, 32)},
  });
  // rows * rows * 8 is at most 2^28.
  const std::vector<double> tall(8 * 5793, 1.0);
  check({{refusal(row_spread(tall, 5793, 8)), "rows", integer(1, 5792)}});
  CHECK(has_names(refusal(parse_measure("Dot")), {"dot", "cosine"}));
}

TEST_CASE("Attention says what is due") {
  const std::vector<std::uint32_t> words = {1, 2, 3};
  const std::vector<double> two(2, 1.0);
  const auto attend = [&](std::int64_t d_model, std::int64_t heads, AttentionPositions positions,
                          std::optional<std::span<const double>> codes) {
    return refusal(attend_sentence(words, {d_model, heads, true}, 1, codes, positions));
  };
  const std::vector<double> wild(12, 2e6);
  check({
      {attend(129, 1, {}, std::nullopt), "dModel", integer(1, 128)},
      {attend(4, 3, {}, std::nullopt), "heads", range(RuleKind::divisor, 1, 4)},
      {attend(4, 2, {two, {}}, std::nullopt), "inverseFrequencies", count(0, 1)},
      {attend(4, 2, {{}, two}, std::nullopt), "bias", count(18, 18)},
      {attend(4, 2, {}, two), "codes", count(12, 12)},
      {attend(4, 2, {}, wild), "codes", each(RuleKind::number, -1e6, 1e6)},
      {refusal(attend_sentence({}, {4, 2, true}, 1, std::nullopt, {})), "tokens", count(1, 64)},
  });
}

TEST_CASE("The length lab says what is due") {
  const auto due = [](auto change) {
    LabOptions options;
    change(options);
    return refusal(check_lab_options(options));
  };
  check({
      {due([](auto& o) { o.length = 65; }), "length", integer(4, 64)},
      {due([](auto& o) { o.t5_buckets = 5; }), "t5Buckets", range(RuleKind::even, 4, 64)},
      // Of 16 causal buckets 8 hold one distance each.
      {due([](auto& o) { o.code = PositionCode::t5, o.t5_max_distance = 8; }), "t5MaxDistance",
       integer(9, 1024)},
      {due([](auto& o) { o.task = LabTask::back, o.length = 4, o.task_shift = 4; }), "taskShift",
       integer(1, 3)},
      {due([](auto& o) { o.warm_up = o.steps + 1; }), "warmUp",
       integer(0, static_cast<double>(LabOptions{}.steps))},
      {due([](auto& o) { o.learning_rate = 2; }), "learningRate", range(RuleKind::number, 1e-5, 1)},
      {due([](auto& o) { o.clip = 0; }), "clip", range(RuleKind::above, 0, any)},
  });
  const Error heads = due([](auto& o) { o.heads = 3; });
  check_rule(heads);
  CHECK(heads.rule.kind == RuleKind::choice);
  CHECK(std::vector<double>(heads.rule.numbers.begin(), heads.rule.numbers.end()) ==
        std::vector<double>{1, 2, 4, 8});
  // What keeps memory under 256 MB by itself; the test of lab_options takes it to its end.
  const Error large = due([](auto& o) {
    o.task = LabTask::copy, o.code = PositionCode::rope, o.length = 64, o.reach = 8, o.layers = 4;
    o.d_model = 128, o.batch = 128, o.causal = false;
  });
  check_rule(large);
  CHECK(large.rule.kind == RuleKind::memory);

  LabOptions options;
  options.steps = 1;
  options.warm_up = 0;
  options.d_model = 16;
  options.heads = 8;
  options.code = PositionCode::rope;
  Trainer rope = Trainer::create(options).value();
  options.code = PositionCode::nope;
  Trainer nope = Trainer::create(options).value();
  Curve curve;
  const auto asked = [&](Trainer& trainer, const TestOptions& test) {
    return refusal(trainer.start_curve(curve, test, 1));
  };
  const Rule rope_only{.kind = RuleKind::choice, .only_with = "code"};
  TestOptions scaled;
  scaled.scaling = RopeType::ntk;
  scaled.factor = 4;
  TestOptions based;
  based.rope_base = 100;
  TestOptions extended;
  extended.extension = TableExtension::wrap;
  TestOptions fast = scaled;
  fast.scaling = RopeType::yarn;
  fast.factor = 65;
  TestOptions unknown = scaled;
  unknown.scaling = RopeType::dynamic;
  std::vector<float> log;
  check({
      {asked(nope, scaled), "scaling", rope_only},
      {asked(nope, based), "ropeBase", rope_only},
      {asked(rope, extended), "extend", rope_only},
      // NTK divides by the dimensions of a head less 2, so 8 heads need 4 each.
      {asked(rope, scaled), "scaling",
       Rule{.kind = RuleKind::integer, .min = 32, .only_with = "dModel"}},
      {asked(rope, fast), "factor", range(RuleKind::number, 1, 64)},
      {refusal(rope.start_curve(curve, {}, 513)), "sequences", integer(1, 512)},
      {refusal(rope.train(-1, log, log)), "steps", integer(0, any)},
      {refusal(rope.attention(1, 0, 1, 0, {})), "layer", integer(0, 0)},
      {refusal(rope.run_curve_piece(curve, {}, 1, 0)), "curve", count(64, 64)},
  });
  CHECK(has_names(asked(nope, scaled), {"rope"}));
  CHECK(has_names(asked(rope, extended), {"learned"}));
  CHECK(has_names(asked(rope, unknown), {"linear", "ntk", "yarn"}));
  CHECK(has_names(refusal(rope.table()), {"learned"}));
}
