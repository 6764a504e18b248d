// Remembers the first thing that is wrong, so that the bounds of many options read as a list.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "types.h"

namespace posenc {

// Out of line, because wasm is downloaded and there are many calls.
class Checks {
 public:
  [[gnu::noinline]] void require(bool right, std::string_view name, double value,
                                 const Rule& rule) {
    if (!right && !error_) {
      error_ = invalid_argument(name, value, rule);
    }
  }

  /// @param kind  integer, even, number or above; NaN keeps none of them
  [[gnu::noinline]] void range(RuleKind kind, std::string_view name, double value, double min,
                               double max = Rule::unbounded) {
    const double step = kind == RuleKind::integer ? 1 : kind == RuleKind::even ? 2 : 0;
    const bool above = kind == RuleKind::above ? value > min : value >= min;
    const bool right =
        std::isfinite(value) && above && value <= max && (step == 0 || std::fmod(value, step) == 0);
    require(right, name, value, {.kind = kind, .min = min, .max = max});
  }

  void number(std::string_view name, double value, double min, double max) {
    range(RuleKind::number, name, value, min, max);
  }

  [[gnu::noinline]] void integer(std::string_view name, std::int64_t value, std::int64_t min,
                                 std::int64_t max) {
    range(RuleKind::integer, name, static_cast<double>(value), static_cast<double>(min),
          static_cast<double>(max));
  }

  /// @param choices  in static storage
  [[gnu::noinline]] void one_of(std::string_view name, std::int64_t value,
                                std::span<const double> choices) {
    const auto given = static_cast<double>(value);
    require(std::find(choices.begin(), choices.end(), given) != choices.end(), name, given,
            {.kind = RuleKind::choice, .numbers = choices});
  }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace posenc
