#include "golden.h"

#include <fstream>
#include <sstream>

#include "catch.h"

namespace posenc {

std::vector<std::vector<std::string>> golden_rows(const std::string& file) {
  const std::string path = std::string(POSENC_GOLDEN_DIR) + "/" + file;
  std::ifstream in(path);
  INFO("reading " << path);
  std::string line;
  REQUIRE(std::getline(in, line));
  std::vector<std::vector<std::string>> rows;
  while (std::getline(in, line)) {
    std::vector<std::string> fields;
    std::istringstream cells(line);
    for (std::string field; std::getline(cells, field, ',');) {
      fields.push_back(field);
    }
    rows.push_back(fields);
  }
  REQUIRE_FALSE(rows.empty());
  return rows;
}

}  // namespace posenc
