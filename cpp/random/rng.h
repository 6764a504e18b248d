// The one seeded generator of the core. It stands below every other layer: the learned table
// (encoding) and seeded weights (nn) draw from it as well as the training code does.
// Matsumoto and Nishimura 1998: MT19937; the seeding and the Gaussian are those of NumPy's
// legacy RandomState, bit for bit, so that a table here equals the one in the NumPy example.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "types.h"

namespace posenc {

class RandomState {
 public:
  static constexpr std::size_t key_size = 624;

  /// Everything that the next draw depends on; a restored state goes on with the same numbers,
  /// the second half of a Gaussian pair included.
  struct State {
    std::array<std::uint32_t, key_size> key{};
    std::uint32_t index = key_size;  ///< next word of `key`, 0 .. key_size
    bool has_gauss = false;          ///< `gauss` waits to be returned
    double gauss = 0;
  };

  /// numpy.random.RandomState(seed) for an integer seed (MT19937 init_genrand).
  explicit RandomState(std::uint32_t seed);

  /// numpy.random.RandomState([k0, k1, ...]) (MT19937 init_by_array).
  /// Error::invalid_argument when `keys` is empty.
  static Result<RandomState> from_keys(const std::vector<std::uint32_t>& keys);

  /// Error::invalid_argument when no run of the generator could have left such a state.
  static Result<RandomState> from_state(const State& state);

  [[nodiscard]] const State& state() const { return state_; }

  /// 32 random bits.
  std::uint32_t next_uint32();

  /// Uniform in [0, 1), 53 bits.
  double random_sample();

  /// Standard normal by Marsaglia's polar method; every second call returns the kept value.
  double gauss();

 private:
  RandomState() = default;
  void refill();

  State state_;
};

/// numpy.random.RandomState(seed).randn(count).
/// @param count  0 to 2^26
Result<VectorD> standard_normals(std::uint32_t seed, std::int64_t count);

}  // namespace posenc
