#include "data/pct_bound.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(PctBound, SaysNothingWithoutRunsOrWithOneThread) {
  PctBound bound;
  EXPECT_EQ(bound.missed_at_most(1, 3), 1);
  bound.add(1, 50, 50);
  EXPECT_EQ(bound.missed_at_most(2, 3), 1);
  EXPECT_EQ(bound.missed_at_most(1, 1), 1);
  EXPECT_NEAR(bound.missed_at_most(1, 3), 2.0 / 3, 1e-12);
}

TEST(PctBound, CountsNoRunThatWasLongerThanItsChangePointsReach) {
  PctBound bound;
  bound.add(2, 50, 51);
  EXPECT_EQ(bound.missed_at_most(2, 3), 1);
  bound.add(2, 50, 50);
  EXPECT_NEAR(bound.missed_at_most(2, 3), 149.0 / 150, 1e-12);
}

TEST(PctBound, IsNeverBelowWhatTheRunsMissedTogether) {
  PctBound bound;
  double product = 1;
  for (const std::uint64_t length : {10u, 500u, 30u, 30u, 1'000u}) {
    bound.add(2, length, length);
    product *= 1 - 1 / (4.0 * static_cast<double>(length));
  }
  EXPECT_GE(bound.missed_at_most(2, 4), product);
  EXPECT_LT(bound.missed_at_most(2, 4), 1);
}

}  // namespace
}  // namespace unravel
