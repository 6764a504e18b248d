// Cross-entropy of a softmax: loss = log(sum_c exp(z_c)) - z_target, dloss/dz = softmax(z) -
// 1_target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace posenc {

struct Judgement {
  double loss = 0;          ///< mean over positions with a target; 0 where there is none
  std::int64_t right = 0;   ///< targets that have the largest logit; of equal ones the first counts
  std::int64_t judged = 0;  ///< positions with a target
};

struct RowJudgement {
  double loss = 0;
  std::int32_t predicted = 0;  ///< the largest logit; of equal ones the first
};

/// One position.
/// @param logits  (classes), finite
/// @param target  0 to classes - 1
template <class T>
RowJudgement judge_row(std::span<const T> logits, std::int32_t target);

/// @param targets  (n), -1: none
/// @param logits   (n, classes)
template <class T>
Judgement cross_entropy_forward(std::span<const T> logits, std::span<const std::int32_t> targets,
                                std::ptrdiff_t classes);

/// Beside the judgement the gradient of the mean.
/// @param dlogits  (n, classes), overwritten; 0 where there is no target
template <class T>
Judgement cross_entropy_backward(std::span<T> dlogits, std::span<const T> logits,
                                 std::span<const std::int32_t> targets, std::ptrdiff_t classes);

}  // namespace posenc
