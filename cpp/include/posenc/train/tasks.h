// The tasks of the length lab: what a sequence holds, what is to be said at each position, and which
// position codes can solve it in theory.
#pragma once

#include <cstdint>
#include <vector>

#include "posenc/random/rng.h"
#include "posenc/train/lab_options.h"
#include "posenc/types.h"

namespace posenc {

/// Sequences of one length, side by side.
struct TaskBatch {
  std::int64_t sequences = 0;         ///< B
  std::int64_t tokens_each = 0;       ///< T
  std::vector<std::int32_t> tokens;   ///< (B, T), ids below TaskShape::inputs
  std::vector<std::int32_t> targets;  ///< (B, T), ids below TaskShape::outputs; -1: none
};

struct TaskShape {
  std::int64_t inputs = 0;   ///< ids a model reads
  std::int64_t outputs = 0;  ///< ids a model says
  double chance = 0;         ///< accuracy of the best constant or uniform answer
  bool dense = true;         ///< under a causal mask position p is judged as length p + 1
};

enum class Solvable { yes, no, partly };

/// Why: words for each are in the page's texts.
struct Solvability {
  Solvable verdict = Solvable::yes;
  const char* reason = "";  ///< an id such as "blind", "symmetric", "relative"
};

TaskShape task_shape(const LabOptions& options);

/// Tokens of a sequence of length n: n, or 2n + 1 and the like where an answer follows a question.
std::int64_t sequence_length(LabTask task, std::int64_t n);

/// Whether the task has anything to say at this length at all.
bool length_defined(const LabOptions& options, std::int64_t n);

/// What theory says of this code at the training length, for the mask and the number of layers.
Solvability solvability(const LabOptions& options);

/// Fills `batch` with `sequences` of length n, drawn from `random`.
void draw_task(TaskBatch& batch, const LabOptions& options, std::int64_t n, std::int64_t sequences,
               RandomState& random);

}  // namespace posenc
