/// What `ctest --show-only=json-v1` tells of a build directory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "investigate/each_test.hpp"

namespace unravel {

/// Disabled tests are left out. A test whose program is not there is an error: it was not built.
Result<std::vector<TestCase>> read_ctest_list(std::string_view json, const std::string& directory);

/// Does to a variable what an entry of ENVIRONMENT_MODIFICATION says: `NAME=path_list_prepend:/x`.
/// `unmodified` is what it was before all entries. False if the entry is not understood.
bool modify(EnvironmentChanges& environment, const EnvironmentChanges& unmodified,
            std::string_view entry);

}  // namespace unravel
