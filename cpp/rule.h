// What was due where a value is refused, as data: words are made by whoever tells a reader.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace posenc {

enum class RuleKind : std::uint8_t {
  integer,   ///< from `min` to `max`
  even,      ///< an even integer from `min` to `max`
  divisor,   ///< an integer from 1 that divides `max`
  number,    ///< finite, from `min` to `max`
  above,     ///< finite, above `min` and at most `max`
  choice,    ///< one of `names` or of `numbers`; where both are empty, of names the caller knows
  share,     ///< above 0, at most 1, and of `max` dimensions an even number, 2 at least
  rate,      ///< a learning rate that keeps a table finite; above `max` it diverges
  memory,    ///< at most `max`, or else a smaller model, so that memory stays under 256 MB
  snapshot,  ///< a whole snapshot of `names`, version 1
};

/// Names point into static storage, so that an error can be copied without a thought.
struct Rule {
  static constexpr double unbounded = std::numeric_limits<double>::infinity();

  RuleKind kind = RuleKind::integer;
  double min = -unbounded;
  double max = unbounded;
  /// Of a choice or a snapshot; for other kinds arguments that may be given instead.
  std::span<const std::string_view> names = {};
  std::span<const double> numbers = {};
  bool of_each = false;  ///< `least` to `most` numbers are due, each of which keeps the rule
  double least = 0;
  double most = unbounded;
  /// The value may be given only where this other argument keeps the rule.
  const char* only_with = nullptr;
};

}  // namespace posenc
