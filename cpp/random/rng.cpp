#include "random/rng.h"

#include <algorithm>
#include <cmath>

namespace posenc {
namespace {

constexpr std::size_t shift_size = 397;
constexpr std::uint32_t upper_bit = 0x80000000U;
constexpr std::uint32_t lower_bits = 0x7fffffffU;

constexpr std::uint32_t twist(std::uint32_t high, std::uint32_t low) {
  const std::uint32_t mixed = (high & upper_bit) | (low & lower_bits);
  return (mixed >> 1U) ^ ((mixed & 1U) != 0U ? 0x9908b0dfU : 0U);
}

}  // namespace

RandomState::RandomState(std::uint32_t seed) {
  for (std::uint32_t i = 0; i < key_size; ++i) {
    state_.key[i] = seed;
    seed = 1812433253U * (seed ^ (seed >> 30U)) + i + 1U;
  }
}

Result<RandomState> RandomState::from_keys(const std::vector<std::uint32_t>& keys) {
  if (keys.empty()) {
    return invalid_count("keys", 0, 1, Rule::unbounded);
  }
  RandomState random(19650218U);
  auto& key = random.state_.key;
  std::size_t i = 1;
  std::size_t j = 0;
  const auto wrap = [&] {
    if (i >= key_size) {
      key[0] = key[key_size - 1];
      i = 1;
    }
  };
  for (std::size_t n = std::max(key_size, keys.size()); n > 0; --n) {
    key[i] = (key[i] ^ ((key[i - 1] ^ (key[i - 1] >> 30U)) * 1664525U)) + keys[j] +
             static_cast<std::uint32_t>(j);
    ++i;
    j = (j + 1) % keys.size();
    wrap();
  }
  for (std::size_t n = key_size - 1; n > 0; --n) {
    key[i] = (key[i] ^ ((key[i - 1] ^ (key[i - 1] >> 30U)) * 1566083941U)) -
             static_cast<std::uint32_t>(i);
    ++i;
    wrap();
  }
  key[0] = upper_bit;
  return random;
}

Result<RandomState> RandomState::from_state(const State& state) {
  if (state.index > key_size) {
    return invalid_argument("index", state.index, RuleKind::integer, 0, key_size);
  }
  // r2 is at least about 2^-104, so that the polar method stays below sqrt(2 * 104 * ln 2) = 12.01.
  if (!(std::abs(state.gauss) <= 12.1)) {
    return invalid_argument("gauss", state.gauss, RuleKind::number, -12.1, 12.1);
  }
  // From a key of zeros (of its first word only the top bit counts) come zeros for ever, and the
  // polar method would never end.
  const auto is_zero = [](std::uint32_t word) { return word == 0; };
  if ((state.key[0] & upper_bit) == 0 &&
      std::all_of(state.key.begin() + 1, state.key.end(), is_zero)) {
    static constexpr std::array<std::string_view, 1> names = {"generator"};
    return invalid_argument("key", 0, Rule{.kind = RuleKind::snapshot, .names = names});
  }
  RandomState random;
  random.state_ = state;
  return random;
}

void RandomState::refill() {
  auto& key = state_.key;
  for (std::size_t i = 0; i < key_size; ++i) {
    key[i] = key[(i + shift_size) % key_size] ^ twist(key[i], key[(i + 1) % key_size]);
  }
  state_.index = 0;
}

std::uint32_t RandomState::next_uint32() {
  if (state_.index == key_size) {
    refill();
  }
  std::uint32_t y = state_.key[state_.index];
  ++state_.index;
  y ^= y >> 11U;
  y ^= (y << 7U) & 0x9d2c5680U;
  y ^= (y << 15U) & 0xefc60000U;
  y ^= y >> 18U;
  return y;
}

double RandomState::random_sample() {
  const std::uint32_t high = next_uint32() >> 5U;
  const std::uint32_t low = next_uint32() >> 6U;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

double RandomState::gauss() {
  if (state_.has_gauss) {
    state_.has_gauss = false;
    const double kept = state_.gauss;
    state_.gauss = 0;
    return kept;
  }
  double x1 = 0;
  double x2 = 0;
  double r2 = 0;
  do {
    x1 = 2.0 * random_sample() - 1.0;
    x2 = 2.0 * random_sample() - 1.0;
    r2 = x1 * x1 + x2 * x2;
  } while (r2 >= 1.0 || r2 == 0.0);
  const double f = std::sqrt(-2.0 * std::log(r2) / r2);
  state_.gauss = f * x1;
  state_.has_gauss = true;
  return f * x2;
}

Result<VectorD> standard_normals(std::uint32_t seed, std::int64_t count) {
  if (Status status = check_integer("count", count, 0, max_matrix_size); !status.ok()) {
    return status.error();
  }
  RandomState random(seed);
  VectorD normals(count);
  for (double& normal : normals) {
    normal = random.gauss();
  }
  return normals;
}

}  // namespace posenc
