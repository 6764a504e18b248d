// Similarity of rows, the offset profile, wavelengths, and how far rows are apart.
#include "analysis/similarity.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "analysis/offset_profile.h"
#include "analysis/spread.h"
#include "analysis/wavelengths.h"
#include "catch.h"
#include "codes/sinusoidal.h"
#include "golden.h"
#include "random/rng.h"
#include "rule_check.h"

namespace {

using posenc::MatrixD;
using posenc::Measure;
using posenc::VectorD;
using Index = Eigen::Index;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

std::span<const double> entries_of(const MatrixD& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

MatrixD code_rows(Index length, Index d_model, double base = 10000, std::int64_t start = 0) {
  MatrixD rows(length, d_model);
  for (Index t = 0; t < length; ++t) {
    rows.row(t) = posenc::sinusoidal_row(start + t, d_model, base).transpose();
  }
  return rows;
}

VectorD similarity(const MatrixD& rows, Index row, Measure measure) {
  auto result = posenc::row_similarity(entries_of(rows), rows.rows(), rows.cols(), row, measure);
  REQUIRE(result.ok());
  return std::move(result).value();
}

VectorD profile(Index d_model, double base, std::int64_t position,
                const std::vector<std::int64_t>& offsets) {
  auto result = posenc::offset_profile(d_model, base, position, offsets);
  REQUIRE(result.ok());
  return std::move(result).value();
}

template <class T>
void check_rejected(const posenc::Result<T>& result, const char* name) {
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == posenc::ErrorCode::invalid_argument);
  CHECK(result.error().name == name);
  check_rule(result.error());
}

}  // namespace

TEST_CASE("dot and cosine of one row with all rows", "[similarity]") {
  MatrixD rows(4, 3);
  rows << 1, 2, 2, 0, 0, 0, -2, -4, -4, 2, 1, -2;
  const VectorD dots = similarity(rows, 0, Measure::dot);
  CHECK(dots[0] == 9);
  CHECK(dots[1] == 0);
  CHECK(dots[2] == -18);
  CHECK(dots[3] == 0);
  const VectorD cosines = similarity(rows, 0, Measure::cosine);
  CHECK(cosines[0] == 1);
  CHECK(cosines[1] == 0);
  CHECK(cosines[2] == -1);
  CHECK(cosines[3] == 0);
}

TEST_CASE("the cosine of a zero row is 0 with every row, itself included", "[similarity]") {
  MatrixD rows = MatrixD::Zero(3, 2);
  rows.row(2) << 1, 1;
  for (Index row = 0; row < 3; ++row) {
    const VectorD cosines = similarity(rows, row, Measure::cosine);
    for (Index other = 0; other < 3; ++other) {
      CHECK(cosines[other] == (row == 2 && other == 2 ? 1 : 0));
    }
  }
}

TEST_CASE("a cosine does not depend on the scale, however extreme", "[similarity]") {
  MatrixD rows(2, 2);
  for (const double a : {1e-310, 1e-160, 1e-80, 1.0, 1e80, 1e160, 1e300}) {
    for (const double b : {1e-310, 1e-160, 1e-80, 1.0, 1e80, 1e160, 1e300}) {
      rows << 3 * a, 4 * a, 4 * b, 3 * b;
      const VectorD cosines = similarity(rows, 0, Measure::cosine);
      CHECK(cosines[0] == 1);
      CHECK(std::abs(cosines[1] - 0.96) < (a < 1e-300 || b < 1e-300 ? 1e-12 : 1e-15));
    }
  }
}

TEST_CASE("cosines stay in [-1, 1], and a row has cosine 1 with itself", "[similarity]") {
  posenc::RandomState random(3);
  MatrixD rows(60, 7);
  for (double& entry : rows.reshaped()) {
    entry = random.gauss();
  }
  rows.bottomRows(30) = rows.topRows(30) * -0.3;
  for (Index row = 0; row < 60; ++row) {
    const VectorD cosines = similarity(rows, row, Measure::cosine);
    CHECK(cosines.cwiseAbs().maxCoeff() <= 1);
    CHECK(cosines[row] == 1);
  }
}

TEST_CASE("a missing row is like nothing and spoils no other", "[similarity]") {
  MatrixD rows = code_rows(4, 6);
  rows.row(2).setConstant(nan_value);
  for (const Measure measure : {Measure::dot, Measure::cosine}) {
    const VectorD got = similarity(rows, 0, measure);
    CHECK(std::isnan(got[2]));
    CHECK(std::isfinite(got[0]));
    CHECK(std::isfinite(got[1]));
    CHECK(std::isfinite(got[3]));
    CHECK(similarity(rows, 2, measure).hasNaN());
  }
  rows.row(1).setZero();
  CHECK(std::isnan(similarity(rows, 1, Measure::cosine)[2]));
}

TEST_CASE("pairs of sinusoidal rows have the reference's product, cosine and distance",
          "[similarity]") {
  for (const auto& fields : posenc::golden_rows("sinusoidal_pairs.csv")) {
    REQUIRE(fields.size() == 6);
    const Index d_model = std::stol(fields[0]);
    const std::int64_t position = std::stoll(fields[1]);
    const std::int64_t offset = std::stoll(fields[2]);
    MatrixD rows(2, d_model);
    rows << posenc::sinusoidal_row(position, d_model, 10000).transpose(),
        posenc::sinusoidal_row(position + offset, d_model, 10000).transpose();
    CHECK(std::abs(profile(d_model, 10000, position, {offset})[0] - std::stod(fields[3])) < 1e-11);
    CHECK(std::abs(similarity(rows, 0, Measure::dot)[1] - std::stod(fields[3])) < 1e-11);
    CHECK(std::abs(similarity(rows, 0, Measure::cosine)[1] - std::stod(fields[4])) < 1e-13);
    const auto spread = posenc::row_spread(entries_of(rows), 2, d_model);
    REQUIRE(spread.ok());
    CHECK(std::abs(spread.value().closest->distance - std::stod(fields[5])) < 1e-12);
  }
}

TEST_CASE("PE PE^T is Toeplitz for an even size", "[similarity]") {
  for (const Index d_model : {2, 16, 64, 128}) {
    const MatrixD rows = code_rows(48, d_model);
    const VectorD first = similarity(rows, 0, Measure::dot);
    for (Index row = 0; row < 48; ++row) {
      const VectorD got = similarity(rows, row, Measure::dot);
      for (Index other = 0; other < 48; ++other) {
        CHECK(std::abs(got[other] - first[std::abs(other - row)]) <
              1e-12 * static_cast<double>(d_model));
      }
    }
  }
}

TEST_CASE("the lone sine of an odd size makes the product depend on the position", "[similarity]") {
  CHECK(std::abs(profile(5, 10, 0, {1})[0] - profile(5, 10, 3, {1})[0]) > 0.1);
}

TEST_CASE("the offset profile is the sum of cosines, at any position and in both directions",
          "[similarity]") {
  for (const std::int64_t position : {std::int64_t{1000}, std::int64_t{16000000}}) {
    const std::vector<std::int64_t> offsets{-1000, -7, -1, 0, 1, 7, 1000};
    const VectorD got = profile(32, 10000, position, offsets);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      double wanted = 0;
      for (int pair = 0; pair < 16; ++pair) {
        wanted += std::cos(static_cast<double>(offsets[i]) * std::pow(10000, -2.0 * pair / 32));
      }
      CHECK(std::abs(got[static_cast<Index>(i)] - wanted) < (position > 10000 ? 1e-7 : 1e-11));
    }
  }
  CHECK(profile(8, 10000, 5, {}).size() == 0);
}

TEST_CASE("phasors turn with base^(-2i/d), fastest first", "[wavelengths]") {
  const auto even = posenc::pair_phasors(6, 10000, 10);
  REQUIRE(even.ok());
  CHECK_FALSE(even.value().has_lone_sine);
  REQUIRE(even.value().frequency.size() == 3);
  CHECK(even.value().frequency[0] == 1);
  CHECK(std::abs(even.value().wavelength[0] - 2 * std::numbers::pi) < 1e-15);
  CHECK(std::abs(even.value().frequency[1] - 0.046415888336127789) < 1e-16);
  CHECK(std::abs(even.value().wavelength[1] - 2 * std::numbers::pi * 21.544346900318843) < 1e-12);
  CHECK(std::abs(even.value().angle[1] - 0.46415888336127789) < 1e-15);

  const auto odd = posenc::pair_phasors(5, 10000, 10);
  REQUIRE(odd.ok());
  CHECK(odd.value().has_lone_sine);
  REQUIRE(odd.value().sine.size() == 3);
  const VectorD row = posenc::sinusoidal_row(10, 5, 10000);
  for (Index i = 0; i < 5; ++i) {
    CHECK(row[i] == (i % 2 == 0 ? odd.value().sine : odd.value().cosine)[i / 2]);
  }
}

TEST_CASE("the shortcut finds the same spread as comparing all rows", "[spread]") {
  for (const Index d_model : {1, 2, 3, 5, 8, 17, 32}) {
    for (const double base : {1.0, 10.0, 10000.0}) {
      for (const std::int64_t start : {0, 37}) {
        const MatrixD rows = code_rows(90, d_model, base, start);
        const auto slow = posenc::row_spread(entries_of(rows), 90, d_model);
        const auto fast = posenc::sinusoidal_spread(90, d_model, base, start);
        REQUIRE(slow.ok());
        REQUIRE(fast.ok());
        CHECK(fast.value().minimum == slow.value().minimum);
        CHECK(fast.value().maximum == slow.value().maximum);
        REQUIRE(fast.value().closest);
        REQUIRE(slow.value().closest);
        const posenc::ClosestRows closest = *fast.value().closest;
        CHECK(std::abs(closest.distance - slow.value().closest->distance) < 1e-13);
        CHECK(closest.first < closest.second);
        const double between = (rows.row(closest.first) - rows.row(closest.second)).norm();
        CHECK(std::abs(closest.distance - between) < 1e-13);
      }
    }
  }
}

TEST_CASE("no two sinusoidal rows coincide, and values stay in [-1, 1]", "[spread]") {
  for (const Index d_model : {2, 4, 16, 128}) {
    const auto spread = posenc::sinusoidal_spread(4096, d_model, 10000, 0);
    REQUIRE(spread.ok());
    CHECK(spread.value().minimum >= -1);
    CHECK(spread.value().maximum <= 1);
    REQUIRE(spread.value().closest);
    CHECK(spread.value().closest->distance > 0);
  }
}

TEST_CASE("the closest rows of any matrix", "[spread]") {
  MatrixD rows(4, 2);
  rows << 0, 0, 3, 4, -10, 8, 3, 5;
  const auto spread = posenc::row_spread(entries_of(rows), 4, 2);
  REQUIRE(spread.ok());
  CHECK(spread.value().minimum == -10);
  CHECK(spread.value().maximum == 8);
  REQUIRE(spread.value().closest);
  CHECK(spread.value().closest->first == 1);
  CHECK(spread.value().closest->second == 3);
  CHECK(spread.value().closest->distance == 1);

  CHECK_FALSE(posenc::row_spread(entries_of(rows), 1, 8).value().closest);
  CHECK_FALSE(posenc::sinusoidal_spread(1, 8, 10000, 5).value().closest);
}

TEST_CASE("bad arguments of the analyses are typed errors", "[similarity]") {
  const std::vector<double> six(6, 1.0);
  check_rejected(posenc::row_similarity(six, 2, 3, 2, Measure::dot), "row");
  check_rejected(posenc::row_similarity(six, 2, 3, -1, Measure::dot), "row");
  check_rejected(posenc::row_similarity(six, 3, 3, 0, Measure::dot), "data");
  check_rejected(posenc::row_similarity(six, 0, 3, 0, Measure::dot), "rows");
  check_rejected(posenc::row_similarity(six, -2, -3, 0, Measure::dot), "columns");
  check_rejected(posenc::row_similarity(six, 1LL << 62, 4, 0, Measure::dot), "rows");
  check_rejected(posenc::row_similarity(six, 1, 65537, 0, Measure::dot), "columns");
  check_rejected(posenc::parse_measure("Dot"), "measure");
  CHECK(posenc::parse_measure("dot").value() == Measure::dot);
  CHECK(posenc::parse_measure("cosine").value() == Measure::cosine);

  const std::vector<std::int64_t> one{1};
  const std::vector<std::int64_t> back{0, -6};
  check_rejected(posenc::offset_profile(0, 10000, 5, one), "dModel");
  check_rejected(posenc::offset_profile(65537, 10000, 5, one), "dModel");
  check_rejected(posenc::offset_profile(8, 0.5, 5, one), "base");
  check_rejected(posenc::offset_profile(8, nan_value, 5, one), "base");
  check_rejected(posenc::offset_profile(8, 10000, -1, one), "position");
  check_rejected(posenc::offset_profile(8, 10000, 5, back), "offsets");
  check_rejected(posenc::offset_profile(8, 10000, posenc::max_position, one), "offsets");
  check_rejected(posenc::offset_profile(65536, 10000, 5, std::vector<std::int64_t>(1025, 1)),
                 "offsets");

  check_rejected(posenc::pair_phasors(8, 10000, posenc::max_position + 1), "position");
  check_rejected(posenc::pair_phasors(8, std::numeric_limits<double>::infinity(), 1), "base");

  std::vector<double> holes = six;
  holes[4] = nan_value;
  check_rejected(posenc::row_spread(holes, 2, 3), "data");
  check_rejected(posenc::row_spread(six, 2, 4), "data");
  const std::vector<double> tall(1 << 16, 0.0);
  check_rejected(posenc::row_spread(tall, 1 << 16, 1), "rows");
  check_rejected(posenc::sinusoidal_spread(0, 8, 10000, 0), "length");
  check_rejected(posenc::sinusoidal_spread(8193, 7, 10000, 0), "length");
  check_rejected(posenc::sinusoidal_spread(8, 8, 10000, -1), "start");
}
