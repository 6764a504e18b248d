// The two sides of `npm run bench`, apart from the other bindings because they alone are compiled
// for speed.
#include <algorithm>
#include <vector>

#include "bindings/codes.h"
#include "codes/sinusoidal.h"

namespace posenc::bindings {
namespace {

// Calls fill(buffer, n) for n = 0 .. repeats - 1 on one buffer of (length, d_model).
template <class Fill>
StatusObject repeated(std::int64_t length, std::int64_t d_model, double repeats, Fill fill) {
  required(check_sinusoidal(length, d_model, 10000, 0));
  std::vector<float> buffer(static_cast<std::size_t>(length * d_model) + 1);
  // Read as volatile, so that no repeat can be dropped.
  const volatile float* entry = buffer.data();
  double last = 0;
  for (double n = 0; n < repeats; ++n) {
    fill(buffer, n);
    last = *entry;
  }
  StatusObject object = success();
  set(object, "last", last);
  return object;
}

}  // namespace

StatusObject bench_sinusoidal(double length, double d_model, double repeats) {
  return guard([&] {
    const auto rows = required(integer(length, "length"));
    const auto columns = required(integer(d_model, "dModel"));
    return repeated(rows, columns, repeats, [&](std::vector<float>& buffer, double) {
      fill_sinusoidal(buffer.data(), rows, columns, 10000, 0);
    });
  });
}

StatusObject bench_fill(double length, double d_model, double repeats) {
  return guard([&] {
    const auto rows = required(integer(length, "length"));
    const auto columns = required(integer(d_model, "dModel"));
    return repeated(rows, columns, repeats, [](std::vector<float>& buffer, double n) {
      std::fill(buffer.begin(), buffer.end(), static_cast<float>(n));
    });
  });
}

}  // namespace posenc::bindings
