// Runs of the length lab as JavaScript calls them; see marshal.h for what crosses and how. Calls
// that take anything take one object of named arguments.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "bindings/arguments.h"
#include "bindings/marshal.h"
#include "lab/curve_summary.h"
#include "lab/trainer.h"

namespace posenc::bindings {
namespace {

/// The largest run's weights and both moments are 10 MB.
constexpr std::int64_t largest_snapshot = std::int64_t{1} << 25;

template <class T>
struct Field {
  const char* name;
  T LabOptions::*field;
};

constexpr Field<std::int64_t> integer_fields[] = {
    {"length", &LabOptions::length},
    {"reach", &LabOptions::reach},
    {"vocabulary", &LabOptions::vocabulary},
    {"layers", &LabOptions::layers},
    {"dModel", &LabOptions::d_model},
    {"heads", &LabOptions::heads},
    {"batch", &LabOptions::batch},
    {"steps", &LabOptions::steps},
    {"warmUp", &LabOptions::warm_up},
    {"taskShift", &LabOptions::task_shift},
    {"taskModulo", &LabOptions::task_modulo},
    {"t5Buckets", &LabOptions::t5_buckets},
    {"t5MaxDistance", &LabOptions::t5_max_distance},
};

constexpr Field<double> number_fields[] = {
    {"learningRate", &LabOptions::learning_rate}, {"clip", &LabOptions::clip},
    {"weightDecay", &LabOptions::weight_decay},   {"alibiExponent", &LabOptions::alibi_exponent},
    {"ropeBase", &LabOptions::rope_base},         {"sinusoidBase", &LabOptions::sinusoid_base},
};

constexpr Field<bool> flag_fields[] = {
    {"mlp", &LabOptions::mlp},
    {"causal", &LabOptions::causal},
    {"randomized", &LabOptions::randomized},
};

LabOptions options_from(const Arguments& arguments) {
  LabOptions options;
  for (const auto& [name, field] : integer_fields) {
    options.*field = arguments.integer(name);
  }
  for (const auto& [name, field] : number_fields) {
    options.*field = arguments.number(name);
  }
  for (const auto& [name, field] : flag_fields) {
    options.*field = arguments.flag(name);
  }
  options.task = known(lab_task_from_name(arguments.text("task")), "task");
  options.code = known(position_code_from_name(arguments.text("code")), "code");
  options.up_to = arguments.text("lengths") == "upTo";
  options.wall = arguments.text("table") == "wall";
  options.seed = required(unsigned_integer(arguments.number("seed"), "seed"));
  return options;
}

/// `scaling` is the type alone, `factor` stands beside it.
TestOptions test_from(const Arguments& arguments) {
  TestOptions test;
  if (arguments.has("scaling")) {
    test.scaling = known(rope_type_from_name(arguments.text("scaling")), "scaling");
    test.factor = arguments.number("factor");
  }
  arguments.optional_number("ropeBase", test.rope_base);
  if (arguments.has("extend")) {
    test.extension = known(table_extension_from_name(arguments.text("extend")), "extend");
  }
  return test;
}

/// The handle behind JavaScript's trainer; JavaScript calls delete() on it.
class LabRun {
 public:
  explicit LabRun(Trainer trainer) : trainer_(std::move(trainer)) {}

  /// `{ ok }` and the fields of TrainerInfo in engine/calls/trainer.js
  [[nodiscard]] StatusObject info() const {
    return guard([&] {
      const TrainerInfo info = trainer_.info();
      const std::pair<const char*, double> numbers[] = {
          {"step", static_cast<double>(info.step)},
          {"steps", static_cast<double>(trainer_.options().steps)},
          {"parameters", static_cast<double>(info.parameters)},
          {"inputs", static_cast<double>(info.task.inputs)},
          {"outputs", static_cast<double>(info.task.outputs)},
          {"chance", info.task.chance},
          {"rows", static_cast<double>(info.rows)},
          {"wall", static_cast<double>(info.wall)},
          {"maxLength", static_cast<double>(info.max_length)},
          {"memoryBytes", info.memory_bytes},
      };
      StatusObject object = success();
      for (const auto& [key, value] : numbers) {
        set(object, key, value);
      }
      set(object, "solvable", std::string(solvable_name(info.solvability.verdict)));
      set(object, "reason", std::string(info.solvability.reason));
      return object;
    });
  }

  /// `{ ok, losses: Float32Array, accuracies: Float32Array }`, one of each for a step done
  StatusObject train(const Object& arguments) {
    return guard([&] {
      std::vector<float> losses;
      std::vector<float> accuracies;
      required(trainer_.train(Arguments(arguments).integer("steps"), losses, accuracies));
      StatusObject object = success();
      set(object, "losses", copy_out(losses));
      set(object, "accuracies", copy_out(accuracies));
      return object;
    });
  }

  /// Begins a curve and forgets the one before. `{ ok, pieces }`: curvePiece is due for each
  StatusObject start_curve(const Object& arguments) {
    return guard([&] {
      test_ = test_from(Arguments(arguments));
      sequences_ = Arguments(arguments).integer("sequences");
      required(trainer_.start_curve(curve_, test_, sequences_));
      StatusObject object = success();
      set(object, "pieces", static_cast<double>(trainer_.curve_pieces()));
      return object;
    });
  }

  /// `{ ok }`
  StatusObject curve_piece(const Object& arguments) {
    return guard([&] {
      const std::int64_t piece = Arguments(arguments).integer("piece");
      required(trainer_.run_curve_piece(curve_, test_, sequences_, piece));
      return success();
    });
  }

  /// `{ ok }` and the fields of Curve in engine/calls/trainer.js
  [[nodiscard]] StatusObject curve() const {
    return guard([&] {
      StatusObject object = success();
      set(object, "lengths", copy_out(curve_.lengths));
      set(object, "accuracies", copy_out(curve_.accuracies));
      set(object, "losses", copy_out(curve_.losses));
      set(object, "counts", copy_out(curve_.counts));
      set(object, "wall", static_cast<double>(curve_.wall));
      set(object, "inside", curve_.inside);
      set(object, "trained", curve_.trained);
      return object;
    });
  }

  /// `{ ok }` and the fields of AttentionExample in engine/calls/trainer.js
  StatusObject attention(const Object& given) {
    return guard([&] {
      const Arguments arguments(given);
      const AttentionExample example = required(trainer_.attention(
          arguments.integer("layer"), arguments.integer("head"), arguments.integer("length"),
          required(unsigned_integer(arguments.number("example"), "example")),
          test_from(arguments)));
      StatusObject object = success();
      set(object, "length", static_cast<double>(example.length));
      set(object, "tokens", copy_out(example.tokens));
      set(object, "targets", copy_out(example.targets));
      set(object, "predictions", copy_out(example.predictions));
      set(object, "weights", copy_out(example.weights));
      return object;
    });
  }

  /// `{ ok, values: Float32Array, gradientRows: Uint8Array, similarity: Float32Array, rows, columns
  /// }`
  [[nodiscard]] StatusObject table() const {
    return guard([&] {
      const TrainedTable table = required(trainer_.table());
      StatusObject object = success();
      set(object, "values", copy_out(table.values));
      set(object, "gradientRows", copy_out(table.gradient_rows));
      set(object, "similarity", copy_out(table.similarity));
      set(object, "rows", static_cast<double>(table.rows));
      set(object, "columns", static_cast<double>(table.columns));
      return object;
    });
  }

  /// `{ ok, data: Uint8Array }`
  [[nodiscard]] StatusObject snapshot() const {
    return guard([&] {
      StatusObject object = success();
      set(object, "data", copy_out(trainer_.snapshot()));
      return object;
    });
  }

 private:
  Trainer trainer_;
  // Of the curve that is being taken.
  Curve curve_;
  TestOptions test_;
  std::int64_t sequences_ = 0;
};

StatusObject with_run(Trainer trainer) {
  StatusObject object = success();
  set(object, "trainer", emscripten::val(std::make_unique<LabRun>(std::move(trainer))));
  return object;
}

/// `{ ok, trainer }`
StatusObject create_trainer(const Arguments& arguments) {
  return with_run(required(Trainer::create(options_from(arguments))));
}

StatusObject restore_trainer(const Arguments& arguments) {
  return with_run(required(Trainer::restore(arguments.bytes("bytes", largest_snapshot))));
}

/// `{ ok, window, inside, trained, holds }` and the arrays of CurveSummary
StatusObject curve_summary(const Arguments& arguments) {
  LabOptions options;
  options.task = known(lab_task_from_name(arguments.text("task")), "task");
  options.length = arguments.integer("length");
  options.causal = arguments.flag("causal");
  options.up_to = arguments.text("lengths") == "upTo";
  const auto summary =
      required(summarize_curves(options, arguments.integer("size"), arguments.numbers("accuracies"),
                                arguments.integers("counts")));
  StatusObject object = success();
  const std::pair<const char*, const std::vector<double>*> arrays[] = {
      {"mean", &summary.mean}, {"low", &summary.low},     {"high", &summary.high},
      {"near", &summary.near}, {"about", &summary.about}, {"past", &summary.past},
  };
  for (const auto& [key, values] : arrays) {
    set(object, key, copy_out(*values));
  }
  set(object, "window", static_cast<double>(summary.window));
  set(object, "inside", summary.inside);
  set(object, "trained", summary.trained);
  set(object, "holds", static_cast<double>(summary.holds));
  return object;
}

/// `{ ok, means, differences, certain }`
StatusObject tests_of_pairs(const Arguments& arguments) {
  const auto tests =
      required(paired_tests(arguments.numbers("values"), arguments.integer("groups"),
                            arguments.integer("seeds"), arguments.integer("columns")));
  StatusObject object = success();
  set(object, "means", copy_out(tests.means));
  set(object, "differences", copy_out(tests.differences));
  set(object, "certain", copy_out(tests.certain));
  return object;
}

}  // namespace

EMSCRIPTEN_BINDINGS(lab) {
  emscripten::function("curveSummary", &exported<curve_summary>);
  emscripten::function("pairedTests", &exported<tests_of_pairs>);
  emscripten::function("createTrainer", &exported<create_trainer>);
  emscripten::function("restoreTrainer", &exported<restore_trainer>);

  emscripten::class_<LabRun>("Trainer")
      .function("info", &LabRun::info)
      .function("train", &LabRun::train)
      .function("startCurve", &LabRun::start_curve)
      .function("curvePiece", &LabRun::curve_piece)
      .function("curve", &LabRun::curve)
      .function("attention", &LabRun::attention)
      .function("table", &LabRun::table)
      .function("snapshot", &LabRun::snapshot);
}

}  // namespace posenc::bindings
