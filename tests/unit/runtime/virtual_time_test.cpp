#include "runtime/core/virtual_time.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(VirtualTime, StandsStillUnlessItIsReadOrMoved) {
  const VirtualTime time(500, 9'000);

  EXPECT_EQ(time.now(), 500u);
  EXPECT_EQ(time.now(), 500u);
}

TEST(VirtualTime, MovesByAMicrosecondWhenReadAndDoublesWhileNothingElseIsDone) {
  VirtualTime time(0, 0);
  Thread thread;

  EXPECT_EQ(time.read(thread), 1'000u);
  EXPECT_EQ(time.read(thread), 3'000u);
  EXPECT_EQ(time.read(thread), 7'000u);

  thread.clock_reads = 0;  // it reached a point
  EXPECT_EQ(time.read(thread), 8'000u);
}

// On a machine whose date was never set.
TEST(VirtualTime, MayBeAheadOfTheDate) {
  const VirtualTime time(/*monotonic=*/9'000, /*realtime=*/500);

  EXPECT_EQ(time.to_realtime(9'000), 500u);
  EXPECT_EQ(time.to_realtime(10'000), 1'500u);
  EXPECT_EQ(time.from_realtime(500), 9'000u);
  EXPECT_EQ(time.from_realtime(1'500), 10'000u);
  EXPECT_EQ(time.from_realtime(~std::uint64_t{0}), kNever - 1) << "later than can be told";
}

TEST(VirtualTime, OfAnyScheduleTellsBothClocks) {
  for (const std::uint64_t monotonic : {std::uint64_t{0}, std::uint64_t{1}, wire::kMostTime}) {
    for (const std::uint64_t realtime : {std::uint64_t{0}, std::uint64_t{1}, wire::kMostTime}) {
      const VirtualTime time(monotonic, realtime);
      EXPECT_EQ(time.to_realtime(monotonic), realtime);
      EXPECT_EQ(time.from_realtime(realtime + 1), monotonic + 1);
    }
  }
}

TEST(VirtualTime, DoublesForEachThreadByItself) {
  VirtualTime time(0, 0);
  Thread one;
  Thread other;

  time.read(one);
  time.read(one);

  EXPECT_EQ(time.read(other), 4'000u);
}

TEST(VirtualTime, MovesByAboutAMillisecondPerReadAtTheMost) {
  VirtualTime time(0, 0);
  Thread thread;
  for (int i = 0; i < 100; ++i) time.read(thread);

  const std::uint64_t before = time.now();
  const std::uint64_t after = time.read(thread);

  EXPECT_EQ(after - before, 1'024'000u);
}

TEST(VirtualTime, GetsThroughABusyWaitOfFiveMillisecondsInAFewReads) {
  VirtualTime time(0, 0);
  Thread thread;
  int reads = 0;

  while (time.now() < 5'000'000) {
    time.read(thread);
    ++reads;
  }

  EXPECT_LT(reads, 20);
}

TEST(VirtualTime, NeverGoesBack) {
  VirtualTime time(1'000, 1'000);

  time.advance_to(700);
  EXPECT_EQ(time.now(), 1'000u);
  time.advance_to(1'500);
  EXPECT_EQ(time.now(), 1'500u);
}

TEST(VirtualTime, TranslatesBetweenItsTwoClocks) {
  const VirtualTime time(1'000, 1'700'000'000'000'000'000);

  EXPECT_EQ(time.to_realtime(1'000), 1'700'000'000'000'000'000u);
  EXPECT_EQ(time.from_realtime(time.to_realtime(4'242)), 4'242u);
}

TEST(VirtualTime, TakesAMomentBeforeTheStartOfTheMachineForItsStart) {
  const VirtualTime time(1'000, 1'700'000'000'000'000'000);

  EXPECT_EQ(time.from_realtime(5), 0u);
}

}  // namespace
}  // namespace unravel
