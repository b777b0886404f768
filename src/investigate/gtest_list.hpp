/// What a GoogleTest binary answers to --gtest_list_tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/program.hpp"
#include "investigate/each_test.hpp"

namespace unravel {

struct GtestList {
  std::vector<TestCase> tests;
  std::size_t disabled = 0;  // and left out
};

/// The arguments that make the program list its tests: those that its own filter lets through.
std::vector<std::string> listing_arguments(const Program& program);

/// Lines that are no part of a list are the program's own, and are passed over.
GtestList read_gtest_list(std::string_view text, const Program& program);

}  // namespace unravel
