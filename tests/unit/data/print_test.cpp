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

TEST(Print, ReadsWhatItWrites) {
  using At = std::pair<wire::ThreadId, wire::Clock>;
  for (const At& at : {At{{.ordinal = 3}, {4, 1}}, At{{}, {}}, At{{.ordinal = 12}, {7, 0}}}) {
    EXPECT_EQ(read_clock(print(at.first, at.second)), at);
  }
}

TEST(Print, ReadsNothingElse) {
  for (const char* text : {"", "T", "T1", "T1:", "T1:2+", "T1:2+3 ", "t1:2", "1:2", "T-1:2",
                           "T1:-2", "T1:2+-3", "T1:2-3", "T4294967296:1", "P2.T1:1",
                           "T1:18446744073709551616", "T1:2+18446744073709551615"}) {
    EXPECT_EQ(read_clock(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace unravel
