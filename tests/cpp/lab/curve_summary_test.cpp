// What is said of curves, against numbers worked out by hand and published ones.
#include "lab/curve_summary.h"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"
#include "trainer_runs.h"

namespace posenc {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

LabOptions of_length(std::int64_t length, LabTask task = LabTask::back) {
  LabOptions options;
  options.task = task;
  options.length = length;
  return options;
}

CurveSummary summary_of(const LabOptions& options,
                        const std::vector<std::vector<double>>& accuracies, int count = 10) {
  std::vector<double> flat;
  std::vector<std::int32_t> counts;
  for (const auto& curve : accuracies) {
    for (const double accuracy : curve) {
      flat.push_back(accuracy);
      counts.push_back(std::isnan(accuracy) ? 0 : count);
    }
  }
  const auto lengths = static_cast<std::int64_t>(accuracies.front().size());
  return summarize_curves(options, lengths, flat, counts).value();
}

TEST_CASE("near a length is the quarter of L that ends there, or the length alone") {
  CHECK(near_lengths(of_length(16)) == 4);  // (12, 16]
  CHECK(near_lengths(of_length(10)) == 3);  // (7.5, 10]: 8, 9, 10
  CHECK(near_lengths(of_length(64)) == 16);
  for (const LabTask task : {LabTask::copy, LabTask::reverse, LabTask::sort, LabTask::addition}) {
    LabOptions options = of_length(16, task);
    CHECK(near_lengths(options) == 1);
    options.up_to = true;
    CHECK(near_lengths(options) == 4);
  }
  LabOptions both_ways = of_length(16);
  both_ways.causal = false;
  CHECK(near_lengths(both_ways) == 1);
}

TEST_CASE("each target counts alike, and what was not judged does not count") {
  const std::vector<double> accuracies = {1, 0.5, nan, nan};
  const std::vector<std::int32_t> counts = {10, 30, 0, 0};
  CHECK(accuracy_between(accuracies, counts, 1, 4) == 25.0 / 40);  // 10 + 15 of 40
  CHECK(accuracy_between(accuracies, counts, 2, 2) == 0.5);
  CHECK(accuracy_between(accuracies, counts, -3, 1) == 1);
  CHECK(accuracy_between(accuracies, counts, 2, 900) == 0.5);
  CHECK(std::isnan(accuracy_between(accuracies, counts, 3, 4)));
}

TEST_CASE("two seeds of a curve") {
  // L = 8: near is a pair of lengths. Ten targets a length.
  const CurveSummary both =
      summary_of(of_length(8), {{nan, 0.2, 1, 1, 1, 1, 1, 0.9, 0.8, 0.1, 0.1, 0.1},
                                {nan, 0.4, 1, 1, 1, 1, 1, 1.0, 0.6, 0.5, 0.3, nan}});
  CHECK(both.curves == 2);
  CHECK(both.window == 2);
  CHECK(std::isnan(both.mean[0]));
  CHECK(both.mean[1] == Approx(0.3));
  CHECK(both.low[1] == 0.2);
  CHECK(both.high[1] == 0.4);
  CHECK(both.mean[11] == 0.1);  // of the one that has it
  CHECK(both.near[1] == 0.2);
  CHECK(both.near[7] == 0.95);            // 10 + 9 of 20
  CHECK(both.near[12 + 8] == 0.8);        // 10 + 6 of 20
  CHECK(both.about[8] == Approx(0.825));  // 0.85 and 0.8
  CHECK(both.past[0] == 11.0 / 40);       // 8 + 1 + 1 + 1
  CHECK(both.past[1] == 14.0 / 30);       // 6 + 5 + 3
  CHECK(both.inside == 0.975);
  CHECK(both.trained);
  CHECK(both.holds == 8);  // 0.95 there, 0.7 at 9

  const CurveSummary none = summarize_curves(of_length(8), 12, {}, {}).value();
  CHECK(none.curves == 0);
  CHECK(none.window == 2);
  CHECK(std::isnan(none.inside));
  CHECK_FALSE(none.trained);
  CHECK(none.holds == 0);
}

TEST_CASE("the last length up to which a curve holds is counted from L") {
  const auto holds = [](const std::vector<double>& curve) {
    return summary_of(of_length(8), {curve}, 100).holds;
  };
  CHECK(holds({0, 0, 0, 0, 0, 0, 0, 0.95, 0.96, 1, 0.94, 1}) == 10);
  CHECK(holds({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}) == 12);
  CHECK(holds({1, 1, 1, 1, 1, 1, 1, 1, nan, nan, nan, nan}) == 8);
  // Trained by its window of two, 0.955, though L alone is a little below.
  CHECK(holds({1, 1, 1, 1, 1, 1, 0.97, 0.94, 1, 1, 1, 1}) == 7);
  CHECK(holds({1, 1, 1, 1, 1, 1, 0.9, 0.9, 1, 1, 1, 1}) == 0);
}

TEST_CASE("what is no set of curves is refused by name") {
  const std::vector<double> twelve(12, 1);
  const std::vector<std::int32_t> counts(12, 1);
  const auto refused = [&](std::int64_t lengths, const std::vector<std::int32_t>& of) {
    const auto result = summarize_curves(of_length(8), lengths, twelve, of);
    return result.ok() ? "" : result.error().name;
  };
  CHECK(refused(12, counts).empty());
  CHECK(refused(9, counts) == "accuracies");
  CHECK(refused(4, counts) == "accuracies");  // ends before L
  CHECK(refused(0, counts) == "accuracies");
  CHECK(refused(12, std::vector<std::int32_t>(11, 1)) == "counts");
  CHECK(refused(12, std::vector<std::int32_t>(12, -1)) == "counts");
}

TEST_CASE("a trainer's curve says the same of itself as its summary") {
  for (const LabTask task : {LabTask::seen, LabTask::copy}) {
    for (int flags = 0; flags < 4; ++flags) {
      LabOptions options = run_options(task, PositionCode::learned, 120);
      options.length = 10;
      options.causal = (flags & 1) == 0;
      options.up_to = (flags & 2) != 0;
      Trainer trainer = trained(options);
      const Curve curve = curve_of(trainer, {}, 6);
      const std::int64_t reach = options.length * options.reach;
      const CurveSummary one =
          summarize_curves(options, reach, curve.accuracies, curve.counts).value();
      CHECK(one.inside == curve.inside);
      CHECK(one.trained == curve.trained);
      CHECK(curve.trained == (curve.inside >= 0.95));
      CHECK(curve.inside ==
            accuracy_between(curve, options.length - near_lengths(options) + 1, options.length));
    }
  }
  Trainer fresh = Trainer::create(run_options(LabTask::seen, PositionCode::nope)).value();
  Curve curve;
  REQUIRE(fresh.start_curve(curve, {}, 4).ok());
  CHECK(std::isnan(curve.inside));
  CHECK_FALSE(curve.trained);
}

TEST_CASE("Student's own paired t test") {
  // Student 1908, The probable error of a mean, section IX: hours of sleep that two drugs gained
  // ten patients. Their difference has t = 4.06 with 9 degrees of freedom, the first drug
  // alone 1.33.
  const std::vector<double> second = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
  const std::vector<double> first = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
  std::vector<double> values = second;
  values.insert(values.end(), first.begin(), first.end());
  values.insert(values.end(), 10, 0.0);
  const PairedTests tests = paired_tests(values, 3, 10, 1).value();
  CHECK(tests.means[0] == Approx(2.33));
  CHECK(tests.means[1] == Approx(0.75));
  CHECK(tests.differences[1] == Approx(1.58));
  CHECK(tests.differences[3] == Approx(-1.58));
  CHECK(tests.certain == std::vector<std::uint8_t>{0, 1, 1, 1, 0, 0, 1, 0, 0});
}

/// Student's distribution function by Simpson's rule over its density.
double student_cdf(double t, double df) {
  const double pi = std::acos(-1.0);
  const double scale = std::tgamma((df + 1) / 2) / (std::sqrt(df * pi) * std::tgamma(df / 2));
  const auto density = [&](double x) { return scale * std::pow(1 + x * x / df, -(df + 1) / 2); };
  constexpr int steps = 2000;
  const double h = t / steps;
  double sum = density(0) + density(t);
  for (int i = 1; i < steps; ++i) {
    sum += (i % 2 == 1 ? 4 : 2) * density(i * h);
  }
  return 0.5 + sum * h / 3;
}

TEST_CASE("the bound of the test is that of 95 %, for every number of seeds") {
  for (std::int64_t seeds = 2; seeds <= max_seeds; ++seeds) {
    double low = 0;
    double high = 20;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (student_cdf(middle, static_cast<double>(seeds - 1)) < 0.975 ? low : high) = middle;
    }
    // Differences 0.5 +- s, one of them 0.5 where their number is odd: t is known.
    const auto certain = [&](double t) {
      const std::int64_t moved = seeds - seeds % 2;
      const double deviation =
          std::sqrt(static_cast<double>(moved) / static_cast<double>(seeds - 1));
      const double s = 0.5 * std::sqrt(static_cast<double>(seeds)) / (t * deviation);
      std::vector<double> values(static_cast<std::size_t>(2 * seeds), 0.0);
      for (std::int64_t i = 0; i < seeds; ++i) {
        const double sign = i == moved ? 0 : i % 2 == 0 ? 1 : -1;
        values[static_cast<std::size_t>(i)] = 0.5 + sign * s;
      }
      return paired_tests(values, 2, seeds, 1).value().certain[1] == 1;
    };
    CAPTURE(seeds, low);
    CHECK(certain(low * 1.001));
    CHECK_FALSE(certain(low * 0.999));
  }
}

TEST_CASE("a difference counts from two points on, and by the seeds that both have") {
  const auto certain = [](const std::vector<double>& values, std::int64_t seeds) {
    return paired_tests(values, 2, seeds, 1).value().certain[1] == 1;
  };
  CHECK(certain({0.52, 0.53, 0.54, 0.5, 0.51, 0.52}, 3));        // 0.02 each
  CHECK_FALSE(certain({0.51, 0.52, 0.53, 0.5, 0.51, 0.52}, 3));  // 0.01 each
  CHECK_FALSE(certain({0.9, 0.1}, 1));                           // one seed tells nothing
  CHECK_FALSE(certain({0.9, 0.9, nan, 0.1, nan, 0.1}, 3));       // and these share one
  // Columns: a seed's difference is the mean of 0.7 and 0.1, then of 0.3 alone.
  const std::vector<double> columns = {0.9, 0.4, 0.5, 0.6, 0.2, 0.3, 0.2, nan};
  const PairedTests tests = paired_tests(columns, 2, 2, 2).value();
  CHECK(tests.differences[1] == Approx((0.4 + 0.3) / 2));
  CHECK(tests.means[1] == Approx((0.2 + 0.3 + 0.2) / 3));
  const PairedTests nothing = paired_tests(std::vector<double>(4, nan), 2, 2, 1).value();
  CHECK(std::isnan(nothing.differences[1]));
  CHECK(std::isnan(nothing.means[0]));
  CHECK(nothing.certain[1] == 0);
}

TEST_CASE("what is no table of groups is refused by name") {
  const std::vector<double> six(6, 0);
  const auto refused = [&](std::int64_t groups, std::int64_t seeds, std::int64_t columns) {
    const auto result = paired_tests(six, groups, seeds, columns);
    return result.ok() ? "" : result.error().name;
  };
  CHECK(refused(2, 3, 1).empty());
  CHECK(refused(2, 0, 1) == "seeds");
  CHECK(refused(2, 11, 1) == "seeds");
  CHECK(refused(2, 2, 1) == "values");
  CHECK(refused(-2, 3, -1) == "values");
}

}  // namespace
}  // namespace posenc
