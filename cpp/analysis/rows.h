// Differences between rows, and how long they are: what the figures say of how long a code is and
// of how much a word's output changed.
#pragma once

#include <cstdint>
#include <span>

#include "types.h"

namespace posenc {

/// Of each row, the largest absolute difference between its entries and those of the same row of
/// another matrix.
/// @param data     (rows, columns), row-major; its size must be rows * columns
/// @param other    the same
/// @param rows     at least 1, rows * columns at most 2^26
/// @param columns  1 to 65536
/// @return (rows)
Result<VectorD> row_differences(std::span<const double> data, std::span<const double> other,
                                std::int64_t rows, std::int64_t columns);

/// A code added to a word's vector, as the word comes and times sqrt(d_model).
struct CodeAddition {
  double root = 0;       ///< sqrt(d_model)
  MatrixD word;          ///< (2, d_model): drawn from N(0, 1 / d_model), and the same times `root`
  MatrixD sum;           ///< (2, d_model), code added; empty without a code
  VectorD word_norm;     ///< (2)
  VectorD sum_norm;      ///< (2); empty without a code
  double code_norm = 0;  ///< 0 without a code
  VectorD ratio;         ///< (2), code_norm over word_norm
};

/// About 1 long whatever d_model is, as the authors of the Transformer start a word (tensor2tensor,
/// layers/modalities.py); that it is then multiplied by sqrt(d_model) stands in Vaswani et al.
/// 2017, section 3.4.
/// @param d_model  1 to 65536
/// @param seed     of the word: NumPy's RandomState(seed).randn(d_model) / sqrt(d_model)
/// @param code     (d_model), or empty for none
Result<CodeAddition> code_addition(std::int64_t d_model, std::uint32_t seed,
                                   std::span<const double> code);

}  // namespace posenc
