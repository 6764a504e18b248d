#include "lab/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "codes/randomized.h"
#include "lab/curve.h"
#include "lab/trainer_state.h"
#include "nn/adamw.h"
#include "nn/gemm.h"

namespace posenc {
namespace {

/// Rows of the block that holds a learned table.
const ParameterBlock& table_block(const LabModel<float>& model) {
  const auto& blocks = model.blocks();
  return *std::find_if(blocks.begin(), blocks.end(),
                       [](const ParameterBlock& block) { return block.name == "positions"; });
}

bool has_target(const TaskBatch& batch) {
  return std::any_of(batch.targets.begin(), batch.targets.end(),
                     [](std::int32_t target) { return target >= 0; });
}

/// Data of one step: a function of (seed, step) alone.
void draw_step(TaskBatch& batch, const LabOptions& options, RandomState random) {
  std::int64_t n = options.length;
  if (options.up_to) {
    const std::int64_t least = least_length(options);
    n = least + random_below(random, static_cast<std::int32_t>(options.length - least + 1));
  }
  // A small batch of `induction` may hold no repetition: then there is nothing to learn from.
  do {
    draw_task(batch, options, n, options.batch, random);
  } while (!has_target(batch));
}

/// The only code whose model has a table.
constexpr std::array<std::string_view, 1> with_table = {"learned"};

/// Cosines of all pairs of rows; 0 with a row of zeros.
std::vector<float> row_similarity(const float* values, std::int64_t rows, std::int64_t columns) {
  const Index n = static_cast<Index>(rows);
  const Index width = static_cast<Index>(columns);
  std::vector<float> unit(values, values + n * width);
  for (float* row = unit.data(); row != unit.data() + n * width; row += width) {
    const double norm = std::sqrt(std::inner_product(row, row + width, row, 0.0));
    const float scale = norm > 0 ? static_cast<float>(1 / norm) : 0.0F;
    std::transform(row, row + width, row, [scale](float entry) { return entry * scale; });
  }
  std::vector<float> across(unit.size());
  transpose(across.data(), n, unit.data(), width, n, width);
  std::vector<float> similarity(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  gemm(Target<float>{similarity.data(), n}, Strided<float>{unit.data(), width}, across.data(), n, n,
       n, width);
  return similarity;
}

}  // namespace

Trainer::State::State(const LabOptions& of_run)
    : options(of_run),
      model(of_run, model_shape(of_run)),
      first_moment(model.parameters().size()),
      second_moment(model.parameters().size()) {}

RandomState Trainer::State::random(Stream stream, std::int64_t key) const {
  return RandomState::from_keys(
             {options.seed, static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(key)})
      .value();
}

RandomState Trainer::State::random(Stream stream, std::int64_t key, std::int64_t second) const {
  return RandomState::from_keys({options.seed, static_cast<std::uint32_t>(stream),
                                 static_cast<std::uint32_t>(key),
                                 static_cast<std::uint32_t>(second)})
      .value();
}

void Trainer::State::set_positions(std::int64_t tokens, RandomState random) {
  if (options.randomized) {
    const std::int64_t range = sequence_length(options.task, options.reach * options.length);
    positions = randomized_positions(tokens, range - 1, random.next_uint32()).value();
    return;
  }
  positions.resize(static_cast<std::size_t>(tokens));
  std::iota(positions.begin(), positions.end(), 0);
}

void Trainer::State::draw_test(std::int64_t n, std::int64_t first, std::int64_t count) {
  batch.sequences = count;
  batch.tokens_each = sequence_length(options.task, n);
  const auto each = static_cast<std::size_t>(batch.tokens_each);
  batch.tokens.resize(static_cast<std::size_t>(count) * each);
  batch.targets.resize(batch.tokens.size());
  for (std::int64_t i = 0; i < count; ++i) {
    RandomState own = random(Stream::sequence, n, first + i);
    const std::size_t start = static_cast<std::size_t>(i) * each;
    draw_sequence(std::span(batch.tokens).subspan(start, each),
                  std::span(batch.targets).subspan(start, each), options, n, own);
  }
}

ModelInput Trainer::State::input() const {
  return {batch.sequences, batch.tokens_each, batch.tokens, positions};
}

Trainer::Trainer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;
Trainer::~Trainer() = default;

Result<Trainer> Trainer::create(const LabOptions& options) {
  if (Status status = check_lab_options(options); !status.ok()) {
    return status.error();
  }
  return Trainer(std::make_unique<State>(options));
}

const LabOptions& Trainer::options() const { return state_->options; }

TrainerInfo Trainer::info() const {
  const LabOptions& options = state_->options;
  TrainerInfo info;
  info.step = state_->step;
  info.parameters = static_cast<std::int64_t>(state_->first_moment.size());
  info.task = task_shape(options);
  info.solvability = solvability(options);
  info.rows = table_rows(options);
  info.wall = wall_of(options, TableExtension::none);
  info.max_length = options.reach * options.length;
  info.memory_bytes = lab_memory(options);
  return info;
}

Status Trainer::train(std::int64_t steps, std::vector<float>& losses,
                      std::vector<float>& accuracies) {
  if (steps < 0) {
    return invalid_argument("steps", static_cast<double>(steps), RuleKind::integer, 0);
  }
  State& state = *state_;
  const LabOptions& options = state.options;
  const std::int64_t last = state.step + std::min(steps, options.steps - state.step);
  while (state.step < last) {
    draw_step(state.batch, options, state.random(Stream::step_data, state.step));
    state.set_positions(state.batch.tokens_each, state.random(Stream::step_positions, state.step));
    const ModelInput input = state.input();
    state.model.forward(input);
    const Judgement judgement = state.model.backward(input, state.batch.targets);
    AdamWStep update;
    update.number = state.step + 1;
    update.rate = scheduled_rate(options.learning_rate, state.step, options.warm_up, options.steps);
    update.weight_decay = options.weight_decay;
    update_model<float>(state.model, state.first_moment, state.second_moment, update, options.clip);
    losses.push_back(static_cast<float>(judgement.loss));
    accuracies.push_back(static_cast<float>(judgement.right) /
                         static_cast<float>(judgement.judged));
    ++state.step;
  }
  return ok_status();
}

Result<AttentionExample> Trainer::attention(std::int64_t layer, std::int64_t head,
                                            std::int64_t length, std::uint32_t example,
                                            const TestOptions& test) {
  State& state = *state_;
  const LabOptions& options = state.options;
  for (const Status& status : {check_integer("layer", layer, 0, options.layers - 1),
                               check_integer("head", head, 0, options.heads - 1),
                               check_integer("length", length, 1, options.reach * options.length),
                               check_test(options, test)}) {
    if (!status.ok()) {
      return status.error();
    }
  }
  const std::int64_t wall = wall_of(options, test.extension);
  if (wall != 0 && length >= wall) {
    return position_out_of_range(table_rows(options), table_rows(options));
  }
  state.draw_test(length, example, 1);
  const std::int64_t tokens = state.batch.tokens_each;
  state.set_positions(tokens, state.random(Stream::sequence_positions, length, 0));
  const TestSetup setup = make_setup(state, test, tokens);
  const std::span<const float> logits =
      state.model.forward(state.input(), setup.overrides, Pass::inspection);

  AttentionExample result;
  result.length = tokens;
  result.tokens = state.batch.tokens;
  result.targets = state.batch.targets;
  const auto outputs = static_cast<std::size_t>(task_shape(options).outputs);
  for (std::size_t first = 0; first < logits.size(); first += outputs) {
    const auto row = logits.subspan(first, outputs);
    result.predictions.push_back(
        static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  result.weights = state.model.attention(layer, head, 0);
  return result;
}

Result<TrainedTable> Trainer::table() const {
  if (state_->options.code != PositionCode::learned) {
    return not_one_of("code", static_cast<double>(state_->options.code), with_table);
  }
  const LabModel<float>& model = state_->model;
  const ParameterBlock& block = table_block(model);
  TrainedTable table;
  table.rows = block.rows;
  table.columns = block.columns;
  const auto size = static_cast<std::size_t>(block.rows * block.columns);
  const auto values = model.parameters().subspan(static_cast<std::size_t>(block.offset), size);
  table.values.assign(values.begin(), values.end());
  const auto moments =
      std::span(state_->second_moment).subspan(static_cast<std::size_t>(block.offset), size);
  const auto columns = static_cast<std::size_t>(block.columns);
  for (std::size_t first = 0; first < size; first += columns) {
    const auto row = moments.subspan(first, columns);
    table.gradient_rows.push_back(
        std::any_of(row.begin(), row.end(), [](float moment) { return moment != 0; }) ? 1 : 0);
  }
  table.similarity = row_similarity(values.data(), block.rows, block.columns);
  return table;
}

}  // namespace posenc
