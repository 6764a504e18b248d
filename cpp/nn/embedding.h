// x[b, t] = table[token[b, t]] + code[t]
#pragma once

#include <cstdint>

#include "nn/lanes.h"

namespace posenc {

struct EmbeddingShape {
  Index batch = 0;    ///< B
  Index length = 0;   ///< T
  Index columns = 0;  ///< d, a multiple of 4
};

/// @param x       (B, T, d)
/// @param tokens  (B, T), rows of the table
/// @param table   (ids, d)
/// @param codes   (T, d), or null for none
template <class T>
void embedding_forward(T* x, const std::int32_t* tokens, const T* table, const T* codes,
                       const EmbeddingShape& shape);

/// @param dtable  (ids, d), added to; rows of tokens that do not occur are not touched
/// @param dcodes  (T, d), added to, or null where it is not wanted
/// @param dx      (B, T, d)
template <class T>
void embedding_backward(T* dtable, T* dcodes, const T* dx, const std::int32_t* tokens,
                        const EmbeddingShape& shape);

}  // namespace posenc
