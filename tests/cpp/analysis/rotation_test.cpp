// The block rotation that carries PE(pos) to PE(pos + k).
#include "analysis/block_rotation.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "catch.h"
#include "codes/sinusoidal.h"
#include "rule_check.h"

namespace {

using posenc::BlockRotation;
using posenc::MatrixD;
using posenc::VectorD;
using Index = Eigen::Index;

BlockRotation rotation(Index d_model, std::int64_t offset, double base = 10000) {
  auto result = posenc::block_rotation(d_model, base, offset);
  REQUIRE(result.ok());
  return std::move(result).value();
}

double largest(const MatrixD& matrix) { return matrix.cwiseAbs().maxCoeff(); }

void check_rejected(Index d_model, double base, std::int64_t offset, const char* name) {
  const auto result = posenc::block_rotation(d_model, base, offset);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == posenc::ErrorCode::invalid_argument);
  CHECK(result.error().name == name);
  check_rule(result.error());
}

}  // namespace

TEST_CASE("R(k) carries PE(pos) to PE(pos + k)", "[rotation]") {
  for (const Index d_model : {2, 6, 16, 64}) {
    for (const std::int64_t offset : {-40, -1, 0, 1, 5, 300}) {
      const BlockRotation r = rotation(d_model, offset);
      CHECK(r.rotated_dim == d_model);
      CHECK(r.residual < 1e-13);
      CHECK(r.rotated_residual == r.residual);
      for (const std::int64_t position : {40, 41, 77, 1000}) {
        const VectorD carried = r.matrix * posenc::sinusoidal_row(position, d_model, 10000);
        const VectorD wanted = posenc::sinusoidal_row(position + offset, d_model, 10000);
        CHECK((carried - wanted).cwiseAbs().maxCoeff() < 1e-12);
      }
    }
  }
}

TEST_CASE("R(k) of the largest offsets is as exact as the angles are", "[rotation]") {
  for (const std::int64_t offset : {posenc::max_position, -posenc::max_position}) {
    CHECK(rotation(16, offset).residual < 1e-8);
  }
}

TEST_CASE("R(k) is orthogonal, and R(k) R(j) = R(k + j)", "[rotation]") {
  for (const Index d_model : {1, 2, 7, 16, 33}) {
    const MatrixD identity = MatrixD::Identity(d_model, d_model);
    CHECK(largest(rotation(d_model, 0).matrix - identity) == 0);
    for (const std::int64_t k : {-11, 1, 3, 250}) {
      const MatrixD r = rotation(d_model, k).matrix;
      CHECK(largest(r * r.transpose() - identity) < 1e-15);
      CHECK(largest(r.transpose() - rotation(d_model, -k).matrix) == 0);
      for (const std::int64_t j : {-250, -3, 0, 4}) {
        CHECK(largest(r * rotation(d_model, j).matrix - rotation(d_model, k + j).matrix) < 1e-13);
      }
    }
  }
}

TEST_CASE("R(k) has nothing outside its 2 x 2 blocks", "[rotation]") {
  const MatrixD r = rotation(7, 2).matrix;
  for (Index row = 0; row < 7; ++row) {
    for (Index column = 0; column < 7; ++column) {
      if (row / 2 != column / 2) {
        CHECK(r(row, column) == 0);
      }
    }
  }
  CHECK(r(0, 0) == std::cos(2.0));
  CHECK(r(0, 1) == std::sin(2.0));
  CHECK(r(1, 0) == -std::sin(2.0));
}

TEST_CASE("the lone sine of an odd size is left alone, and the residual says so", "[rotation]") {
  const BlockRotation r = rotation(5, 3, 10);
  CHECK(r.rotated_dim == 4);
  CHECK(r.matrix(4, 4) == 1);
  CHECK(r.rotated_residual < 1e-14);
  CHECK(r.residual > 0.1);

  const BlockRotation single = rotation(1, 1);
  CHECK(single.rotated_dim == 0);
  CHECK(single.rotated_residual == 0);
  CHECK(single.residual > 0.9);
  CHECK(rotation(1, 0).residual == 0);
}

TEST_CASE("bad arguments of the rotation are typed errors", "[rotation]") {
  check_rejected(0, 10000, 1, "dModel");
  check_rejected(-4, 10000, 1, "dModel");
  check_rejected(1025, 10000, 1, "dModel");
  check_rejected(8, 0, 1, "base");
  check_rejected(8, std::numeric_limits<double>::quiet_NaN(), 1, "base");
  check_rejected(8, 10000, posenc::max_position + 1, "offset");
  check_rejected(8, 10000, std::numeric_limits<std::int64_t>::min(), "offset");
}
