// The inside of a trainer, which its sources share.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lab/model.h"
#include "lab/trainer.h"
#include "random/rng.h"

namespace posenc {

/// Streams of random numbers, each {seed, stream, ...}, so that no draw depends on how often
/// another one has been made. (The weights' keys are {seed, block}.)
enum class Stream : std::uint32_t {
  step_data = 1,           ///< ..., step
  step_positions = 2,      ///< ..., step
  sequence = 3,            ///< ..., task length, number of the sequence
  sequence_positions = 4,  ///< ..., task length, piece
};

struct Trainer::State {
  explicit State(const LabOptions& of_run);

  LabOptions options;
  LabModel<float> model;
  std::vector<float> first_moment;   ///< as many as parameters
  std::vector<float> second_moment;  ///< likewise
  std::int64_t step = 0;             ///< steps done
  TaskBatch batch;                   ///< of the last pass
  std::vector<std::int32_t> positions;

  [[nodiscard]] RandomState random(Stream stream, std::int64_t key) const;
  [[nodiscard]] RandomState random(Stream stream, std::int64_t key, std::int64_t second) const;

  /// 0, 1, ..., T - 1, or a random subset of all that reach * L needs.
  /// @param random  read only where positions are randomized
  void set_positions(std::int64_t tokens, RandomState random);

  /// Sequences first .. first + count - 1 of those that a curve at task length n is taken with.
  void draw_test(std::int64_t n, std::int64_t first, std::int64_t count);

  /// The pass's input: `batch` at `positions`.
  [[nodiscard]] ModelInput input() const;
};

/// What a test changes, ready for passes over sequences of one length.
struct TestSetup {
  std::vector<float> rows;  ///< what overrides.position_rows shows
  ModelOverrides<float> overrides;
};

/// @return an error that names scaling, factor, ropeBase or extend
Status check_test(const LabOptions& options, const TestOptions& test);

/// @param test    checked
/// @param tokens  of a sequence
TestSetup make_setup(const Trainer::State& state, const TestOptions& test, std::int64_t tokens);

/// First task length whose lookup fails under these options; 0 where there is none.
std::int64_t wall_of(const LabOptions& options, TableExtension extension);

}  // namespace posenc
