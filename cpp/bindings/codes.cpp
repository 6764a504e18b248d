#include "codes.h"

#include <algorithm>
#include <memory>

#include "posenc/encoding/sinusoidal.h"

namespace posenc::bindings {
namespace {

// 4 MiB: large enough to hide the cost of a call, small enough that wasm memory, which never
// shrinks, stays small whatever the caller asks for.
constexpr std::int64_t chunk_size = std::int64_t{1} << 20;

constexpr std::size_t largest_snapshot = static_cast<std::size_t>(max_table_size) * 8 + 4096;

StatusObject with_table(Result<LearnedTable> table) {
  if (!table.ok()) {
    return failure(table.error());
  }
  StatusObject object = success();
  object.set("table", emscripten::val(std::make_unique<Table>(std::move(table).value())));
  return object;
}

struct Shape {
  std::int64_t length;
  std::int64_t d_model;
  std::int64_t start;
};

Result<Shape> checked_shape(double length, double d_model, double base, double start) {
  const auto rows = integer(length, "length");
  const auto columns = integer(d_model, "dModel");
  const auto first = integer(start, "start");
  for (const auto* number : {&rows, &columns, &first}) {
    if (!number->ok()) {
      return number->error();
    }
  }
  const Status status = check_sinusoidal(rows.value(), columns.value(), base, first.value());
  if (!status.ok()) {
    return status.error();
  }
  return Shape{rows.value(), columns.value(), first.value()};
}

template <class Fill>
StatusObject bench(double length, double d_model, double repeats, Fill fill) {
  return guard([&] {
    const auto shape = checked_shape(length, d_model, 10000, 0);
    if (!shape.ok()) {
      return failure(shape.error());
    }
    std::vector<float> buffer(
        static_cast<std::size_t>(shape.value().length * shape.value().d_model) + 1);
    // Read as volatile, so that no repeat can be dropped.
    const volatile float* entry = buffer.data();
    double last = 0;
    for (double n = 0; n < repeats; ++n) {
      fill(buffer, shape.value(), static_cast<float>(n));
      last = *entry;
    }
    StatusObject object = success();
    object.set("last", last);
    return object;
  });
}

}  // namespace

StatusObject sinusoidal(double length, double d_model, double base, double start) {
  return guard([&] {
    const auto shape = checked_shape(length, d_model, base, start);
    if (!shape.ok()) {
      return failure(shape.error());
    }
    const auto [rows, columns, first] = shape.value();
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
    object.set("data", data);
    object.set("rows", length);
    object.set("columns", d_model);
    return object;
  });
}

StatusObject bench_sinusoidal(double length, double d_model, double repeats) {
  return bench(length, d_model, repeats, [](std::vector<float>& buffer, const Shape& shape, float) {
    fill_sinusoidal(buffer.data(), shape.length, shape.d_model, 10000, 0);
  });
}

StatusObject bench_fill(double length, double d_model, double repeats) {
  return bench(length, d_model, repeats, [](std::vector<float>& buffer, const Shape&, float value) {
    std::fill(buffer.begin(), buffer.end(), value);
  });
}

StatusObject create_table(double t_max, double d_model, double seed, double scale) {
  return guard([&] {
    const auto rows = integer(t_max, "tMax");
    const auto columns = integer(d_model, "dModel");
    const auto stream = unsigned_integer(seed, "seed");
    if (!rows.ok()) {
      return failure(rows.error());
    }
    if (!columns.ok()) {
      return failure(columns.error());
    }
    if (!stream.ok()) {
      return failure(stream.error());
    }
    return with_table(LearnedTable::create(rows.value(), columns.value(), stream.value(), scale));
  });
}

StatusObject restore_table(const Uint8Array& bytes) {
  return guard([&] {
    const auto copied =
        copy_in<std::uint8_t>(bytes, "bytes", static_cast<std::int64_t>(largest_snapshot));
    if (!copied.ok()) {
      return failure(copied.error());
    }
    return with_table(LearnedTable::restore(copied.value()));
  });
}

StatusObject Table::check_training(double steps, double learning_rate, double target_scale) {
  return guard([&] {
    const auto count = integer(steps, "steps");
    if (!count.ok()) {
      return failure(count.error());
    }
    const Status status = table_.check_training(count.value(), learning_rate, target_scale);
    return status.ok() ? success() : failure(status.error());
  });
}

StatusObject Table::train(double steps, double learning_rate, double target_scale) {
  return guard([&] {
    const auto count = integer(steps, "steps");
    if (!count.ok()) {
      return failure(count.error());
    }
    const auto report = table_.train_toward_sinusoid(count.value(), learning_rate, target_scale);
    if (!report.ok()) {
      return failure(report.error());
    }
    StatusObject object = success();
    object.set("steps", static_cast<double>(report.value().steps));
    object.set("meanSquaredError", report.value().mean_squared_error);
    return object;
  });
}

StatusObject Table::grow(double t_max) {
  return guard([&] {
    const auto rows = integer(t_max, "tMax");
    if (!rows.ok()) {
      return failure(rows.error());
    }
    const Status status = table_.grow(rows.value());
    return status.ok() ? success() : failure(status.error());
  });
}

StatusObject Table::info() const {
  return guard([&] {
    StatusObject object = success();
    object.set("tMax", static_cast<double>(table_.t_max()));
    object.set("dModel", static_cast<double>(table_.d_model()));
    object.set("trainedRows", static_cast<double>(table_.trained_rows()));
    object.set("steps", static_cast<double>(table_.steps()));
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
    const auto at = integer(position, "position");
    if (!at.ok()) {
      return failure(at.error());
    }
    const auto parsed = parse_behaviour(behaviour);
    if (!parsed.ok()) {
      return failure(parsed.error());
    }
    const auto row = table_.lookup(at.value(), parsed.value());
    if (!row.ok()) {
      return failure(row.error());
    }
    StatusObject object = success();
    object.set("data", copy_out(row.value()));
    return object;
  });
}

StatusObject Table::gradient_rows() const {
  return guard([&] {
    StatusObject object = success();
    object.set("data", copy_out(table_.rows_with_gradient()));
    return object;
  });
}

StatusObject Table::snapshot() const {
  return guard([&] {
    StatusObject object = success();
    object.set("data", copy_out(table_.snapshot()));
    return object;
  });
}

}  // namespace posenc::bindings
