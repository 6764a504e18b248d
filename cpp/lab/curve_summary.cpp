#include "lab/curve_summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lab/curve.h"

namespace posenc {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// 97.5 % quantiles of Student's t for 1, 2, ... 9 degrees of freedom (NIST/SEMATECH e-Handbook of
/// Statistical Methods, table 1.3.6.7.2).
constexpr std::array<double, max_seeds - 1> t_975 = {12.706, 4.303, 3.182, 2.776, 2.571,
                                                     2.447,  2.365, 2.306, 2.262};

/// A mean of what is there.
class Mean {
 public:
  void add(double value) {
    if (!std::isnan(value)) {
      sum_ += value;
      ++count_;
    }
  }
  [[nodiscard]] double value() const { return count_ > 0 ? sum_ / count_ : nan; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

/// @param differences  one a seed
bool differs(std::span<const double> differences, double mean) {
  const std::size_t n = differences.size();
  if (n < 2 || std::abs(mean) < least_difference) {
    return false;
  }
  double squares = 0;
  for (const double one : differences) {
    squares += (one - mean) * (one - mean);
  }
  const auto seeds = static_cast<double>(n);
  return std::abs(mean) > t_975[n - 2] * std::sqrt(squares / (seeds - 1) / seeds);
}

/// @param mean    by length, from length 1
/// @param window  lengths up to `length` at which it may begin
std::int64_t last_above(std::span<const double> mean, std::int64_t length, std::int64_t window) {
  const auto above = [mean](std::int64_t n) {
    const auto i = static_cast<std::size_t>(n - 1);
    return i < mean.size() && mean[i] >= trained_accuracy;
  };
  std::int64_t last = length;
  while (last > length - window && !above(last)) {
    --last;
  }
  if (last < length) {
    return last > length - window ? last : 0;
  }
  while (above(last + 1)) {
    ++last;
  }
  return last;
}

}  // namespace

std::int64_t near_lengths(const LabOptions& options) {
  const bool trained_on_shorter = has_ladder(options) || options.up_to;
  return trained_on_shorter ? (options.length + 3) / 4 : 1;
}

double accuracy_between(std::span<const double> accuracies, std::span<const std::int32_t> counts,
                        std::int64_t first, std::int64_t last) {
  const std::int64_t end = std::min(last, static_cast<std::int64_t>(counts.size()));
  double right = 0;
  double judged = 0;
  for (std::int64_t n = std::max<std::int64_t>(first, 1); n <= end; ++n) {
    const auto i = static_cast<std::size_t>(n - 1);
    if (counts[i] > 0) {
      // Answers are whole: what was divided by their number is found again.
      right += std::round(accuracies[i] * counts[i]);
      judged += counts[i];
    }
  }
  return judged > 0 ? right / judged : nan;
}

Result<CurveSummary> summarize_curves(const LabOptions& options, std::int64_t lengths,
                                      std::span<const double> accuracies,
                                      std::span<const std::int32_t> counts) {
  const auto size = static_cast<std::size_t>(lengths);
  if (options.length < 1 || lengths < options.length || accuracies.size() % size != 0) {
    // Whole curves of the same lengths, which reach the training length.
    return invalid_count("accuracies", static_cast<double>(accuracies.size()),
                         static_cast<double>(std::max(options.length, lengths)), Rule::unbounded);
  }
  const auto negative = [](std::int32_t count) { return count < 0; };
  if (counts.size() != accuracies.size() || std::any_of(counts.begin(), counts.end(), negative)) {
    const auto due = static_cast<double>(accuracies.size());
    const Rule rule{.min = 0, .of_each = true, .least = due, .most = due};
    return invalid_argument("counts", static_cast<double>(counts.size()), rule);
  }
  CurveSummary summary;
  summary.curves = static_cast<std::int64_t>(accuracies.size() / size);
  summary.lengths = lengths;
  summary.window = near_lengths(options);
  for (auto* const by_length : {&summary.mean, &summary.low, &summary.high, &summary.about}) {
    by_length->assign(size, nan);
  }
  summary.near.assign(accuracies.size(), nan);
  summary.past.assign(accuracies.size() / size, nan);
  for (std::size_t curve = 0; curve < summary.past.size(); ++curve) {
    const std::size_t at = curve * size;
    const auto own = accuracies.subspan(at, size);
    const auto own_counts = counts.subspan(at, size);
    for (std::int64_t n = 1; n <= lengths; ++n) {
      summary.near[at + static_cast<std::size_t>(n - 1)] =
          accuracy_between(own, own_counts, n - summary.window + 1, n);
    }
    summary.past[curve] = accuracy_between(own, own_counts, options.length + 1, lengths);
  }
  for (std::size_t i = 0; i < size; ++i) {
    Mean mean;
    Mean about;
    for (std::size_t at = i; at < accuracies.size(); at += size) {
      about.add(summary.near[at]);
      if (counts[at] > 0) {
        mean.add(accuracies[at]);
        summary.low[i] = std::fmin(summary.low[i], accuracies[at]);  // of NaN and a number: it
        summary.high[i] = std::fmax(summary.high[i], accuracies[at]);
      }
    }
    summary.mean[i] = mean.value();
    summary.about[i] = about.value();
  }
  summary.inside = summary.about[static_cast<std::size_t>(options.length - 1)];
  summary.trained = summary.inside >= trained_accuracy;
  summary.holds = last_above(summary.mean, options.length, summary.window);
  return summary;
}

Result<PairedTests> paired_tests(std::span<const double> values, std::int64_t groups,
                                 std::int64_t seeds, std::int64_t columns) {
  if (seeds < 1 || seeds > max_seeds) {
    return invalid_argument("seeds", static_cast<double>(seeds), RuleKind::integer, 1, max_seeds);
  }
  const double due =
      static_cast<double>(groups) * static_cast<double>(seeds) * static_cast<double>(columns);
  if (columns < 1 || groups < 0 || static_cast<double>(values.size()) != due) {
    return invalid_count("values", static_cast<double>(values.size()), due, due);
  }
  const auto group_count = static_cast<std::size_t>(groups);
  const auto width = static_cast<std::size_t>(columns);
  const std::size_t size = static_cast<std::size_t>(seeds) * width;
  PairedTests tests;
  tests.means.assign(group_count, nan);
  tests.differences.assign(group_count * group_count, nan);
  tests.certain.assign(group_count * group_count, 0);
  for (std::size_t a = 0; a < group_count; ++a) {
    Mean own;
    for (std::size_t i = 0; i < size; ++i) {
      own.add(values[a * size + i]);
    }
    tests.means[a] = own.value();
    for (std::size_t b = 0; b < group_count; ++b) {
      std::array<double, max_seeds> differences;
      std::size_t both = 0;
      Mean all;
      for (std::size_t row = 0; row < size; row += width) {
        Mean one;
        for (std::size_t i = row; i < row + width; ++i) {
          one.add(values[a * size + i] - values[b * size + i]);
        }
        if (!std::isnan(one.value())) {
          differences[both++] = one.value();
          all.add(one.value());
        }
      }
      const std::size_t pair = a * group_count + b;
      tests.differences[pair] = all.value();
      tests.certain[pair] = differs({differences.data(), both}, all.value()) ? 1 : 0;
    }
  }
  return tests;
}

}  // namespace posenc
