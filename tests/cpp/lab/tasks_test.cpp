#include "lab/tasks/tasks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "catch.h"

namespace posenc {
namespace {

using Ids = std::vector<std::int32_t>;

constexpr std::int32_t none = -1;

LabOptions task_options(LabTask task, bool causal = true) {
  LabOptions options;
  options.task = task;
  options.causal = causal;
  return options;
}

struct Example {
  Ids tokens;
  Ids targets;
};

std::vector<Example> draw(const LabOptions& options, std::int64_t n, std::int64_t count,
                          std::uint32_t seed = 1) {
  RandomState random(seed);
  TaskBatch batch;
  draw_task(batch, options, n, count, random);
  const auto each = static_cast<std::size_t>(batch.tokens_each);
  REQUIRE(batch.sequences == count);
  REQUIRE(batch.tokens.size() == static_cast<std::size_t>(count) * each);
  REQUIRE(batch.targets.size() == batch.tokens.size());
  std::vector<Example> examples;
  for (std::size_t first = 0; first < batch.tokens.size(); first += each) {
    const auto from = static_cast<std::ptrdiff_t>(first);
    const auto to = static_cast<std::ptrdiff_t>(first + each);
    examples.push_back({{batch.tokens.begin() + from, batch.tokens.begin() + to},
                        {batch.targets.begin() + from, batch.targets.begin() + to}});
  }
  return examples;
}

std::size_t place(const Ids& tokens, std::int32_t token) {
  REQUIRE(std::count(tokens.begin(), tokens.end(), token) == 1);
  return static_cast<std::size_t>(std::find(tokens.begin(), tokens.end(), token) - tokens.begin());
}

/// What is to be said at place p, written down anew from the tokens alone.
using Definition = std::function<std::int32_t(const Ids&, std::size_t)>;

std::int32_t latest_answer(const Ids& x, std::size_t p) {
  while (x[p] == 0) {
    --p;
  }
  return x[p];
}

std::int32_t order_answer(const Ids& x, std::size_t p) {
  const std::size_t a = place(x, 8);
  const std::size_t b = place(x, 9);
  if (p <= a || p <= b) {
    return none;
  }
  return a < b ? 1 : 0;
}

std::int32_t order_answer_both_ways(const Ids& x, std::size_t) {
  return place(x, 8) < place(x, 9) ? 1 : 0;
}

std::int32_t seen_answer(const Ids& x, std::size_t p) {
  const auto end = x.begin() + static_cast<std::ptrdiff_t>(p) + 1;
  return std::find(x.begin(), end, 0) != end ? 1 : 0;
}

std::int32_t induction_answer(const Ids& x, std::size_t p) {
  for (std::size_t j = p; j-- > 0;) {
    if (x[j] == x[p]) {
      return x[j + 1];
    }
  }
  return none;
}

Definition shifted(std::size_t k) {
  return [k](const Ids& x, std::size_t p) { return p < k ? none : x[p - k]; };
}

Definition rearranged(LabTask task, std::size_t n) {
  return [task, n](const Ids& x, std::size_t p) {
    if (p < n) {
      return none;
    }
    Ids question(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
    if (task == LabTask::sort) {
      // The i-th smallest has at most i smaller ones and more than i that are not larger.
      const auto i = static_cast<std::ptrdiff_t>(p - n);
      for (const std::int32_t y : question) {
        const auto smaller = std::count_if(question.begin(), question.end(),
                                           [y](std::int32_t other) { return other < y; });
        const auto equal = std::count(question.begin(), question.end(), y);
        if (smaller <= i && i < smaller + equal) {
          return y;
        }
      }
    }
    return task == LabTask::copy ? question[p - n] : question[2 * n - 1 - p];
  };
}

Definition addition(std::size_t n, std::uint64_t base) {
  return [n, base](const Ids& x, std::size_t p) {
    const auto number = [&](std::size_t first) {
      std::uint64_t value = 0;
      for (std::size_t i = n; i-- > 0;) {
        value = value * base + static_cast<std::uint64_t>(x[first + i]);
      }
      return value;
    };
    if (p < 2 * n + 1) {
      return none;
    }
    std::uint64_t sum = number(0) + number(n + 1);
    for (std::size_t i = 2 * n + 1; i < p; ++i) {
      sum /= base;
    }
    return static_cast<std::int32_t>(sum % base);
  };
}

void check_definition(const LabOptions& options, std::int64_t n, const Definition& definition) {
  const TaskShape shape = task_shape(options);
  for (const Example& example : draw(options, n, 60)) {
    CAPTURE(lab_task_name(options.task), n, example.tokens, example.targets);
    for (std::size_t p = 0; p < example.tokens.size(); ++p) {
      REQUIRE(example.targets[p] == definition(example.tokens, p));
      REQUIRE(example.targets[p] < shape.outputs);
      REQUIRE(example.tokens[p] >= 0);
      REQUIRE(example.tokens[p] < shape.inputs);
    }
  }
}

TEST_CASE("every task's targets are those of its definition") {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 16, 18}) {
    const auto size = static_cast<std::size_t>(n);
    check_definition(task_options(LabTask::back), n, shifted(3));
    LabOptions back = task_options(LabTask::back);
    back.task_shift = 8;
    check_definition(back, n, shifted(8));
    check_definition(task_options(LabTask::previous, false), n, shifted(1));
    check_definition(task_options(LabTask::latest), n, latest_answer);
    check_definition(task_options(LabTask::first), n,
                     [](const Ids& x, std::size_t) { return x.front(); });
    LabOptions modulo = task_options(LabTask::modulo);
    modulo.task_modulo = 5;
    check_definition(modulo, n, [](const Ids&, std::size_t p) {
      return static_cast<std::int32_t>(p) - 5 * static_cast<std::int32_t>(p / 5);
    });
    check_definition(task_options(LabTask::seen), n, seen_answer);
    check_definition(task_options(LabTask::induction), n, induction_answer);
    if (n >= 3) {
      check_definition(task_options(LabTask::order), n, order_answer);
    }
    if (n >= 2) {
      check_definition(task_options(LabTask::order, false), n, order_answer_both_ways);
    }
    for (const LabTask task : {LabTask::copy, LabTask::reverse, LabTask::sort}) {
      check_definition(task_options(task), n, rearranged(task, size));
      check_definition(task_options(task, false), n, rearranged(task, size));
    }
    LabOptions sum = task_options(LabTask::addition);
    check_definition(sum, n, addition(size, 8));
    sum.vocabulary = 10;
    sum.causal = false;
    check_definition(sum, n, addition(size, 10));
  }
}

TEST_CASE("an answer is fed under a causal mask and hidden without one") {
  for (const bool causal : {true, false}) {
    for (const Example& one : draw(task_options(LabTask::copy, causal), 3, 20)) {
      const std::int32_t sign = 8;
      CHECK(one.tokens[3] == sign);
      CHECK(one.tokens[4] == (causal ? one.targets[3] : sign));
      CHECK(one.tokens[5] == (causal ? one.targets[4] : sign));
    }
    for (const Example& one : draw(task_options(LabTask::addition, causal), 2, 20)) {
      CHECK(one.tokens[2] == 8);
      CHECK(one.tokens[5] == 9);
      CHECK(one.tokens[6] == (causal ? one.targets[5] : 9));
      CHECK(one.tokens[7] == (causal ? one.targets[6] : 9));
    }
  }
}

TEST_CASE("a task says how many tokens a length takes and from which length on it asks") {
  for (int task = 0; task < lab_task_count; ++task) {
    for (const bool causal : {true, false}) {
      const LabOptions options = task_options(static_cast<LabTask>(task), causal);
      for (std::int64_t n = 1; n <= 12; ++n) {
        CAPTURE(lab_task_name(options.task), causal, n);
        std::ptrdiff_t asked = 0;
        for (const Example& example : draw(options, n, 50)) {
          REQUIRE(static_cast<std::int64_t>(example.tokens.size()) ==
                  sequence_length(options.task, n));
          asked += std::count_if(example.targets.begin(), example.targets.end(),
                                 [](std::int32_t target) { return target != none; });
        }
        REQUIRE((asked > 0) == length_defined(options, n));
        REQUIRE(length_defined(options, n) == (n >= least_length(options)));
      }
    }
  }
  CHECK(sequence_length(LabTask::sort, 64) == 128);
  CHECK(sequence_length(LabTask::addition, 64) == 194);
}

/// Share of tokens or targets that have each id.
std::map<std::int32_t, double> shares(const Ids& ids) {
  std::map<std::int32_t, double> share;
  for (const std::int32_t id : ids) {
    share[id] += 1.0 / static_cast<double>(ids.size());
  }
  return share;
}

void check_even(const Ids& ids, std::int32_t first, std::int32_t count) {
  const auto share = shares(ids);
  REQUIRE(share.size() == static_cast<std::size_t>(count));
  const double even = 1.0 / count;
  const double deviation = std::sqrt(even * (1 - even) / static_cast<double>(ids.size()));
  for (std::int32_t id = first; id < first + count; ++id) {
    CAPTURE(id);
    CHECK(std::abs(share.at(id) - even) < 5 * deviation + 1e-9);
  }
}

TEST_CASE("an integer below a bound is uniform, and no bound is out of reach") {
  RandomState random(5);
  for (const std::int32_t bound : {1, 2, 3, 7, 32}) {
    Ids draws;
    for (int i = 0; i < 20000; ++i) {
      draws.push_back(random_below(random, bound));
    }
    check_even(draws, 0, bound);
  }
  // By a plain product or remainder the last third of this range would have half its share.
  const std::int32_t large = 0x60000000;
  int last_third = 0;
  for (int i = 0; i < 30000; ++i) {
    const std::int32_t value = random_below(random, large);
    REQUIRE(value >= 0);
    REQUIRE(value < large);
    last_third += value >= large / 3 * 2 ? 1 : 0;
  }
  CHECK(std::abs(last_third - 10000) < 410);
}

TEST_CASE("content is uniform at every place") {
  for (const LabTask task : {LabTask::back, LabTask::first, LabTask::modulo, LabTask::induction}) {
    Ids first;
    Ids last;
    for (const Example& example : draw(task_options(task), 9, 8000, 3)) {
      first.push_back(example.tokens.front());
      last.push_back(example.tokens.back());
    }
    check_even(first, 0, 8);
    check_even(last, 0, 8);
  }
}

TEST_CASE("a quarter of latest's tokens is not blank, and the first never is") {
  Ids blanks;
  Ids content;
  for (const Example& example : draw(task_options(LabTask::latest), 16, 3000, 4)) {
    REQUIRE(example.tokens[0] != 0);
    for (const std::int32_t token : example.tokens) {
      if (token != 0) {
        content.push_back(token);
      }
    }
    for (std::size_t p = 1; p < 16; ++p) {
      blanks.push_back(example.tokens[p] == 0 ? 1 : 0);
    }
  }
  CHECK(std::abs(shares(blanks).at(0) - 0.25) < 0.011);
  check_even(content, 1, 8);
}

TEST_CASE("order's two places and answers are equally likely") {
  for (const bool causal : {true, false}) {
    Ids pairs;
    for (const Example& example : draw(task_options(LabTask::order, causal), 5, 20000, 6)) {
      const std::size_t a = place(example.tokens, 8);
      const std::size_t b = place(example.tokens, 9);
      REQUIRE(a != b);
      // Numbered so that the pairs are consecutive.
      const std::size_t places = causal ? 4 : 5;
      REQUIRE(std::max(a, b) < places);
      pairs.push_back(static_cast<std::int32_t>(a * (places - 1) + (b > a ? b - 1 : b)));
    }
    check_even(pairs, 0, causal ? 12 : 20);
  }
}

TEST_CASE("seen's answers are about equally frequent in the second half, whatever the length") {
  for (const std::int64_t n : {1, 2, 4, 8, 16, 64, 512}) {
    const std::int64_t count = 6000;
    double ones = 0;
    double zeros_read = 0;
    for (const Example& example : draw(task_options(LabTask::seen), n, count, 7)) {
      for (auto p = static_cast<std::size_t>(n / 2); p < example.targets.size(); ++p) {
        ones += example.targets[p];
      }
      zeros_read +=
          static_cast<double>(std::count(example.tokens.begin(), example.tokens.end(), 0));
    }
    CAPTURE(n);
    const double share = ones / static_cast<double>(count * (n - n / 2));
    CHECK(share > 0.43);
    CHECK(share < 0.53);
    // Half of the sequences hold four on average, or all n where these are fewer.
    const double expected = 0.5 * static_cast<double>(std::min<std::int64_t>(n, 4));
    CHECK(std::abs(zeros_read / static_cast<double>(count) - expected) < 0.15);
  }
}

TEST_CASE("a sum carries about as often as it does not") {
  Ids carries;
  for (const Example& example : draw(task_options(LabTask::addition), 6, 6000, 8)) {
    carries.push_back(example.targets.back());
  }
  CHECK(std::abs(shares(carries).at(1) - 0.5) < 0.035);
}

TEST_CASE("the same state of the generator gives the same sequences, another one others") {
  for (int task = 0; task < lab_task_count; ++task) {
    const LabOptions options = task_options(static_cast<LabTask>(task));
    RandomState one(11);
    RandomState other(11);
    TaskBatch first;
    TaskBatch second;
    draw_task(first, options, 16, 8, one);
    draw_task(second, options, 16, 8, other);
    CHECK(first.tokens == second.tokens);
    CHECK(first.targets == second.targets);
    // Whatever was in the batch before.
    draw_task(second, options, 7, 3, other);
    draw_task(second, options, 16, 8, other);
    CHECK(first.tokens != second.tokens);
    CHECK(second.tokens.size() == first.tokens.size());
  }
}

}  // namespace
}  // namespace posenc
