#include "nn/loss.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "nn/lanes.h"

namespace posenc {
namespace {

/// ln x to about 1e-15, for normal x > 0: the C library's differs between systems.
/// x = 2^e m with m in [sqrt(1/2), sqrt(2)); ln m = 2 atanh(s), s = (m - 1) / (m + 1).
double natural_log(double x) {
  constexpr std::int64_t root_of_half = 0x3FE6A09E667F3BCD;  // bits of sqrt(1/2)
  constexpr int mantissa_bits = LanesOf<double>::mantissa_bits;
  std::int64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  const std::int64_t exponent = (bits - root_of_half) >> mantissa_bits;  // rounds down
  bits -= exponent * (std::int64_t{1} << mantissa_bits);
  double m = 0;
  std::memcpy(&m, &bits, sizeof m);
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double series = 0;
  for (int n = 21; n >= 3; n -= 2) {  // s^23 / 23 is below 1e-18
    series = (series + 1.0 / n) * square;
  }
  return static_cast<double>(exponent) * 0.69314718055994530942 + 2 * (s + s * series);
}

/// The sum of exp(z - largest z); a class at a time in the last, incomplete lanes.
/// @param out  (classes), exp(z - largest z), or null
template <class T>
T sum_of_exponentials(T* out, const T* logits, Index classes, T largest) {
  using V = Lanes<T>;
  constexpr Index lanes = lane_count<T>;
  const V shift = splat(largest);
  V sum{};
  for (Index c = 0; c < classes; c += lanes) {
    const Index here = std::min(lanes, classes - c);
    V z = splat(-std::numeric_limits<T>::infinity());
    for (Index i = 0; i < here; ++i) {
      z[i] = logits[c + i];
    }
    const V e = exp_lanes<T>(z - shift);
    for (Index i = 0; out != nullptr && i < here; ++i) {
      out[c + i] = e[i];
    }
    sum += e;
  }
  return sum_of_lanes(sum);
}

template <class T>
std::int32_t first_largest(const T* logits, Index classes) {
  Index best = 0;
  for (Index c = 1; c < classes; ++c) {
    best = logits[c] > logits[best] ? c : best;
  }
  return static_cast<std::int32_t>(best);
}

template <class T>
double loss_of(const T* logits, std::int32_t predicted, std::int32_t target, T sum) {
  return natural_log(static_cast<double>(sum)) +
         (static_cast<double>(logits[predicted]) - static_cast<double>(logits[target]));
}

/// @param dlogits  null: only judge
template <class T>
Judgement judge(T* dlogits, const T* logits, std::span<const std::int32_t> targets, Index classes) {
  Judgement judgement;
  for (const std::int32_t target : targets) {
    judgement.judged += target >= 0 ? 1 : 0;
  }
  const T share = judgement.judged == 0 ? T{0} : T{1} / static_cast<T>(judgement.judged);
  for (const std::int32_t target : targets) {
    if (target >= 0) {
      const std::int32_t predicted = first_largest(logits, classes);
      const T sum = sum_of_exponentials(dlogits, logits, classes, logits[predicted]);
      judgement.loss += loss_of(logits, predicted, target, sum);
      judgement.right += predicted == target ? 1 : 0;
      if (dlogits != nullptr) {
        const T scale = share / sum;
        for (Index c = 0; c < classes; ++c) {
          dlogits[c] *= scale;
        }
        dlogits[target] -= share;
      }
    } else if (dlogits != nullptr) {
      std::fill(dlogits, dlogits + classes, T{0});
    }
    logits += classes;
    dlogits = dlogits == nullptr ? nullptr : dlogits + classes;
  }
  if (judgement.judged > 0) {
    judgement.loss /= static_cast<double>(judgement.judged);
  }
  return judgement;
}

}  // namespace

template <class T>
RowJudgement judge_row(std::span<const T> logits, std::int32_t target) {
  const auto classes = static_cast<Index>(logits.size());
  const std::int32_t predicted = first_largest(logits.data(), classes);
  const T sum = sum_of_exponentials<T>(nullptr, logits.data(), classes, logits.data()[predicted]);
  return {loss_of(logits.data(), predicted, target, sum), predicted};
}

template <class T>
Judgement cross_entropy_forward(std::span<const T> logits, std::span<const std::int32_t> targets,
                                std::ptrdiff_t classes) {
  return judge<T>(nullptr, logits.data(), targets, classes);
}

template <class T>
Judgement cross_entropy_backward(std::span<T> dlogits, std::span<const T> logits,
                                 std::span<const std::int32_t> targets, std::ptrdiff_t classes) {
  return judge<T>(dlogits.data(), logits.data(), targets, classes);
}

template RowJudgement judge_row(std::span<const float>, std::int32_t);
template Judgement cross_entropy_forward(std::span<const float>, std::span<const std::int32_t>,
                                         std::ptrdiff_t);
template Judgement cross_entropy_backward(std::span<float>, std::span<const float>,
                                          std::span<const std::int32_t>, std::ptrdiff_t);
template RowJudgement judge_row(std::span<const double>, std::int32_t);
template Judgement cross_entropy_forward(std::span<const double>, std::span<const std::int32_t>,
                                         std::ptrdiff_t);
template Judgement cross_entropy_backward(std::span<double>, std::span<const double>,
                                          std::span<const std::int32_t>, std::ptrdiff_t);

}  // namespace posenc
