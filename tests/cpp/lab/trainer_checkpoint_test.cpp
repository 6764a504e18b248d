#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "catch.h"
#include "random/rng.h"
#include "trainer_runs.h"

namespace posenc {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t first_option = 1;
constexpr std::size_t step_word = 28;
constexpr std::size_t count_word = 29;
constexpr std::size_t header_words = 30;

// Small, so that every bit can be turned.
LabOptions small_options(PositionCode code) {
  LabOptions options = run_options(LabTask::back, code, 12);
  options.length = 4;
  options.vocabulary = 4;
  options.d_model = 16;
  options.heads = 2;
  options.batch = 2;
  return options;
}

std::uint64_t word_at(const Bytes& bytes, std::size_t index) {
  std::uint64_t word = 0;
  std::memcpy(&word, &bytes[index * 8], sizeof word);
  return word;
}

// Writes a checksum that fits, as someone would who means harm.
Bytes sealed(Bytes bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const std::size_t last = bytes.size() / 8 - 1;
  for (std::size_t i = 0; i < last; ++i) {
    hash = (hash ^ word_at(bytes, i)) * 0x100000001b3;
    hash ^= hash >> 32U;
  }
  std::memcpy(&bytes[last * 8], &hash, sizeof hash);
  return bytes;
}

Bytes forged(Bytes bytes, std::size_t index, std::uint64_t word) {
  std::memcpy(&bytes[index * 8], &word, sizeof word);
  return sealed(std::move(bytes));
}

std::uint64_t bits_of(double value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

void check_refused(const Bytes& bytes) {
  const auto result = Trainer::restore(bytes);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == ErrorCode::invalid_argument);
  CHECK(result.error().name == "bytes");
}

TEST_CASE("a run that was put down and taken up equals an unbroken one") {
  for (int code = 0; code < position_code_count; ++code) {
    LabOptions options = run_options(LabTask::order, static_cast<PositionCode>(code), 24);
    options.seed = 4294967295U;
    options.randomized = code % 2 == 0;
    options.up_to = code % 3 == 0;
    options.weight_decay = 0.1;
    options.layers = 2;
    options.mlp = code == 1;
    Trainer unbroken = Trainer::create(options).value();
    const Log whole = train(unbroken, 24);

    Trainer first = Trainer::create(options).value();
    train(first, 11);
    Trainer second = Trainer::restore(first.snapshot()).value();
    CHECK(second.info().step == 11);
    const Log rest = train(second, 100);
    CHECK(rest.losses == std::vector<float>(whole.losses.begin() + 11, whole.losses.end()));
    CHECK(second.snapshot() == unbroken.snapshot());
    CHECK(same_curve(curve_of(second), curve_of(unbroken)));
  }
}

TEST_CASE("a restored run has the options of the first") {
  LabOptions options = small_options(PositionCode::learned);
  options.wall = true;
  options.causal = false;
  options.clip = 0.25;
  options.sinusoid_base = 77;
  options.seed = 3000000000U;
  const LabOptions restored =
      Trainer::restore(Trainer::create(options).value().snapshot()).value().options();
  CHECK(restored.code == PositionCode::learned);
  CHECK(restored.wall);
  CHECK_FALSE(restored.causal);
  CHECK(restored.clip == 0.25);
  CHECK(restored.sinusoid_base == 77);
  CHECK(restored.seed == 3000000000U);
}

TEST_CASE("a run that diverged can be put down, too") {
  LabOptions options = small_options(PositionCode::rope);
  Trainer trainer = trained(options);
  Bytes bytes = trainer.snapshot();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(&bytes[header_words * 8], &nan, sizeof nan);
  Trainer restored = Trainer::restore(sealed(bytes)).value();
  CHECK(restored.snapshot() == sealed(bytes));
  const Curve curve = curve_of(restored, {}, 4);
  CHECK(curve.counts.back() == 4);
}

TEST_CASE("a run's bytes cut short or extended are refused") {
  const Bytes bytes = Trainer::create(small_options(PositionCode::alibi)).value().snapshot();
  for (std::size_t size = 0; size < bytes.size(); size += size < 300 ? 1 : 37) {
    check_refused({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
  }
  for (const std::size_t more : {1U, 8U, 4096U}) {
    Bytes longer = bytes;
    longer.resize(bytes.size() + more);
    check_refused(longer);
    if (more % 8 == 0) {
      check_refused(sealed(longer));
    }
  }
  Bytes shorter = bytes;
  shorter.resize(bytes.size() - 8);
  check_refused(sealed(shorter));
}

TEST_CASE("a run's bytes with any bit turned are refused") {
  const Bytes bytes = Trainer::create(small_options(PositionCode::t5)).value().snapshot();
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += bit < 64 * header_words ? 1 : 1013) {
    Bytes damaged = bytes;
    damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ (1U << (bit % 8)));
    REQUIRE_FALSE(Trainer::restore(damaged).ok());
  }
}

TEST_CASE("a run's bytes whose fields contradict each other are refused") {
  const Bytes bytes = trained(small_options(PositionCode::learned)).snapshot();
  CHECK(Trainer::restore(forged(bytes, step_word, 3)).value().info().step == 3);
  constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t count = word_at(bytes, count_word);
  const std::vector<std::pair<std::size_t, std::uint64_t>> forgeries = {
      {0, word_at(bytes, 0) + (std::uint64_t{1} << 32U)},  // another version
      {first_option, 12},                                  // no such task
      {first_option, all_ones},                            // no such task
      {first_option, 8},                                   // needs a longer table
      {first_option + 1, 6},                               // no such code
      {first_option + 1, 0},                               // a code without a table
      {first_option + 2, 5},                               // needs a longer table
      {first_option + 2, all_ones},                        // below 0
      {first_option + 6, 128},                             // a larger model
      {first_option + 7, 3},                               // heads
      {first_option + 8, 2},                               // neither true nor false
      {first_option + 11, 0},                              // no steps
      {first_option + 12, bits_of(std::numeric_limits<double>::quiet_NaN())},  // rate
      {first_option + 19, std::uint64_t{1} << 32U},                            // seed
      {step_word, 13},  // more steps than the run has
      {step_word, all_ones},
      {count_word, count + 1},
      {count_word, count - 1},
      {count_word, count + (std::uint64_t{1} << 62U)},
      {bytes.size() / 8 - 2, 0xbf800000bf800000},  // a negative second moment
  };
  for (const auto& [index, word] : forgeries) {
    INFO("word " << index << " = " << word);
    check_refused(forged(bytes, index, word));
  }
}

TEST_CASE("random bytes under a right checksum never do more than fail") {
  const Bytes bytes = trained(small_options(PositionCode::rope)).snapshot();
  RandomState random(1);
  int restored = 0;
  for (int round = 0; round < 3000; ++round) {
    Bytes damaged = bytes;
    // Mostly in the header, where a word decides sizes.
    const bool header = random.next_uint32() % 4 != 0;
    const std::size_t range = header ? header_words * 8 : damaged.size();
    for (std::uint32_t i = random.next_uint32() % 3 + 1; i > 0; --i) {
      damaged[random.next_uint32() % range] = static_cast<std::uint8_t>(random.next_uint32());
    }
    if (random.next_uint32() % 8 == 0) {
      damaged.resize(random.next_uint32() % (damaged.size() / 8) * 8 + 8);
    }
    Result<Trainer> result = Trainer::restore(sealed(std::move(damaged)));
    if (result.ok() && restored < 200) {
      // Whatever got through is a run like any other.
      ++restored;
      REQUIRE(check_lab_options(result.value().options()).ok());
      Log log;
      REQUIRE(result.value().train(1, log.losses, log.accuracies).ok());
    }
  }
  CHECK(restored > 0);
}

}  // namespace
}  // namespace posenc
