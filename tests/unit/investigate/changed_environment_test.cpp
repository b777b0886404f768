#include "investigate/changed_environment.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(ChangedEnvironment, IsAsItWasAfterwards) {
  ::setenv("UNRAVEL_TEST_CHANGED", "before", 1);
  ::setenv("UNRAVEL_TEST_REMOVED", "before", 1);
  ::unsetenv("UNRAVEL_TEST_ADDED");
  {
    const ChangedEnvironment changed({{"UNRAVEL_TEST_CHANGED", "now"},
                                      {"UNRAVEL_TEST_REMOVED", std::nullopt},
                                      {"UNRAVEL_TEST_ADDED", "now"}});

    EXPECT_STREQ(::getenv("UNRAVEL_TEST_CHANGED"), "now");
    EXPECT_EQ(::getenv("UNRAVEL_TEST_REMOVED"), nullptr);
    EXPECT_STREQ(::getenv("UNRAVEL_TEST_ADDED"), "now");
  }
  EXPECT_STREQ(::getenv("UNRAVEL_TEST_CHANGED"), "before");
  EXPECT_STREQ(::getenv("UNRAVEL_TEST_REMOVED"), "before");
  EXPECT_EQ(::getenv("UNRAVEL_TEST_ADDED"), nullptr);
}

}  // namespace
}  // namespace unravel
