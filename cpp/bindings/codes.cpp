#include "bindings/codes.h"

#include <algorithm>
#include <memory>

#include "codes/sinusoidal.h"

namespace posenc::bindings {
namespace {

// 4 MiB: large enough to hide the cost of a call, small enough that wasm memory, which never
// shrinks, stays small whatever the caller asks for.
constexpr std::int64_t chunk_size = std::int64_t{1} << 20;

constexpr std::size_t largest_snapshot = static_cast<std::size_t>(max_table_size) * 8 + 4096;

StatusObject with_table(LearnedTable table) {
  StatusObject object = success();
  set(object, "table", emscripten::val(std::make_unique<Table>(std::move(table))));
  return object;
}

}  // namespace

StatusObject sinusoidal(double length, double d_model, double base, double start) {
  return guard([&] {
    const auto rows = required(integer(length, "length"));
    const auto columns = required(integer(d_model, "dModel"));
    const auto first = required(integer(start, "start"));
    required(check_sinusoidal(rows, columns, base, first));
    Float32Array data =
        emscripten::val::global("Float32Array").new_(static_cast<double>(rows * columns));
    const std::int64_t chunk_rows = std::clamp<std::int64_t>(chunk_size / columns, 1, rows + 1);
    std::vector<float> buffer(static_cast<std::size_t>(chunk_rows * columns));
    SinusoidalWriter writer(columns, base);
    for (std::int64_t row = 0; row < rows; row += chunk_rows) {
      const std::int64_t count = std::min(chunk_rows, rows - row);
      writer.write(buffer.data(), count, first + row);
      data.call<void>("set",
                      emscripten::val(emscripten::typed_memory_view(
                          static_cast<std::size_t>(count * columns), buffer.data())),
                      static_cast<double>(row * columns));
    }
    StatusObject object = success();
    set(object, "data", data);
    set(object, "rows", length);
    set(object, "columns", d_model);
    return object;
  });
}

StatusObject create_table(double t_max, double d_model, double seed, double scale) {
  return guard([&] {
    const auto rows = required(integer(t_max, "tMax"));
    const auto columns = required(integer(d_model, "dModel"));
    const auto stream = required(unsigned_integer(seed, "seed"));
    return with_table(required(LearnedTable::create(rows, columns, stream, scale)));
  });
}

StatusObject restore_table(const Uint8Array& bytes) {
  return guard([&] {
    const auto copied = required(
        copy_in<std::uint8_t>(bytes, "bytes", static_cast<std::int64_t>(largest_snapshot)));
    return with_table(required(LearnedTable::restore(copied)));
  });
}

StatusObject Table::check_training(double steps, double learning_rate, double target_scale) {
  return guard([&] {
    const auto count = required(integer(steps, "steps"));
    required(table_.check_training(count, learning_rate, target_scale));
    return success();
  });
}

StatusObject Table::train(double steps, double learning_rate, double target_scale) {
  return guard([&] {
    const auto count = required(integer(steps, "steps"));
    const auto report = required(table_.train_toward_sinusoid(count, learning_rate, target_scale));
    StatusObject object = success();
    set(object, "steps", static_cast<double>(report.steps));
    set(object, "meanSquaredError", report.mean_squared_error);
    return object;
  });
}

StatusObject Table::progress(const Float64Array& start, double target_scale) {
  return guard([&] {
    const auto distances = required(copy_in<double>(start, "start", max_table_size));
    const auto progress = required(table_.progress(distances, target_scale));
    StatusObject object = success();
    set(object, "distances", copy_out(progress.distance));
    set(object, "share", progress.share);
    return object;
  });
}

StatusObject Table::grow(double t_max) {
  return guard([&] {
    const auto rows = required(integer(t_max, "tMax"));
    required(table_.grow(rows));
    return success();
  });
}

StatusObject Table::info() const {
  return guard([&] {
    StatusObject object = success();
    set(object, "tMax", static_cast<double>(table_.t_max()));
    set(object, "dModel", static_cast<double>(table_.d_model()));
    set(object, "trainedRows", static_cast<double>(table_.trained_rows()));
    set(object, "steps", static_cast<double>(table_.steps()));
    return object;
  });
}

StatusObject Table::values() const {
  return guard([&] {
    StatusObject object = success();
    set_matrix(object, table_.values());
    return object;
  });
}

StatusObject Table::lookup(double position, const std::string& behaviour) const {
  return guard([&] {
    const auto at = required(integer(position, "position"));
    const auto parsed = required(parse_behaviour(behaviour));
    const auto row = required(table_.lookup(at, parsed));
    StatusObject object = success();
    set(object, "data", copy_out(row));
    return object;
  });
}

StatusObject Table::gradient_rows() const {
  return guard([&] {
    StatusObject object = success();
    set(object, "data", copy_out(table_.rows_with_gradient()));
    return object;
  });
}

StatusObject Table::snapshot() const {
  return guard([&] {
    StatusObject object = success();
    set(object, "data", copy_out(table_.snapshot()));
    return object;
  });
}

}  // namespace posenc::bindings
