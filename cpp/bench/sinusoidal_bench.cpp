// What an entry of a sinusoidal table costs, beside the two things to compare it with, in the same
// run: the C library called for every entry, and filling the same memory. The best of many rounds,
// because whatever else the machine does only ever adds time.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "codes/sinusoidal.h"

namespace {

using Clock = std::chrono::steady_clock;

template <class Work>
double nanoseconds_per_entry(int rounds, const std::vector<float>& buffer, Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const auto start = Clock::now();
    work(round);
    // Read as volatile, so that no round can be dropped.
    const volatile float* entry = buffer.data();
    static_cast<void>(*entry);
    const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
    best = std::min(best, taken.count() / static_cast<double>(buffer.size()));
  }
  return best;
}

void compare(std::int64_t length, std::int64_t d_model) {
  constexpr double base = 10000;
  std::vector<float> buffer(static_cast<std::size_t>(length * d_model));
  const double fast = nanoseconds_per_entry(
      50, buffer, [&](int) { posenc::fill_sinusoidal(buffer.data(), length, d_model, base, 0); });
  const posenc::VectorD divisors = posenc::angle_divisors(d_model, base);
  const double library = nanoseconds_per_entry(5, buffer, [&](int) {
    for (std::int64_t i = 0; i < length * d_model; ++i) {
      const double angle = static_cast<double>(i / d_model) / divisors[i % d_model / 2];
      const double value = i % d_model % 2 == 0 ? std::sin(angle) : std::cos(angle);
      buffer[static_cast<std::size_t>(i)] = static_cast<float>(value);
    }
  });
  const double filling = nanoseconds_per_entry(50, buffer, [&](int round) {
    std::fill(buffer.begin(), buffer.end(), static_cast<float>(round));
  });
  std::printf("%6lld x %5lld  %.3f ns an entry, C library %.2f (%.0f times), filling %.3f\n",
              static_cast<long long>(length), static_cast<long long>(d_model), fast, library,
              library / fast, filling);
}

}  // namespace

int main() {
  compare(512, 128);
  compare(1024, 512);
  compare(50, 16);
  compare(1 << 20, 16);
}
