#include "investigate/gtest_list.hpp"

#include <algorithm>

namespace unravel {

namespace {

constexpr std::string_view kList = "gtest_list_tests";
constexpr std::string_view kFilter = "gtest_filter=";
constexpr std::string_view kRunDisabled = "gtest_also_run_disabled_tests";
constexpr std::string_view kDisabled = "DISABLED_";

/// A flag without its dashes; GoogleTest accepts one or two.
std::string_view flag_of(std::string_view argument) {
  if (argument.starts_with("--")) return argument.substr(2);
  return argument.starts_with("-") ? argument.substr(1) : std::string_view();
}

bool asks_for_disabled(const Program& program) {
  return std::any_of(
      program.arguments.begin(), program.arguments.end(), [](const std::string& argument) {
        const std::string_view flag = flag_of(argument);
        return flag == kRunDisabled || (flag.starts_with(kRunDisabled) &&
                                        (flag.ends_with("=1") || flag.ends_with("=true")));
      });
}

/// In typed and parameterised suites, the name of the instance comes first.
bool is_disabled(std::string_view suite, std::string_view test) {
  return test.starts_with(kDisabled) || suite.starts_with(kDisabled) ||
         suite.find("/" + std::string(kDisabled)) != std::string_view::npos;
}

/// The line without the comment about a type or parameter.
std::string_view without_comment(std::string_view line) {
  line = line.substr(0, line.find("  # "));
  while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
  return line;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t") == std::string_view::npos;
}

/// The program's arguments without those that select tests.
std::vector<std::string> plain_arguments(const Program& program) {
  std::vector<std::string> arguments;
  for (const std::string& argument : program.arguments) {
    const std::string_view flag = flag_of(argument);
    const bool chooses = flag.starts_with(kFilter) || flag.starts_with(kList);
    if (arguments.empty() || !chooses) arguments.push_back(argument);
  }
  return arguments;
}

}  // namespace

std::vector<std::string> listing_arguments(const Program& program) {
  std::vector<std::string> arguments = program.arguments;
  arguments.push_back("--" + std::string(kList));
  return arguments;
}

GtestList read_gtest_list(std::string_view text, const Program& program) {
  const bool with_disabled = asks_for_disabled(program);
  GtestList list;
  std::string suite;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = without_comment(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('.') && is_name(line)) {
      suite = line.substr(0, line.size() - 1);
      continue;
    }
    if (!line.starts_with("  ") || !is_name(line.substr(2)) || suite.empty()) {
      suite.clear();
      continue;
    }
    const std::string_view test = line.substr(2);
    if (is_disabled(suite, test) && !with_disabled) {
      ++list.disabled;
      continue;
    }
    TestCase& found = list.tests.emplace_back();
    found.name = suite + "." + std::string(test);
    found.arguments = plain_arguments(program);
    found.arguments.push_back("--" + std::string(kFilter) + found.name);
    found.directory = program.directory;
  }
  return list;
}

}  // namespace unravel
