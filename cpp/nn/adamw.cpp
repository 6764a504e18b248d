#include "nn/adamw.h"

#include <cmath>

#include "nn/lanes.h"

namespace posenc {
namespace {

/// base^exponent by squaring, so that every build rounds alike.
double integer_power(double base, std::int64_t exponent) {
  double power = 1;
  for (; exponent > 0; exponent /= 2, base *= base) {
    power *= exponent % 2 == 1 ? base : 1;
  }
  return power;
}

template <class T>
struct Factors {
  T gradient_scale, beta1, rest1, beta2, rest2, epsilon, rate, decay;
  T correction1;  // on m, so that a young moment counts in full
  T correction2;  // likewise on v

  explicit Factors(const AdamWStep& step)
      : gradient_scale(static_cast<T>(step.gradient_scale)),
        beta1(static_cast<T>(step.beta1)),
        rest1(static_cast<T>(1 - step.beta1)),
        beta2(static_cast<T>(step.beta2)),
        rest2(static_cast<T>(1 - step.beta2)),
        epsilon(static_cast<T>(step.epsilon)),
        rate(static_cast<T>(step.rate)),
        decay(static_cast<T>(step.weight_decay)),
        correction1(static_cast<T>(1 / (1 - integer_power(step.beta1, step.number)))),
        correction2(static_cast<T>(1 / (1 - integer_power(step.beta2, step.number)))) {}
};

/// V is Lanes<T>, or T for the last entries: the same arithmetic.
template <class V, class T>
void update(T* parameter, const T* gradient, T* first, T* second, const Factors<T>& f) {
  const V g = load<V>(gradient) * f.gradient_scale;
  const V m = load<V>(first) * f.beta1 + g * f.rest1;
  const V v = load<V>(second) * f.beta2 + g * g * f.rest2;
  store(first, m);
  store(second, v);
  const V p = load<V>(parameter);
  const V step = (m * f.correction1) / (sqrt_lanes(v * f.correction2) + f.epsilon);
  store(parameter, p - (step + p * f.decay) * f.rate);
}

}  // namespace

double scheduled_rate(double peak, std::int64_t step, std::int64_t warm_up, std::int64_t steps) {
  if (step < warm_up) {
    return peak * static_cast<double>(step + 1) / static_cast<double>(warm_up);
  }
  return peak * static_cast<double>(steps - step) / static_cast<double>(steps - warm_up);
}

template <class T>
double gradient_norm(std::span<const T> gradients) {
  // Four sums, so that an addition need not wait for the one before.
  double sums[4] = {};
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const auto g = static_cast<double>(gradients[i]);
    sums[i % 4] += g * g;
  }
  return std::sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

double clip_scale(double norm, double clip) { return norm > clip ? clip / norm : 1; }

template <class T>
void adamw_step(std::span<T> parameters, std::span<const T> gradients, std::span<T> first,
                std::span<T> second, const AdamWStep& step) {
  const Factors<T> factors(step);
  T* p = parameters.data();
  const T* g = gradients.data();
  T* m = first.data();
  T* v = second.data();
  const auto count = static_cast<Index>(parameters.size());
  Index i = 0;
  for (; i + lane_count<T> <= count; i += lane_count<T>) {
    update<Lanes<T>>(p + i, g + i, m + i, v + i, factors);
  }
  for (; i < count; ++i) {
    update<T>(p + i, g + i, m + i, v + i, factors);
  }
}

template double gradient_norm(std::span<const float>);
template void adamw_step(std::span<float>, std::span<const float>, std::span<float>,
                         std::span<float>, const AdamWStep&);
template double gradient_norm(std::span<const double>);
template void adamw_step(std::span<double>, std::span<const double>, std::span<double>,
                         std::span<double>, const AdamWStep&);

}  // namespace posenc
