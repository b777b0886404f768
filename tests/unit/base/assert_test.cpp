#include "base/assert.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(Assert, LetsATrueConditionPass) { UNRAVEL_ASSERT(1 + 1 == 2, "sums are wrong"); }

TEST(AssertDeathTest, EndsTheToolWithStatusThreeAndNamesThePlace) {
  EXPECT_EXIT(UNRAVEL_ASSERT(1 + 1 == 3, "sums are wrong"), testing::ExitedWithCode(3),
              "assert_test.cpp:[0-9]+: sums are wrong\n.*1 \\+ 1 == 3");
}

}  // namespace
}  // namespace unravel
