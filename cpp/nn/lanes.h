// Sixteen bytes of numbers at a time, by the vector extensions that GCC and Clang share: SSE2 or
// NEON natively, SIMD in WebAssembly, and plain instructions where there is none. Lane by lane it
// is the same arithmetic in the same order, so all builds give the same bits.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__SSE2__) && !defined(__EMSCRIPTEN__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace posenc {

/// Sizes and offsets, as wide as a pointer.
using Index = std::ptrdiff_t;

using Float4 [[gnu::vector_size(16)]] = float;
using Double2 [[gnu::vector_size(16)]] = double;

template <class T>
struct LanesOf;

template <>
struct LanesOf<float> {
  using Type = Float4;
  using Int = std::int32_t;
  using Bits [[gnu::vector_size(16)]] = std::int32_t;
  static constexpr int mantissa_bits = 23;
  static constexpr Int exponent_bias = 127;
};

template <>
struct LanesOf<double> {
  using Type = Double2;
  using Int = std::int64_t;
  using Bits [[gnu::vector_size(16)]] = std::int64_t;
  static constexpr int mantissa_bits = 52;
  static constexpr Int exponent_bias = 1023;
};

template <class T>
using Lanes = typename LanesOf<T>::Type;
template <class T>
using LaneBits = typename LanesOf<T>::Bits;

/// 4 floats, 2 doubles.
template <class T>
inline constexpr Index lane_count = Index{16} / static_cast<Index>(sizeof(T));

/// Rows that are read by lanes are padded to this many entries, for either type.
inline constexpr Index row_padding = 4;

constexpr Index padded(Index length) {
  return (length + row_padding - 1) / row_padding * row_padding;
}

/// Makes room; what is there is enough for any smaller input, so nothing is ever made smaller.
template <class T>
void ensure_size(std::vector<T>& buffer, Index size) {
  if (buffer.size() < static_cast<std::size_t>(size)) {
    buffer.resize(static_cast<std::size_t>(size));
  }
}

/// V is Lanes<T>, or T itself: then a load of one number. No alignment is needed.
template <class V, class T>
V load(const T* from) {
  V value;
  std::memcpy(&value, from, sizeof(V));
  return value;
}

template <class V, class T>
void store(T* to, const V& value) {
  std::memcpy(to, &value, sizeof(V));
}

inline Float4 splat(float value) { return Float4{value, value, value, value}; }
inline Double2 splat(double value) { return Double2{value, value}; }

/// In this order in every build.
inline float sum_of_lanes(Float4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }
inline double sum_of_lanes(Double2 v) { return v[0] + v[1]; }

inline float max_of_lanes(Float4 v) {
  const float low = v[0] > v[1] ? v[0] : v[1];
  const float high = v[2] > v[3] ? v[2] : v[3];
  return low > high ? low : high;
}
inline double max_of_lanes(Double2 v) { return v[0] > v[1] ? v[0] : v[1]; }

/// Larger of the two, lane by lane; b where they cannot be compared.
template <class V>
V max_lanes(V a, V b) {
  return a > b ? a : b;
}

/// (x0, x1, x2, x3) -> (x1, x0, x3, x2)
inline Float4 swap_pairs(Float4 v) { return __builtin_shufflevector(v, v, 1, 0, 3, 2); }
inline Double2 swap_pairs(Double2 v) { return __builtin_shufflevector(v, v, 1, 0); }

inline float sqrt_lanes(float v) { return std::sqrt(v); }
inline double sqrt_lanes(double v) { return std::sqrt(v); }

/// Correctly rounded, as the standard asks of sqrt, so that every way gives the same bits.
inline Float4 sqrt_lanes(Float4 v) {
#if defined(__SSE2__) && !defined(__EMSCRIPTEN__)
  return reinterpret_cast<Float4>(_mm_sqrt_ps(reinterpret_cast<__m128>(v)));
#elif defined(__wasm_simd128__)
  return reinterpret_cast<Float4>(wasm_f32x4_sqrt(reinterpret_cast<v128_t>(v)));
#else
  return Float4{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
#endif
}

inline Double2 sqrt_lanes(Double2 v) { return Double2{std::sqrt(v[0]), std::sqrt(v[1])}; }

namespace exponential {

/// What differs between the types. Reduced to |r| <= ln(2) / 2, e^r - 1 - r is r^2 times a
/// polynomial, the highest power first.
template <class T>
struct Constants;

template <>
struct Constants<float> {
  // Cephes, expf.
  static constexpr float polynomial[] = {1.9875691500e-4F, 1.3981999507e-3F, 8.3334519073e-3F,
                                         4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F};
  static constexpr float log2_e = 1.44269504F;
  static constexpr float ln2_high = 0.693359375F;  // few bits, so that n times it is exact
  static constexpr float ln2_low = -2.12194440e-4F;
  static constexpr float round =
      12582912.0F;                         // 1.5 * 2^23: adding it leaves an integer in low bits
  static constexpr float lowest = -87.0F;  // below, the result is 0
  static constexpr float highest = 88.0F;  // above, the result is that of 88
};

template <>
struct Constants<double> {
  // Taylor, 1/k!: the first term left out is below 2^-56 of the result.
  static constexpr double polynomial[] = {
      1.6059043836821613e-10, 2.08767569878681e-9,   2.505210838544172e-8,  2.755731922398589e-7,
      2.7557319223985893e-6,  2.48015873015873e-5,   1.984126984126984e-4,  1.3888888888888889e-3,
      8.333333333333333e-3,   4.1666666666666664e-2, 1.6666666666666666e-1, 0.5};
  static constexpr double log2_e = 1.4426950408889634;
  static constexpr double ln2_high = 6.93147180369123816490e-1;
  static constexpr double ln2_low = 1.90821492927058770002e-10;
  static constexpr double round = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double lowest = -708.0;
  static constexpr double highest = 709.0;
};

}  // namespace exponential

/// e^x to a few units in the last place, without the C library, whose exp differs between systems.
/// Exactly 0 below -87 (float) or -708 (double), so also at -infinity.
template <class T>
Lanes<T> exp_lanes(Lanes<T> x) {
  using C = exponential::Constants<T>;
  using Bits = LaneBits<T>;
  const Lanes<T> lowest = splat(C::lowest);
  const Bits in_range = x >= lowest;
  const Lanes<T> capped = x > splat(C::highest) ? splat(C::highest) : x;
  const Lanes<T> bounded = max_lanes(capped, lowest);
  const Lanes<T> shifted = bounded * splat(C::log2_e) + splat(C::round);
  const Lanes<T> n = shifted - splat(C::round);
  const Lanes<T> r = (bounded - n * splat(C::ln2_high)) - n * splat(C::ln2_low);
  Lanes<T> sum = splat(C::polynomial[0]);
  for (std::size_t i = 1; i < sizeof(C::polynomial) / sizeof(T); ++i) {
    sum = sum * r + splat(C::polynomial[i]);
  }
  sum = (sum * (r * r) + r) + splat(T{1});
  // 2^n, made from its bits.
  const Bits exponent = reinterpret_cast<Bits>(shifted) - reinterpret_cast<Bits>(splat(C::round));
  const Lanes<T> power = reinterpret_cast<Lanes<T>>((exponent + LanesOf<T>::exponent_bias)
                                                    << LanesOf<T>::mantissa_bits);
  return reinterpret_cast<Lanes<T>>(reinterpret_cast<Bits>(sum * power) & in_range);
}

}  // namespace posenc
