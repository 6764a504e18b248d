// What the arithmetic units give at best, to set a training step's rate against.
#pragma once

#include <cstdint>

/// So many at once hide the latency, and leave four of the sixteen registers of SSE2.
inline constexpr int multiply_add_chains = 12;

/// Floating-point operations of one round: a multiplication and an addition of four lanes a chain.
inline constexpr int multiply_add_flops = 2 * 4 * multiply_add_chains;

/// Independent multiplications and additions. The name is C's because it is called from JavaScript
/// by name, too.
/// @param rounds  at least 1
/// @return a number that depends on all of them
extern "C" float multiply_add(std::int32_t rounds);
