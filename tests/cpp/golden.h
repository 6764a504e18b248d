// Reference values of tests/golden, see the README there.
#pragma once

#include <string>
#include <vector>

namespace posenc {

/// The fields of each line of tests/golden/`file` after the heading. Fails the running test when
/// the file is missing or empty, so that no comparison can pass by comparing nothing.
std::vector<std::vector<std::string>> golden_rows(const std::string& file);

}  // namespace posenc
