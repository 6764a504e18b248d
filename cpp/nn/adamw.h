// AdamW, Loshchilov and Hutter 2019, algorithm 2: Adam's bias-corrected moments, and a weight decay
// that does not pass through them.
//   m <- beta1 m + (1 - beta1) g,  v <- beta2 v + (1 - beta2) g^2
//   p <- p - rate * (m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon) + decay * p)
#pragma once

#include <cstdint>
#include <span>

namespace posenc {

struct AdamWStep {
  std::int64_t number = 1;    ///< t, from 1
  double rate = 0;            ///< of this step, as scheduled
  double gradient_scale = 1;  ///< from clip_scale; on every g
  double weight_decay = 0;    ///< 0 to 1, times the rate
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-8;
};

/// Linear from peak / warm_up at the first step to the peak, then linear down to 0 at `steps`.
/// @param step  0 to steps - 1; warm_up 0 to steps
double scheduled_rate(double peak, std::int64_t step, std::int64_t warm_up, std::int64_t steps);

/// Root of the sum of squares, taken in double.
template <class T>
double gradient_norm(std::span<const T> gradients);

/// What gradients of this norm are multiplied by so that it is at most `clip`.
double clip_scale(double norm, double clip);

/// @param parameters, gradients, first, second  of equal size; m and v are 0 before the first step.
///   Where a gradient was always 0, m and v stay exactly 0, and so does the step but for the decay.
template <class T>
void adamw_step(std::span<T> parameters, std::span<const T> gradients, std::span<T> first,
                std::span<T> second, const AdamWStep& step);

}  // namespace posenc
