// What every refusal must carry beside its name: a rule that is whole, and that the value breaks.
#pragma once

#include <algorithm>
#include <cmath>

#include "catch.h"
#include "types.h"

/// Whether `value` keeps a rule that a number can be held against.
inline bool keeps(const posenc::Rule& rule, double value) {
  using posenc::RuleKind;
  const bool whole = value == std::trunc(value);
  const bool inside = std::isfinite(value) && value >= rule.min && value <= rule.max;
  switch (rule.kind) {
    case RuleKind::integer:
      return inside && whole;
    case RuleKind::even:
      return inside && std::fmod(value, 2) == 0;
    case RuleKind::divisor:
      return inside && whole && std::fmod(rule.max, value) == 0;
    case RuleKind::number:
      return inside;
    case RuleKind::above:
      return inside && value > rule.min;
    case RuleKind::choice:
      return std::find(rule.numbers.begin(), rule.numbers.end(), value) != rule.numbers.end();
    case RuleKind::share:
      return value > 0 && value <= 1 && std::floor(value * rule.max) >= 2 &&
             std::fmod(std::floor(value * rule.max), 2) == 0;
    case RuleKind::memory:
      return value <= rule.max && std::isfinite(rule.max);
    case RuleKind::rate:
    case RuleKind::snapshot:
      return false;
  }
  return false;
}

inline void check_rule(const posenc::Error& error) {
  const posenc::Rule& rule = error.rule;
  CAPTURE(error.name, error.value, static_cast<int>(rule.kind), rule.min, rule.max, rule.least,
          rule.most);
  CHECK(error.code == posenc::ErrorCode::invalid_argument);
  CHECK_FALSE(error.name.empty());
  CHECK(rule.min <= rule.max);
  CHECK(rule.least <= rule.most);
  if (rule.kind == posenc::RuleKind::choice || rule.kind == posenc::RuleKind::snapshot) {
    CHECK(rule.names.size() + rule.numbers.size() > 0);
  }
  if (rule.only_with != nullptr) {
    return;  // it is the other argument that keeps the rule, or does not
  }
  if (rule.of_each) {
    // Either a count is wrong or an entry.
    CHECK((error.value < rule.least || error.value > rule.most || !keeps(rule, error.value)));
  } else {
    CHECK_FALSE(keeps(rule, error.value));
  }
}
