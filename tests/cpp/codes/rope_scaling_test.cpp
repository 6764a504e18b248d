#include "codes/rope_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "golden.h"
#include "rule_check.h"

namespace posenc {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Fields without their separators.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> fields;
  std::istringstream stream(text);
  for (std::string field; std::getline(stream, field, separator);) {
    fields.push_back(field);
  }
  return fields;
}

/// "dim=64;base=10000;kind=yarn" of rope_frequencies.csv
RopeOptions options_from_golden(const std::string& parameters) {
  RopeOptions options;
  RopeScaling& scaling = options.scaling;
  for (const std::string& field : split(parameters, ';')) {
    const std::size_t equals = field.find('=');
    const std::string key = field.substr(0, equals);
    const std::string text = field.substr(equals + 1);
    if (key == "kind") {
      scaling.type = rope_type_from_name(text).value();
    } else if (key == "truncate") {
      scaling.truncate = text == "True";
    } else if (key == "short" || key == "long") {
      std::vector<double> factors;
      for (const std::string& factor : split(text, '|')) {
        factors.push_back(std::stod(factor));
      }
      (key == "short" ? scaling.short_factor : scaling.long_factor) = factors;
    } else if (key == "dim") {
      options.head_dim = std::stod(text);
    } else {
      const std::map<std::string, std::optional<double>*> numbers{
          {"base", &options.theta},          {"seq", &options.length},
          {"factor", &scaling.factor},       {"orig", &scaling.original_max_position_embeddings},
          {"mscale", &scaling.mscale},       {"mscale_all", &scaling.mscale_all_dim},
          {"low", &scaling.low_freq_factor}, {"high", &scaling.high_freq_factor}};
      *numbers.at(key) = std::stod(text);
    }
  }
  return options;
}

RopeOptions options_of(RopeType type, double head_dim = 64) {
  RopeOptions options;
  options.head_dim = head_dim;
  options.scaling.type = type;
  options.scaling.factor = 4;
  options.scaling.original_max_position_embeddings = 4096;
  options.scaling.low_freq_factor = 1;
  options.scaling.high_freq_factor = 4;
  const std::vector<double> ones(static_cast<std::size_t>(head_dim / 2), 1.0);
  options.scaling.short_factor = ones;
  options.scaling.long_factor = ones;
  return options;
}

std::vector<double> frequencies_of(const RopeOptions& options) {
  const auto result = rope_frequencies(options);
  REQUIRE(result.ok());
  return result.value().inverse_frequencies;
}

std::string error_name(const RopeOptions& options) {
  const auto result = rope_frequencies(options);
  if (result.ok()) {
    return "no error";
  }
  CHECK(result.error().code == ErrorCode::invalid_argument);
  check_rule(result.error());
  return std::string(result.error().name);
}

TEST_CASE("RoPE frequencies and attention factors equal the reference") {
  int cases = 0;
  for (const auto& row : golden_rows("rope_frequencies.csv")) {
    const auto result = rope_frequencies(options_from_golden(row[1]));
    INFO(row[0] << " index " << row[2]);
    REQUIRE(result.ok());
    const int index = std::stoi(row[2]);
    const double expected = std::stod(row[3]);
    const double actual =
        index < 0 ? result.value().attention_factor
                  : result.value().inverse_frequencies.at(static_cast<std::size_t>(index));
    REQUIRE(std::abs(actual - expected) <= 1e-14 * expected);
    ++cases;
  }
  REQUIRE(cases == 508);
}

TEST_CASE("PI, NTK, YaRN and llama3 at factor 1 equal the plain frequencies") {
  const std::vector<double> plain = frequencies_of(options_of(RopeType::unscaled));
  for (const RopeType type :
       {RopeType::linear, RopeType::ntk, RopeType::dynamic, RopeType::yarn, RopeType::llama3}) {
    RopeOptions options = options_of(type);
    options.scaling.factor = 1;
    CHECK(frequencies_of(options) == plain);
    CHECK(rope_frequencies(options).value().attention_factor == 1);
  }
}

TEST_CASE("dynamic NTK changes nothing up to the pretrained context") {
  const std::vector<double> plain = frequencies_of(options_of(RopeType::unscaled));
  RopeOptions options = options_of(RopeType::dynamic);
  options.scaling.factor = 3.7;
  for (const double length : {1.0, 100.0, 4096.0}) {
    options.length = length;
    CHECK(frequencies_of(options) == plain);
  }
  options.length = 4097;
  const std::vector<double> beyond = frequencies_of(options);
  CHECK(beyond.front() == 1);
  CHECK(beyond.back() < plain.back());
  CHECK(beyond.back() > 0.99 * plain.back());
  options.length = std::nullopt;
  CHECK(frequencies_of(options) == plain);
}

TEST_CASE("llama3's three bands meet without a step") {
  RopeOptions options = options_of(RopeType::llama3, 4096);
  options.theta = 500000;
  options.scaling.factor = 8;
  options.scaling.original_max_position_embeddings = 8192;
  const std::vector<double> plain = [&] {
    RopeOptions unscaled = options;
    unscaled.scaling.type = RopeType::unscaled;
    return frequencies_of(unscaled);
  }();
  const std::vector<double> scaled = frequencies_of(options);
  double last_share = 1;
  std::array<int, 3> band{};
  for (std::size_t j = 0; j < plain.size(); ++j) {
    const double share = scaled[j] / plain[j];
    const double wavelength = 2 * 3.141592653589793 / plain[j];
    if (wavelength < 8192.0 / 4) {
      CHECK(share == 1);
      ++band[0];
    } else if (wavelength > 8192.0) {
      CHECK(share == Approx(1.0 / 8).epsilon(1e-14));
      ++band[2];
    } else {
      ++band[1];
    }
    // 2048 pairs: a band that did not meet its neighbour would jump by far more than this.
    CHECK(share <= last_share + 1e-15);
    CHECK(last_share - share < 0.01);
    last_share = share;
  }
  CHECK(std::all_of(band.begin(), band.end(), [](int pairs) { return pairs > 100; }));
}

// Llama 4 Scout has both factors at 1: "wavelen > low_freq_wavelen" of transformers' llama3
// function.
TEST_CASE("llama3 with equal factors is a step at the wavelength L0 / low_freq_factor") {
  RopeOptions options = options_of(RopeType::llama3);
  options.scaling.high_freq_factor = 1;
  const std::vector<double> scaled = frequencies_of(options);
  options.scaling.type = RopeType::unscaled;
  const std::vector<double> plain = frequencies_of(options);
  std::size_t kept = 0;
  for (std::size_t j = 0; j < plain.size(); ++j) {
    const bool is_short = 2 * 3.14159265358979 / plain[j] <= 4096;
    kept += is_short ? 1 : 0;
    CHECK(scaled[j] == Approx(is_short ? plain[j] : plain[j] / 4).epsilon(1e-14));
  }
  CHECK(kept > 0);
  CHECK(kept < plain.size());
}

TEST_CASE("YaRN keeps the fast pairs and interpolates the slow ones") {
  RopeOptions options = options_of(RopeType::yarn, 128);
  const std::vector<double> yarn = frequencies_of(options);
  options.scaling.type = RopeType::unscaled;
  const std::vector<double> plain = frequencies_of(options);
  for (std::size_t j = 0; j < plain.size(); ++j) {
    const double turns = 4096 * plain[j] / (2 * 3.141592653589793);
    if (turns > 40) {
      CHECK(yarn[j] == plain[j]);
    }
    if (turns < 0.8) {
      CHECK(yarn[j] == plain[j] / 4);
    }
  }
}

TEST_CASE("an empty YaRN ramp is a step, not a division by zero") {
  RopeOptions options = options_of(RopeType::yarn);
  options.scaling.truncate = false;
  options.scaling.beta_fast = 3;
  options.scaling.beta_slow = 3;
  for (const double frequency : frequencies_of(options)) {
    CHECK(std::isfinite(frequency));
  }
  // Every pair of a small base turns more than beta_fast times: all are kept.
  options.theta = 1.5;
  options.scaling.beta_fast = std::nullopt;
  options.scaling.beta_slow = std::nullopt;
  const std::vector<double> yarn = frequencies_of(options);
  options.scaling.type = RopeType::unscaled;
  CHECK(yarn == frequencies_of(options));
}

TEST_CASE("attention factors: formulas, DeepSeek's keys, override") {
  const auto factor_of = [](const RopeOptions& options) {
    return rope_frequencies(options).value().attention_factor;
  };
  RopeOptions yarn = options_of(RopeType::yarn);
  yarn.scaling.factor = 40;
  CHECK(factor_of(yarn) == Approx(0.1 * std::log(40.0) + 1).epsilon(1e-15));
  yarn.scaling.mscale = 0.707;
  CHECK(factor_of(yarn) == Approx(0.1 * std::log(40.0) + 1).epsilon(1e-15));
  yarn.scaling.mscale_all_dim = 1;
  CHECK(factor_of(yarn) ==
        Approx((0.0707 * std::log(40.0) + 1) / (0.1 * std::log(40.0) + 1)).epsilon(1e-15));
  // transformers, DeepseekV3Attention: softmax scale * yarn_get_mscale(factor, mscale_all_dim)^2.
  const auto score_factor_of = [](const RopeOptions& options) {
    return rope_frequencies(options).value().score_factor;
  };
  CHECK(score_factor_of(yarn) == Approx(1.8739).margin(5e-5));
  yarn.scaling.attention_factor = 1.25;
  CHECK(factor_of(yarn) == 1.25);
  yarn.scaling.mscale_all_dim = std::nullopt;
  CHECK(score_factor_of(yarn) == 1);

  RopeOptions longrope = options_of(RopeType::longrope);
  CHECK(factor_of(longrope) ==
        Approx(std::sqrt(1 + std::log(4.0) / std::log(4096.0))).epsilon(1e-15));
  longrope.scaling.attention_factor = 1.25;
  longrope.scaling.factor = std::nullopt;  // nothing else reads it
  CHECK(factor_of(longrope) == 1.25);

  RopeOptions linear = options_of(RopeType::linear);
  linear.scaling.attention_factor = 1.25;
  CHECK(factor_of(linear) == 1);
}

TEST_CASE("LongRoPE takes the long factors from L0 + 1 on") {
  RopeOptions options = options_of(RopeType::longrope, 4);
  options.scaling.short_factor = std::vector<double>{1, 2};
  options.scaling.long_factor = std::vector<double>{4, 8};
  CHECK(frequencies_of(options) == std::vector<double>{1, 0.01 / 2});
  options.length = 4096;
  CHECK(frequencies_of(options) == std::vector<double>{1, 0.01 / 2});
  options.length = 4097;
  CHECK(frequencies_of(options) == std::vector<double>{0.25, 0.01 / 8});
}

TEST_CASE("the pretrained context: inside the scaling first, then beside it, then maxPositions") {
  RopeOptions options = options_of(RopeType::dynamic);
  options.length = 8192;
  const auto expect_context = [&](double context) {
    RopeOptions explicit_context = options_of(RopeType::dynamic);
    explicit_context.length = 8192;
    explicit_context.scaling.original_max_position_embeddings = context;
    CHECK(frequencies_of(options) == frequencies_of(explicit_context));
  };
  options.max_positions = 1000;
  options.original_max_positions = 2000;
  options.scaling.original_max_position_embeddings = 3000;
  expect_context(3000);
  options.scaling.original_max_position_embeddings = std::nullopt;
  expect_context(2000);
  options.original_max_positions = std::nullopt;
  expect_context(1000);
}

TEST_CASE("a missing factor is maxPositions / L0") {
  for (const RopeType type :
       {RopeType::linear, RopeType::ntk, RopeType::yarn, RopeType::longrope, RopeType::llama3}) {
    RopeOptions options = options_of(type);
    const auto with_factor = rope_frequencies(options).value();
    options.scaling.factor = std::nullopt;
    options.max_positions = 16384;
    const auto without = rope_frequencies(options).value();
    CHECK(without.inverse_frequencies == with_factor.inverse_frequencies);
    CHECK(without.attention_factor == with_factor.attention_factor);
    options.max_positions = 2048;
    CHECK(error_name(options) == "maxPositions");
  }
  RopeOptions alone = options_of(RopeType::linear);
  alone.scaling.factor = std::nullopt;
  alone.scaling.original_max_position_embeddings = std::nullopt;
  CHECK(error_name(alone) == "factor");
  alone.max_positions = 4096;
  CHECK(error_name(alone) == "no error");
}

TEST_CASE("partial rotary and theta: the option first, then the key inside the scaling") {
  RopeOptions options = options_of(RopeType::unscaled, 80);
  options.scaling.partial_rotary_factor = 0.4;
  options.scaling.rope_theta = 100;
  auto result = rope_frequencies(options).value();
  CHECK(result.rotary_dim == 32);
  CHECK(result.inverse_frequencies.size() == 16);
  CHECK(result.inverse_frequencies[8] == Approx(0.1).epsilon(1e-15));
  options.partial_rotary_factor = 0.1;
  options.theta = 16;
  result = rope_frequencies(options).value();
  CHECK(result.rotary_dim == 8);
  CHECK(result.inverse_frequencies == std::vector<double>{1, 0.5, 0.25, 0.125});
}

TEST_CASE("a key that the type does not read is not checked") {
  RopeOptions options = options_of(RopeType::unscaled);
  options.scaling.factor = 0.5;
  options.scaling.beta_slow = -1;
  options.scaling.short_factor = std::vector<double>{};
  CHECK(error_name(options) == "no error");
}

TEST_CASE("RoPE errors name the key") {
  struct Bad {
    const char* name;
    RopeType type;
    std::function<void(RopeOptions&)> spoil;
  };
  const std::vector<Bad> bad_ones{
      {"headDim", RopeType::unscaled, [](auto& o) { o.head_dim = 7; }},
      {"headDim", RopeType::unscaled, [](auto& o) { o.head_dim = 0; }},
      {"headDim", RopeType::unscaled, [](auto& o) { o.head_dim = 8.5; }},
      {"headDim", RopeType::unscaled, [](auto& o) { o.head_dim = 65538; }},
      {"headDim", RopeType::unscaled, [](auto& o) { o.head_dim = not_a_number; }},
      {"headDim", RopeType::ntk, [](auto& o) { o.head_dim = 2; }},
      {"headDim", RopeType::dynamic, [](auto& o) { o.partial_rotary_factor = 0.04; }},
      {"theta", RopeType::unscaled, [](auto& o) { o.theta = 0.5; }},
      {"theta", RopeType::unscaled, [](auto& o) { o.theta = infinity; }},
      {"theta", RopeType::unscaled, [](auto& o) { o.theta = not_a_number; }},
      {"theta", RopeType::yarn, [](auto& o) { o.theta = 1; }},
      {"rope_theta", RopeType::unscaled, [](auto& o) { o.scaling.rope_theta = -1; }},
      {"partialRotaryFactor", RopeType::unscaled, [](auto& o) { o.partial_rotary_factor = 0; }},
      {"partialRotaryFactor", RopeType::unscaled, [](auto& o) { o.partial_rotary_factor = 1.5; }},
      {"partialRotaryFactor", RopeType::unscaled, [](auto& o) { o.partial_rotary_factor = 0.05; }},
      {"partialRotaryFactor", RopeType::unscaled, [](auto& o) { o.partial_rotary_factor = 0.01; }},
      {"partial_rotary_factor", RopeType::unscaled,
       [](auto& o) { o.scaling.partial_rotary_factor = not_a_number; }},
      {"maxPositions", RopeType::unscaled, [](auto& o) { o.max_positions = 0; }},
      {"maxPositions", RopeType::unscaled, [](auto& o) { o.max_positions = 1e9; }},
      {"originalMaxPositions", RopeType::unscaled, [](auto& o) { o.original_max_positions = 2.5; }},
      {"length", RopeType::unscaled, [](auto& o) { o.length = -4; }},
      {"factor", RopeType::linear, [](auto& o) { o.scaling.factor = 0.99; }},
      {"factor", RopeType::ntk, [](auto& o) { o.scaling.factor = not_a_number; }},
      {"factor", RopeType::dynamic, [](auto& o) { o.scaling.factor = 1e10; }},
      {"factor", RopeType::yarn, [](auto& o) { o.scaling.factor = std::nullopt; }},
      {"factor", RopeType::longrope, [](auto& o) { o.scaling.factor = -4; }},
      {"original_max_position_embeddings", RopeType::yarn,
       [](auto& o) { o.scaling.original_max_position_embeddings = std::nullopt; }},
      {"original_max_position_embeddings", RopeType::llama3,
       [](auto& o) { o.scaling.original_max_position_embeddings = 0.5; }},
      {"original_max_position_embeddings", RopeType::longrope,
       [](auto& o) { o.scaling.original_max_position_embeddings = 1; }},
      {"beta_slow", RopeType::yarn, [](auto& o) { o.scaling.beta_slow = 0; }},
      {"beta_fast", RopeType::yarn, [](auto& o) { o.scaling.beta_fast = not_a_number; }},
      {"beta_fast", RopeType::yarn, [](auto& o) { o.scaling.beta_fast = 0.5; }},
      {"mscale", RopeType::yarn, [](auto& o) { o.scaling.mscale = -1; }},
      {"mscale_all_dim", RopeType::yarn, [](auto& o) { o.scaling.mscale_all_dim = not_a_number; }},
      {"attention_factor", RopeType::yarn, [](auto& o) { o.scaling.attention_factor = 0; }},
      {"attention_factor", RopeType::longrope,
       [](auto& o) { o.scaling.attention_factor = not_a_number; }},
      {"short_factor", RopeType::longrope, [](auto& o) { o.scaling.short_factor.pop_back(); }},
      {"short_factor", RopeType::longrope, [](auto& o) { o.scaling.short_factor.at(3) = 0; }},
      {"long_factor", RopeType::longrope, [](auto& o) { o.scaling.long_factor.push_back(1); }},
      {"long_factor", RopeType::longrope, [](auto& o) { o.scaling.long_factor.clear(); }},
      {"low_freq_factor", RopeType::llama3,
       [](auto& o) { o.scaling.low_freq_factor = std::nullopt; }},
      {"high_freq_factor", RopeType::llama3,
       [](auto& o) { o.scaling.high_freq_factor = std::nullopt; }},
      {"high_freq_factor", RopeType::llama3, [](auto& o) { o.scaling.high_freq_factor = 0.5; }},
  };
  for (const Bad& bad : bad_ones) {
    RopeOptions options = options_of(bad.type);
    bad.spoil(options);
    CHECK(error_name(options) == bad.name);
  }
  CHECK_FALSE(rope_type_from_name("su").has_value());
  CHECK_FALSE(rope_type_from_name("").has_value());
}

}  // namespace
}  // namespace posenc
