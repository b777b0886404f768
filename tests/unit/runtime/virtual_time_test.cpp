#include "runtime/core/virtual_time.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

constexpr unsigned kMonotonic = 1;
constexpr unsigned kRealtime = 0;
constexpr std::uint64_t kSecond = 1'000'000'000;

std::uint64_t never() { return kNever; }

/// Reads a clock that was read at this moment before.
std::uint64_t read(VirtualTime& time, Thread& thread) {
  return time.read(thread, kMonotonic, never);
}

TEST(VirtualTime, StandsStillUnlessItIsReadOrMoved) {
  const VirtualTime time(500, 9'000);

  EXPECT_EQ(time.now(), 500u);
  EXPECT_EQ(time.now(), 500u);
}

TEST(VirtualTime, MovesByAMicrosecondWhenAClockIsReadAgain) {
  VirtualTime time(0, 0);
  Thread thread;

  EXPECT_EQ(read(time, thread), 0u);
  EXPECT_EQ(read(time, thread), 1'000u);
  EXPECT_EQ(read(time, thread), 2'000u);
}

TEST(VirtualTime, IsTheSameOnClocksThatAreReadOneAfterTheOther) {
  VirtualTime time(0, 0);
  Thread thread;
  for (int i = 0; i < 1'000; ++i) {
    const std::uint64_t monotonic = read(time, thread);
    EXPECT_EQ(time.read(thread, kRealtime, never), monotonic);
  }
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

TEST(VirtualTime, IsNeverTheSameForTwoThreadsThatReadOneClock) {
  VirtualTime time(0, 0);
  Thread one;
  Thread other;

  const std::uint64_t first = read(time, one);

  EXPECT_GT(read(time, other), first);
}

TEST(VirtualTime, GetsThroughTenSecondsInAFewHundredReads) {
  VirtualTime time(0, 0);
  Thread thread;
  int reads = 0;
  while (read(time, thread) < 10 * kSecond) ++reads;

  EXPECT_LT(reads, 400);
}

TEST(VirtualTime, BarelyMovesWhenAHundredThingsAreTimed) {
  VirtualTime time(0, 0);
  Thread thread;
  for (int i = 0; i < 100; ++i) read(time, thread);

  EXPECT_LT(time.now(), 2'000'000u);
}

TEST(VirtualTime, MovesByASecondPerReadAtTheMost) {
  VirtualTime time(0, 0);
  Thread thread;
  for (int i = 0; i < 10'000; ++i) read(time, thread);

  const std::uint64_t before = time.now();

  EXPECT_EQ(read(time, thread) - before, kSecond);
}

TEST(VirtualTime, DoesNotJumpOverADeadline) {
  VirtualTime time(0, 0);
  Thread thread;
  const std::uint64_t due = 7 * kSecond + 123;
  bool met = false;
  while (time.now() < 10 * kSecond) {
    if (time.read(thread, kMonotonic, [&] { return due; }) == due) met = true;
  }

  EXPECT_TRUE(met);
}

TEST(VirtualTime, GetsThroughTenSecondsOfLockingAndLookingInSomeTenThousandReads) {
  VirtualTime time(0, 0);
  Thread thread;
  int reads = 0;
  while (read(time, thread) < 10 * kSecond) {
    thread.clock_reads.in_a_row = 0;  // it did something between
    ++reads;
  }

  EXPECT_LT(reads, 40'000);
}

TEST(VirtualTime, LeavesAThousandLinesWithTheTimeInThemAFewMilliseconds) {
  VirtualTime time(0, 0);
  Thread thread;
  for (int i = 0; i < 1'000; ++i) {
    thread.clock_reads.in_a_row = 0;
    read(time, thread);
  }

  EXPECT_LT(time.now(), 10'000'000u);
}

TEST(VirtualTime, EndsWaitsAfterTheirDeadlinesAndNeverOverflows) {
  const VirtualTime time(0, 0);

  EXPECT_EQ(time.due(1'000), 51'000u);
  EXPECT_EQ(time.due(kNever), kNever);
  EXPECT_EQ(time.due(kNever - 1), kNever - 1);
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

TEST(VirtualTime, MovesInShortStepsWhileAChildRunsAndTheProgramWaitsForRealTime) {
  VirtualTime time(0, 0);
  VirtualTime before(0, 0, wire::TimeModel::kSecond);
  Thread thread;
  Thread other;
  time.keeps_pace();
  before.keeps_pace();

  for (int i = 0; i < 10'000; ++i) read(time, thread), read(before, other);

  EXPECT_GT(time.now(), 9'000u * 10'000);
  EXPECT_LE(time.now(), 10'000u * 10'000);
  EXPECT_GT(before.now(), 1'000 * kSecond) << "as it was recorded";
}

// --- The first model: what was recorded under it shows the same moments ---

TEST(FirstModelOfTime, MovesAtEveryReadAndDoublesUpToAMillisecond) {
  VirtualTime time(0, 0, wire::TimeModel::kFirst);
  Thread thread;

  EXPECT_EQ(read(time, thread), 1'000u);
  EXPECT_EQ(time.read(thread, kRealtime, never), 3'000u);
  EXPECT_EQ(read(time, thread), 7'000u);
  for (int i = 0; i < 100; ++i) read(time, thread);
  const std::uint64_t before = time.now();
  EXPECT_EQ(read(time, thread) - before, 1'024'000u);
}

TEST(FirstModelOfTime, EndsWaitsAtTheirDeadlines) {
  const VirtualTime time(0, 0, wire::TimeModel::kFirst);

  EXPECT_EQ(time.due(1'000), 1'000u);
}

}  // namespace
}  // namespace unravel
