#include "investigate/observer.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(Observer, AnInterruptionIsTheUsersWish) {
  const Error error = interrupted_error();

  EXPECT_EQ(error.kind, Error::Kind::kUser);
  EXPECT_EQ(error.what, "interrupted");
  EXPECT_NE(error.hint, "") << "it says what to do next";
}

}  // namespace
}  // namespace unravel
