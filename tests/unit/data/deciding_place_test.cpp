#include "data/deciding_place.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(DecidingPlace, ComesBackFromItsLine) {
  const DecidingPlace place{.at = {.thread = {.ordinal = 1}, .clock = {12, 3}},
                            .passing = "90c12f"};
  EXPECT_EQ(encode(place), "T1:12+3 90c12f\n");
  EXPECT_EQ(read_deciding_place(encode(place)), place);
}

TEST(DecidingPlace, WhatIsNoneIsRefused) {
  for (const char* text : {"", "\n", "T1:12+3", "T1:12+3 90c12f", "x 90c12f\n", "T1:12\n90c12f\n",
                           "T1:12+3 90c12f\nmore\n"}) {
    EXPECT_EQ(read_deciding_place(text), std::nullopt) << text;
  }
}

TEST(DecidingPlace, IsWhereTheFailingRunLeavesTheThread) {
  SmallestDifference difference;
  difference.passing = "90c12f";
  EXPECT_EQ(deciding_place(difference), std::nullopt);
  DecidingSwitch one;
  one.passing.emplace();
  difference.switches.push_back(one);
  EXPECT_EQ(deciding_place(difference), std::nullopt);
  one.failing.emplace();
  one.failing->thread = {.ordinal = 2};
  one.failing->clock = {5, 1};
  difference.switches.push_back(one);
  EXPECT_EQ(deciding_place(difference),
            (DecidingPlace{.at = {{.ordinal = 2}, {5, 1}}, .passing = "90c12f"}));
}

}  // namespace
}  // namespace unravel
