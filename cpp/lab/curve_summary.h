// What is said of curves: accuracy near a length, models of several seeds together, and which of
// them certainly differ. The one definition of each, for curves, sentences and verdicts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lab/options.h"
#include "types.h"

namespace posenc {

/// A model with less than this accuracy near its training length has not learned its task: what it
/// does at longer lengths is no extrapolation.
inline constexpr double trained_accuracy = 0.95;

/// How many lengths count as "near" n: n and those before it. A quarter of the training length,
/// rounded up: the lengths in (n - L/4, n]. Where a length has sequences of its own (no causal
/// mask, or an answer that follows) and training knew L alone, even L - 1 is new to the model (the
/// separator of `copy` stands where it never stood), so n alone.
std::int64_t near_lengths(const LabOptions& options);

/// The share of right answers among all targets at the lengths first to last: each target counts
/// alike, whatever its length.
/// @param accuracies  by length, from length 1
/// @param counts      targets behind each; where 0 the accuracy is not read
/// @return NaN where nothing was judged
double accuracy_between(std::span<const double> accuracies, std::span<const std::int32_t> counts,
                        std::int64_t first, std::int64_t last);

/// Curves of one code and task, one a seed.
struct CurveSummary {
  std::int64_t curves = 0;
  std::int64_t lengths = 0;
  std::int64_t window = 0;    ///< near_lengths
  std::vector<double> mean;   ///< (lengths) over the curves that have an accuracy there, or NaN
  std::vector<double> low;    ///< likewise the lowest
  std::vector<double> high;   ///< likewise the highest
  std::vector<double> near;   ///< (curves, lengths) accuracy near each length, or NaN
  std::vector<double> about;  ///< (lengths) mean of `near` over the curves
  std::vector<double> past;   ///< (curves) over all targets past L, or NaN
  double inside = 0;          ///< `about` at L: the mean of the curves' own `inside`
  bool trained = false;       ///< inside >= trained_accuracy
  /// The last length up to which `mean` stays at trained_accuracy or above, counted from L, or from
  /// the last length before it within the window where L itself is below. 0: nowhere.
  std::int64_t holds = 0;
};

/// @param options     only task, length, causal and up_to are read
/// @param accuracies  (curves, lengths), right / counts
/// @param counts      (curves, lengths), 0 where nothing was judged
/// @return Error::invalid_argument `accuracies` or `counts` unless they fit, and `counts` is not
///   negative; no curve at all is fine
Result<CurveSummary> summarize_curves(const LabOptions& options, std::int64_t lengths,
                                      std::span<const double> accuracies,
                                      std::span<const std::int32_t> counts);

/// Two groups that differ by less than this are not told apart, however well the seeds agree.
inline constexpr double least_difference = 0.02;
/// The most seeds that are tested.
inline constexpr std::int64_t max_seeds = 10;

/// Groups of runs with the same seeds, each with each.
struct PairedTests {
  std::vector<double> means;          ///< (groups), NaN where a group has nothing
  std::vector<double> differences;    ///< (groups, groups) row - column, or NaN
  std::vector<std::uint8_t> certain;  ///< (groups, groups), 1: they differ
};

/// Seed by seed, because runs of one seed meet the same test data: a seed's difference is the mean
/// over the columns that both groups have, and a pair differs when the mean over the seeds is at
/// least least_difference and a two-sided paired t test (Student 1908) finds it at 95 %.
/// @param values  (groups, seeds, columns), NaN: none
/// @param seeds   1 to max_seeds; with one nothing is certain
/// @return Error::invalid_argument that names seeds, columns or values
Result<PairedTests> paired_tests(std::span<const double> values, std::int64_t groups,
                                 std::int64_t seeds, std::int64_t columns);

}  // namespace posenc
