#include "nn/gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"
#include "check.h"
#include "types.h"

namespace posenc {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
Matrix<T> random_matrix(Index rows, Index columns, std::uint32_t seed) {
  const std::vector<T> values = random_values<T>(static_cast<std::size_t>(rows * columns), seed);
  return Eigen::Map<const Matrix<T>>(values.data(), rows, columns);
}

/// Largest deviation from Eigen's product, over every small shape.
template <class T>
double largest_product_error(bool transposed, Product product) {
  double largest = 0;
  for (const Index depth : {1, 2, 3, 8, 17}) {
    for (Index rows = 1; rows <= 9; ++rows) {
      for (Index columns = 1; columns <= 19; ++columns) {
        const Matrix<T> a = random_matrix<T>(rows, depth, 1);
        const Matrix<T> stored = transposed ? Matrix<T>(a.transpose()) : a;
        const Matrix<T> b = random_matrix<T>(depth, columns, 2);
        // One column and one row more, which must be left alone.
        Matrix<T> c = random_matrix<T>(rows + 1, columns + 1, 3);
        Matrix<T> expected = c;
        const Matrix<T> sum = a * b;
        if (product == Product::add) {
          expected.topLeftCorner(rows, columns) += sum;
        } else {
          expected.topLeftCorner(rows, columns) = sum;
        }
        gemm(Target<T>{c.data(), columns + 1, product},
             transposed ? Strided<T>{stored.data(), 1, rows} : Strided<T>{stored.data(), depth, 1},
             b.data(), columns, rows, columns, depth);
        largest = std::max(largest, static_cast<double>((c - expected).cwiseAbs().maxCoeff()));
      }
    }
  }
  return largest;
}

TEST_CASE("The product equals Eigen's for every shape, transposed or not") {
  for (const bool transposed : {false, true}) {
    for (const Product product : {Product::set, Product::add}) {
      CAPTURE(transposed, product == Product::add);
      CHECK(largest_product_error<double>(transposed, product) < 1e-13);
      CHECK(largest_product_error<float>(transposed, product) < 2e-5);
    }
  }
}

TEST_CASE("An entry of a product is summed in order, whatever block it falls into") {
  const Index rows = 7;
  const Index columns = 15;
  const Index depth = 33;
  const Matrix<float> a = random_matrix<float>(rows, depth, 4);
  const Matrix<float> b = random_matrix<float>(depth, columns, 5);
  Matrix<float> c(rows, columns);
  gemm(Target<float>{c.data(), columns}, Strided<float>{a.data(), depth, 1}, b.data(), columns,
       rows, columns, depth);
  Index different = 0;
  for (Index r = 0; r < rows; ++r) {
    for (Index column = 0; column < columns; ++column) {
      float sum = 0;
      for (Index k = 0; k < depth; ++k) {
        const float term = a(r, k) * b(k, column);
        sum += term;
      }
      different += sum == c(r, column) ? 0 : 1;
    }
  }
  CHECK(different == 0);
}

TEST_CASE("A transposed copy holds every entry once, whatever the strides") {
  for (const Index rows : {1, 3, 4, 9}) {
    for (const Index columns : {1, 4, 6, 8}) {
      const Matrix<float> from = random_matrix<float>(rows, columns + 2, 6);
      Matrix<float> to = Matrix<float>::Constant(columns, rows + 3, 7);
      transpose(to.data(), rows + 3, from.data(), columns + 2, rows, columns);
      CHECK(to.leftCols(rows) == from.leftCols(columns).transpose());
      CHECK((to.rightCols(3).array() == 7).all());
    }
  }
}

template <class T>
double largest_exp_error(double from, double to) {
  double largest = 0;
  for (int i = 0; i <= 20000; ++i) {
    const T x = static_cast<T>(from + (to - from) * i / 20000);
    const double expected = std::exp(static_cast<double>(x));
    const Lanes<T> e = exp_lanes<T>(splat(x));
    largest = std::max(largest, std::abs(static_cast<double>(e[0]) / expected - 1));
    if (e[0] != e[lane_count<T> - 1]) {
      return std::numeric_limits<double>::infinity();
    }
  }
  return largest;
}

TEST_CASE("exp is right to a few units in the last place") {
  CHECK(largest_exp_error<float>(-86.9, 87.9) < 2 * 6e-8 * 1.5);
  CHECK(largest_exp_error<float>(-1, 1) < 2 * 6e-8);
  CHECK(largest_exp_error<double>(-707, 708) < 4 * 1.2e-16);
  CHECK(exp_lanes<float>(splat(0.0F))[0] == 1.0F);
  CHECK(exp_lanes<double>(splat(0.0))[0] == 1.0);
}

TEST_CASE("exp of what is masked is exactly 0, and never an infinity") {
  const float infinity = std::numeric_limits<float>::infinity();
  const Float4 low = exp_lanes<float>(Float4{-infinity, -1e30F, -87.5F, -100.0F});
  const Double2 low_double = exp_lanes<double>(Double2{-HUGE_VAL, -709.0});
  for (int i = 0; i < 4; ++i) {
    CHECK(low[i] == 0.0F);
  }
  CHECK(low_double[0] == 0.0);
  CHECK(low_double[1] == 0.0);
  CHECK(std::isfinite(exp_lanes<float>(splat(infinity))[0]));
  CHECK(std::isfinite(exp_lanes<double>(splat(HUGE_VAL))[0]));
}

}  // namespace
}  // namespace posenc
