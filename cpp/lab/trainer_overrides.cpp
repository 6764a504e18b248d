// What is changed after training: RoPE's frequencies, and the rows past those that were trained.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "lab/curve.h"
#include "lab/trainer_state.h"

namespace posenc {
namespace {

constexpr std::array<std::string_view, 3> scaling_names = {"linear", "ntk", "yarn"};
constexpr std::array<std::string_view, 5> extension_names = {"none", "zeros", "last", "wrap",
                                                             "interpolate"};

/// What changes models of one code was asked of another.
Error only_for(PositionCode code, std::string_view name, double value) {
  static constexpr std::array<std::string_view, 2> codes = {"rope", "learned"};
  const std::size_t at = code == PositionCode::rope ? 0 : 1;
  const Rule rule{
      .kind = RuleKind::choice, .names = std::span(codes).subspan(at, 1), .only_with = "code"};
  return invalid_argument(name, value, rule);
}

RopeOptions rope_options(const LabOptions& options, const TestOptions& test) {
  RopeOptions rope;
  const std::int64_t head_dim = options.d_model / options.heads;
  rope.head_dim = static_cast<double>(head_dim);
  rope.theta = test.rope_base.value_or(options.rope_base);
  if (test.scaling) {
    rope.scaling.type = *test.scaling;
    rope.scaling.factor = test.factor;
    rope.scaling.original_max_position_embeddings =
        static_cast<double>(sequence_length(options.task, options.length));
  }
  return rope;
}

/// Row `t` of `tokens` rows, made from the `known` first rows of a table.
void extend_row(float* out, const float* table, std::int64_t columns, std::int64_t known,
                std::int64_t t, std::int64_t tokens, TableExtension extension) {
  const auto row = [&](std::int64_t r) { return table + r * columns; };
  switch (extension) {
    case TableExtension::interpolate: {
      // Token t of T stands t / (T - 1) of the way from the first row to the last.
      const double place = static_cast<double>(t * (known - 1)) / static_cast<double>(tokens - 1);
      const auto lower = std::min(static_cast<std::int64_t>(place), known - 2);
      const auto share = static_cast<float>(place - static_cast<double>(lower));
      for (std::int64_t c = 0; c < columns; ++c) {
        out[c] = row(lower)[c] + share * (row(lower + 1)[c] - row(lower)[c]);
      }
      return;
    }
    case TableExtension::wrap:
      std::copy_n(row(t % known), columns, out);
      return;
    case TableExtension::last:
      std::copy_n(row(std::min(t, known - 1)), columns, out);
      return;
    case TableExtension::zeros:
    case TableExtension::none:
      break;
  }
  if (t < known) {
    std::copy_n(row(t), columns, out);
  } else {
    std::fill_n(out, columns, 0.0F);
  }
}

/// Empty where the sequence fits the rows that were trained: these stay as they are.
std::vector<float> extended_rows(const Trainer::State& state, TableExtension extension,
                                 std::int64_t tokens) {
  const LabOptions& options = state.options;
  const std::int64_t known = trained_rows(options);
  if (extension == TableExtension::none || tokens <= known) {
    return {};
  }
  const auto& blocks = state.model.blocks();
  const auto block = std::find_if(blocks.begin(), blocks.end(),
                                  [](const auto& one) { return one.name == "positions"; });
  const float* const table = state.model.parameters().data() + block->offset;
  const std::int64_t columns = block->columns;
  std::vector<float> rows(static_cast<std::size_t>(tokens * columns));
  for (std::int64_t t = 0; t < tokens; ++t) {
    extend_row(rows.data() + t * columns, table, columns, known, t, tokens, extension);
  }
  return rows;
}

}  // namespace

std::optional<TableExtension> table_extension_from_name(std::string_view name) {
  const auto* const found = std::find(extension_names.begin(), extension_names.end(), name);
  if (found == extension_names.end()) {
    return std::nullopt;
  }
  return static_cast<TableExtension>(found - extension_names.begin());
}

std::int64_t wall_of(const LabOptions& options, TableExtension extension) {
  const std::int64_t rows = table_rows(options);
  const bool reaches = rows >= sequence_length(options.task, options.reach * options.length);
  return rows == 0 || reaches || extension != TableExtension::none ? 0 : options.length + 1;
}

Status check_test(const LabOptions& options, const TestOptions& test) {
  const bool rope = options.code == PositionCode::rope;
  if (test.scaling) {
    const RopeType type = *test.scaling;
    const bool known = type == RopeType::linear || type == RopeType::ntk || type == RopeType::yarn;
    if (!rope) {
      return only_for(PositionCode::rope, "scaling", static_cast<double>(type));
    }
    if (!known) {
      return not_one_of("scaling", static_cast<double>(type), scaling_names);
    }
    if (!(test.factor >= 1 && test.factor <= 64)) {
      return invalid_argument("factor", test.factor, RuleKind::number, 1, 64);
    }
    // Widths and heads are powers of two, so more than 2 dimensions a head are 4 at least.
    if (type == RopeType::ntk && options.d_model / options.heads <= 2) {
      const Rule rule{.min = static_cast<double>(4 * options.heads), .only_with = "dModel"};
      return invalid_argument("scaling", static_cast<double>(type), rule);
    }
  }
  if (test.rope_base) {
    const double base = *test.rope_base;
    if (!rope) {
      return only_for(PositionCode::rope, "ropeBase", base);
    }
    if (!(base >= 2 && base <= 1e9)) {
      return invalid_argument("ropeBase", base, RuleKind::number, 2, 1e9);
    }
  }
  if (test.extension != TableExtension::none && options.code != PositionCode::learned) {
    return only_for(PositionCode::learned, "extend", static_cast<double>(test.extension));
  }
  return ok_status();
}

TestSetup make_setup(const Trainer::State& state, const TestOptions& test, std::int64_t tokens) {
  TestSetup setup;
  if (test.scaling || test.rope_base) {
    RopeFrequencies frequencies = rope_frequencies(rope_options(state.options, test)).value();
    setup.overrides.inverse_frequencies = std::move(frequencies.inverse_frequencies);
    setup.overrides.attention_factor = frequencies.attention_factor;
  }
  setup.rows = extended_rows(state, test.extension, tokens);
  setup.overrides.position_rows = setup.rows;
  return setup;
}

}  // namespace posenc
