#include "codes/learned_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "codes/sinusoidal.h"

namespace posenc {
namespace {

constexpr double largest_scale = 1e100;
// Squares of such values still add up to a finite error.
constexpr double largest_value = 1e150;
constexpr double target_base = 10000;

Status check_size(std::int64_t t_max, std::int64_t d_model, std::int64_t smallest_t_max) {
  if (Status status = check_integer("dModel", d_model, 1, max_dim); !status.ok()) {
    return status;
  }
  return check_integer("tMax", t_max, smallest_t_max,
                       std::min(max_position, max_table_size / d_model));
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
  static constexpr std::array<std::string_view, 5> names = {"raise", "clamp", "zeros", "nan",
                                                            "wrap"};
  return parse_name<Behaviour>("behaviour", name, names);
}

Result<LearnedTable> LearnedTable::create(std::int64_t t_max, std::int64_t d_model,
                                          std::uint32_t seed, double scale) {
  if (Status status = check_size(t_max, d_model, 1); !status.ok()) {
    return status.error();
  }
  if (!within(scale, largest_scale)) {
    return invalid_argument("scale", scale, RuleKind::number, -largest_scale, largest_scale);
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
  if (Status status = check_integer("steps", steps, 0, max_steps); !status.ok()) {
    return status;
  }
  if (!std::isfinite(learning_rate) || learning_rate < 0) {
    return invalid_argument("learningRate", learning_rate, RuleKind::number, 0);
  }
  if (!within(target_scale, largest_scale)) {
    return invalid_argument("targetScale", target_scale, RuleKind::number, -largest_scale,
                            largest_scale);
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
    return invalid_argument("learningRate", learning_rate, RuleKind::rate, 0,
                            static_cast<double>(2 * trained_rows_));
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

Result<MatrixD> LearnedTable::training_target(std::int64_t t_max, std::int64_t d_model,
                                              double target_scale) {
  if (Status status = check_size(t_max, d_model, 1); !status.ok()) {
    return status.error();
  }
  if (!within(target_scale, largest_scale)) {
    return invalid_argument("targetScale", target_scale, RuleKind::number, -largest_scale,
                            largest_scale);
  }
  MatrixD target = sinusoidal_rows(t_max, d_model, target_base, 0);
  for (std::int64_t i = 0; i < target.size(); ++i) {
    target.data()[i] *= target_scale;
  }
  return target;
}

Result<TableProgress> LearnedTable::progress(std::span<const double> start, double target_scale) {
  if (Status status = check_training(0, 0, target_scale); !status.ok()) {
    return status.error();
  }
  const auto rows = static_cast<std::size_t>(trained_rows_);
  if (!start.empty() && start.size() != rows) {
    return invalid_count("start", static_cast<double>(start.size()), static_cast<double>(rows),
                         static_cast<double>(rows));
  }
  TableProgress progress{VectorD(trained_rows_)};
  double now = 0;
  double whole = 0;
  for (std::int64_t row = 0; row < trained_rows_; ++row) {
    double sum = 0;
    for (std::int64_t i = row * d_model(); i < (row + 1) * d_model(); ++i) {
      const double error = values_.data()[i] - target_scale * target_.data()[i];
      sum += error * error;
    }
    progress.distance.data()[row] = std::sqrt(sum);
    const auto entry = static_cast<std::size_t>(row);
    now += sum;
    whole += start.empty() ? sum : start[entry] * start[entry];
  }
  progress.share = whole > 0 ? 1 - std::sqrt(now / whole) : 1;
  return progress;
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
  if (Status status = check_integer("position", position, 0, max_position); !status.ok()) {
    return status.error();
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
