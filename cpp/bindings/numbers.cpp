// Small calls that the figures make about given numbers: lengths and distances of rows, a softmax
// of given scores, seeded normals, what a table is trained towards. One object of named arguments
// each.
#include <emscripten/bind.h>

#include "analysis/offset_profile.h"
#include "analysis/rows.h"
#include "bindings/arguments.h"
#include "bindings/marshal.h"
#include "codes/learned_table.h"
#include "nn/attention.h"
#include "random/rng.h"

namespace posenc::bindings {
namespace {

StatusObject with_data(const VectorD& data) {
  StatusObject object = success();
  set(object, "data", copy_out(data));
  return object;
}

/// `{ ok, data: Float64Array(rows) }`
StatusObject differences_of(const Arguments& arguments) {
  return with_data(
      required(row_differences(arguments.numbers("data"), arguments.numbers("other"),
                               arguments.integer("rows"), arguments.integer("columns"))));
}

/// `{ ok, root, codeNorm, word, sum, wordNorm, sumNorm, ratio }`, of the word as it comes and
/// scaled
StatusObject addition_of(const Arguments& arguments) {
  const std::vector<double> code =
      arguments.has("code") ? arguments.numbers("code") : std::vector<double>{};
  const auto seed = required(unsigned_integer(arguments.number("seed"), "seed"));
  const CodeAddition addition = required(code_addition(arguments.integer("dModel"), seed, code));
  StatusObject object = success();
  set(object, "root", addition.root);
  set(object, "codeNorm", addition.code_norm);
  set(object, "word", copy_out(addition.word));
  set(object, "sum", copy_out(addition.sum));
  set(object, "wordNorm", copy_out(addition.word_norm));
  set(object, "sumNorm", copy_out(addition.sum_norm));
  set(object, "ratio", copy_out(addition.ratio));
  return object;
}

/// `{ ok, dot, cosine }`, arrays of `offsets`
StatusObject offset_similarity_of(const Arguments& arguments) {
  std::vector<std::int64_t> offsets;
  for (const double offset : arguments.numbers("offsets")) {
    offsets.push_back(required(integer(offset, "offsets")));
  }
  const OffsetSimilarity similarity =
      required(offset_similarity(arguments.integer("dModel"), arguments.number("base"),
                                 arguments.integer("position"), offsets));
  StatusObject object = success();
  set(object, "dot", copy_out(similarity.dot));
  set(object, "cosine", copy_out(similarity.cosine));
  return object;
}

/// `{ ok, data: Float64Array(heads * tokens * tokens), nearShare }`
StatusObject softmax_of(const Arguments& arguments) {
  const std::vector<double> bias =
      arguments.has("bias") ? arguments.numbers("bias") : std::vector<double>{};
  const ScoreSoftmax softmax = required(softmax_of_scores(
      arguments.numbers("scores"), bias, arguments.integer("heads"), arguments.integer("tokens"),
      arguments.flag("causal"), arguments.integer("near")));
  StatusObject object = success();
  set(object, "data", copy_out(softmax.weights));
  set(object, "nearShare", softmax.near_share);
  return object;
}

/// `{ ok, data: Float64Array(count) }`
StatusObject normals_of(const Arguments& arguments) {
  const auto seed = required(unsigned_integer(arguments.number("seed"), "seed"));
  return with_data(required(standard_normals(seed, arguments.integer("count"))));
}

/// `{ ok, data, rows, columns }`
StatusObject training_target_of(const Arguments& arguments) {
  StatusObject object = success();
  set_matrix(object, required(LearnedTable::training_target(arguments.integer("tMax"),
                                                            arguments.integer("dModel"),
                                                            arguments.number("targetScale"))));
  return object;
}

}  // namespace

EMSCRIPTEN_BINDINGS(numbers) {
  emscripten::function("rowDifferences", &exported<differences_of>);
  emscripten::function("codeAddition", &exported<addition_of>);
  emscripten::function("offsetSimilarity", &exported<offset_similarity_of>);
  emscripten::function("scoreSoftmax", &exported<softmax_of>);
  emscripten::function("normals", &exported<normals_of>);
  emscripten::function("trainingTarget", &exported<training_target_of>);
}

}  // namespace posenc::bindings
