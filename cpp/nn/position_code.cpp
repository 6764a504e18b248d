#include "nn/position_code.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "codes/sinusoidal.h"

namespace posenc {

template <class T>
void sinusoidal_code_rows(T* rows, std::span<const std::int32_t> positions, Index d_model,
                          double base, double amplitude) {
  const VectorD divisors = angle_divisors(d_model, base);
  for (const std::int32_t position : positions) {
    for (Index c = 0; c < d_model; ++c) {
      const double angle = position / divisors[c / 2];
      rows[c] = static_cast<T>(amplitude * (c % 2 == 0 ? std::sin(angle) : std::cos(angle)));
    }
    rows += d_model;
  }
}

template <class T>
void fill_turns(TurnTable<T>& turns, std::span<const std::int32_t> positions,
                std::span<const double> inverse_frequencies, Index d_model, double factor) {
  const std::size_t entries = positions.size() * static_cast<std::size_t>(d_model);
  turns.cosines.resize(entries);
  turns.sines.resize(entries);
  T* cosines = turns.cosines.data();
  T* sines = turns.sines.data();
  const auto head_dim = static_cast<Index>(2 * inverse_frequencies.size());
  for (const std::int32_t position : positions) {
    for (Index c = 0; c < head_dim; c += 2) {
      const double angle = position * inverse_frequencies[static_cast<std::size_t>(c / 2)];
      cosines[c] = cosines[c + 1] = static_cast<T>(factor * std::cos(angle));
      sines[c + 1] = static_cast<T>(factor * std::sin(angle));
      sines[c] = -sines[c + 1];
    }
    for (Index c = head_dim; c < d_model; ++c) {
      cosines[c] = cosines[c - head_dim];
      sines[c] = sines[c - head_dim];
    }
    cosines += d_model;
    sines += d_model;
  }
}

template <class T>
void fill_alibi(OffsetBias<T>& bias, Index heads, Index reach, double exponent) {
  bias.reach = reach;
  bias.values.resize(static_cast<std::size_t>(heads * bias.offsets()));
  T* values = bias.values.data();
  for (Index head = 0; head < heads; ++head) {
    const double slope =
        std::exp2(-exponent * static_cast<double>(head + 1) / static_cast<double>(heads));
    for (Index offset = 1 - reach; offset < reach; ++offset) {
      // 0 - x, so that the diagonal is 0 and not -0.
      *values++ = static_cast<T>(0 - slope * static_cast<double>(std::abs(offset)));
    }
  }
}

std::vector<std::int32_t> t5_bucket_of_offsets(const T5Buckets& buckets, Index reach) {
  std::vector<std::int32_t> of_offsets;
  of_offsets.reserve(static_cast<std::size_t>(2 * reach));
  for (Index offset = 1 - reach; offset < reach; ++offset) {
    of_offsets.push_back(t5_bucket(buckets, offset));
  }
  return of_offsets;
}

template <class T>
void t5_bias_forward(OffsetBias<T>& bias, const T* values, std::span<const std::int32_t> buckets,
                     Index heads, Index reach) {
  bias.reach = reach;
  bias.values.resize(static_cast<std::size_t>(heads) * buckets.size());
  T* out = bias.values.data();
  for (Index head = 0; head < heads; ++head) {
    for (const std::int32_t bucket : buckets) {
      *out++ = values[bucket * heads + head];
    }
  }
}

template <class T>
void t5_bias_backward(T* dvalues, std::span<const T> dbias, std::span<const std::int32_t> buckets,
                      Index heads) {
  const T* from = dbias.data();
  for (Index head = 0; head < heads; ++head) {
    for (const std::int32_t bucket : buckets) {
      dvalues[bucket * heads + head] += *from++;
    }
  }
}

template <class T>
void fill_score_addends(T* out, const OffsetBias<T>& bias, Index head,
                        std::span<const std::int32_t> positions, bool causal) {
  constexpr T masked = -std::numeric_limits<T>::infinity();
  const auto length = static_cast<Index>(positions.size());
  const Index stride = padded(length);
  for (Index query = 0; query < length; ++query, out += stride) {
    const Index seen = causal ? query + 1 : length;
    if (bias.values.empty()) {
      for (Index key = 0; key < seen; ++key) {
        out[key] = 0;
      }
    } else {
      // Entry of offset 0 of this head, less the query's position.
      const T* from = bias.values.data() + head * bias.offsets() + bias.reach - 1 -
                      positions[static_cast<std::size_t>(query)];
      for (Index key = 0; key < seen; ++key) {
        out[key] = from[positions[static_cast<std::size_t>(key)]];
      }
    }
    for (Index key = seen; key < stride; ++key) {
      out[key] = masked;
    }
  }
}

template <class T>
void turn_forward(T* x, const TurnTable<T>& turns, Index batch, Index length, Index d_model) {
  constexpr Index lanes = lane_count<T>;
  const Index entries = length * d_model;
  for (Index b = 0; b < batch; ++b, x += entries) {
    for (Index i = 0; i < entries; i += lanes) {
      const auto v = load<Lanes<T>>(x + i);
      store(x + i, v * load<Lanes<T>>(turns.cosines.data() + i) +
                       swap_pairs(v) * load<Lanes<T>>(turns.sines.data() + i));
    }
  }
}

template <class T>
void turn_backward(T* dx, const TurnTable<T>& turns, Index batch, Index length, Index d_model) {
  constexpr Index lanes = lane_count<T>;
  const Index entries = length * d_model;
  for (Index b = 0; b < batch; ++b, dx += entries) {
    for (Index i = 0; i < entries; i += lanes) {
      const auto v = load<Lanes<T>>(dx + i);
      store(dx + i, v * load<Lanes<T>>(turns.cosines.data() + i) -
                        swap_pairs(v) * load<Lanes<T>>(turns.sines.data() + i));
    }
  }
}

template void sinusoidal_code_rows(float*, std::span<const std::int32_t>, Index, double, double);
template void fill_turns(TurnTable<float>&, std::span<const std::int32_t>, std::span<const double>,
                         Index, double);
template void turn_forward(float*, const TurnTable<float>&, Index, Index, Index);
template void turn_backward(float*, const TurnTable<float>&, Index, Index, Index);
template void fill_alibi(OffsetBias<float>&, Index, Index, double);
template void t5_bias_forward(OffsetBias<float>&, const float*, std::span<const std::int32_t>,
                              Index, Index);
template void t5_bias_backward(float*, std::span<const float>, std::span<const std::int32_t>,
                               Index);
template void fill_score_addends(float*, const OffsetBias<float>&, Index,
                                 std::span<const std::int32_t>, bool);
template void sinusoidal_code_rows(double*, std::span<const std::int32_t>, Index, double, double);
template void fill_turns(TurnTable<double>&, std::span<const std::int32_t>, std::span<const double>,
                         Index, double);
template void turn_forward(double*, const TurnTable<double>&, Index, Index, Index);
template void turn_backward(double*, const TurnTable<double>&, Index, Index, Index);
template void fill_alibi(OffsetBias<double>&, Index, Index, double);
template void t5_bias_forward(OffsetBias<double>&, const double*, std::span<const std::int32_t>,
                              Index, Index);
template void t5_bias_backward(double*, std::span<const double>, std::span<const std::int32_t>,
                               Index);
template void fill_score_addends(double*, const OffsetBias<double>&, Index,
                                 std::span<const std::int32_t>, bool);

}  // namespace posenc
