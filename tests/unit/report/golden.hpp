/// Expected reports live in tests/golden/, where people can read them.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace unravel {

/// Compares with tests/golden/<name>; with UNRAVEL_ACCEPT=1 in the environment, writes it.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::path(__FILE__).parent_path() / "../../golden" / name;
  if (::getenv("UNRAVEL_ACCEPT")) {
    std::ofstream(path) << text;
    return;
  }
  std::ostringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, expected.str()) << "tests/golden/" << name
                                  << " differs; if the new text is right, run the test again with "
                                     "UNRAVEL_ACCEPT=1";
}

}  // namespace unravel
