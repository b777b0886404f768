#include "run/late_deadlines.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kNow = 7'000 * kMillisecond;

wire::ThreadRecord waiting_until(std::uint32_t ordinal, std::uint64_t deadline) {
  wire::ThreadRecord thread;
  thread.thread.ordinal = ordinal;
  thread.state = wire::ThreadState::kBlocked;
  thread.deadline = deadline;
  return thread;
}

/// A run that is looked at every 20 ms of its processor time.
class Watched {
 public:
  /// T1 passes a point, and then computes for so long.
  void compute(milliseconds time) {
    ++slot.steps;
    for (milliseconds passed{0}; passed <= time + 2 * kScan; passed += kScan, used += kScan) {
      if (late.observe(run, slot)) late.computes(1, used, [this] { return threads; });
    }
  }

  static constexpr milliseconds kScan{20};

  LateDeadlines late;
  std::uint32_t run = 0;
  wire::RunSlot slot{.time = kNow};
  milliseconds used{300};
  std::vector<wire::ThreadRecord> threads;
};

TEST(LateDeadlines, AreThoseOfWaitsThatEndWhileAThreadComputes) {
  Watched watched;
  watched.threads = {waiting_until(0, kNow + 5 * kMillisecond)};

  watched.compute(milliseconds(1500));

  const auto late = watched.late.of_run(0);
  ASSERT_TRUE(late);
  EXPECT_EQ(late->computing_thread, 1u);
  EXPECT_EQ(late->waiting_thread, 0u);
  EXPECT_GE(late->computed, milliseconds(1480));
  EXPECT_LE(late->computed, milliseconds(1520));
  EXPECT_EQ(late->left, milliseconds(5));
}

TEST(LateDeadlines, NeedASecondOfProcessorTimeBetweenTwoPoints) {
  Watched watched;
  watched.threads = {waiting_until(0, kNow + 5 * kMillisecond)};

  for (int points = 0; points < 4; ++points) watched.compute(milliseconds(900));

  EXPECT_FALSE(watched.late.of_run(0));
}

TEST(LateDeadlines, NeedAWaitThatIsMuchShorterThanTheComputation) {
  Watched watched;
  watched.threads = {waiting_until(0, kNow + 200 * kMillisecond)};

  watched.compute(milliseconds(1500));
  EXPECT_FALSE(watched.late.of_run(0));

  watched.compute(milliseconds(2500));
  EXPECT_TRUE(watched.late.of_run(0));
}

TEST(LateDeadlines, AreMeasuredFromTheTimeAtWhichTheThreadBeganToCompute) {
  Watched watched;
  watched.threads = {waiting_until(0, kNow + 5'000 * kMillisecond)};
  watched.slot.time = kNow + 4'990 * kMillisecond;

  watched.compute(milliseconds(1500));

  ASSERT_TRUE(watched.late.of_run(0));
  EXPECT_EQ(watched.late.of_run(0)->left, milliseconds(10));
}

TEST(LateDeadlines, AreOnlyThoseOfOtherThreadsThatWait) {
  Watched watched;
  wire::ThreadRecord runnable = waiting_until(2, kNow);
  runnable.state = wire::ThreadState::kRunnable;
  watched.threads = {waiting_until(0, wire::kNoDeadline), waiting_until(1, kNow), runnable};

  watched.compute(milliseconds(1500));

  EXPECT_FALSE(watched.late.of_run(0));
}

TEST(LateDeadlines, NameTheWaitThatEndsFirst) {
  Watched watched;
  watched.threads = {waiting_until(0, kNow + 90 * kMillisecond), waiting_until(2, kNow - 1),
                     waiting_until(3, kNow + 8 * kMillisecond)};

  watched.compute(milliseconds(1500));

  ASSERT_TRUE(watched.late.of_run(0));
  EXPECT_EQ(watched.late.of_run(0)->waiting_thread, 2u);
  EXPECT_EQ(watched.late.of_run(0)->left.count(), 0);
}

TEST(LateDeadlines, StayWithTheirRun) {
  Watched watched;
  watched.threads = {waiting_until(0, kNow)};
  watched.compute(milliseconds(1500));
  EXPECT_FALSE(watched.late.of_run(1)) << "it ended before it was looked at";

  watched.compute(milliseconds(100));
  EXPECT_TRUE(watched.late.of_run(0)) << "later points do not take it away";

  watched.run = 1;
  watched.compute(milliseconds(100));
  EXPECT_FALSE(watched.late.of_run(1));
}

TEST(LateDeadlines, AreTheirOwnThreadsTimeOnly) {
  Watched watched;
  watched.threads = {waiting_until(0, kNow)};
  // The turn was passed on at a point that was seen late.
  ASSERT_FALSE(watched.late.observe(0, watched.slot));
  ASSERT_TRUE(watched.late.observe(0, watched.slot));
  watched.late.computes(1, milliseconds(100), [&] { return watched.threads; });
  watched.late.computes(2, milliseconds(5000), [&] { return watched.threads; });

  EXPECT_FALSE(watched.late.of_run(0));
}

TEST(LateDeadlines, AreDescribedInOneSentence) {
  LateDeadline late{.computing_thread = 2,
                    .computed = milliseconds(12'000),
                    .waiting_thread = 1,
                    .left = std::chrono::microseconds(250)};
  EXPECT_EQ(describe(late),
            "T2 computed for 12 s without a synchronisation operation while T1 waited for at most "
            "0.2 ms");
  late.left = milliseconds(1200);
  EXPECT_TRUE(describe(late).ends_with("at most 1.2 s"));
}

}  // namespace
}  // namespace unravel
