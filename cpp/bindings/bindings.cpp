// Registration only: which name JavaScript calls for which function. The figures' analysis and the
// other encodings register theirs in analysis.cpp and family.cpp.
#include <emscripten/bind.h>

#include "bindings/codes.h"
#include "bindings/marshal.h"

namespace posenc::bindings {
namespace {

/// `{ toolchain }`
Object info() {
  Object object = emscripten::val::object();
  set(object, "toolchain", POSENC_TOOLCHAIN);
  return object;
}

}  // namespace

EMSCRIPTEN_BINDINGS(codes) {
  emscripten::function("info", &info);
  emscripten::function("sinusoidal", &sinusoidal);
  emscripten::function("createTable", &create_table);
  emscripten::function("restoreTable", &restore_table);
  emscripten::function("benchSinusoidal", &bench_sinusoidal);
  emscripten::function("benchFill", &bench_fill);

  emscripten::class_<Table>("Table")
      .function("checkTraining", &Table::check_training)
      .function("train", &Table::train)
      .function("progress", &Table::progress)
      .function("grow", &Table::grow)
      .function("info", &Table::info)
      .function("values", &Table::values)
      .function("lookup", &Table::lookup)
      .function("gradientRows", &Table::gradient_rows)
      .function("snapshot", &Table::snapshot);
}

}  // namespace posenc::bindings
