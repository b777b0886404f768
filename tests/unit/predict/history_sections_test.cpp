/// Critical sections, and loops that wait.
#include "predict/history.hpp"
#include "unit/predict/history_of.hpp"

namespace unravel {
namespace {

// --- Locks ---------------------------------------------------------------------------------------

TEST(Sections, GoFromAnAcquireToItsRelease) {
  for (const auto& [lock, unlock, mode] : {std::tuple{kLock, kUnlock, LockMode::kWrite},
                                           {kTryLock, kUnlock, LockMode::kWrite},
                                           {kSpinLock, kSpinUnlock, LockMode::kWrite},
                                           {kReadLock, kReadWriteUnlock, LockMode::kRead},
                                           {kWriteLock, kReadWriteUnlock, LockMode::kWrite}}) {
    TraceBuilder trace;
    trace.store(2, kVar, 9);
    sync(trace, 1, lock, kLockM, 1);
    trace.store(1, kVar, 2);
    sync(trace, 1, unlock, kLockM, 3);
    trace.store(1, kVar, 4);
    const History history = history_of(trace);

    ASSERT_EQ(history.sections.size(), 1u) << wire::traits(lock).name;
    const Section& section = history.sections[0];
    EXPECT_EQ(section.acquire, at(history, 1));
    EXPECT_EQ(section.release, at(history, 3));
    EXPECT_EQ(section.thread, 1);
    EXPECT_EQ(section.mode, mode);
    EXPECT_EQ(history.objects[section.lock].address, kLockM);
    EXPECT_EQ(kept_at(history, 1).source, 0u);
    EXPECT_EQ(kept_at(history, 3).source, 0u);
    EXPECT_EQ(history.section_around(at(history, 2), section.lock), &section);
    EXPECT_EQ(history.section_around(at(history, 4), section.lock), nullptr);
    EXPECT_EQ(history.locksets.size_of(kept_at(history, 2).lockset), 1u);
    EXPECT_EQ(history.locksets.size_of(kept_at(history, 4).lockset), 0u);
    // The lockset of an acquire or a release is without its own lock.
    EXPECT_EQ(history.locksets.size_of(kept_at(history, 1).lockset), 0u);
    EXPECT_EQ(history.locksets.size_of(kept_at(history, 3).lockset), 0u);
  }
}

TEST(Sections, AroundAnEventComeOutermostFirst) {
  TraceBuilder trace;
  trace.store(2, kVar, 9);
  sync(trace, 1, kLock, kLockM, 1);
  sync(trace, 1, kLock, kLockN, 2);
  trace.store(1, kVar, 3);
  sync(trace, 1, kUnlock, kLockM, 4);  // crossed, not nested
  trace.store(1, kVar, 5);
  sync(trace, 1, kUnlock, kLockN, 6);
  const History history = history_of(trace);

  EXPECT_EQ(history.sections_around(at(history, 3)), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(history.sections_around(at(history, 5)), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(history.sections_around(at(history, 9)), (std::vector<std::uint32_t>{}));
  EXPECT_EQ(history.sections_around(at(history, 4)), (std::vector<std::uint32_t>{0, 1}));
}

TEST(Sections, OfALockComeInTheOrderOfTheirAcquires) {
  TraceBuilder trace;
  for (const std::uint32_t thread : {1u, 2u, 1u}) {
    sync(trace, thread, kLock, kLockM, 1);
    sync(trace, thread, kLock, kLockN, 2);
    sync(trace, thread, kUnlock, kLockN, 3);
    sync(trace, thread, kUnlock, kLockM, 4);
  }
  const History history = history_of(trace);

  const auto sections = history.sections_of(history.sections[0].lock);
  EXPECT_EQ(std::vector<std::uint32_t>(sections.begin(), sections.end()),
            (std::vector<std::uint32_t>{0, 2, 4}));
}

TEST(Sections, OfARecursiveLockCountOnce) {
  TraceBuilder trace;
  trace.store(2, kVar, 9);
  sync(trace, 1, kLock, kLockM, 1);
  sync(trace, 1, kLock, kLockM, 2);
  trace.store(1, kVar, 3);
  sync(trace, 1, kUnlock, kLockM, 4);
  trace.store(1, kVar, 5);
  sync(trace, 1, kUnlock, kLockM, 6);
  const History history = history_of(trace);

  ASSERT_EQ(history.sections.size(), 1u);
  EXPECT_EQ(history.sections[0].acquire, at(history, 1));
  EXPECT_EQ(history.sections[0].release, at(history, 6));
  EXPECT_EQ(kept_sites(history), (SiteSet{1, 3, 5, 6, 9}));
  EXPECT_EQ(kept_at(history, 3).lockset, kept_at(history, 5).lockset);
  EXPECT_EQ(history.locksets.size_of(kept_at(history, 5).lockset), 1u);
}

TEST(Sections, EndWithAWaitAndBeginAgainWithTheLockAfterIt) {
  TraceBuilder trace;
  sync(trace, 1, kLock, kLockM, 1);
  sync(trace, 1, kGiveUp, kLockM, 2);
  sync(trace, 1, kWait, kThing, 3);
  sync(trace, 2, kLock, kLockM, 4);
  sync(trace, 2, kWoke, kThing, 5, 1);
  sync(trace, 2, kSignal, kThing, 6);
  sync(trace, 2, kUnlock, kLockM, 7);
  sync(trace, 1, kLock, kLockM, 8);
  sync(trace, 1, kUnlock, kLockM, 9);
  const History history = history_of(trace);

  ASSERT_EQ(history.sections.size(), 3u);
  EXPECT_EQ(history.sections[0].acquire, at(history, 1));
  EXPECT_EQ(history.sections[0].release, at(history, 2));
  EXPECT_EQ(history.sections[1].acquire, at(history, 4));
  EXPECT_EQ(history.sections[1].release, at(history, 7));
  EXPECT_EQ(history.sections[2].acquire, at(history, 8));
  EXPECT_EQ(history.sections[2].release, at(history, 9));
  EXPECT_EQ(kept_at(history, 2).role, Role::kRelease);
}

TEST(Sections, OfARecursiveLockAreTakenAsOftenAfterAWait) {
  TraceBuilder trace;
  sync(trace, 1, kLock, kLockM, 1);
  sync(trace, 1, kLock, kLockM, 2);
  sync(trace, 1, kGiveUp, kLockM, 3);
  sync(trace, 1, kWait, kThing, 4);
  sync(trace, 1, kLock, kLockM, 5);
  sync(trace, 1, kUnlock, kLockM, 6);
  sync(trace, 1, kUnlock, kLockM, 7);
  const History history = history_of(trace);

  ASSERT_EQ(history.sections.size(), 2u);
  EXPECT_EQ(history.sections[0].release, at(history, 3));
  EXPECT_EQ(history.sections[1].acquire, at(history, 5));
  EXPECT_EQ(history.sections[1].release, at(history, 7));
}

TEST(Sections, MayBeHeldToTheEnd) {
  TraceBuilder trace;
  trace.store(2, kVar, 9);
  sync(trace, 1, kLock, kLockM, 1);
  trace.store(1, kVar, 2);
  const History history = history_of(trace);

  ASSERT_EQ(history.sections.size(), 1u);
  EXPECT_EQ(history.sections[0].release, kNoEvent);
  EXPECT_EQ(history.section_around(at(history, 2), history.sections[0].lock), &history.sections[0]);
}

TEST(Sections, ThatBeganBeforeTheTraceAreNone) {
  TraceBuilder trace;
  trace.store(2, kVar, 9);
  trace.store(1, kVar, 1);
  sync(trace, 1, kUnlock, kLockM, 2);
  trace.store(1, kVar, 3);
  const History history = history_of(trace);

  EXPECT_TRUE(history.sections.empty());
  EXPECT_EQ(kept_at(history, 2).source, kNoEvent);
}

TEST(Sections, AreNotBegunByAnAttemptThatFails) {
  for (const Operation attempt : {kTryLock, kLock}) {  // a timed lock fails, too
    TraceBuilder trace;
    trace.store(1, kVar, 9);
    sync(trace, 1, kLock, kLockM, 1);
    trace.add(2, attempt, kLockM).site = 2;
    trace.events.back().result = EventResult::kFailed;
    trace.store(2, kVar, 3);
    sync(trace, 1, kUnlock, kLockM, 4);
    const History history = history_of(trace);

    EXPECT_EQ(history.sections.size(), 1u);
    EXPECT_EQ(kept_at(history, 2).role, Role::kOther);
    EXPECT_EQ(kept_at(history, 3).lockset, Locksets::kEmpty);
    // In this run it came between the acquire of the other thread and its release. That may be
    // otherwise.
    EXPECT_EQ(history.usual, (std::vector<OrderEdge>{{at(history, 1), at(history, 2)},
                                                     {at(history, 2), at(history, 4)}}));
    EXPECT_TRUE(history.must.empty());
    EXPECT_FALSE(history.is_before(at(history, 1), at(history, 2)));
  }
}

// --- Loops that wait -----------------------------------------------------------------------------

TEST(SpinLoop, KeepsItsFirstAndItsLastRounds) {
  TraceBuilder trace;
  constexpr int kRounds = 100'000;
  trace.store(1, kVar, 1);
  for (int i = 0; i < kRounds; ++i) {
    trace.atomic(2, kAtomicLoad, kFlagVar, MemoryOrder::kAcquire, 2);
    trace.add(2, kBackEdge);
  }
  trace.atomic(1, kAtomicStore, kFlagVar, MemoryOrder::kRelease, 3);
  trace.atomic(2, kAtomicLoad, kFlagVar, MemoryOrder::kAcquire, 2);
  trace.load(2, kVar, 4);
  const History history = history_of(trace);

  const std::vector<EventIndex> rounds = all_at(history, 2);
  EXPECT_GE(rounds.size(), 2u);
  EXPECT_LE(rounds.size(), 3u);
  EXPECT_EQ(history.events[rounds.front()].clock(), (wire::Clock{0, 1}));
  EXPECT_EQ(history.events[rounds.back()].clock(), (wire::Clock{0, 2 * kRounds + 1}));
  EXPECT_EQ(history.traced, trace.events.size());
}

TEST(SpinLoop, IsOrderedAfterTheWriteThatEndsItIfSpinsCount) {
  TraceBuilder trace;
  trace.store(1, kVar, 1);
  for (int i = 0; i < 100; ++i) {
    trace.load(2, kFlagVar, 2);
    trace.add(2, kYield);
  }
  trace.store(1, kFlagVar, 3);
  trace.load(2, kFlagVar, 2);
  trace.load(2, kVar, 4);
  const History history = history_of(trace);

  const EventIndex last = all_at(history, 2).back();
  EXPECT_EQ(history.spins, (std::vector<OrderEdge>{{at(history, 3), last}}));
  EXPECT_TRUE(history.is_before(at(history, 1), at(history, 4), true));
  EXPECT_FALSE(history.is_before(at(history, 1), at(history, 4)));
  EXPECT_FALSE(history.is_before(at(history, 4), at(history, 1), true));
}

TEST(SpinLoop, MayReadSeveralVariablesInEachRound) {
  TraceBuilder trace;
  trace.store(1, kVar, 1);
  for (int i = 0; i < 1000; ++i) {
    trace.load(2, kVar, 2);
    trace.load(2, kFlagVar, 3);
  }
  trace.store(1, kFlagVar, 4);
  trace.load(2, kVar, 2);
  trace.load(2, kFlagVar, 3);
  const History history = history_of(trace);

  EXPECT_LE(all_at(history, 2).size() + all_at(history, 3).size(), 6u);
  EXPECT_EQ(history.spins, (std::vector<OrderEdge>{{at(history, 4), all_at(history, 3).back()}}));
}

TEST(SpinLoop, IsNoLoopThatReadsOtherVariables) {
  TraceBuilder trace;
  constexpr std::uint32_t kCount = 50;
  for (std::uint32_t i = 0; i < kCount; ++i) trace.store(1, kVar + 8 * i, 1);
  for (std::uint32_t i = 0; i < kCount; ++i) trace.load(2, kVar + 8 * i, 2);
  const History history = history_of(trace);

  EXPECT_EQ(all_at(history, 2).size(), kCount);
  EXPECT_TRUE(history.spins.empty());
}

TEST(SpinLoop, IsNoLoopThatDoesSomethingInEachRound) {
  TraceBuilder trace;
  trace.store(1, kVar, 1);
  for (int i = 0; i < 50; ++i) {
    trace.load(2, kVar, 2);
    trace.store(2, kFlagVar, 3);
  }
  trace.load(1, kFlagVar, 4);
  const History history = history_of(trace);

  EXPECT_EQ(all_at(history, 2).size(), 50u);
  EXPECT_TRUE(history.spins.empty());
}

TEST(SpinLoop, IsNoLoopThatSeesAnotherWriteInEachRound) {
  TraceBuilder trace;
  for (int i = 0; i < 50; ++i) {
    trace.store(1, kVar, 1);
    trace.load(2, kVar, 2);
  }
  const History history = history_of(trace);

  EXPECT_EQ(all_at(history, 2).size(), 50u);
  EXPECT_TRUE(history.spins.empty());
}

}  // namespace
}  // namespace unravel
