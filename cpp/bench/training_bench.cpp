// The native side of the training benchmark, for `npm run bench`: it answers one line of standard
// input with one line of output, so that what it does and what WebAssembly and JavaScript do can be
// timed in turns.
//   start <code> <layers> <d_model>          a run of the task `back`; answers its number, from 0
//   train <run> <steps>                      nanoseconds of processor time; begins anew at the end
//   multiply-add <rounds>                    nanoseconds of processor time
//   first <code> <layers> <d_model> <steps>  JSON: the weights before the first step; the data and
//                                            the loss of each of the first steps
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/multiply_add.h"
#include "lab/curve.h"
#include "lab/model.h"
#include "lab/options.h"
#include "lab/tasks/tasks.h"
#include "lab/trainer.h"
#include "lab/trainer_state.h"

namespace {

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "posenc_training_bench: %s\n", why.c_str());
  std::exit(1);
}

template <class T>
T required(posenc::Result<T> result) {
  if (!result.ok())
    fail(std::string(result.error().name) + " = " + std::to_string(result.error().value));
  return std::move(result).value();
}

/// The run that web/build/bench_training.mjs asks the engine for.
posenc::LabOptions read_options(std::istream& line) {
  std::string code;
  posenc::LabOptions options;
  line >> code >> options.layers >> options.d_model;
  const auto known = posenc::position_code_from_name(code);
  if (!known)
    fail("no such code: " + code);
  options.code = *known;
  options.steps = 1000;
  options.warm_up = 0;
  options.wall = true;
  return options;
}

/// Of processor time: what else the machine does counts less.
template <class Work>
double nanoseconds(Work work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) * (1e9 / CLOCKS_PER_SEC);
}

double train(posenc::Trainer& run, std::int64_t steps) {
  std::vector<float> losses;
  std::vector<float> accuracies;
  return nanoseconds([&] {
    while (steps > 0) {
      const std::int64_t once = std::min(steps, run.options().steps - run.info().step);
      required(run.train(once, losses, accuracies));
      steps -= once;
      if (run.info().step == run.options().steps) {
        run = required(posenc::Trainer::create(run.options()));
      }
    }
  });
}

template <class T>
void print_array(const char* name, std::span<const T> values) {
  std::printf("\"%s\":[", name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Nine digits bring a float back to the bit.
    std::printf(i == 0 ? "%.9g" : ",%.9g", static_cast<double>(values[i]));
  }
  std::printf("]");
}

void print_first_steps(const posenc::LabOptions& options, std::int64_t steps) {
  posenc::Trainer run = required(posenc::Trainer::create(options));
  // Weights and data are functions of the seed and the step alone: these are the run's.
  const posenc::ModelShape shape = posenc::model_shape(options);
  const posenc::LabModel<float> model(options, shape);
  std::printf("{\"inputs\":%lld,\"outputs\":%lld,\"blocks\":[",
              static_cast<long long>(shape.inputs), static_cast<long long>(shape.outputs));
  const char* between = "";
  for (const posenc::ParameterBlock& block : model.blocks()) {
    std::printf("%s{\"name\":\"%s\",\"rows\":%lld,\"columns\":%lld,", between, block.name.c_str(),
                static_cast<long long>(block.rows), static_cast<long long>(block.columns));
    const auto size = static_cast<std::size_t>(block.rows * block.columns);
    print_array("values", model.parameters().subspan(static_cast<std::size_t>(block.offset), size));
    std::printf("}");
    between = ",";
  }
  std::printf("],\"steps\":[");
  posenc::TaskBatch batch;
  for (std::int64_t step = 0; step < steps; ++step) {
    posenc::RandomState random = required(posenc::RandomState::from_keys(
        {options.seed, static_cast<std::uint32_t>(posenc::Stream::step_data),
         static_cast<std::uint32_t>(step)}));
    posenc::draw_task(batch, options, options.length, options.batch, random);
    std::vector<float> losses;
    std::vector<float> accuracies;
    required(run.train(1, losses, accuracies));
    std::printf("%s{\"loss\":%.9g,", step == 0 ? "" : ",", static_cast<double>(losses.at(0)));
    print_array("tokens", std::span<const std::int32_t>(batch.tokens));
    std::printf(",");
    print_array("targets", std::span<const std::int32_t>(batch.targets));
    std::printf("}");
  }
  std::printf("]}\n");
}

}  // namespace

int main() {
  std::vector<posenc::Trainer> runs;
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream line(text);
    std::string command;
    line >> command;
    if (command == "start") {
      runs.push_back(required(posenc::Trainer::create(read_options(line))));
      std::printf("%zu\n", runs.size() - 1);
    } else if (command == "train") {
      std::size_t run = 0;
      std::int64_t steps = 0;
      line >> run >> steps;
      if (run >= runs.size())
        fail("no such run");
      std::printf("%.0f\n", train(runs[run], steps));
    } else if (command == "multiply-add") {
      std::int32_t rounds = 0;
      line >> rounds;
      volatile float result = 0;
      std::printf("%.0f\n", nanoseconds([&] { result = multiply_add(rounds); }));
    } else if (command == "first") {
      const posenc::LabOptions options = read_options(line);
      std::int64_t steps = 0;
      line >> steps;
      print_first_steps(options, steps);
    } else {
      fail("no such command: " + text);
    }
    std::fflush(stdout);
  }
}
