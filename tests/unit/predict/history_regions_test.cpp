/// Events of one thread that are meant to be one unit.
#include <optional>

#include "predict/history.hpp"
#include "unit/predict/history_of.hpp"

namespace unravel {
namespace {

/// Thread 2 touches the variable once, so that it is kept.
TraceBuilder with_another_thread() {
  TraceBuilder trace;
  trace.store(2, kVar, 50);
  return trace;
}

std::optional<std::uint32_t> region_at(const History& history, std::uint32_t site) {
  return history.region_of(at(history, site), RegionKind::kSection);
}

TEST(Regions, AreOutermostSections) {
  TraceBuilder trace = with_another_thread();
  trace.store(1, kVar, 1);
  sync(trace, 1, kLock, kLockM, 2);
  trace.store(1, kVar, 3);
  sync(trace, 1, kLock, kLockN, 4);
  trace.store(1, kVar, 5);
  sync(trace, 1, kUnlock, kLockN, 6);
  trace.store(1, kVar, 7);
  sync(trace, 1, kUnlock, kLockM, 8);
  trace.store(1, kVar, 9);
  sync(trace, 1, kLock, kLockM, 10);
  trace.store(1, kVar, 11);
  sync(trace, 1, kUnlock, kLockM, 12);
  const History history = history_of(trace);

  EXPECT_EQ(region_at(history, 1), std::nullopt);
  ASSERT_TRUE(region_at(history, 3));
  EXPECT_EQ(region_at(history, 5), region_at(history, 3));
  EXPECT_EQ(region_at(history, 7), region_at(history, 3));
  EXPECT_EQ(region_at(history, 9), std::nullopt);
  ASSERT_TRUE(region_at(history, 11));
  EXPECT_NE(region_at(history, 11), region_at(history, 3));
  EXPECT_EQ(region_at(history, 50), std::nullopt);
  const Region& first = history.region(*region_at(history, 3));
  EXPECT_EQ(first.thread, 1);
  EXPECT_LE(first.first, at(history, 3));
  EXPECT_GE(first.last, at(history, 7));
}

TEST(Regions, OfOneThreadAreNotThoseOfOthers) {
  TraceBuilder trace;
  sync(trace, 1, kLock, kLockM, 1);
  trace.store(1, kVar, 2);
  trace.store(2, kVar, 3);
  sync(trace, 2, kLock, kLockN, 4);
  trace.store(2, kVar, 5);
  trace.store(1, kVar, 6);
  sync(trace, 1, kUnlock, kLockM, 7);
  trace.store(2, kVar, 8);
  const History history = history_of(trace);

  EXPECT_EQ(region_at(history, 3), std::nullopt);
  ASSERT_TRUE(region_at(history, 2));
  ASSERT_TRUE(region_at(history, 5));
  EXPECT_NE(region_at(history, 2), region_at(history, 5));
  EXPECT_EQ(region_at(history, 2), region_at(history, 6));
  EXPECT_EQ(region_at(history, 5), region_at(history, 8));  // held to the end
}

TEST(Regions, EndWhereThreadsAreOrdered) {
  for (const Operation boundary : {kCreate, kJoin, kSignal, kBroadcast, kFutexWake}) {
    TraceBuilder trace = with_another_thread();
    sync(trace, 1, kLock, kLockM, 1);
    trace.store(1, kVar, 2);
    sync(trace, 1, boundary, wire::acts_on_number(boundary) ? 3 : kThing, 3);
    trace.store(1, kVar, 4);
    trace.store(1, kVar, 5);
    sync(trace, 1, kUnlock, kLockM, 6);
    const History history = history_of(trace);

    ASSERT_TRUE(region_at(history, 2)) << wire::traits(boundary).name;
    ASSERT_TRUE(region_at(history, 4)) << wire::traits(boundary).name;
    EXPECT_NE(region_at(history, 2), region_at(history, 4)) << wire::traits(boundary).name;
    EXPECT_EQ(region_at(history, 4), region_at(history, 5)) << wire::traits(boundary).name;
  }
}

TEST(Regions, EndWithAWait) {
  TraceBuilder trace = with_another_thread();
  sync(trace, 1, kLock, kLockM, 1);
  trace.store(1, kVar, 2);
  sync(trace, 1, kGiveUp, kLockM, 3);
  sync(trace, 1, kWait, kThing, 4);
  sync(trace, 1, kLock, kLockM, 5);
  trace.store(1, kVar, 6);
  sync(trace, 1, kUnlock, kLockM, 7);
  const History history = history_of(trace);

  ASSERT_TRUE(region_at(history, 2));
  ASSERT_TRUE(region_at(history, 6));
  EXPECT_NE(region_at(history, 2), region_at(history, 6));
  EXPECT_EQ(region_at(history, 4), std::nullopt);
}

TEST(Regions, EndWithAWaitEvenIfAnotherLockIsHeld) {
  TraceBuilder trace = with_another_thread();
  sync(trace, 1, kLock, kLockN, 1);
  sync(trace, 1, kLock, kLockM, 2);
  trace.store(1, kVar, 3);
  sync(trace, 1, kGiveUp, kLockM, 4);
  sync(trace, 1, kWait, kThing, 5);
  sync(trace, 1, kLock, kLockM, 6);
  trace.store(1, kVar, 7);
  sync(trace, 1, kUnlock, kLockM, 8);
  sync(trace, 1, kUnlock, kLockN, 9);
  const History history = history_of(trace);

  ASSERT_TRUE(region_at(history, 3));
  ASSERT_TRUE(region_at(history, 7));
  EXPECT_NE(region_at(history, 3), region_at(history, 7));
}

TEST(Regions, KeepTheirEventsWhenOthersAreDropped) {
  TraceBuilder trace = with_another_thread();
  trace.store(1, kVar + 4, 1);  // private
  sync(trace, 1, kLock, kLockM, 2);
  trace.store(1, kVar, 3);
  sync(trace, 1, kSignal, kThing, 4);
  trace.store(1, kVar + 4, 5);
  trace.store(1, kVar, 6);
  for (int i = 0; i < 10; ++i) trace.load(1, kVar, 7);
  trace.store(1, kVar + 4, 8);
  sync(trace, 1, kUnlock, kLockM, 9);
  trace.store(1, kVar, 10);
  const History history = history_of(trace);

  ASSERT_TRUE(region_at(history, 3));
  ASSERT_TRUE(region_at(history, 6));
  EXPECT_NE(region_at(history, 3), region_at(history, 6));
  for (const EventIndex event : all_at(history, 7)) {
    EXPECT_EQ(history.region_of(event, RegionKind::kSection), region_at(history, 6));
  }
  EXPECT_EQ(region_at(history, 10), std::nullopt);
}

}  // namespace
}  // namespace unravel
