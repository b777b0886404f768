#include "run/watchdog.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Watchdog::Time kBegin{seconds(1000)};

TEST(Watchdog, GivesEveryRunItsOwnTime) {
  Watchdog watchdog(seconds(10), kBegin);

  watchdog.observe(0, 5, kBegin + seconds(9));
  watchdog.observe(1, 1, kBegin + seconds(9));

  EXPECT_FALSE(watchdog.expired(kBegin + seconds(11)));
  EXPECT_TRUE(watchdog.expired(kBegin + seconds(19)));
}

TEST(Watchdog, TellsALoopWithoutPointsFromALongRun) {
  Watchdog silent(seconds(10), kBegin), busy(seconds(10), kBegin);

  silent.observe(0, 7, kBegin + seconds(2));
  silent.observe(0, 7, kBegin + seconds(10));
  busy.observe(0, 7, kBegin + seconds(2));
  busy.observe(0, 1234, kBegin + seconds(10));

  EXPECT_EQ(silent.describe(kBegin + seconds(10)), "no scheduling point for 8 s");
  EXPECT_EQ(busy.describe(kBegin + seconds(10)), "still running after 10 s, 1234 steps");
}

TEST(Watchdog, DoesNotCountTimeInWhichTheRunStoodStillForUs) {
  Watchdog watchdog(seconds(10), kBegin);

  watchdog.forgive(seconds(3));

  EXPECT_FALSE(watchdog.expired(kBegin + seconds(12)));
  EXPECT_TRUE(watchdog.expired(kBegin + seconds(13)));
}

TEST(Watchdog, PrintsShortTimesWithAFraction) {
  EXPECT_EQ(describe_seconds(milliseconds(1500)), "1.5 s");
  EXPECT_EQ(describe_seconds(seconds(2)), "2 s");
  EXPECT_EQ(describe_seconds(milliseconds(30'400)), "30 s");
}

}  // namespace
}  // namespace unravel
