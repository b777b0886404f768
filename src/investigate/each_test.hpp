/// Lists the tests of a test binary or of a build directory, so that each can run separately.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/program.hpp"

namespace unravel {

/// Changes of our own environment; nothing: the variable is unset.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

/// One test, and the command that runs only this test.
struct TestCase {
  std::string name;
  std::vector<std::string> arguments;  // the program and its arguments
  std::string directory;               // in which it is started
  EnvironmentChanges environment;
  // Properties other than the exit status by which CTest judges the test.
  std::vector<std::string> judged_by;
  std::optional<int> skip_status = {};  // means that the test was skipped; nothing: the default

  friend bool operator==(const TestCase&, const TestCase&) = default;
};

/// Lists the tests of a GoogleTest binary that the filter in its arguments selects. This function
/// and those below run the listing without control, leave out disabled tests, and return an error
/// if there is no test.
Result<std::vector<TestCase>> list_gtest(const Program& program,
                                         const std::function<bool()>& interrupted);

/// Lists the tests of a CTest build directory.
Result<std::vector<TestCase>> list_ctest(const std::string& build_directory,
                                         const std::function<bool()>& interrupted);

/// Lists the tests of a build directory if that is the only argument; otherwise of the GoogleTest
/// binary that the arguments start.
Result<std::vector<TestCase>> list_tests(const std::vector<std::string>& arguments,
                                         const std::function<bool()>& interrupted);

}  // namespace unravel
