/// Reads the output of `ctest --show-only=json-v1`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "investigate/each_test.hpp"

namespace unravel {

/// Leaves out disabled tests. A test without a program is an error: it was not built.
Result<std::vector<TestCase>> read_ctest_list(std::string_view json, const std::string& directory);

/// Applies an entry of ENVIRONMENT_MODIFICATION, such as `NAME=path_list_prepend:/x`. `unmodified`
/// is the environment before all entries. False if the entry is invalid.
bool modify(EnvironmentChanges& environment, const EnvironmentChanges& unmodified,
            std::string_view entry);

}  // namespace unravel
