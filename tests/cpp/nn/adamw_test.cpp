#include "nn/adamw.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "check.h"

namespace posenc {
namespace {

TEST_CASE("Three steps of AdamW, computed by hand") {
  // g = 0.5, -1, 0.25 for a parameter that starts at 2, at rate 0.1 and decay 0.01.
  const double gradients[] = {0.5, -1, 0.25};
  std::vector<double> p = {2};
  std::vector<double> m = {0};
  std::vector<double> v = {0};
  // After step 1 the corrected moments are g and g^2, so that the step is g / |g|:
  // 2 - 0.1 * (1 / (1 + 2e-8) + 0.01 * 2).
  const double first_parameter = 2 - 0.1 * (0.5 / (0.5 + 1e-8) + 0.02);
  double expected = 2;
  double expected_m = 0;
  double expected_v = 0;
  for (int t = 1; t <= 3; ++t) {
    const double g = gradients[t - 1];
    AdamWStep step;
    step.number = t;
    step.rate = 0.1;
    step.weight_decay = 0.01;
    adamw_step<double>(p, std::vector<double>{g}, m, v, step);
    expected_m = 0.9 * expected_m + 0.1 * g;
    expected_v = 0.98 * expected_v + 0.02 * g * g;
    const double corrected_m = expected_m / (1 - std::pow(0.9, t));
    const double corrected_v = expected_v / (1 - std::pow(0.98, t));
    expected -= 0.1 * (corrected_m / (std::sqrt(corrected_v) + 1e-8) + 0.01 * expected);
    CHECK(p[0] == Approx(expected).epsilon(1e-13));
    CHECK(m[0] == Approx(expected_m).epsilon(1e-13));
    CHECK(v[0] == Approx(expected_v).epsilon(1e-13));
    if (t == 1) {
      CHECK(p[0] == Approx(first_parameter).epsilon(1e-13));
    }
  }
}

template <class T>
void check_that_count_does_not_matter(std::size_t count) {
  const std::vector<T> gradients = random_values<T>(count, 1);
  std::vector<T> p = random_values<T>(count, 2);
  std::vector<T> m = random_values<T>(count, 3);
  std::vector<T> v(count, T{2});
  AdamWStep step;
  step.number = 7;
  step.rate = 0.01;
  step.gradient_scale = 0.5;
  step.weight_decay = 0.1;
  std::vector<T> alone_p = p;
  std::vector<T> alone_m = m;
  std::vector<T> alone_v = v;
  adamw_step<T>(p, gradients, m, v, step);
  for (std::size_t i = 0; i < count; ++i) {
    adamw_step<T>({&alone_p[i], 1}, {&gradients[i], 1}, {&alone_m[i], 1}, {&alone_v[i], 1}, step);
  }
  CHECK(p == alone_p);
  CHECK(m == alone_m);
  CHECK(v == alone_v);
}

TEST_CASE("A parameter's step is the same bits, in lanes or alone") {
  for (const std::size_t count : {1U, 3U, 4U, 7U, 16U}) {
    check_that_count_does_not_matter<float>(count);
    check_that_count_does_not_matter<double>(count);
  }
}

TEST_CASE("Without a gradient the moments stay exactly 0 and the parameter stays") {
  std::vector<float> p = {1.25F, -3, 0.1F, 8, 2};
  const std::vector<float> start = p;
  std::vector<float> m(5);
  std::vector<float> v(5);
  AdamWStep step;
  step.rate = 0.1;
  for (step.number = 1; step.number <= 20; ++step.number) {
    adamw_step<float>(p, std::vector<float>(5), m, v, step);
  }
  CHECK(p == start);
  CHECK(m == std::vector<float>(5));
  CHECK(v == std::vector<float>(5));
}

TEST_CASE("Bias correction holds far out") {
  std::vector<double> p = {0};
  std::vector<double> m = {1};
  std::vector<double> v = {4};
  AdamWStep step;
  step.number = 20000;
  step.rate = 1;
  adamw_step<double>(p, std::vector<double>{1}, m, v, step);
  CHECK(p[0] == Approx(-1 / std::sqrt(4 * 0.98 + 0.02)));
}

TEST_CASE("The norm of all gradients is clipped") {
  CHECK(gradient_norm<float>(std::vector<float>{3, 0, 4, 0, 0, 12}) == 13.0);
  CHECK(gradient_norm<double>(std::vector<double>{}) == 0.0);
  CHECK(gradient_norm<float>(std::vector<float>(4, 1e30F)) == Approx(2e30));
  CHECK(clip_scale(4, 1) == 0.25);
  CHECK(clip_scale(1, 1) == 1.0);
  CHECK(clip_scale(0.5, 1) == 1.0);
  CHECK(clip_scale(0, 1) == 1.0);
}

TEST_CASE("The rate warms up, then falls to 0") {
  CHECK(scheduled_rate(0.01, 0, 50, 1000) == Approx(0.0002));
  CHECK(scheduled_rate(0.01, 49, 50, 1000) == Approx(0.01));
  CHECK(scheduled_rate(0.01, 50, 50, 1000) == Approx(0.01));
  CHECK(scheduled_rate(0.01, 525, 50, 1000) == Approx(0.005));
  CHECK(scheduled_rate(0.01, 999, 50, 1000) == Approx(0.01 / 950));
  CHECK(scheduled_rate(1, 0, 0, 4) == 1.0);
  CHECK(scheduled_rate(1, 3, 0, 4) == 0.25);
  CHECK(scheduled_rate(1, 3, 4, 4) == 1.0);
  CHECK(scheduled_rate(1, 0, 1, 1) == 1.0);
}

}  // namespace
}  // namespace posenc
