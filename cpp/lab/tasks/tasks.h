// The tasks of the length lab: what a sequence holds, what is to be said at each position, and
// which position codes can solve it in theory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lab/options.h"
#include "random/rng.h"
#include "types.h"

namespace posenc {

/// Sequences of one length, side by side.
struct TaskBatch {
  std::int64_t sequences = 0;         ///< B
  std::int64_t tokens_each = 0;       ///< T
  std::vector<std::int32_t> tokens;   ///< (B, T), ids below TaskShape::inputs
  std::vector<std::int32_t> targets;  ///< (B, T), ids below TaskShape::outputs; -1: none
};

/// Ids of content tokens are 0 .. vocabulary - 1 and signs come after them; in `latest` alone the
/// blank is 0 and content is 1 .. vocabulary. An answer that is a token has that token's id.
struct TaskShape {
  std::int64_t inputs = 0;   ///< ids a model reads
  std::int64_t outputs = 0;  ///< ids a model says
  double chance = 0;         ///< accuracy of whoever guesses evenly among the answers that occur
  bool dense = true;         ///< under a causal mask position p is judged as length p + 1
};

enum class Solvable { yes, no, partly };

/// "yes", "no" or "partly"
std::string_view solvable_name(Solvable verdict);

/// Every reason that solvability() gives, with the verdicts it goes with. The page has words for
/// each.
inline constexpr std::array<std::string_view, 24> solvability_reasons = {
    "absolute",     // yes: every position of the training length has a code of its own
    "relative",     // yes: the score can single out a distance, or rise or fall with it
    "recency",      // yes: the bias prefers what is nearest, which is what the task asks for
    "set",          // yes: the answer needs to know which tokens came, not where
    "composition",  // yes: one layer finds the neighbour, the next one the match
    "mask",         // yes: two layers under a causal mask tell what came before what
    "mask-leak",  // partly: layers under a causal mask tell what came first or nearest; no counting
    "origin",     // partly: one layer finds where the sequence began, the next how far that is
    "edge",       // partly: layers can measure how far the ends of the sequence are
    "blurred",    // partly: a fixed bias mixes a token with its neighbours
    "shared-bucket",    // partly: distances that share a T5 bucket cannot be told apart
    "turns",            // partly: the slowest pair of RoPE turns too far within the training length
    "varying-length",   // partly: how far away the token is changes with the length
    "counts",           // partly: needs counts, and attention averages
    "arithmetic",       // partly: a carry is no sum of what attention gathers
    "randomized",       // partly, no: randomized positions keep the order and hide the distance
    "distance-varies",  // partly, no: the distance changes from place to place; one layer cannot
                        // follow
    "blind",            // no: without positions and without a mask every order looks the same
    "symmetric",        // no: |distance| cannot tell left from right
    "unordered",        // no: one layer sees the tokens before it as a heap
    "monotone",         // no: the bias only falls with the distance, and what is asked for is far
    "no-origin",        // no: distances alone do not tell where the sequence began
    "no-count",         // no: that a token came first is told, not how many have come since
    "one-layer"};       // no: needs two steps, each of which takes a layer

/// Why: `reason` is one of solvability_reasons.
struct Solvability {
  Solvable verdict = Solvable::yes;
  std::string_view reason;
};

/// @param options  checked, here and below
TaskShape task_shape(const LabOptions& options);

/// Tokens that a model reads where the task has length n: n for a task that answers as it reads, 2n
/// for copy, reverse and sort, 3n + 2 for addition (see draw_sequence).
/// @param n  at least 1
std::int64_t sequence_length(LabTask task, std::int64_t n);

/// The smallest length at which the task asks for anything: every one from there on is defined.
std::int64_t least_length(const LabOptions& options);

/// Whether the task has anything to say at this length at all.
bool length_defined(const LabOptions& options, std::int64_t n);

/// What theory says of this code at the training length, for the mask, the number of layers and
/// randomized positions. `yes`: there are weights that do it; `no`: an argument rules them out, or
/// no way is known and small models stay near chance; `partly`: in part, or not in every case. It
/// says nothing of whether a run finds such weights.
Solvability solvability(const LabOptions& options);

/// A uniform integer below `bound`, by multiplication with rejection: no value is favoured.
/// Lemire 2019, Fast random integer generation in an interval, algorithm 5.
/// @param bound  at least 1
std::int32_t random_below(RandomState& random, std::int32_t bound);

/// One sequence of length n. The definitions stand beside the generators.
/// @param n        at least 1; where it is not defined every target is -1
/// @param tokens   (sequence_length(n)), overwritten
/// @param targets  (sequence_length(n)), overwritten; -1: none
void draw_sequence(std::span<std::int32_t> tokens, std::span<std::int32_t> targets,
                   const LabOptions& options, std::int64_t n, RandomState& random);

/// Fills `batch` with `sequences` of length n, drawn from `random` one after the other.
void draw_task(TaskBatch& batch, const LabOptions& options, std::int64_t n, std::int64_t sequences,
               RandomState& random);

}  // namespace posenc
