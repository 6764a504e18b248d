#include "lab/tasks/tasks.h"

#include <algorithm>
#include <cstddef>

namespace posenc {
namespace {

constexpr std::int32_t no_target = -1;

/// What a generator fills: tokens and targets of one sequence, targets all -1 at first.
struct Sequence {
  std::span<std::int32_t> tokens;
  std::span<std::int32_t> targets;
  std::int64_t n;           ///< the task's length
  std::int32_t vocabulary;  ///< V
  bool causal;

  [[nodiscard]] std::size_t size() const { return tokens.size(); }
};

// Content everywhere: independent and uniform over 0 .. V - 1.
void draw_content(Sequence& out, RandomState& random) {
  for (std::int32_t& token : out.tokens) {
    token = random_below(random, out.vocabulary);
  }
}

// `back`, and `previous` with k = 1. Tokens: content. Target at p >= k: tokens[p - k].
void draw_back(Sequence& out, std::int64_t shift, RandomState& random) {
  draw_content(out, random);
  for (auto p = static_cast<std::size_t>(shift); p < out.size(); ++p) {
    out.targets[p] = out.tokens[p - static_cast<std::size_t>(shift)];
  }
}

// `latest`. Tokens: at position 0 and, elsewhere, with probability 1/4 one of 1 .. V, uniform; else
// the blank, 0. Target at p: the token at the largest j <= p that is not blank.
void draw_latest(Sequence& out, RandomState& random) {
  for (std::size_t p = 0; p < out.size(); ++p) {
    const bool blank = p > 0 && random_below(random, 4) != 0;
    out.tokens[p] = blank ? 0 : 1 + random_below(random, out.vocabulary);
    out.targets[p] = blank ? out.targets[p - 1] : out.tokens[p];
  }
}

// `order`. Tokens: content, but for one A (id V) and one B (id V + 1). Target: 1 where A comes
// before B, else 0.
// Under a causal mask they stand at two different places before the last one, every pair equally
// likely, and the positions after both have the target. Not the place of the later one itself: that
// token alone gives the answer away. Without a mask every position sees both, so they stand
// anywhere and every position has the target; otherwise its presence would tell that both are on
// the left.
void draw_order(Sequence& out, RandomState& random) {
  draw_content(out, random);
  const auto places = static_cast<std::int32_t>(out.causal ? out.n - 1 : out.n);
  if (places < 2) {
    return;
  }
  const std::int32_t a = random_below(random, places);
  std::int32_t b = random_below(random, places - 1);
  b += b >= a ? 1 : 0;
  out.tokens[static_cast<std::size_t>(a)] = out.vocabulary;
  out.tokens[static_cast<std::size_t>(b)] = out.vocabulary + 1;
  const std::ptrdiff_t first = out.causal ? std::max(a, b) + 1 : 0;
  std::fill(out.targets.begin() + first, out.targets.end(), a < b ? 1 : 0);
}

// `first`. Tokens: content. Target everywhere: tokens[0].
void draw_first(Sequence& out, RandomState& random) {
  draw_content(out, random);
  std::fill(out.targets.begin(), out.targets.end(), out.tokens[0]);
}

// `modulo`. Tokens: content, which says nothing. Target at p: p modulo the task's number.
void draw_modulo(Sequence& out, std::int64_t modulo, RandomState& random) {
  draw_content(out, random);
  for (std::size_t p = 0; p < out.size(); ++p) {
    out.targets[p] = static_cast<std::int32_t>(p % static_cast<std::size_t>(modulo));
  }
}

// `seen`. Tokens: in half of the sequences no token is 0; in the others each one is, with
// probability min(1, 4 / n), so that there are about four whatever the length. The rest is uniform
// over 1 .. V - 1. Target at p: 1 if one of tokens[0 .. p] is 0, else 0. In the second half of a
// sequence 43 to 50 % of the answers are 1.
void draw_seen(Sequence& out, RandomState& random) {
  const bool occurs = random_below(random, 2) != 0;
  const auto length = static_cast<std::int32_t>(out.n);
  std::int32_t seen = 0;
  for (std::size_t p = 0; p < out.size(); ++p) {
    const bool zero = occurs && random_below(random, length) < 4;
    out.tokens[p] = zero ? 0 : 1 + random_below(random, out.vocabulary - 1);
    seen = zero ? 1 : seen;
    out.targets[p] = seen;
  }
}

// `induction`. Tokens: content. Target at p: tokens[j + 1] for the largest j < p with
// tokens[j] = tokens[p]; none where there is no such j. (j + 1 may be p: the token after it is then
// the present one.)
void draw_induction(Sequence& out, RandomState& random) {
  draw_content(out, random);
  std::vector<std::int32_t> follower(static_cast<std::size_t>(out.vocabulary), no_target);
  for (std::size_t p = 0; p < out.size(); ++p) {
    const auto token = static_cast<std::size_t>(out.tokens[p]);
    if (p > 0) {
      follower[static_cast<std::size_t>(out.tokens[p - 1])] = out.tokens[p];
    }
    out.targets[p] = follower[token];
  }
}

// The answer's part of a sequence that asks first. Its places are numbered from `start`, where the
// sign that ends the question stands: place i has answer i as its target. Under a causal mask the
// model is fed its right answers so far, so place i > 0 holds answer i - 1 (and the last answer is
// never fed). Without a mask that would show answer i to place i, so every place holds the sign.
void fill_answer(Sequence& out, std::size_t start, std::int32_t sign,
                 std::span<const std::int32_t> answer) {
  for (std::size_t i = 0; i < answer.size(); ++i) {
    out.tokens[start + i] = out.causal && i > 0 ? answer[i - 1] : sign;
    out.targets[start + i] = answer[i];
  }
}

// `copy`, `reverse`, `sort`. In whole: x_0 .. x_{n-1}, a separator (id V), y_0 .. y_{n-1}, where x
// is content and y is x as it is, from the end, or in rising order. T = 2n tokens are fed.
void draw_rearranged(Sequence& out, LabTask task, RandomState& random) {
  const auto n = static_cast<std::size_t>(out.n);
  std::vector<std::int32_t> answer(n);
  for (std::size_t i = 0; i < n; ++i) {
    out.tokens[i] = answer[i] = random_below(random, out.vocabulary);
  }
  if (task == LabTask::reverse) {
    std::reverse(answer.begin(), answer.end());
  } else if (task == LabTask::sort) {
    std::sort(answer.begin(), answer.end());
  }
  fill_answer(out, n, out.vocabulary, answer);
}

// `addition`. In whole: a_0 .. a_{n-1} + b_0 .. b_{n-1} = s_0 .. s_n, digits of base V with the
// least significant first, '+' is id V and '=' is V + 1; every a and b equally likely. T = 3n + 2
// tokens are fed.
void draw_addition(Sequence& out, RandomState& random) {
  const auto n = static_cast<std::size_t>(out.n);
  std::vector<std::int32_t> answer(n + 1);
  std::int32_t carry = 0;
  for (std::size_t i = 0; i < n; ++i) {
    out.tokens[i] = random_below(random, out.vocabulary);
    out.tokens[n + 1 + i] = random_below(random, out.vocabulary);
    const std::int32_t sum = out.tokens[i] + out.tokens[n + 1 + i] + carry;
    answer[i] = sum % out.vocabulary;
    carry = sum / out.vocabulary;
  }
  answer[n] = carry;
  out.tokens[n] = out.vocabulary;
  fill_answer(out, 2 * n + 1, out.vocabulary + 1, answer);
}

}  // namespace

TaskShape task_shape(const LabOptions& options) {
  const std::int64_t content = options.vocabulary;
  const double even = 1.0 / static_cast<double>(content);
  switch (options.task) {
    case LabTask::back:
    case LabTask::first:
    case LabTask::induction:
    case LabTask::previous:
      return {content, content, even, true};
    case LabTask::latest:
      return {content + 1, content + 1, even, true};
    case LabTask::order:
      return {content + 2, 2, 0.5, true};
    case LabTask::modulo:
      return {content, options.task_modulo, 1.0 / static_cast<double>(options.task_modulo), true};
    case LabTask::seen:
      return {content, 2, 0.5, true};
    case LabTask::copy:
    case LabTask::reverse:
    case LabTask::sort:
      return {content + 1, content, even, false};
    case LabTask::addition:
      break;
  }
  return {content + 2, content, even, false};
}

std::int64_t sequence_length(LabTask task, std::int64_t n) {
  switch (task) {
    case LabTask::copy:
    case LabTask::reverse:
    case LabTask::sort:
      return 2 * n;
    case LabTask::addition:
      return 3 * n + 2;
    default:
      return n;
  }
}

std::int64_t least_length(const LabOptions& options) {
  switch (options.task) {
    case LabTask::back:
      return options.task_shift + 1;
    case LabTask::order:
      return options.causal ? 3 : 2;
    case LabTask::induction:
    case LabTask::previous:
      return 2;
    default:
      return 1;
  }
}

bool length_defined(const LabOptions& options, std::int64_t n) {
  return n >= least_length(options);
}

std::int32_t random_below(RandomState& random, std::int32_t bound) {
  const auto count = static_cast<std::uint32_t>(bound);
  std::uint64_t product = std::uint64_t{random.next_uint32()} * count;
  if (static_cast<std::uint32_t>(product) < count) {
    const std::uint32_t surplus = (0U - count) % count;
    while (static_cast<std::uint32_t>(product) < surplus) {
      product = std::uint64_t{random.next_uint32()} * count;
    }
  }
  return static_cast<std::int32_t>(product >> 32U);
}

void draw_sequence(std::span<std::int32_t> tokens, std::span<std::int32_t> targets,
                   const LabOptions& options, std::int64_t n, RandomState& random) {
  Sequence out{tokens, targets, n, static_cast<std::int32_t>(options.vocabulary), options.causal};
  std::fill(targets.begin(), targets.end(), no_target);
  switch (options.task) {
    case LabTask::back:
      return draw_back(out, options.task_shift, random);
    case LabTask::latest:
      return draw_latest(out, random);
    case LabTask::order:
      return draw_order(out, random);
    case LabTask::first:
      return draw_first(out, random);
    case LabTask::modulo:
      return draw_modulo(out, options.task_modulo, random);
    case LabTask::seen:
      return draw_seen(out, random);
    case LabTask::induction:
      return draw_induction(out, random);
    case LabTask::previous:
      return draw_back(out, 1, random);
    case LabTask::copy:
    case LabTask::reverse:
    case LabTask::sort:
      return draw_rearranged(out, options.task, random);
    case LabTask::addition:
      return draw_addition(out, random);
  }
}

void draw_task(TaskBatch& batch, const LabOptions& options, std::int64_t n, std::int64_t sequences,
               RandomState& random) {
  batch.sequences = sequences;
  batch.tokens_each = sequence_length(options.task, n);
  const auto each = static_cast<std::size_t>(batch.tokens_each);
  const std::size_t all = static_cast<std::size_t>(sequences) * each;
  batch.tokens.resize(all);
  batch.targets.resize(all);
  for (std::size_t first = 0; first < all; first += each) {
    draw_sequence(std::span(batch.tokens).subspan(first, each),
                  std::span(batch.targets).subspan(first, each), options, n, random);
  }
}

}  // namespace posenc
