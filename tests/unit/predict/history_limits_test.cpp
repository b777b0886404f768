/// Runs that are too long, and an empty one.
#include "predict/history.hpp"
#include "unit/predict/history_of.hpp"

namespace unravel {
namespace {

TraceBuilder stores_in_turn(std::uint32_t count) {
  TraceBuilder trace;
  for (std::uint32_t i = 0; i < count; ++i) trace.store(1 + i % 2, kVar, 1 + i);
  return trace;
}

TEST(Limits, CutTheRunAndSaySo) {
  TraceBuilder trace = stores_in_turn(40);
  const History history = history_of(trace, 10);

  EXPECT_TRUE(history.is_cut);
  EXPECT_EQ(history.traced, 40u);
  EXPECT_EQ(kept_sites(history), (SiteSet{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(Limits, DoNotCutARunOfExactlyThatLength) {
  TraceBuilder trace = stores_in_turn(10);
  const History history = history_of(trace, 10);

  EXPECT_FALSE(history.is_cut);
  EXPECT_EQ(history.events.size(), 10u);
}

TEST(Limits, CutSectionsThatThenHaveNoEnd) {
  TraceBuilder trace;
  sync(trace, 1, kLock, kLockM, 1);
  trace.store(1, kVar, 2);
  trace.store(2, kVar, 3);
  sync(trace, 1, kUnlock, kLockM, 4);
  const History history = history_of(trace, 3);

  EXPECT_TRUE(history.is_cut);
  ASSERT_EQ(history.sections.size(), 1u);
  EXPECT_EQ(history.sections[0].release, kNoEvent);
}

TEST(Limits, CutARunOfTooManyThreads) {
  TraceBuilder trace = stores_in_turn(4);
  trace.store(HistoryBuilder::kMostThreads, kVar, 5);
  trace.store(1, kVar, 6);
  const History history = history_of(trace);

  EXPECT_TRUE(history.is_cut);
  EXPECT_EQ(kept_sites(history), (SiteSet{1, 2, 3, 4}));
  EXPECT_EQ(history.traced, 6u);
}

TEST(EmptyHistory, IsThatOfAnEmptyTrace) {
  TraceBuilder trace;
  const History history = history_of(trace);

  EXPECT_TRUE(history.events.empty());
  EXPECT_EQ(history.threads(), 0u);
  EXPECT_EQ(history.traced, 0u);
}

}  // namespace
}  // namespace unravel
