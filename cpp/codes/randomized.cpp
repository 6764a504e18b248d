#include "codes/randomized.h"

#include <algorithm>

#include "random/rng.h"

namespace posenc {

Result<std::vector<std::int32_t>> randomized_positions(std::int64_t length, std::int64_t largest,
                                                       std::uint32_t seed) {
  for (const Status& status :
       {check_integer("maxPosition", largest, 0, max_position),
        check_integer("length", length, 0, std::min(largest + 1, max_randomized_length))}) {
    if (!status.ok()) {
      return status.error();
    }
  }
  // Floyd's sampling (Bentley and Floyd 1987): as many draws as there are tokens, and the marks
  // come out in order.
  RandomState random(seed);
  std::vector<bool> drawn(static_cast<std::size_t>(largest + 1));
  for (std::int64_t last = largest + 1 - length; last <= largest; ++last) {
    const auto pick =
        static_cast<std::size_t>(random.random_sample() * static_cast<double>(last + 1));
    drawn[drawn[pick] ? static_cast<std::size_t>(last) : pick] = true;
  }
  std::vector<std::int32_t> positions;
  positions.reserve(static_cast<std::size_t>(length));
  for (std::size_t position = 0; position < drawn.size(); ++position) {
    if (drawn[position]) {
      positions.push_back(static_cast<std::int32_t>(position));
    }
  }
  return positions;
}

}  // namespace posenc
