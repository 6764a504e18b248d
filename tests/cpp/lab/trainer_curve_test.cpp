#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "catch.h"
#include "trainer_runs.h"

namespace posenc {
namespace {

TestOptions extended(TableExtension extension) {
  TestOptions test;
  test.extension = extension;
  return test;
}

TestOptions scaled(RopeType type, double factor) {
  TestOptions test;
  test.scaling = type;
  test.factor = factor;
  return test;
}

bool judged(const Curve& curve, std::int64_t n) {
  const auto i = static_cast<std::size_t>(n - 1);
  const bool some = curve.counts[i] > 0;
  REQUIRE(std::isnan(curve.accuracies[i]) == !some);
  REQUIRE(std::isnan(curve.losses[i]) == !some);
  if (some) {
    REQUIRE(curve.accuracies[i] == static_cast<double>(curve.right[i]) / curve.counts[i]);
    REQUIRE(curve.losses[i] == curve.loss_sums[i] / curve.counts[i]);
  }
  return some;
}

/// Where two curves may differ: nowhere up to `last`, somewhere after it.
void check_differs_after(const Curve& a, const Curve& b, std::size_t last) {
  for (std::size_t i = 0; i < last; ++i) {
    REQUIRE(a.right[i] == b.right[i]);
    REQUIRE(a.loss_sums[i] == b.loss_sums[i]);
  }
  CHECK(a.loss_sums != b.loss_sums);
}

TEST_CASE("under a causal mask every length has one answer a sequence") {
  for (const std::int64_t length : {16, 11}) {
    LabOptions options = run_options(LabTask::first, PositionCode::rope, 4);
    options.length = length;
    Trainer trainer = trained(options);
    const Curve curve = curve_of(trainer, {}, 24);
    REQUIRE(curve.lengths.size() == static_cast<std::size_t>(4 * length));
    for (std::int64_t n = 1; n <= 4 * length; ++n) {
      CHECK(curve.lengths[static_cast<std::size_t>(n - 1)] == n);
      CHECK(judged(curve, n));
      CHECK(curve.counts[static_cast<std::size_t>(n - 1)] == 24);
    }
    CHECK(curve.inside == accuracy_between(curve, 3 * length / 4 + 1, length));
  }
}

TEST_CASE("a length at which a task asks for nothing has no accuracy") {
  Trainer back = trained(run_options(LabTask::back, PositionCode::nope, 4));
  const Curve curve = curve_of(back, {}, 8);
  for (std::int64_t n = 1; n <= 64; ++n) {
    CHECK(judged(curve, n) == (n > 3));
  }
  LabOptions both_ways = run_options(LabTask::previous, PositionCode::sinusoidal, 4);
  both_ways.causal = false;
  Trainer previous = trained(both_ways);
  CHECK_FALSE(judged(curve_of(previous, {}, 8), 1));
}

TEST_CASE("order has answers at every length of three and more, the more the longer") {
  Trainer trainer = trained(run_options(LabTask::order, PositionCode::t5, 4));
  const Curve curve = curve_of(trainer, {}, 128);
  CHECK_FALSE(judged(curve, 1));
  CHECK_FALSE(judged(curve, 2));
  for (std::int64_t n = 3; n <= 64; ++n) {
    CHECK(judged(curve, n));
  }
  // Both have come before the last place, always; before the first third of it, in a ninth.
  CHECK(curve.counts[63] == 128);
  CHECK(curve.counts[15] == 128);
}

TEST_CASE("without a mask, and where an answer follows, a pass is a length") {
  LabOptions options = run_options(LabTask::first, PositionCode::learned, 4);
  options.length = 4;
  options.causal = false;
  Trainer first = trained(options);
  const Curve dense = curve_of(first, {}, 6);
  options.causal = true;
  options.task = LabTask::addition;
  Trainer addition = trained(options);
  const Curve sums = curve_of(addition, {}, 6);
  for (std::int64_t n = 1; n <= 16; ++n) {
    CHECK(judged(dense, n));
    CHECK(dense.counts[static_cast<std::size_t>(n - 1)] == 6 * n);
    CHECK(judged(sums, n));
    CHECK(sums.counts[static_cast<std::size_t>(n - 1)] == 6 * (n + 1));
  }
  // Training knew the length 4 alone; with lengths up to L the last quarter counts.
  CHECK(sums.inside == sums.accuracies[3]);
  options.length = 12;
  Trainer fixed = trained(options);
  const Curve alone = curve_of(fixed, {}, 6);
  CHECK(alone.inside == alone.accuracies[11]);
  options.up_to = true;
  Trainer varying = trained(options);
  const Curve quarter = curve_of(varying, {}, 6);
  CHECK(quarter.inside == accuracy_between(quarter, 10, 12));
}

TEST_CASE("a curve's accuracy is that of its examples") {
  for (const LabTask task : {LabTask::reverse, LabTask::latest}) {
    LabOptions options = run_options(task, PositionCode::alibi, 60);
    options.length = 8;
    options.causal = task == LabTask::reverse;
    Trainer trainer = trained(options);
    const std::int64_t sequences = 5;
    const Curve curve = curve_of(trainer, {}, sequences);
    for (const std::int64_t n : {1, 8, 32}) {
      int right = 0;
      for (std::uint32_t example = 0; example < sequences; ++example) {
        const AttentionExample one = trainer.attention(0, 0, n, example, {}).value();
        for (std::size_t p = 0; p < one.targets.size(); ++p) {
          right += one.targets[p] >= 0 && one.targets[p] == one.predictions[p] ? 1 : 0;
        }
      }
      CHECK(curve.right[static_cast<std::size_t>(n - 1)] == right);
    }
  }
}

TEST_CASE("all codes meet the same test data") {
  Trainer rope = trained(run_options(LabTask::seen, PositionCode::rope, 2));
  LabOptions other = run_options(LabTask::seen, PositionCode::learned, 3);
  other.layers = 2;
  Trainer learned = trained(other);
  for (const std::uint32_t example : {0U, 70U}) {
    CHECK(rope.attention(0, 0, 33, example, {}).value().tokens ==
          learned.attention(1, 0, 33, example, {}).value().tokens);
  }
}

TEST_CASE("a curve stops at the wall of a table of exactly the rows that training needs") {
  for (const LabTask task : {LabTask::latest, LabTask::copy}) {
    LabOptions options = run_options(task, PositionCode::learned, 20);
    options.length = 12;
    Trainer untrained_rows = trained(options);
    options.wall = true;
    Trainer wall = trained(options);
    const Curve full = curve_of(untrained_rows, {}, 8);
    const Curve stopped = curve_of(wall, {}, 8);
    CHECK(full.wall == 0);
    CHECK(stopped.wall == 13);
    for (std::int64_t n = 1; n <= 48; ++n) {
      CHECK(judged(full, n));
      CHECK(judged(stopped, n) == (n <= 12));
    }
    CHECK(stopped.inside == full.inside);
    for (const auto extension : {TableExtension::zeros, TableExtension::last, TableExtension::wrap,
                                 TableExtension::interpolate}) {
      const Curve curve = curve_of(wall, extended(extension), 8);
      CHECK(curve.wall == 0);
      CHECK(judged(curve, 48));
      check_differs_after(curve, full, 12);
      // Rows past L count for nothing once they are replaced.
      CHECK(same_curve(curve, curve_of(untrained_rows, extended(extension), 8)));
    }
  }
}

/// The same run with another table: found in the snapshot by its bytes.
Trainer with_table(const Trainer& trainer, const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes = trainer.snapshot();
  const std::vector<float> present = trainer.table().value().values;
  const std::size_t size = present.size() * sizeof(float);
  std::size_t at = 0;
  while (std::memcmp(&bytes[at], present.data(), size) != 0) {
    at += sizeof(float);
    REQUIRE(at + size <= bytes.size());
  }
  std::memcpy(&bytes[at], values.data(), size);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i + 8 < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[i], sizeof word);
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 32U;
  }
  std::memcpy(&bytes[bytes.size() - 8], &hash, sizeof hash);
  return Trainer::restore(bytes).value();
}

TEST_CASE("an extended table answers as one that has these rows") {
  constexpr std::size_t known = 6;
  constexpr std::size_t d = 32;
  LabOptions options = run_options(LabTask::back, PositionCode::learned, 60);
  options.length = known;
  Trainer trainer = trained(options);
  const std::vector<float> rows = trainer.table().value().values;
  const auto check = [&](TableExtension extension, std::size_t tokens, auto&& entry) {
    std::vector<float> values = rows;
    for (std::size_t t = 0; t < tokens; ++t) {
      for (std::size_t c = 0; c < d; ++c) {
        values[t * d + c] = entry(t, c);
      }
    }
    Trainer other = with_table(trainer, values);
    const auto length = static_cast<std::int64_t>(tokens);
    const auto extended_weights =
        trainer.attention(0, 0, length, 1, extended(extension)).value().weights;
    const auto weights = other.attention(0, 0, length, 1, {}).value().weights;
    REQUIRE(weights.size() == extended_weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      REQUIRE(weights[i] == Approx(extended_weights[i]).margin(1e-6));
    }
    // And not by being the same anyway.
    CHECK(weights != trainer.attention(0, 0, length, 1, {}).value().weights);
  };
  for (const std::size_t tokens : {7U, 13U, 24U}) {
    check(TableExtension::zeros, tokens,
          [&](std::size_t t, std::size_t c) { return t < known ? rows[t * d + c] : 0.0F; });
    check(TableExtension::last, tokens,
          [&](std::size_t t, std::size_t c) { return rows[(t < known ? t : known - 1) * d + c]; });
    check(TableExtension::wrap, tokens,
          [&](std::size_t t, std::size_t c) { return rows[t % known * d + c]; });
    check(TableExtension::interpolate, tokens, [&](std::size_t t, std::size_t c) {
      const double place = static_cast<double>(t) * 5 / static_cast<double>(tokens - 1);
      const auto below = static_cast<std::size_t>(std::floor(place));
      const auto above = static_cast<std::size_t>(std::ceil(place));
      const double share = place - std::floor(place);
      return static_cast<float>((1 - share) * rows[below * d + c] + share * rows[above * d + c]);
    });
  }
  // What fits is served as it was trained.
  for (const auto extension : {TableExtension::zeros, TableExtension::last, TableExtension::wrap,
                               TableExtension::interpolate}) {
    CHECK(trainer.attention(0, 0, 6, 1, extended(extension)).value().weights ==
          trainer.attention(0, 0, 6, 1, {}).value().weights);
  }
}

TEST_CASE("the same base and a factor of 1 give the same curve to the last bit") {
  for (const double base : {10000.0, 37.0}) {
    LabOptions options = run_options(LabTask::back, PositionCode::rope, 40);
    options.rope_base = base;
    Trainer trainer = trained(options);
    const Curve plain = curve_of(trainer);
    TestOptions same_base;
    same_base.rope_base = base;
    CHECK(same_curve(curve_of(trainer, same_base), plain));
    for (const RopeType type : {RopeType::linear, RopeType::ntk, RopeType::yarn}) {
      CHECK(same_curve(curve_of(trainer, scaled(type, 1)), plain));
      CHECK_FALSE(same_curve(curve_of(trainer, scaled(type, 4)), plain));
    }
    TestOptions other_base;
    other_base.rope_base = base * 2;
    CHECK_FALSE(same_curve(curve_of(trainer, other_base), plain));
    // NTK-aware scaling is another base: 8 dimensions a head.
    other_base.rope_base = base * std::pow(4.0, 8.0 / 6.0);
    CHECK(same_curve(curve_of(trainer, other_base), curve_of(trainer, scaled(RopeType::ntk, 4))));
    // Testing leaves nothing behind.
    CHECK(same_curve(curve_of(trainer), plain));
  }
}

TEST_CASE("more sequences go on with the test data of fewer") {
  Trainer trainer = trained(run_options(LabTask::seen, PositionCode::alibi, 10));
  const Curve few = curve_of(trainer, {}, 7);
  const Curve many = curve_of(trainer, {}, 300);
  for (std::size_t i = 0; i < 64; ++i) {
    CHECK(few.counts[i] == 7);
    CHECK(many.counts[i] == 300);
    CHECK(many.right[i] >= few.right[i]);
    CHECK(many.right[i] <= few.right[i] + 293);
  }
}

TEST_CASE("what a curve cannot be taken with is refused by name") {
  Trainer rope = trained(run_options(LabTask::back, PositionCode::rope, 1));
  Trainer learned = trained(run_options(LabTask::back, PositionCode::learned, 1));
  Curve curve;
  const auto refused = [&](Trainer& trainer, const TestOptions& test,
                           std::int64_t sequences = 8) -> std::string {
    const Status status = trainer.start_curve(curve, test, sequences);
    return status.ok() ? "" : std::string(status.error().name);
  };
  TestOptions base;
  base.rope_base = 1;
  CHECK(refused(rope, base) == "ropeBase");
  base.rope_base = 100;
  CHECK(refused(rope, base).empty());
  CHECK(refused(learned, base) == "ropeBase");
  CHECK(refused(learned, scaled(RopeType::linear, 2)) == "scaling");
  CHECK(refused(rope, scaled(RopeType::llama3, 2)) == "scaling");
  CHECK(refused(rope, scaled(RopeType::ntk, 0.5)) == "factor");
  CHECK(refused(rope, scaled(RopeType::ntk, std::nan(""))) == "factor");
  CHECK(refused(rope, extended(TableExtension::zeros)) == "extend");
  CHECK(refused(rope, {}, 0) == "sequences");
  CHECK(refused(rope, {}, 513) == "sequences");

  LabOptions thin = run_options(LabTask::back, PositionCode::rope, 1);
  thin.d_model = 16;
  thin.heads = 8;
  Trainer two_dimensions = trained(thin);
  CHECK(refused(two_dimensions, scaled(RopeType::ntk, 2)) == "scaling");
  CHECK(refused(two_dimensions, scaled(RopeType::yarn, 2)).empty());

  REQUIRE(rope.start_curve(curve, {}, 8).ok());
  CHECK(rope.run_curve_piece(curve, {}, 8, rope.curve_pieces()).error().name == "piece");
  CHECK(rope.run_curve_piece(curve, {}, 8, -1).error().name == "piece");
  CHECK(rope.run_curve_piece(curve, {}, 0, 0).error().name == "sequences");
  Curve unstarted;
  CHECK(rope.run_curve_piece(unstarted, {}, 8, 0).error().name == "curve");
}

TEST_CASE("extensions are found by their names") {
  CHECK(table_extension_from_name("none") == TableExtension::none);
  CHECK(table_extension_from_name("zeros") == TableExtension::zeros);
  CHECK(table_extension_from_name("last") == TableExtension::last);
  CHECK(table_extension_from_name("wrap") == TableExtension::wrap);
  CHECK(table_extension_from_name("interpolate") == TableExtension::interpolate);
  CHECK_FALSE(table_extension_from_name("clamp").has_value());
}

}  // namespace
}  // namespace posenc
