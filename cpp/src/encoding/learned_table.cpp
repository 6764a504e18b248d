#include "posenc/encoding/learned_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "posenc/encoding/sinusoidal.h"

namespace posenc {
namespace {

constexpr double largest_scale = 1e100;
// Squares of such values still add up to a finite error.
constexpr double largest_value = 1e150;
constexpr double target_base = 10000;

Status check_size(std::int64_t t_max, std::int64_t d_model, std::int64_t smallest_t_max) {
  if (d_model < 1 || d_model > max_dim) {
    return invalid_argument("dModel", static_cast<double>(d_model), "an integer from 1 to 65536");
  }
  const std::int64_t most = std::min(max_position, max_table_size / d_model);
  if (t_max < smallest_t_max || t_max > most) {
    return invalid_argument(
        "tMax", static_cast<double>(t_max),
        "an integer from " + std::to_string(smallest_t_max) + " to " + std::to_string(most));
  }
  return ok_status();
}

bool within(double value, double limit) { return std::abs(value) <= limit; }  // false for NaN

// The next rows of the stream, row-major as NumPy's randn fills them.
void draw(RandomState& random, double scale, double* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = random.gauss() * scale;
  }
}

}  // namespace

Result<Behaviour> parse_behaviour(std::string_view name) {
  if (name == "raise") {
    return Behaviour::raise;
  }
  if (name == "clamp") {
    return Behaviour::clamp;
  }
  if (name == "zeros") {
    return Behaviour::zeros;
  }
  if (name == "nan") {
    return Behaviour::nan;
  }
  if (name == "wrap") {
    return Behaviour::wrap;
  }
  return invalid_argument("behaviour", 0, "raise, clamp, zeros, nan or wrap");
}

Result<LearnedTable> LearnedTable::create(std::int64_t t_max, std::int64_t d_model,
                                          std::uint32_t seed, double scale) {
  if (Status status = check_size(t_max, d_model, 1); !status.ok()) {
    return status.error();
  }
  if (!within(scale, largest_scale)) {
    return invalid_argument("scale", scale, "a number from -1e100 to 1e100");
  }
  RandomState random(seed);
  MatrixD values(t_max, d_model);
  draw(random, scale, values.data(), values.size());
  return LearnedTable(std::move(values), random, scale);
}

std::vector<std::uint8_t> LearnedTable::rows_with_gradient() const {
  // Every step reaches the first trained_rows_ rows and no others.
  std::vector<std::uint8_t> reached(static_cast<std::size_t>(t_max()), 0);
  if (steps_ > 0) {
    std::fill_n(reached.begin(), trained_rows_, std::uint8_t{1});
  }
  return reached;
}

Status LearnedTable::check_training(std::int64_t steps, double learning_rate, double target_scale) {
  if (steps < 0 || steps > max_steps) {
    return invalid_argument("steps", static_cast<double>(steps), "an integer from 0 to 1000000");
  }
  if (!std::isfinite(learning_rate) || learning_rate < 0) {
    return invalid_argument("learningRate", learning_rate, "a finite number of at least 0");
  }
  if (!within(target_scale, largest_scale)) {
    return invalid_argument("targetScale", target_scale, "a number from -1e100 to 1e100");
  }
  if (target_.size() == 0) {
    target_ = sinusoidal_rows(trained_rows_, d_model(), target_base, 0);
  }

  // One step maps the error E = P - scale * PE to (1 - rate / T) E.
  const double rows = static_cast<double>(trained_rows_);
  const double factor = std::pow(1 - learning_rate / rows, static_cast<double>(steps));
  double largest_error = 0;
  for (std::int64_t i = 0; i < target_.size(); ++i) {
    largest_error =
        std::max(largest_error, std::abs(values_.data()[i] - target_scale * target_.data()[i]));
  }
  if (!within(largest_error * factor, largest_value - largest_scale)) {
    return invalid_argument("learningRate", learning_rate,
                            "a rate that keeps the table finite; above twice the trained rows, " +
                                std::to_string(2 * trained_rows_) + ", it diverges");
  }
  return ok_status();
}

Result<TrainReport> LearnedTable::train_toward_sinusoid(std::int64_t steps, double learning_rate,
                                                        double target_scale) {
  if (Status status = check_training(steps, learning_rate, target_scale); !status.ok()) {
    return status.error();
  }
  // Step by step although the error has a closed form: the powers of that would round differently
  // in one call than in two, and a worker must be free to cut a run anywhere. Entries do not
  // depend on one another, so a block that fits the cache takes all its steps at once.
  constexpr std::int64_t block_size = 512;
  std::array<double, block_size> target{};
  const double share = learning_rate / static_cast<double>(trained_rows_);
  double sum = 0;
  for (std::int64_t first = 0; first < target_.size(); first += block_size) {
    const auto count = static_cast<std::size_t>(std::min(block_size, target_.size() - first));
    double* const block = values_.data() + first;
    for (std::size_t i = 0; i < count; ++i) {
      target[i] = target_scale * target_.data()[first + static_cast<std::int64_t>(i)];
    }
    for (std::int64_t step = 0; step < steps; ++step) {
      for (std::size_t i = 0; i < count; ++i) {
        block[i] -= share * (block[i] - target[i]);
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      sum += (block[i] - target[i]) * (block[i] - target[i]);
    }
  }
  steps_ += steps;
  return TrainReport{steps_, sum / static_cast<double>(target_.size())};
}

Status LearnedTable::grow(std::int64_t new_t_max) {
  if (Status status = check_size(new_t_max, d_model(), t_max()); !status.ok()) {
    return status;
  }
  // The stream and the table change together or, when memory runs out, not at all.
  RandomState random = random_;
  MatrixD values(new_t_max, d_model());
  values.topRows(t_max()) = values_;
  draw(random, scale_, values.data() + values_.size(), values.size() - values_.size());
  values_.swap(values);
  random_ = random;
  return ok_status();
}

Result<VectorD> LearnedTable::lookup(std::int64_t position, Behaviour behaviour) const {
  if (position < 0 || position > max_position) {
    return invalid_argument("position", static_cast<double>(position),
                            "an integer from 0 to 16777216");
  }
  if (position < t_max()) {
    return VectorD(values_.row(position));
  }
  switch (behaviour) {
    case Behaviour::clamp:
      return VectorD(values_.row(t_max() - 1));
    case Behaviour::zeros:
      return VectorD(VectorD::Zero(d_model()));
    case Behaviour::nan:
      return VectorD(VectorD::Constant(d_model(), std::numeric_limits<double>::quiet_NaN()));
    case Behaviour::wrap:
      return VectorD(values_.row(position % t_max()));
    case Behaviour::raise:
      break;
  }
  return position_out_of_range(position, t_max());
}

}  // namespace posenc
