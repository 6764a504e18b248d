#include "bench/multiply_add.h"

#include <array>
#include <cstddef>

namespace {

using Float4 [[gnu::vector_size(16)]] = float;

Float4 filled(float value) { return Float4{value, value, value, value}; }

}  // namespace

float multiply_add(std::int32_t rounds) {
  // Read as volatile, so that nothing is computed by the compiler. Every chain tends to 2.
  volatile float half = 0.5F;
  volatile float one = 1.0F;
  const Float4 factor = filled(half);
  const Float4 term = filled(one);
  std::array<Float4, multiply_add_chains> chains{};
  for (std::size_t i = 1; i < chains.size(); ++i)
    chains[i] = chains[i - 1] + term;
  for (std::int32_t round = 0; round < rounds; ++round) {
    for (Float4& chain : chains)
      chain = chain * factor + term;
  }
  Float4 sum{};
  for (const Float4& chain : chains)
    sum += chain;
  return sum[0] + sum[1] + sum[2] + sum[3];
}
