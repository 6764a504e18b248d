#include "nn/attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "codes/rope.h"
#include "random/rng.h"

namespace posenc {
namespace {

using Index = Eigen::Index;

// First words of the generator's keys, so that no two kinds of draws share a stream.
enum class Stream : std::uint32_t { embedding, query, key, value, output };

Status check_shape(const AttentionShape& shape) {
  if (Status status = check_integer("dModel", shape.d_model, 1, max_attention_dim); !status.ok()) {
    return status;
  }
  if (shape.heads < 1 || shape.heads > shape.d_model || shape.d_model % shape.heads != 0) {
    return invalid_argument("heads", static_cast<double>(shape.heads), RuleKind::divisor, 1,
                            static_cast<double>(shape.d_model));
  }
  return ok_status();
}

Status check_token_count(const char* name, std::size_t count) {
  if (count < 1 || count > static_cast<std::size_t>(max_tokens)) {
    return invalid_count(name, static_cast<double>(count), 1, double{max_tokens});
  }
  return ok_status();
}

Status check_entries(const char* name, std::span<const double> entries, double limit) {
  for (const double entry : entries) {
    if (!(std::abs(entry) <= limit)) {  // also true for NaN
      return invalid_entry(name, entry, RuleKind::number, -limit, limit);
    }
  }
  return ok_status();
}

std::span<const double> entries_of(const MatrixD& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

Status check_square(const char* name, const MatrixD& matrix, std::int64_t d_model) {
  if (matrix.rows() != d_model || matrix.cols() != d_model) {
    const auto due = static_cast<double>(d_model * d_model);
    return invalid_count(name, static_cast<double>(matrix.size()), due, due);
  }
  return check_entries(name, entries_of(matrix), max_attention_entry);
}

Status check_forward(const MatrixD& input, const AttentionWeights& weights,
                     const AttentionShape& shape) {
  if (Status status = check_shape(shape); !status.ok()) {
    return status;
  }
  if (Status status = check_token_count("input", static_cast<std::size_t>(input.rows()));
      !status.ok()) {
    return status;
  }
  if (input.cols() != shape.d_model) {
    const auto due = static_cast<double>(input.rows() * shape.d_model);
    return invalid_count("input", static_cast<double>(input.size()), due, due);
  }
  if (Status status = check_entries("input", entries_of(input), max_attention_entry);
      !status.ok()) {
    return status;
  }
  struct Named {
    const char* name;
    const MatrixD* matrix;
  };
  for (const auto& [name, matrix] :
       {Named{"weights.query", &weights.query}, Named{"weights.key", &weights.key},
        Named{"weights.value", &weights.value}, Named{"weights.output", &weights.output}}) {
    if (Status status = check_square(name, *matrix, shape.d_model); !status.ok()) {
      return status;
    }
  }
  return ok_status();
}

Status check_positions(const AttentionPositions& positions, const AttentionShape& shape,
                       std::size_t tokens) {
  const auto heads = static_cast<std::size_t>(shape.heads);
  const std::size_t pairs = positions.inverse_frequencies.size();
  const std::int64_t most = shape.d_model / shape.heads / 2;
  if (pairs > static_cast<std::size_t>(most)) {
    return invalid_count("inverseFrequencies", static_cast<double>(pairs), 0,
                         static_cast<double>(most));
  }
  if (Status status =
          check_entries("inverseFrequencies", positions.inverse_frequencies, max_attention_entry);
      !status.ok()) {
    return status;
  }
  const std::span<const double> biases = positions.biases;
  if (biases.empty()) {
    return ok_status();
  }
  if (biases.size() != heads * tokens * tokens) {
    const auto due = static_cast<double>(heads * tokens * tokens);
    return invalid_count("bias", static_cast<double>(biases.size()), due, due);
  }
  for (std::size_t row = 0; row < heads * tokens; ++row) {
    const std::size_t visible = shape.causal ? row % tokens + 1 : tokens;
    if (Status status =
            check_entries("bias", biases.subspan(row * tokens, visible), max_attention_entry);
        !status.ok()) {
      return status;
    }
  }
  return ok_status();
}

/// At most one addend a key.
struct Addends {
  std::array<double, static_cast<std::size_t>(max_tokens)> values{};
  std::size_t count = 0;

  void add(double value) { values.at(count++) = value; }

  /// The same bits for every order in which the addends came.
  double sum() {
    const std::span<double> used(values.data(), count);
    std::sort(used.begin(), used.end());
    double total = 0;
    for (const double value : used) {
      total += value;
    }
    return total;
  }
};

/// x * weight, (T, d) * (d, d) -> (T, d). Plain loops: Eigen's product treats the last rows of a
/// block, and its reductions the entries of an unaligned row, in another order than the rest.
MatrixD project_rows(const MatrixD& x, const MatrixD& weight) {
  MatrixD out = MatrixD::Zero(x.rows(), weight.cols());
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index r = 0; r < weight.rows(); ++r) {
      const double factor = x(t, r);
      for (Index c = 0; c < weight.cols(); ++c) {
        out(t, c) += factor * weight(r, c);
      }
    }
  }
  return out;
}

/// Turns every head of every row by its position; nothing where there are no frequencies.
void turn_rows(MatrixD& x, std::span<const double> inverse_frequencies, Index head_dim) {
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index c = 0; c < x.cols(); c += head_dim) {
      rope_turn(inverse_frequencies, static_cast<double>(t), &x(t, c));
    }
  }
}

/// Scores of one query with the keys it sees, head `head`; the rest stays at -infinity.
/// @param biases  (H, T, T) or empty
void score_row(AttentionCache& cache, Index head, Index head_dim, Index query, Index visible,
               std::span<const double> biases) {
  const Index row = head * cache.query.rows() + query;
  const double scale = 1 / std::sqrt(static_cast<double>(head_dim));
  for (Index key = 0; key < visible; ++key) {
    double score = 0;
    for (Index c = head * head_dim; c < (head + 1) * head_dim; ++c) {
      score += cache.query(query, c) * cache.key(key, c);
    }
    const auto entry = static_cast<std::size_t>(row * cache.query.rows() + key);
    cache.scores(row, key) = score * scale + (biases.empty() ? 0 : biases[entry]);
  }
}

/// Softmax of the visible part of a row; shifted by the largest score, so that exp cannot overflow.
void softmax_row(MatrixD& weights, const MatrixD& scores, Index row, Index visible) {
  double largest = scores(row, 0);
  for (Index key = 1; key < visible; ++key) {
    largest = std::max(largest, scores(row, key));
  }
  Addends addends;
  for (Index key = 0; key < visible; ++key) {
    const double e = std::exp(scores(row, key) - largest);
    weights(row, key) = e;
    addends.add(e);
  }
  const double denominator = addends.sum();
  for (Index key = 0; key < visible; ++key) {
    weights(row, key) /= denominator;
  }
}

void mix_row(AttentionCache& cache, Index head, Index head_dim, Index query, Index visible) {
  const Index row = head * cache.query.rows() + query;
  for (Index c = head * head_dim; c < (head + 1) * head_dim; ++c) {
    Addends addends;
    for (Index key = 0; key < visible; ++key) {
      addends.add(cache.weights(row, key) * cache.value(key, c));
    }
    cache.mixed(query, c) = addends.sum();
  }
}

Result<RandomState> stream_of(std::uint32_t seed, Stream stream) {
  return RandomState::from_keys({seed, static_cast<std::uint32_t>(stream)});
}

/// (d, d), drawn row by row.
Result<MatrixD> seeded_weight(std::int64_t d_model, std::uint32_t seed, Stream stream) {
  Result<RandomState> random = stream_of(seed, stream);
  if (!random.ok()) {
    return random.error();
  }
  const double deviation = std::sqrt(static_cast<double>(d_model));
  MatrixD weight(d_model, d_model);
  for (Index r = 0; r < d_model; ++r) {
    for (Index c = 0; c < d_model; ++c) {
      weight(r, c) = random.value().gauss() / deviation;
    }
  }
  return weight;
}

}  // namespace

Status attention_forward(MatrixD& output, AttentionCache& cache, const MatrixD& input,
                         const AttentionWeights& weights, const AttentionShape& shape,
                         const AttentionPositions& positions) {
  if (Status status = check_forward(input, weights, shape); !status.ok()) {
    return status;
  }
  if (Status status = check_positions(positions, shape, static_cast<std::size_t>(input.rows()));
      !status.ok()) {
    return status;
  }
  const Index tokens = input.rows();
  const Index head_dim = shape.d_model / shape.heads;
  const double masked = -std::numeric_limits<double>::infinity();

  cache.query = project_rows(input, weights.query);  // (T, d)
  cache.key = project_rows(input, weights.key);      // (T, d)
  cache.value = project_rows(input, weights.value);  // (T, d)
  turn_rows(cache.query, positions.inverse_frequencies, head_dim);
  turn_rows(cache.key, positions.inverse_frequencies, head_dim);
  cache.scores = MatrixD::Constant(shape.heads * tokens, tokens, masked);  // (H * T, T)
  cache.weights = MatrixD::Zero(shape.heads * tokens, tokens);             // (H * T, T)
  cache.mixed = MatrixD::Zero(tokens, shape.d_model);                      // (T, d)
  for (Index head = 0; head < shape.heads; ++head) {
    for (Index query = 0; query < tokens; ++query) {
      const Index visible = shape.causal ? query + 1 : tokens;
      score_row(cache, head, head_dim, query, visible, positions.biases);
      softmax_row(cache.weights, cache.scores, head * tokens + query, visible);
      mix_row(cache, head, head_dim, query, visible);
    }
  }
  output = project_rows(cache.mixed, weights.output);  // (T, d)
  return ok_status();
}

Result<AttentionWeights> seeded_attention_weights(std::int64_t d_model, std::uint32_t seed) {
  if (Status status = check_shape({.d_model = d_model, .heads = 1}); !status.ok()) {
    return status.error();
  }
  AttentionWeights weights;
  struct Drawn {
    MatrixD* matrix;
    Stream stream;
  };
  for (const auto& [matrix, stream] :
       {Drawn{&weights.query, Stream::query}, Drawn{&weights.key, Stream::key},
        Drawn{&weights.value, Stream::value}, Drawn{&weights.output, Stream::output}}) {
    Result<MatrixD> drawn = seeded_weight(d_model, seed, stream);
    if (!drawn.ok()) {
      return drawn.error();
    }
    *matrix = std::move(drawn).value();
  }
  return weights;
}

Result<VectorD> token_embedding(std::uint32_t id, std::int64_t d_model, std::uint32_t seed) {
  if (Status status = check_shape({.d_model = d_model, .heads = 1}); !status.ok()) {
    return status.error();
  }
  Result<RandomState> random =
      RandomState::from_keys({seed, static_cast<std::uint32_t>(Stream::embedding), id});
  if (!random.ok()) {
    return random.error();
  }
  VectorD embedding(d_model);
  for (double& entry : embedding) {
    entry = random.value().gauss();
  }
  return embedding;
}

Result<SentenceAttention> attend_sentence(std::span<const std::uint32_t> tokens,
                                          const AttentionShape& shape, std::uint32_t seed,
                                          const std::optional<std::span<const double>>& codes,
                                          const AttentionPositions& positions) {
  if (Status status = check_shape(shape); !status.ok()) {
    return status.error();
  }
  if (Status status = check_token_count("tokens", tokens.size()); !status.ok()) {
    return status.error();
  }
  const auto columns = static_cast<std::size_t>(shape.d_model);
  if (codes) {
    if (codes->size() != tokens.size() * columns) {
      const auto due = static_cast<double>(tokens.size() * columns);
      return invalid_count("codes", static_cast<double>(codes->size()), due, due);
    }
    if (Status status = check_entries("codes", *codes, max_attention_code); !status.ok()) {
      return status.error();
    }
  }

  SentenceAttention result;
  result.input.resize(static_cast<Index>(tokens.size()), shape.d_model);  // (T, d)
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    const Result<VectorD> embedding = token_embedding(tokens[t], shape.d_model, seed);
    if (!embedding.ok()) {
      return embedding.error();
    }
    for (std::size_t c = 0; c < columns; ++c) {
      const auto column = static_cast<Index>(c);
      result.input(static_cast<Index>(t), column) =
          embedding.value()[column] + (codes ? (*codes)[t * columns + c] : 0);
    }
  }
  const Result<AttentionWeights> weights = seeded_attention_weights(shape.d_model, seed);
  if (!weights.ok()) {
    return weights.error();
  }
  AttentionCache cache;
  if (Status status =
          attention_forward(result.output, cache, result.input, weights.value(), shape, positions);
      !status.ok()) {
    return status.error();
  }
  result.weights = std::move(cache.weights);
  return result;
}

Result<ScoreSoftmax> softmax_of_scores(std::span<const double> scores, std::span<const double> bias,
                                       std::int64_t heads, std::int64_t tokens, bool causal,
                                       std::int64_t near) {
  if (Status status = check_integer("heads", heads, 1, max_heads); !status.ok()) {
    return status.error();
  }
  if (Status status = check_integer("tokens", tokens, 1, max_tokens); !status.ok()) {
    return status.error();
  }
  if (Status status = check_integer("near", near, 1, max_tokens); !status.ok()) {
    return status.error();
  }
  const auto square = static_cast<std::size_t>(tokens * tokens);
  const auto due = static_cast<std::size_t>(heads) * square;
  if (scores.size() != due) {
    return invalid_count("scores", static_cast<double>(scores.size()), static_cast<double>(due),
                         static_cast<double>(due));
  }
  if (!bias.empty() && bias.size() != square) {
    return invalid_count("bias", static_cast<double>(bias.size()), static_cast<double>(square),
                         static_cast<double>(square));
  }
  ScoreSoftmax softmax{MatrixD::Zero(heads * tokens, tokens)};
  MatrixD sums(heads * tokens, tokens);  // (H * T, T)
  for (Index row = 0; row < sums.rows(); ++row) {
    const Index query = row % tokens;
    const Index visible = causal ? query + 1 : tokens;
    for (Index key = 0; key < visible; ++key) {
      const double score = scores[static_cast<std::size_t>(row * tokens + key)];
      const double added = bias.empty() ? 0 : bias[static_cast<std::size_t>(query * tokens + key)];
      if (!(std::abs(score) <= max_attention_entry)) {  // also true for NaN
        return invalid_entry("scores", score, RuleKind::number, -max_attention_entry,
                             max_attention_entry);
      }
      if (!(std::abs(added) <= max_attention_entry)) {
        return invalid_entry("bias", added, RuleKind::number, -max_attention_entry,
                             max_attention_entry);
      }
      sums(row, key) = score + added;
    }
    softmax_row(softmax.weights, sums, row, visible);
    if (query == tokens - 1) {
      const Index nearest = std::min<Index>(near, tokens);
      for (Index key = tokens - nearest; key < tokens; ++key) {
        softmax.near_share += softmax.weights(row, key);
      }
    }
  }
  softmax.near_share /= static_cast<double>(heads);
  return softmax;
}

}  // namespace posenc
