#include "data/print.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(Print, WritesAClockWithItsHooks) {
  EXPECT_EQ(print(wire::Clock{12, 37}), "12+37");
  EXPECT_EQ(print(wire::Clock{12, 0}), "12");
}

TEST(Print, WritesAThreadWithItsProcessUnlessThatIsTheFirst) {
  EXPECT_EQ(print(wire::ThreadId{.ordinal = 1}), "T1");
  EXPECT_EQ(print(wire::ThreadId{.ordinal = 1, .process = 2}), "P2.T1");
}

TEST(Print, WritesAnAddress) {
  EXPECT_EQ(print(wire::ThreadId{.ordinal = 3}, wire::Clock{4, 1}), "T3:4+1");
}

}  // namespace
}  // namespace unravel
