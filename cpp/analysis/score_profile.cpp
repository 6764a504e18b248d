#include "analysis/score_profile.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "analysis/arguments.h"
#include "codes/rope.h"
#include "nn/attention.h"

namespace posenc {
namespace {

using Index = Eigen::Index;

struct Size {
  const char* name;
  std::int64_t value, least, most;
};

struct Numbers {
  const char* name;
  std::span<const double> entries;
  std::size_t size;  ///< of `entries` where it is not empty
  double limit;      ///< of their absolute values
};

Status check_numbers(const Numbers& numbers) {
  const auto& [name, entries, size, limit] = numbers;
  if (!entries.empty() && entries.size() != size) {
    const auto due = static_cast<double>(size);
    return invalid_count(name, static_cast<double>(entries.size()), due, due);
  }
  for (const double entry : entries) {
    if (!(std::abs(entry) <= limit)) {  // also true for NaN
      return invalid_entry(name, entry, RuleKind::number, -limit, limit);
    }
  }
  return ok_status();
}

Status check_score_options(const ScoreOptions& options) {
  const std::span<const double> frequencies = options.inverse_frequencies;
  const std::array<Size, 4> sizes{{{"dModel", options.d_model, 1, max_score_dim},
                                   {"distances", options.distances, 1, max_score_distances},
                                   {"contents", options.contents, 1, max_score_contents},
                                   {"position", options.position, 0, max_position}}};
  for (const auto& [name, value, least, most] : sizes) {
    if (Status status = check_integer(name, value, least, most); !status.ok()) {
      return status;
    }
  }
  const std::int64_t work = options.distances * options.d_model;
  if (options.contents * work > max_score_work) {
    const std::int64_t most = max_score_work / work;
    return invalid_argument("contents", static_cast<double>(options.contents), RuleKind::integer, 1,
                            static_cast<double>(most));
  }
  const std::int64_t pairs = options.d_model / 2;
  if (frequencies.size() > static_cast<std::size_t>(pairs)) {
    return invalid_count("inverseFrequencies", static_cast<double>(frequencies.size()), 0,
                         static_cast<double>(pairs));
  }
  const std::array<Numbers, 3> lists{
      {{"codes", options.codes, static_cast<std::size_t>(work), max_attention_code},
       {"inverseFrequencies", frequencies, frequencies.size(), max_attention_entry},
       {"bias", options.biases, static_cast<std::size_t>(options.distances), max_attention_entry}}};
  for (const Numbers& list : lists) {
    if (Status status = check_numbers(list); !status.ok()) {
      return status;
    }
  }
  return ok_status();
}

/// Cosine and sine of every pair at every key, which all contents share.
struct Turns {
  MatrixD cosine;  ///< (distances, pairs)
  MatrixD sine;    ///< (distances, pairs)
};

Turns turns_of(const ScoreOptions& options) {
  const auto pairs = static_cast<Index>(options.inverse_frequencies.size());
  Turns turns{MatrixD(options.distances, pairs), MatrixD(options.distances, pairs)};
  for (Index k = 0; k < options.distances; ++k) {
    for (Index j = 0; j < pairs; ++j) {
      const double angle = static_cast<double>(options.position + k) *
                           options.inverse_frequencies[static_cast<std::size_t>(j)];
      turns.cosine(k, j) = std::cos(angle);
      turns.sine(k, j) = std::sin(angle);
    }
  }
  return turns;
}

/// The scores of one content, (distances).
VectorD scores_of(const ScoreOptions& options, const Turns& turns, const VectorD& query_word,
                  const VectorD& key_word) {
  const auto columns = static_cast<std::size_t>(options.d_model);
  const auto code = [&](Index k, Index c) {
    return options.codes.empty()
               ? 0
               : options.codes[static_cast<std::size_t>(k) * columns + static_cast<std::size_t>(c)];
  };
  VectorD query = query_word;
  for (Index c = 0; c < options.d_model; ++c) {
    query[c] += code(0, c);
  }
  rope_turn(options.inverse_frequencies, static_cast<double>(options.position), query.data());
  const double scale = 1 / std::sqrt(static_cast<double>(options.d_model));
  const Index turned = 2 * turns.cosine.cols();
  VectorD scores(options.distances);
  for (Index k = 0; k < options.distances; ++k) {
    double score = 0;
    for (Index c = 0; c < turned; c += 2) {
      const double first = key_word[c] + code(k, c);
      const double second = key_word[c + 1] + code(k, c + 1);
      const double cosine = turns.cosine(k, c / 2);
      const double sine = turns.sine(k, c / 2);
      score += query[c] * (first * cosine - second * sine);
      score += query[c + 1] * (first * sine + second * cosine);
    }
    for (Index c = turned; c < options.d_model; ++c) {
      score += query[c] * (key_word[c] + code(k, c));
    }
    const double bias = options.biases.empty() ? 0 : options.biases[static_cast<std::size_t>(k)];
    scores[k] = score * scale + bias;
  }
  return scores;
}

}  // namespace

Result<ScoreProfile> score_profile(const ScoreOptions& options) {
  if (Status status = check_score_options(options); !status.ok()) {
    return status.error();
  }
  const Turns turns = turns_of(options);
  std::vector<VectorD> scores;
  const auto words = static_cast<std::uint32_t>(options.contents);
  for (std::uint32_t content = 0; content < words; ++content) {
    const Result<VectorD> query = token_embedding(content, options.d_model, options.seed);
    const Result<VectorD> key = token_embedding(options.same_word ? content : words + content,
                                                options.d_model, options.seed);
    if (!query.ok() || !key.ok()) {
      return query.ok() ? key.error() : query.error();
    }
    scores.push_back(scores_of(options, turns, query.value(), key.value()));
  }
  ScoreProfile profile{{}, VectorD(options.distances), VectorD(options.distances)};
  for (Index k = 0; k < options.distances; ++k) {
    double mean = 0;
    for (const VectorD& one : scores) {
      mean += one[k] / static_cast<double>(words);
    }
    double variance = 0;
    for (const VectorD& one : scores) {
      variance += (one[k] - mean) * (one[k] - mean) / static_cast<double>(words);
    }
    profile.mean[k] = mean;
    profile.deviation[k] = std::sqrt(variance);
  }
  profile.one = scores.front();
  return profile;
}

}  // namespace posenc
