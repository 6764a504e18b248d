// What snapshots are made of: 64-bit little-endian words, so that a checksum can run over words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace posenc {

static_assert(std::endian::native == std::endian::little);

using Word = std::uint64_t;

/// @param index  of the word; bytes (index + 1) * 8 are there
inline Word word_at(std::span<const std::uint8_t> bytes, std::size_t index) {
  Word word = 0;
  std::memcpy(&word, &bytes[index * sizeof(Word)], sizeof word);
  return word;
}

/// FNV-1a over the first `count` words, with the high bits folded back because a product only
/// carries upwards.
[[gnu::noinline]] inline Word checksum(std::span<const std::uint8_t> bytes, std::size_t count) {
  Word hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < count; ++i) {
    hash = (hash ^ word_at(bytes, i)) * 0x100000001b3;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace posenc
