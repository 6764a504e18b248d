#include "codes/alibi.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "golden.h"

namespace posenc {
namespace {

std::vector<float> bias_of(const BiasShape& shape) {
  const std::int64_t size = shape.heads * shape.queries * shape.keys;
  REQUIRE(check_bias_shape(shape, 0, size).ok());
  const std::vector<double> slopes = alibi_slopes(shape.heads).value();
  std::vector<float> bias(static_cast<std::size_t>(size));
  fill_alibi_bias(shape, slopes.data(), 0, size, bias.data());
  return bias;
}

TEST_CASE("ALiBi slopes equal the reference") {
  int rows = 0;
  for (const auto& row : golden_rows("alibi_slopes.csv")) {
    const auto slopes = alibi_slopes(std::stoll(row[0]));
    REQUIRE(slopes.ok());
    INFO("heads " << row[0] << " head " << row[1]);
    CHECK(slopes.value().at(std::stoul(row[1])) == Approx(std::stod(row[2])).epsilon(1e-15));
    ++rows;
  }
  REQUIRE(rows == 63);
}

TEST_CASE("ALiBi slopes differ for every number of heads") {
  for (std::int64_t heads = 1; heads <= max_heads; ++heads) {
    const std::vector<double> slopes = alibi_slopes(heads).value();
    REQUIRE(static_cast<std::int64_t>(slopes.size()) == heads);
    const std::set<double> different(slopes.begin(), slopes.end());
    REQUIRE(different.size() == slopes.size());
    REQUIRE(*different.begin() > 0);
    REQUIRE(*different.rbegin() < 1);
  }
  for (const std::int64_t heads : {0, -1, 1025}) {
    CHECK(alibi_slopes(heads).error().name == "heads");
  }
}

TEST_CASE("ALiBi is -m times the distance, and not a constant a row") {
  const BiasShape shape{3, 5, 5, true};
  const std::vector<double> slopes = alibi_slopes(3).value();
  const std::vector<float> bias = bias_of(shape);
  for (std::size_t head = 0; head < 3; ++head) {
    for (std::size_t query = 0; query < 5; ++query) {
      for (std::size_t key = 0; key < 5; ++key) {
        const float entry = bias[(head * 5 + query) * 5 + key];
        if (key > query) {
          CHECK(entry == -std::numeric_limits<float>::infinity());
        } else {
          CHECK(entry == Approx(-slopes[head] * static_cast<double>(query - key)).epsilon(1e-7));
        }
        CHECK(std::signbit(entry) == (key != query));
      }
    }
    // A constant a row would leave the softmax as it was (transformers #28380).
    CHECK(bias[head * 25 + 20] != bias[head * 25 + 23]);
  }
}

TEST_CASE("ALiBi is the same under a shift of all positions") {
  // The last 3 queries of 8 keys are rows 5 to 7 of the full square, and any diagonal is constant.
  for (const bool causal : {true, false}) {
    const std::vector<float> square = bias_of({4, 8, 8, causal});
    const std::vector<float> tail = bias_of({4, 3, 8, causal});
    for (std::size_t head = 0; head < 4; ++head) {
      for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t key = 0; key < 8; ++key) {
          CHECK(tail[(head * 3 + row) * 8 + key] == square[(head * 8 + row + 5) * 8 + key]);
        }
      }
      for (std::size_t row = 1; row < 8; ++row) {
        for (std::size_t key = 1; key < 8; ++key) {
          CHECK(square[(head * 8 + row) * 8 + key] == square[(head * 8 + row - 1) * 8 + key - 1]);
        }
      }
    }
  }
}

TEST_CASE("symmetric ALiBi cannot tell left from right, causal ALiBi masks the future") {
  const std::vector<float> symmetric = bias_of({2, 6, 6, false});
  const std::vector<float> causal = bias_of({2, 6, 6, true});
  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        const std::size_t here = (head * 6 + i) * 6 + j;
        CHECK(symmetric[here] == symmetric[(head * 6 + j) * 6 + i]);
        CHECK(std::isfinite(symmetric[here]));
        CHECK((j > i ? std::isinf(causal[here]) : causal[here] == symmetric[here]));
      }
    }
  }
}

TEST_CASE("a piece of the bias equals that piece of the whole") {
  const BiasShape shape{3, 4, 7, true};
  const std::vector<float> whole = bias_of(shape);
  const std::vector<double> slopes = alibi_slopes(3).value();
  for (std::ptrdiff_t first = 0; first < 84; ++first) {
    const std::ptrdiff_t count = std::min<std::ptrdiff_t>(31, 84 - first);
    REQUIRE(check_bias_shape(shape, first, count).ok());
    std::vector<float> piece(static_cast<std::size_t>(count));
    fill_alibi_bias(shape, slopes.data(), first, count, piece.data());
    CHECK(piece == std::vector<float>(whole.begin() + first, whole.begin() + first + count));
  }
}

TEST_CASE("bias shapes are bounded") {
  const auto error_name = [](const BiasShape& shape, std::int64_t first = 0,
                             std::int64_t count = 0) {
    const Status status = check_bias_shape(shape, first, count);
    return status.ok() ? std::string("no error") : std::string(status.error().name);
  };
  CHECK(error_name({1, 0, 0, true}) == "no error");
  CHECK(error_name({1024, 256, 256, true}) == "no error");
  CHECK(error_name({1024, 256, 257, true}) == "keys");
  CHECK(error_name({1, 8193, 8192, true}) == "keys");
  CHECK(error_name({1, 1, 16777217, true}) == "keys");
  CHECK(error_name({1, -1, 4, true}) == "queries");
  CHECK(error_name({0, 1, 1, true}) == "heads");
  CHECK(error_name({1025, 1, 1, true}) == "heads");
  CHECK(error_name({2, 3, 4, true}, 24) == "no error");
  CHECK(error_name({2, 3, 4, true}, 25) == "first");
  CHECK(error_name({2, 3, 4, true}, -1) == "first");
  CHECK(error_name({2, 3, 4, true}, 4, 20) == "no error");
  CHECK(error_name({2, 3, 4, true}, 4, 21) == "count");
  CHECK(error_name({2, 3, 4, true}, 4, -1) == "count");
  CHECK(bias_of({2, 0, 9, true}).empty());
  CHECK(bias_of({2, 9, 0, false}).empty());
}

}  // namespace
}  // namespace posenc
