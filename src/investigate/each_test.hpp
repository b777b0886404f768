/// The tests of a test binary or of a build directory, so that each can be run by itself.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/program.hpp"

namespace unravel {

/// What is different from our own environment; nothing: the variable is not set.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

/// One test, and what runs it and no other.
struct TestCase {
  std::string name;
  std::vector<std::string> arguments;  // a program and what it is given
  std::string directory;               // where it is started
  EnvironmentChanges environment;
  // Properties by which CTest tells that it passed, other than the exit status.
  std::vector<std::string> judged_by;
  std::optional<int> skip_status =
      {};  // by which it says that it was skipped; nothing: the usual one

  friend bool operator==(const TestCase&, const TestCase&) = default;
};

/// Asks a GoogleTest binary for its tests, those that the filter among its arguments lets by. Like
/// the others below it runs without control, leaves out what is disabled, and takes no test at all
/// for an error.
Result<std::vector<TestCase>> list_gtest(const Program& program,
                                         const std::function<bool()>& interrupted);

/// Asks CTest for the tests of a build directory.
Result<std::vector<TestCase>> list_ctest(const std::string& build_directory,
                                         const std::function<bool()>& interrupted);

/// Of the build directory, if `arguments` is one and nothing else; else of the GoogleTest binary
/// that they start.
Result<std::vector<TestCase>> list_tests(const std::vector<std::string>& arguments,
                                         const std::function<bool()>& interrupted);

}  // namespace unravel
