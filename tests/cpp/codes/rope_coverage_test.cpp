// Which angles of a rotary code training has shown. What is right is counted here in whole numbers,
// or in long double from the papers' formulas, without the frequencies of the core.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "analysis/wavelengths.h"
#include "catch.h"

namespace posenc {
namespace {

constexpr long double two_pi = 6.283185307179586476925286766559005768L;

RopeOptions plain(double head_dim, double theta) {
  RopeOptions options;
  options.head_dim = head_dim;
  options.theta = theta;
  return options;
}

RopeOptions scaled(RopeType type, double head_dim, double theta, double factor, double context) {
  RopeOptions options = plain(head_dim, theta);
  options.scaling.type = type;
  options.scaling.factor = factor;
  options.scaling.original_max_position_embeddings = context;
  options.scaling.low_freq_factor = 1;
  options.scaling.high_freq_factor = 4;
  return options;
}

RopeCoverage coverage_of(RopeOptions options, std::int64_t length, RopeTraining training) {
  options.length = static_cast<double>(length);
  const auto result = rope_coverage(options, training);
  REQUIRE(result.ok());
  return result.value();
}

/// Su et al. 2021: theta_j = base^(-2j/d); a turn takes 2 pi base^(2j/d) positions.
std::int64_t pairs_without_a_turn(double head_dim, double theta, std::int64_t trained) {
  std::int64_t count = 0;
  for (int j = 0; j < static_cast<int>(head_dim) / 2; ++j) {
    const long double exponent = 2.0L * j / static_cast<long double>(head_dim);
    const long double turn = two_pi * std::pow(static_cast<long double>(theta), exponent);
    count += turn > static_cast<long double>(trained) ? 1 : 0;
  }
  return count;
}

// config.json of Qwen3 (head_dim 128, rope_theta 1e6, max_position_embeddings 40960).
TEST_CASE("Qwen3 at its 40,960 positions comes to no new angle, at 40,961 it does") {
  const RopeOptions qwen = plain(128, 1e6);
  CHECK(coverage_of(qwen, 40960, {40960}).unseen == 0);
  CHECK(coverage_of(qwen, 40961, {40960}).unseen == pairs_without_a_turn(128, 1e6, 40960));
  CHECK(pairs_without_a_turn(128, 1e6, 40960) > 0);
}

// config.json of DeepSeek-V3: 163840 = 40 * 4096. YaRN divides by 40 what has not turned in 4096.
TEST_CASE("DeepSeek-V3 comes to new angles past 40 times its first length, not before") {
  RopeOptions deepseek = scaled(RopeType::yarn, 64, 10000, 40, 4096);
  CHECK(coverage_of(deepseek, 163840, {4096}).unseen == 0);
  CHECK(coverage_of(deepseek, 163841, {4096}).unseen == pairs_without_a_turn(64, 10000, 4096));
  CHECK(coverage_of(deepseek, 163840, {4096, 131072}).unseen == 0);
}

// Chen et al. 2023, section 2.2: what is new is a distance.
TEST_CASE("a long text through a sliding window has no distance that training did not show") {
  const RopeOptions mistral = plain(128, 10000);
  CHECK(coverage_of(mistral, 16384, {4096}).unseen == pairs_without_a_turn(128, 10000, 4096));
  CHECK(coverage_of(mistral, 16384, {4096, 0, 4096}).unseen == 0);
  CHECK(coverage_of(mistral, 16384, {4096, 0, 4097}).unseen ==
        pairs_without_a_turn(128, 10000, 4096));
}

// Grattafiori et al. 2024, section 3.4.2: from 8K to 128K in six stages, with the scaling. 8 times
// 8192 is half of it: the first training alone does not cover it.
TEST_CASE("a model that was trained on has shown the distances of its later training, too") {
  const RopeOptions llama = scaled(RopeType::llama3, 128, 500000, 8, 8192);
  CHECK(coverage_of(llama, 131072, {8192}).unseen > 0);
  CHECK(coverage_of(llama, 131072, {8192, 131072}).unseen == 0);
  const RopeCoverage past = coverage_of(llama, 131073, {8192, 131072});
  CHECK(past.unseen > 0);
  for (std::size_t j = 0; j < past.turns.size(); ++j) {
    const bool turned = past.wavelength[j] <= 131072 || past.plain_wavelength[j] <= 8192;
    CHECK((past.turns[j] >= 1) == turned);
    CHECK(past.unseen_from[j] == (turned ? std::numeric_limits<double>::infinity() : 131072));
  }
}

TEST_CASE("nothing is new within the trained length, and past it whatever has not turned") {
  for (const double theta : {1.0, 2.0, 500.0, 10000.0, 150000.0, 1e6, 1e7, 1e9, 1e15}) {
    for (const double head_dim : {2.0, 4.0, 32.0, 64.0, 96.0, 128.0, 254.0, 256.0}) {
      for (const std::int64_t trained :
           {1, 2, 3, 7, 100, 512, 2048, 4096, 10007, 32768, 40960, 163840, 1048577, 8388608}) {
        INFO(theta << " " << head_dim << " " << trained);
        const std::int64_t rest = pairs_without_a_turn(head_dim, theta, trained);
        for (const std::int64_t length : {std::int64_t{1}, (trained + 1) / 2, trained}) {
          CHECK(coverage_of(plain(head_dim, theta), length, {trained}).unseen == 0);
        }
        const RopeCoverage past = coverage_of(plain(head_dim, theta), trained + 1, {trained});
        CHECK(past.unseen == rest);
        CHECK(past.turned == static_cast<std::int64_t>(head_dim) / 2 - rest);
        for (const double from : past.unseen_from) {
          CHECK((std::isinf(from) || from == static_cast<double>(trained)));
        }
      }
    }
  }
}

// Chen et al. 2023: m / s stays below the trained length as long as m is below s times it.
TEST_CASE("interpolation by s reaches s times the trained length, to the position") {
  for (const double head_dim : {32.0, 64.0, 128.0}) {
    for (const double theta : {500.0, 10000.0, 1e6}) {
      for (const std::int64_t trained : {3, 1000, 4096, 40960}) {
        for (const std::int64_t s : {1, 2, 3, 7, 10, 40, 49, 100}) {
          INFO(head_dim << " " << theta << " " << trained << " " << s);
          const auto factor = static_cast<double>(s);
          const auto context = static_cast<double>(trained);
          const RopeOptions linear = scaled(RopeType::linear, head_dim, theta, factor, context);
          const std::int64_t rest = pairs_without_a_turn(head_dim, theta, trained);
          CHECK(coverage_of(linear, s * trained, {trained}).unseen == 0);
          CHECK(coverage_of(linear, s * trained + 1, {trained}).unseen == rest);
          CHECK(coverage_of(linear, s * trained + 1, {trained}).kept.back() ==
                Approx(1 / factor).epsilon(1e-14));
        }
      }
    }
  }
}

// bloc97 2023: base * s^(d/(d-2)), so pair j is slowed by s^(2j/(d-2)), the last by s.
TEST_CASE("NTK slows the last pair by s exactly, the others by less") {
  for (const double head_dim : {16.0, 64.0, 128.0}) {
    for (const double s : {2.0, 3.0, 8.0}) {
      const std::int64_t trained = 4096;
      const RopeOptions ntk = scaled(RopeType::ntk, head_dim, 10000, s, 4096);
      const RopeCoverage found = coverage_of(ntk, 12289, {trained});
      const std::size_t last = found.unseen_from.size() - 1;
      CHECK(found.unseen_from[last] == s * 4096);
      std::int64_t unseen = 0;
      for (std::size_t j = 0; j <= last; ++j) {
        const long double d = head_dim;
        const auto pair = static_cast<long double>(j);
        const long double slowed = std::pow(static_cast<long double>(s), 2 * pair / (d - 2));
        const bool turned = two_pi * std::pow(10000.0L, 2 * pair / d) <= trained;
        const long double from = j == last ? s * trained : std::ceil(trained * slowed);
        CHECK(found.unseen_from[j] ==
              (turned ? std::numeric_limits<double>::infinity() : static_cast<double>(from)));
        unseen += !turned && from <= 12288 ? 1 : 0;
      }
      CHECK(found.unseen == unseen);
    }
  }
}

TEST_CASE("errors of a coverage name what is wrong") {
  const auto name = [](const RopeOptions& options, RopeTraining training) {
    return rope_coverage(options, training).error().name;
  };
  const RopeOptions options = plain(64, 10000);
  CHECK(name(options, {0}) == "trainedLength");
  CHECK(name(options, {max_position + 1}) == "trainedLength");
  CHECK(name(options, {16, -1}) == "trainedFurther");
  CHECK(name(options, {16, 0, 0}) == "window");
  CHECK(name(plain(63, 10000), {16}) == "headDim");
  CHECK(name(scaled(RopeType::linear, 64, 10000, 0.5, 16), {16}) == "factor");
}

}  // namespace
}  // namespace posenc
