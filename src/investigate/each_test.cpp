#include "investigate/each_test.hpp"

#include <filesystem>

#include "base/text.hpp"
#include "investigate/ctest_list.hpp"
#include "investigate/gtest_list.hpp"
#include "run/plain_command.hpp"
#include "run/runner.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

// A program that takes longer to list its tests is running them. Chosen by hand.
constexpr std::chrono::seconds kMostTime{60};

// Enough for a million tests, with one line each. Chosen by hand.
constexpr std::uint64_t kMostOutput = std::uint64_t{64} << 20;

constexpr std::size_t kMostQuoted = 80;  // columns of the program's output in an error

/// The exit status and the first line of the output, for an error.
std::string answer(const PlainOutput& end) {
  const std::string& text = end.output.empty() ? end.error_output : end.output;
  const std::string first = clean(std::string_view(text).substr(0, text.find('\n')));
  const std::string status =
      end.status ? "exit status " + std::to_string(*end.status)
                 : "no exit within " + std::to_string(kMostTime.count()) + " s, or too much output";
  return status +
         (first.empty() ? " and no output" : ", and wrote '" + cut(first, kMostQuoted) + "'");
}

Result<PlainOutput> ask_for_list(std::vector<std::string> arguments, std::string directory,
                                 const std::function<bool()>& interrupted) {
  return capture_plain({.arguments = std::move(arguments),
                        .directory = std::move(directory),
                        .timeout = kMostTime,
                        .most_output = kMostOutput},
                       interrupted);
}

}  // namespace

Result<std::vector<TestCase>> list_gtest(const Program& program,
                                         const std::function<bool()>& interrupted) {
  const auto end = ask_for_list(listing_arguments(program), program.directory, interrupted);
  if (!end) return fail(end.error());
  GtestList list = read_gtest_list(end->output, program);
  const std::string name = "'" + program.arguments.front() + "'";
  if (end->status != 0 || (list.tests.empty() && list.disabled == 0)) {
    return user_error(name + " is not a GoogleTest binary, or its filter selects no test",
                      "it answered --gtest_list_tests with " + answer(*end),
                      "name a program with GoogleTest's main, or a CTest build directory");
  }
  if (list.tests.empty()) {
    return user_error("every test of " + name + " is disabled", {},
                      "add --gtest_also_run_disabled_tests after the program");
  }
  return std::move(list.tests);
}

Result<std::vector<TestCase>> list_ctest(const std::string& build_directory,
                                         const std::function<bool()>& interrupted) {
  std::error_code ignored;
  const std::string directory = fs::absolute(build_directory, ignored).string();
  const auto end =
      ask_for_list({"ctest", "--test-dir", directory, "--show-only=json-v1"}, "", interrupted);
  if (!end) return fail(end.error());
  if (end->status == kNotFound) {
    return environment_error("the tests in " + directory + " cannot be listed",
                             "there is no ctest on the PATH", "install CMake 3.21 or newer");
  }
  if (end->status != 0) {
    return user_error("the tests in " + directory + " cannot be listed",
                      "ctest answered with " + answer(*end), "name a CMake build directory");
  }
  Result<std::vector<TestCase>> tests = read_ctest_list(end->output, directory);
  if (tests && tests->empty()) {
    return user_error("there is no test in " + directory, "ctest lists none",
                      "name a build directory whose CMakeLists.txt calls enable_testing()");
  }
  return tests;
}

Result<std::vector<TestCase>> list_tests(const std::vector<std::string>& arguments,
                                         const std::function<bool()>& interrupted) {
  std::error_code ignored;
  if (arguments.size() == 1 && fs::is_directory(arguments[0], ignored)) {
    return list_ctest(arguments[0], interrupted);
  }
  Result<Program> program = find_program(arguments);
  if (!program) return fail(program.error());
  return list_gtest(*program, interrupted);
}

}  // namespace unravel
