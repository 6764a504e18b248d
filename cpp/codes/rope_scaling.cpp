#include "codes/rope_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "checks.h"

namespace posenc {
namespace {

constexpr double two_pi = 6.283185307179586476925286766559;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

void check_context(Checks& checks, const char* name, std::optional<double> given) {
  if (given) {
    checks.range(RuleKind::integer, name, *given, 1, double{max_position});
  }
}

void check_positive(Checks& checks, const char* name, double value) {
  checks.range(RuleKind::above, name, value, 0, max_rope_factor);
}

/// What the options come to once every default is in its place.
struct Setup {
  std::int64_t rotary_dim = 0;
  double base = 0;
  double context = 0;  ///< L0; NaN where unknown
  double factor = 0;   ///< s
  double length = 0;   ///< L
};

void resolve_rotary_dim(const RopeOptions& options, Setup& setup, Checks& checks) {
  const double head_dim = options.head_dim;
  checks.range(RuleKind::even, "headDim", head_dim, 2, double{max_dim});
  const bool in_scaling =
      !options.partial_rotary_factor && options.scaling.partial_rotary_factor.has_value();
  const char* const name = in_scaling ? "partial_rotary_factor" : "partialRotaryFactor";
  const double share = in_scaling ? *options.scaling.partial_rotary_factor
                                  : options.partial_rotary_factor.value_or(1);
  checks.range(RuleKind::above, name, share, 0, 1);
  if (checks.error()) {
    return;
  }
  setup.rotary_dim = static_cast<std::int64_t>(std::floor(head_dim * share));
  checks.require(setup.rotary_dim >= 2 && setup.rotary_dim % 2 == 0, name, share,
                 {.kind = RuleKind::share, .max = head_dim});
}

void resolve_base(const RopeOptions& options, Setup& setup, Checks& checks) {
  const bool in_scaling = !options.theta && options.scaling.rope_theta.has_value();
  setup.base = in_scaling ? *options.scaling.rope_theta : options.theta.value_or(10000);
  // YaRN divides by log(base).
  const bool logarithm = options.scaling.type == RopeType::yarn;
  checks.range(logarithm ? RuleKind::above : RuleKind::number, in_scaling ? "rope_theta" : "theta",
               setup.base, 1, max_rope_theta);
}

void resolve_lengths(const RopeOptions& options, Setup& setup, Checks& checks) {
  const RopeScaling& scaling = options.scaling;
  check_context(checks, "maxPositions", options.max_positions);
  check_context(checks, "originalMaxPositions", options.original_max_positions);
  check_context(checks, "length", options.length);

  const RopeType type = scaling.type;
  if (type == RopeType::unscaled) {
    return;
  }
  check_context(checks, "original_max_position_embeddings",
                scaling.original_max_position_embeddings);
  std::optional<double> context = scaling.original_max_position_embeddings;
  if (!context) {
    context = options.original_max_positions;
  }
  if (!context) {
    context = options.max_positions;
  }
  setup.context = context.value_or(missing);
  setup.length = options.length.value_or(setup.context);
  // LongRoPE divides by log(L0).
  const bool reads_context = type != RopeType::linear && type != RopeType::ntk;
  static constexpr std::array<std::string_view, 2> lengths = {"originalMaxPositions",
                                                              "maxPositions"};
  checks.require(!reads_context || setup.context >= 2, "original_max_position_embeddings",
                 setup.context, {.min = 2, .max = double{max_position}, .names = lengths});

  const bool reads_factor = type != RopeType::longrope || !scaling.attention_factor;
  if (!reads_factor) {
    return;
  }
  if (scaling.factor || !context || !options.max_positions) {
    setup.factor = scaling.factor.value_or(missing);
    // Where it is missing, it is maxPositions / the pretrained context.
    const auto instead = std::span(lengths).subspan(1);
    checks.require(setup.factor >= 1 && setup.factor <= max_rope_factor, "factor", setup.factor,
                   {.kind = RuleKind::number, .min = 1, .max = max_rope_factor, .names = instead});
  } else {
    setup.factor = *options.max_positions / *context;
    // The factor is their ratio.
    checks.range(RuleKind::integer, "maxPositions", *options.max_positions, *context,
                 double{max_position});
  }
}

/// theta_j = base^(-2j/d)
std::vector<double> plain_frequencies(std::int64_t d, double base) {
  std::vector<double> frequencies(static_cast<std::size_t>(d / 2));
  for (std::size_t j = 0; j < frequencies.size(); ++j) {
    frequencies[j] = std::pow(base, -2 * static_cast<double>(j) / static_cast<double>(d));
  }
  return frequencies;
}

/// Keeps a share of each frequency and divides the rest by s. In this form keep = 1 and s = 1 both
/// give the plain frequency to the last bit.
void interpolate(std::vector<double>& frequencies, std::size_t j, double keep, double s) {
  frequencies[j] *= keep + (1 - keep) / s;
}

/// Peng et al. 2023, section 3.2: pairs that turn more than beta_fast times within L0 are kept,
/// those that turn less than beta_slow times are divided by s, with a ramp over the pairs between.
void apply_yarn(const RopeScaling& scaling, const Setup& setup, RopeFrequencies& result,
                Checks& checks) {
  const double fast = scaling.beta_fast.value_or(32);
  const double slow = scaling.beta_slow.value_or(1);
  check_positive(checks, "beta_slow", slow);
  check_positive(checks, "beta_fast", fast);
  checks.number("beta_fast", fast, slow, max_rope_factor);

  const double d = static_cast<double>(setup.rotary_dim);
  const auto pair_that_turns = [&](double turns) {
    return d * std::log(setup.context / (turns * two_pi)) / (2 * std::log(setup.base));
  };
  double low = pair_that_turns(fast);
  double high = pair_that_turns(slow);
  if (scaling.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  // An empty ramp becomes a step: the published code widens it by as much.
  high = std::max(std::min(high, d - 1), low);
  if (high == low) {
    high += 0.001;
  }
  for (std::size_t j = 0; j < result.inverse_frequencies.size(); ++j) {
    const double ramp = std::clamp((static_cast<double>(j) - low) / (high - low), 0.0, 1.0);
    interpolate(result.inverse_frequencies, j, 1 - ramp, setup.factor);
  }

  // Section 3.4: 0.1 ln s + 1. DeepSeek's two keys count only together, as in transformers.
  const double log_s = std::log(setup.factor);
  const double mscale = scaling.mscale.value_or(0);
  const double mscale_all_dim = scaling.mscale_all_dim.value_or(0);
  for (const auto& [name, value] :
       {std::pair{"mscale", mscale}, {"mscale_all_dim", mscale_all_dim}}) {
    checks.number(name, value, 0, max_rope_factor);
  }
  const double all_dim = 0.1 * mscale_all_dim * log_s + 1;
  result.attention_factor =
      mscale > 0 && mscale_all_dim > 0 ? (0.1 * mscale * log_s + 1) / all_dim : 0.1 * log_s + 1;
  // DeepSeek multiplies its softmax scale besides (transformers, DeepseekV3Attention).
  result.score_factor = all_dim * all_dim;
}

/// Ding et al. 2024, with the attention factor of Phi-3: sqrt(1 + ln s / ln L0).
void apply_longrope(const RopeScaling& scaling, const Setup& setup, RopeFrequencies& result,
                    Checks& checks) {
  std::vector<double>& frequencies = result.inverse_frequencies;
  const auto count = static_cast<double>(frequencies.size());
  const Rule rule{.kind = RuleKind::number,
                  .min = min_rope_factor,
                  .max = max_rope_factor,
                  .of_each = true,
                  .least = count,
                  .most = count};
  for (const auto& [name, list] :
       {std::pair{"short_factor", &scaling.short_factor}, {"long_factor", &scaling.long_factor}}) {
    checks.require(list->size() == frequencies.size(), name, static_cast<double>(list->size()),
                   rule);
    for (const double entry : *list) {
      checks.require(entry >= min_rope_factor && entry <= max_rope_factor, name, entry, rule);
    }
  }
  if (checks.error()) {
    return;
  }
  const bool fits = setup.length <= setup.context;
  const std::vector<double>& factors = fits ? scaling.short_factor : scaling.long_factor;
  for (std::size_t j = 0; j < frequencies.size(); ++j) {
    frequencies[j] /= factors[j];
  }
  if (!scaling.attention_factor) {
    result.attention_factor = std::sqrt(1 + std::log(setup.factor) / std::log(setup.context));
  }
}

/// Llama 3.1: wavelengths up to L0 / high_freq_factor are kept, those from L0 / low_freq_factor on
/// are divided by s, and between the two the kept share falls linearly in L0 / wavelength.
void apply_llama3(const RopeScaling& scaling, const Setup& setup, RopeFrequencies& result,
                  Checks& checks) {
  const double low = scaling.low_freq_factor.value_or(missing);
  const double high = scaling.high_freq_factor.value_or(missing);
  check_positive(checks, "low_freq_factor", low);
  check_positive(checks, "high_freq_factor", high);
  // Llama 4 Scout has both at 1: then the band between is a step.
  checks.number("high_freq_factor", high, low, max_rope_factor);
  for (std::size_t j = 0; j < result.inverse_frequencies.size(); ++j) {
    const double turns = setup.context * result.inverse_frequencies[j] / two_pi;
    const double step = turns >= low ? 1 : 0;
    const double keep = high > low ? std::clamp((turns - low) / (high - low), 0.0, 1.0) : step;
    interpolate(result.inverse_frequencies, j, keep, setup.factor);
  }
}

}  // namespace

std::optional<RopeType> rope_type_from_name(std::string_view name) {
  constexpr std::array<std::string_view, 7> names{"default", "linear",   "ntk",   "dynamic",
                                                  "yarn",    "longrope", "llama3"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return std::nullopt;
  }
  return static_cast<RopeType>(found - names.begin());
}

bool is_position(double value) {
  return value >= 0 && value <= double{max_position} && value == std::floor(value);
}

Result<RopeFrequencies> rope_frequencies(const RopeOptions& options) {
  const RopeScaling& scaling = options.scaling;
  const RopeType type = scaling.type;
  Checks checks;
  Setup setup;
  resolve_rotary_dim(options, setup, checks);
  resolve_base(options, setup, checks);
  resolve_lengths(options, setup, checks);
  const bool changes_base = type == RopeType::ntk || type == RopeType::dynamic;
  // Both divide by the rotary dimensions less 2.
  const double share = static_cast<double>(setup.rotary_dim) / options.head_dim;
  checks.require(!changes_base || setup.rotary_dim > 2, "headDim", options.head_dim,
                 {.kind = RuleKind::even, .min = 2 * std::ceil(2 / share), .max = double{max_dim}});
  if (checks.error()) {
    return *checks.error();
  }

  if (changes_base) {
    double growth = setup.factor;
    if (type == RopeType::dynamic) {
      growth = setup.length > setup.context
                   ? setup.factor * setup.length / setup.context - (setup.factor - 1)
                   : 1;
    }
    const double d = static_cast<double>(setup.rotary_dim);
    setup.base *= std::pow(growth, d / (d - 2));
  }
  RopeFrequencies result;
  result.rotary_dim = setup.rotary_dim;
  result.inverse_frequencies = plain_frequencies(setup.rotary_dim, setup.base);
  if (type == RopeType::linear) {
    for (double& frequency : result.inverse_frequencies) {
      frequency /= setup.factor;
    }
  }
  if (type == RopeType::yarn) {
    apply_yarn(scaling, setup, result, checks);
  }
  if (type == RopeType::longrope) {
    apply_longrope(scaling, setup, result, checks);
  }
  if (type == RopeType::llama3) {
    apply_llama3(scaling, setup, result, checks);
  }
  if (scaling.attention_factor && (type == RopeType::yarn || type == RopeType::longrope)) {
    check_positive(checks, "attention_factor", *scaling.attention_factor);
    result.attention_factor = *scaling.attention_factor;
  }
  if (checks.error()) {
    return *checks.error();
  }
  return result;
}

}  // namespace posenc
