/// Reads the output of --gtest_list_tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/program.hpp"
#include "investigate/each_test.hpp"

namespace unravel {

struct GtestList {
  std::vector<TestCase> tests;
  std::size_t disabled = 0;  // how many were left out
};

/// The arguments that make the program list the tests that its own filter selects.
std::vector<std::string> listing_arguments(const Program& program);

/// Ignores lines that do not belong to the list: the program may print its own.
GtestList read_gtest_list(std::string_view text, const Program& program);

}  // namespace unravel
