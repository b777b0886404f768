#include "base/result.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return user_error("3 is odd", "halves are whole numbers", "try 4");
  return number / 2;
}

TEST(Result, HoldsTheValueOfAFunctionThatSucceeded) { EXPECT_EQ(half(4), 2); }

TEST(Result, HoldsWhatHappenedWhyAndWhatToDoNext) {
  const Result<int> failed = half(3);

  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error(), (Error{.kind = Error::Kind::kUser,
                                   .what = "3 is odd",
                                   .why = "halves are whole numbers",
                                   .hint = "try 4"}));
}

TEST(Result, TellsTheThreeKindsOfErrorApart) {
  EXPECT_EQ(user_error("x").value().kind, Error::Kind::kUser);
  EXPECT_EQ(environment_error("x").value().kind, Error::Kind::kEnvironment);
  EXPECT_EQ(internal_error("x").value().kind, Error::Kind::kInternal);
}

}  // namespace
}  // namespace unravel
