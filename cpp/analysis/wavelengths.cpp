#include "analysis/wavelengths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>
#include <vector>

#include "analysis/arguments.h"
#include "codes/sinusoidal.h"

namespace posenc {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

/// The first distance whose angle is none of those below `trained` without the scaling. Distances
/// up to 2^24 differ by 6e-8 of their size, and what pow and division round is far below 1e-9:
/// where both meet exactly, as at s times the trained length under interpolation by s, they are
/// equal here.
double first_beyond(double trained, double kept) { return std::ceil(trained / kept * (1 - 1e-9)); }

}  // namespace

Result<PairPhasors> pair_phasors(std::int64_t d_model, double base, std::int64_t position) {
  if (Status status = analysis::check_code(d_model, max_dim, base); !status.ok()) {
    return status.error();
  }
  if (Status status = check_integer("position", position, 0, max_position); !status.ok()) {
    return status.error();
  }
  PairPhasors phasors;
  phasors.has_lone_sine = d_model % 2 == 1;
  const VectorD divisors = angle_divisors(d_model, base);
  phasors.frequency = divisors.cwiseInverse();
  phasors.wavelength = two_pi * divisors;
  phasors.angle = static_cast<double>(position) / divisors.array();
  phasors.sine = phasors.angle.array().sin();
  phasors.cosine = phasors.angle.array().cos();
  return phasors;
}

Result<RopeCoverage> rope_coverage(const RopeOptions& options, const RopeTraining& training) {
  const auto [length, further, window] = training;
  const std::array<std::tuple<const char*, std::int64_t, int>, 3> checks{
      {{"trainedLength", length, 1}, {"trainedFurther", further, 0}, {"window", window, 1}}};
  for (const auto& [name, value, min] : checks) {
    if (Status status = check_integer(name, value, min, max_position); !status.ok()) {
      return status.error();
    }
  }
  RopeOptions asked = options;
  asked.length = options.length.value_or(static_cast<double>(length));
  const auto scaled = rope_frequencies(asked);
  if (!scaled.ok()) {
    return scaled.error();
  }
  asked.scaling.type = RopeType::unscaled;
  const auto unscaled = rope_frequencies(asked);
  if (!unscaled.ok()) {
    return unscaled.error();
  }
  const double largest = std::min(*asked.length, static_cast<double>(window)) - 1;
  const auto trained = static_cast<double>(length);
  const auto trained_on = static_cast<double>(further);
  const std::vector<double>& frequencies = scaled.value().inverse_frequencies;
  const std::vector<double> empty(frequencies.size());
  RopeCoverage coverage{scaled.value(), empty, empty, empty, empty, empty};
  for (std::size_t j = 0; j < frequencies.size(); ++j) {
    const double plain = unscaled.value().inverse_frequencies[j];
    const double kept = frequencies[j] / plain;
    const double turns = std::max(trained * plain, trained_on * frequencies[j]) / two_pi;
    const bool turned = turns >= 1;
    const double from = turned ? std::numeric_limits<double>::infinity()
                               : std::max(first_beyond(trained, kept), trained_on);
    coverage.wavelength[j] = two_pi / frequencies[j];
    coverage.plain_wavelength[j] = two_pi / plain;
    coverage.kept[j] = kept;
    coverage.turns[j] = turns;
    coverage.unseen_from[j] = from;
    coverage.turned += turned ? 1 : 0;
    coverage.unseen += from <= largest ? 1 : 0;
  }
  return coverage;
}

}  // namespace posenc
