#include "analysis/precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc {
namespace {

struct Limits {
  int digits;        ///< significant bits, the hidden one included
  int min_exponent;  ///< of the smallest normal number m * 2^e, 0.5 <= m < 1
  double largest;
};

constexpr Limits limits_of(NumberFormat format) {
  return format == NumberFormat::bfloat16 ? Limits{8, -125, 3.3895313892515355e38}
                                          : Limits{11, -13, 65504};
}

std::vector<double> rounded_to_format(std::span<const double> values, NumberFormat format) {
  std::vector<double> rounded(values.size());
  std::transform(values.begin(), values.end(), rounded.begin(),
                 [&](double value) { return round_to_format(format, value); });
  return rounded;
}

}  // namespace

std::optional<NumberFormat> number_format_from_name(std::string_view name) {
  if (name == "float32") {
    return NumberFormat::float32;
  }
  if (name == "bfloat16") {
    return NumberFormat::bfloat16;
  }
  if (name == "float16") {
    return NumberFormat::float16;
  }
  return std::nullopt;
}

double round_to_format(NumberFormat format, double value) {
  if (format == NumberFormat::float32) {
    return static_cast<float>(value);
  }
  const Limits limits = limits_of(format);
  int exponent = 0;
  std::frexp(value, &exponent);
  const int last_bit = std::max(exponent, limits.min_exponent) - limits.digits;
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -last_bit)), last_bit);
  if (std::abs(rounded) <= limits.largest) {
    return rounded;
  }
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

Result<std::vector<double>> position_errors(std::span<const double> inverse_frequencies,
                                            NumberFormat format,
                                            std::span<const double> positions) {
  const std::vector<double> rounded = rounded_to_format(inverse_frequencies, format);
  std::vector<double> errors;
  errors.reserve(positions.size());
  for (const double position : positions) {
    if (!is_position(position)) {
      return invalid_entry("positions", position, RuleKind::integer, 0, double{max_position});
    }
    const double rounded_position = round_to_format(format, position);
    double worst = 0;
    for (std::size_t j = 0; j < rounded.size() && !std::isnan(worst); ++j) {
      const double angle = round_to_format(format, rounded_position * rounded[j]);
      const double error = std::abs(std::cos(angle) - std::cos(position * inverse_frequencies[j]));
      worst = std::isnan(error) ? error : std::max(worst, error);
    }
    errors.push_back(worst);
  }
  return errors;
}

Result<std::int64_t> first_collision(std::span<const double> inverse_frequencies,
                                     NumberFormat format, std::int64_t begin, std::int64_t end) {
  for (const Status& status : {check_integer("begin", begin, 0, max_position),
                               check_integer("end", end, begin, max_position)}) {
    if (!status.ok()) {
      return status.error();
    }
  }
  const std::vector<double> rounded = rounded_to_format(inverse_frequencies, format);
  for (std::int64_t position = begin; position < end; ++position) {
    const double here = round_to_format(format, static_cast<double>(position));
    const double next = round_to_format(format, static_cast<double>(position + 1));
    // The first pair is the fastest: nearly always it alone tells two neighbours apart.
    const bool same = std::all_of(rounded.begin(), rounded.end(), [&](double frequency) {
      return round_to_format(format, here * frequency) == round_to_format(format, next * frequency);
    });
    if (same) {
      return position;
    }
  }
  return std::int64_t{-1};
}

}  // namespace posenc
