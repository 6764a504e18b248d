// Runs of the length lab, as the tests make them.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "lab/trainer.h"

namespace posenc {

inline LabOptions run_options(LabTask task, PositionCode code, std::int64_t steps = 40) {
  LabOptions options;
  options.task = task;
  options.code = code;
  options.steps = steps;
  options.warm_up = steps < 50 ? steps / 4 : 50;
  return options;
}

/// Losses and accuracies, one a step.
struct Log {
  std::vector<float> losses;
  std::vector<float> accuracies;
};

inline Log train(Trainer& trainer, std::int64_t steps) {
  Log log;
  REQUIRE(trainer.train(steps, log.losses, log.accuracies).ok());
  return log;
}

inline Trainer trained(const LabOptions& options) {
  Trainer trainer = Trainer::create(options).value();
  train(trainer, options.steps);
  return trainer;
}

inline Curve curve_of(Trainer& trainer, const TestOptions& test = {}, std::int64_t sequences = 32) {
  Curve curve;
  REQUIRE(trainer.start_curve(curve, test, sequences).ok());
  for (std::int64_t piece = 0; piece < trainer.curve_pieces(); ++piece) {
    REQUIRE(trainer.run_curve_piece(curve, test, sequences, piece).ok());
  }
  return curve;
}

/// Equal to the last bit, NaN and NaN included.
inline bool same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) {
      return false;
    }
  }
  return true;
}

inline bool same_curve(const Curve& a, const Curve& b) {
  return a.lengths == b.lengths && a.counts == b.counts && a.right == b.right && a.wall == b.wall &&
         same_numbers(a.accuracies, b.accuracies) && same_numbers(a.losses, b.losses);
}

/// Share of right answers over the lengths first .. last.
inline double accuracy_between(const Curve& curve, std::int64_t first, std::int64_t last) {
  double right = 0;
  double count = 0;
  for (std::int64_t n = first; n <= last; ++n) {
    right += curve.right[static_cast<std::size_t>(n - 1)];
    count += curve.counts[static_cast<std::size_t>(n - 1)];
  }
  return right / count;
}

}  // namespace posenc
