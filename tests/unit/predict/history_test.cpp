/// What is kept of a run, and what is known about it. Sites tell events apart.
#include "predict/history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "predict/history_builder.hpp"
#include "unit/predict/trace_builder.hpp"

namespace unravel {
namespace {

using enum wire::Operation;

constexpr std::uint64_t kVar = 0x1000;  // each has a granule of its own
constexpr std::uint64_t kNextVar = 0x1008;
constexpr std::uint64_t kFlagVar = 0x1800;
constexpr std::uint64_t kBlock = 0x4000;
constexpr std::uint64_t kLockM = 0x3000;
constexpr std::uint64_t kLockN = 0x3040;
constexpr std::uint64_t kThing = 0x3100;  // a condition, a semaphore, a barrier, ...

History history_of(TraceBuilder& trace, std::size_t most = HistoryBuilder::kMostEvents) {
  set_clocks(trace.events);
  SharedMemory shared;
  shared.take(trace.events);
  HistoryBuilder builder(shared, most);
  builder.take(trace.events);
  return builder.finish(std::vector<wire::Site>(64));
}

/// A synchronisation operation with a site.
void sync(TraceBuilder& trace, std::uint32_t thread, Operation operation, std::uint64_t object,
          std::uint32_t site, std::uint64_t value = 0) {
  trace.add(thread, operation, object, value).site = site;
}

std::vector<EventIndex> all_at(const History& history, std::uint32_t site) {
  std::vector<EventIndex> events;
  for (EventIndex i = 0; i < history.events.size(); ++i) {
    if (history.events[i].site == site) events.push_back(i);
  }
  return events;
}

EventIndex at(const History& history, std::uint32_t site) {
  const std::vector<EventIndex> events = all_at(history, site);
  EXPECT_EQ(events.size(), 1u) << "events of site " << site;
  return events.empty() ? 0 : events.front();
}

const KeptEvent& kept_at(const History& history, std::uint32_t site) {
  static const KeptEvent kNone;
  const EventIndex event = at(history, site);
  return event < history.events.size() ? history.events[event] : kNone;
}

std::uint32_t object_at(const History& history, std::uint32_t site) {
  return kept_at(history, site).object;
}

std::set<std::uint32_t> kept_sites(const History& history) {
  std::set<std::uint32_t> sites;
  for (const KeptEvent& event : history.events) sites.insert(event.site);
  return sites;
}

using SiteSet = std::set<std::uint32_t>;

// --- Memory --------------------------------------------------------------------------------------

TEST(KeptMemory, IsThatOfSeveralThreads) {
  TraceBuilder trace;
  trace.store(1, kVar, 1);
  trace.load(1, kVar, 2);
  trace.store(1, kNextVar, 3);
  trace.load(2, kNextVar, 4);
  trace.store(2, kFlagVar, 5);
  const History history = history_of(trace);

  EXPECT_EQ(kept_sites(history), (SiteSet{3, 4}));
  EXPECT_EQ(history.traced, 5u);
  EXPECT_FALSE(history.is_cut);
}

TEST(KeptMemory, IsKeptFromItsFirstAccessOnHoweverLateAnotherThreadComes) {
  TraceBuilder trace;
  trace.store(1, kVar, 1);
  trace.store(1, kNextVar, 2);
  trace.store(1, kVar, 3);
  trace.load(2, kVar, 4);

  EXPECT_EQ(kept_sites(history_of(trace)), (SiteSet{1, 3, 4}));
}

TEST(KeptMemory, IsWrittenBySomebody) {
  TraceBuilder trace;
  trace.load(1, kVar, 1);
  trace.load(2, kVar, 2);

  EXPECT_TRUE(history_of(trace).events.empty());
}

TEST(KeptMemory, KeepsWhatAnEventWas) {
  TraceBuilder trace;
  trace.store(1, kVar, 1);
  trace.add(2, kLock, kLockM).site = 2;
  trace.atomic(2, kAtomicUpdate, kVar, MemoryOrder::kRelaxed, 3);
  trace.atomic(2, kAtomicUpdate, kVar, MemoryOrder::kRelaxed, 4).result = EventResult::kFailed;
  const History history = history_of(trace);

  EXPECT_EQ(kept_at(history, 1).role, Role::kWrite);
  EXPECT_FALSE(kept_at(history, 1).is_atomic);
  EXPECT_EQ(kept_at(history, 1).clock(), (wire::Clock{0, 1}));
  EXPECT_EQ(kept_at(history, 2).role, Role::kAcquire);
  EXPECT_EQ(kept_at(history, 2).clock(), (wire::Clock{1, 0}));
  EXPECT_EQ(kept_at(history, 3).role, Role::kUpdate);
  EXPECT_TRUE(kept_at(history, 3).is_atomic);
  EXPECT_EQ(kept_at(history, 3).clock(), (wire::Clock{1, 1}));
  EXPECT_EQ(kept_at(history, 3).thread, 2);
  EXPECT_EQ(kept_at(history, 4).role, Role::kRead);  // it found another value, and only read
}

TEST(KeptMemory, OfOneGranuleMayBeTwoVariables) {
  TraceBuilder trace;
  trace.store(1, kVar, 1, 4);
  trace.store(1, kVar + 4, 2, 4);
  trace.load(2, kVar, 3, 4);
  trace.load(2, kVar + 4, 4, 4);
  const History history = history_of(trace);

  EXPECT_EQ(object_at(history, 1), object_at(history, 3));
  EXPECT_EQ(object_at(history, 2), object_at(history, 4));
  EXPECT_NE(object_at(history, 1), object_at(history, 2));
  EXPECT_EQ(history.objects[object_at(history, 1)].address, kVar);
  EXPECT_EQ(history.objects[object_at(history, 2)].address, kVar + 4);
  EXPECT_TRUE(history.objects[object_at(history, 1)].is_variable);
  EXPECT_EQ(kept_at(history, 3).source, at(history, 1));
  EXPECT_EQ(kept_at(history, 4).source, at(history, 2));
}

TEST(KeptMemory, OfOneThreadIsNotKeptBesideThatOfSeveral) {
  TraceBuilder trace;
  trace.store(1, kVar, 1, 4);
  trace.store(1, kVar + 4, 2, 4);
  trace.load(2, kVar, 3, 4);
  trace.load(1, kVar + 4, 4, 4);

  EXPECT_EQ(kept_sites(history_of(trace)), (SiteSet{1, 3}));
}

TEST(KeptMemory, ThatAccessesOverlapInIsOneVariable) {
  TraceBuilder trace;
  trace.store(1, kVar, 1, 8);
  trace.load(2, kVar + 4, 2, 4);
  trace.store(1, kNextVar, 3, 4);
  trace.store(2, kNextVar + 2, 4, 4);
  trace.load(1, kNextVar + 4, 5, 4);
  const History history = history_of(trace);

  EXPECT_EQ(object_at(history, 1), object_at(history, 2));
  EXPECT_EQ(kept_at(history, 1).bytes, 0xFF);
  EXPECT_EQ(kept_at(history, 2).bytes, 0xF0);
  EXPECT_EQ(object_at(history, 3), object_at(history, 4));
  EXPECT_EQ(object_at(history, 4), object_at(history, 5));
  EXPECT_NE(object_at(history, 1), object_at(history, 3));
}

TEST(KeptMemory, IsOneVariableEvenIfTheWideAccessComesLast) {
  TraceBuilder trace;
  trace.store(1, kVar, 1, 4);
  trace.store(2, kVar + 4, 2, 4);
  trace.load(1, kVar, 3, 8);
  const History history = history_of(trace);

  EXPECT_EQ(object_at(history, 1), object_at(history, 3));
  EXPECT_EQ(object_at(history, 2), object_at(history, 3));
}

TEST(KeptMemory, OfAWideAccessIsAnEventForEachGranule) {
  TraceBuilder trace;
  trace.store(1, kVar + 4, 1, 12);
  trace.load(2, kVar + 4, 2, 4);
  trace.load(2, kNextVar, 3, 8);
  const History history = history_of(trace);

  const std::vector<EventIndex> pieces = all_at(history, 1);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(kept_at(history, 2).source, pieces[0]);
  EXPECT_EQ(kept_at(history, 3).source, pieces[1]);
  EXPECT_EQ(history.events[pieces[0]].clock(), history.events[pieces[1]].clock());
}

TEST(KeptMemory, IsNotThatOfAnAccessToNoBytes) {
  TraceBuilder trace;
  trace.store(1, kVar, 1, 0);
  trace.store(2, kVar, 2, 8);

  EXPECT_TRUE(history_of(trace).events.empty());
}

TEST(KeptMemory, OfAnAccessWithAnAbsurdSizeGoesBeyondItsFirstGranule) {
  // As memset() with a negative size does, before the program crashes.
  TraceBuilder trace;
  trace.load(2, kNextVar, 1, 8);
  trace.store(1, kVar + 1, 2, ~std::uint64_t{0});

  EXPECT_EQ(kept_sites(history_of(trace)), (SiteSet{1, 2}));
}

TEST(KeptMemory, ThatIsAllocatedAgainIsAnotherVariable) {
  TraceBuilder trace;
  trace.memory(1, kAllocate, kBlock, 16);
  trace.store(1, kBlock, 1);
  trace.load(2, kBlock, 2);
  trace.memory(2, kFree, kBlock, 0, 3);
  trace.memory(1, kAllocate, kBlock, 16);
  trace.load(1, kBlock, 4);
  trace.store(1, kBlock, 5);
  trace.load(2, kBlock, 6);
  const History history = history_of(trace);

  EXPECT_EQ(object_at(history, 1), object_at(history, 3));
  EXPECT_NE(object_at(history, 1), object_at(history, 5));
  EXPECT_EQ(object_at(history, 4), object_at(history, 5));
  EXPECT_EQ(kept_at(history, 4).source, kNoEvent);
  EXPECT_EQ(kept_at(history, 6).source, at(history, 5));
}

TEST(KeptMemory, OfANewStackIsAnotherVariable) {
  TraceBuilder trace;
  trace.store(1, kVar, 1);
  trace.memory(2, kFresh, kVar, 64);
  trace.store(2, kVar, 2);

  EXPECT_TRUE(history_of(trace).events.empty());
}

TEST(KeptMemory, IsWrittenByAFreeOfAnotherThread) {
  TraceBuilder trace;
  trace.memory(1, kAllocated, kBlock, 32);
  trace.load(1, kBlock, 1);
  trace.load(1, kBlock + 16, 2);
  trace.memory(2, kFree, kBlock, 0, 3);
  const History history = history_of(trace);

  // One write for each variable that the other thread accessed.
  const std::vector<EventIndex> writes = all_at(history, 3);
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(history.events[writes[0]].object, object_at(history, 1));
  EXPECT_EQ(history.events[writes[1]].object, object_at(history, 2));
  for (const EventIndex event : writes) {
    EXPECT_EQ(history.events[event].role, Role::kWrite);
    EXPECT_EQ(history.events[event].operation, kFree);
  }
}

TEST(KeptMemory, IsNotThatOfAFreeOfTheOnlyThread) {
  TraceBuilder trace;
  trace.memory(1, kAllocate, kBlock, 16);
  trace.store(1, kBlock, 1);
  trace.memory(1, kFree, kBlock, 0, 2);
  trace.store(2, kVar, 3);

  EXPECT_TRUE(history_of(trace).events.empty());
}

TEST(KeptMemory, IsListedByVariable) {
  TraceBuilder trace;
  trace.store(1, kVar, 1);
  trace.store(2, kNextVar, 2);
  trace.load(2, kVar, 3);
  trace.load(1, kNextVar, 4);
  trace.store(2, kVar, 5);
  const History history = history_of(trace);

  const auto accesses = history.accesses_to(object_at(history, 1));
  EXPECT_EQ(std::vector<EventIndex>(accesses.begin(), accesses.end()),
            (std::vector<EventIndex>{at(history, 1), at(history, 3), at(history, 5)}));
}

// --- Which write a read sees ---------------------------------------------------------------------

TEST(Sources, AreTheLastWritesBeforeReads) {
  TraceBuilder trace;
  trace.load(1, kVar, 1);
  trace.store(1, kVar, 2);
  trace.load(1, kVar, 3);
  trace.store(2, kVar, 4);
  trace.load(1, kVar, 5);
  trace.load(2, kVar, 6);
  const History history = history_of(trace);

  EXPECT_EQ(kept_at(history, 1).source, kNoEvent);
  EXPECT_EQ(kept_at(history, 3).source, at(history, 2));
  EXPECT_EQ(kept_at(history, 5).source, at(history, 4));
  EXPECT_EQ(kept_at(history, 6).source, at(history, 4));
}

TEST(Sources, OfUpdatesAreWritesAndUpdates) {
  TraceBuilder trace;
  trace.store(1, kVar, 1);
  trace.atomic(2, kAtomicUpdate, kVar, MemoryOrder::kRelaxed, 2);
  trace.atomic(1, kAtomicUpdate, kVar, MemoryOrder::kRelaxed, 3).result = EventResult::kFailed;
  trace.atomic(1, kAtomicUpdate, kVar, MemoryOrder::kRelaxed, 4);
  const History history = history_of(trace);

  EXPECT_EQ(kept_at(history, 2).source, at(history, 1));
  EXPECT_EQ(kept_at(history, 3).source, at(history, 2));
  EXPECT_EQ(kept_at(history, 4).source, at(history, 2));
}

TEST(Sources, ComeThroughWhatIsDropped) {
  TraceBuilder trace;
  trace.store(1, kVar + 4, 1);  // private, in a granule that is not
  trace.store(1, kVar, 2);
  for (int i = 0; i < 10; ++i) trace.load(2, kVar, 3);
  trace.store(1, kVar + 4, 4);
  trace.load(2, kVar, 5);
  trace.store(1, kVar, 6);
  trace.load(2, kVar, 7);
  const History history = history_of(trace);

  EXPECT_EQ(kept_sites(history), (SiteSet{2, 3, 5, 6, 7}));
  for (const EventIndex event : all_at(history, 3)) {
    EXPECT_EQ(history.events[event].source, at(history, 2));
  }
  EXPECT_EQ(kept_at(history, 5).source, at(history, 2));
  EXPECT_EQ(kept_at(history, 7).source, at(history, 6));
}

TEST(Sources, OfPrivateReadsThatAreKeptForTheirOrderAreNoOtherEvents) {
  // The first event of thread 1 behind the barrier is a read that only has to follow others.
  TraceBuilder trace;
  trace.store(1, kVar + 4, 1);
  trace.store(1, kVar, 2);
  trace.load(2, kVar, 3);
  sync(trace, 1, kArrive, kThing, 4);
  sync(trace, 1, kBarrierWait, kThing, 5);
  sync(trace, 2, kArrive, kThing, 6);
  sync(trace, 2, kWoke, kThing, 7, 1);
  sync(trace, 2, kBarrierWait, kThing, 8);
  trace.load(1, kVar + 4, 9);
  const History history = history_of(trace);

  for (const EventIndex event : all_at(history, 9)) {
    const EventIndex source = history.events[event].source;
    if (source == kNoEvent) continue;
    ASSERT_LT(source, history.events.size());
    EXPECT_TRUE(writes(history.events[source].role)) << "site " << history.events[source].site;
    EXPECT_EQ(history.events[source].object, history.events[event].object);
  }
}

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

// --- What must come before what ------------------------------------------------------------------

/// Whether site 1 of thread 1 must come before site 2 of thread 2, with this between them.
bool orders(const std::function<void(TraceBuilder&)>& between) {
  TraceBuilder trace;
  trace.create_up_to(3);
  trace.store(1, kVar, 1);
  between(trace);
  trace.store(2, kVar, 2);
  const History history = history_of(trace);
  EXPECT_FALSE(history.is_before(at(history, 2), at(history, 1)));
  return history.is_before(at(history, 1), at(history, 2));
}

TEST(MustOrder, IsNotTheOrderOfTheRun) {
  EXPECT_FALSE(orders([](TraceBuilder&) {}));
}

TEST(MustOrder, IsNotTheOrderOfSections) {
  EXPECT_FALSE(orders([](TraceBuilder& trace) {
    trace.add(1, kLock, kLockM);
    trace.add(1, kUnlock, kLockM);
    trace.add(2, kLock, kLockM);
    trace.add(2, kUnlock, kLockM);
  }));
}

TEST(MustOrder, IsThatOfAThread) {
  TraceBuilder trace;
  trace.store(1, kVar, 1);
  trace.store(1, kVar, 2);
  trace.store(2, kVar, 3);
  const History history = history_of(trace);

  EXPECT_TRUE(history.is_before(at(history, 1), at(history, 2)));
  EXPECT_FALSE(history.is_before(at(history, 2), at(history, 1)));
  EXPECT_FALSE(history.is_before(at(history, 1), at(history, 1)));
  EXPECT_EQ(history.first_of(1), at(history, 1));
  EXPECT_EQ(kept_at(history, 1).next, at(history, 2));
  EXPECT_EQ(kept_at(history, 2).next, kNoEvent);
}

TEST(MustOrder, LeadsFromACreationToTheThread) {
  TraceBuilder trace;
  trace.store(0, kVar, 1);
  sync(trace, 0, kCreate, 1, 2);
  trace.store(0, kVar, 3);
  sync(trace, 1, kStart, 1, 4);
  trace.load(1, kVar, 5);
  const History history = history_of(trace);

  EXPECT_TRUE(history.is_before(at(history, 1), at(history, 5)));
  EXPECT_TRUE(history.is_before(at(history, 2), at(history, 4)));
  EXPECT_FALSE(history.is_before(at(history, 3), at(history, 5)));
}

TEST(MustOrder, IsThatOfGrandchildren) {
  TraceBuilder trace;
  trace.store(0, kVar, 1);
  sync(trace, 0, kCreate, 1, 2);
  sync(trace, 1, kStart, 1, 3);
  sync(trace, 1, kCreate, 2, 4);
  sync(trace, 2, kStart, 2, 5);
  trace.load(2, kVar, 6);
  const History history = history_of(trace);

  EXPECT_TRUE(history.is_before(at(history, 1), at(history, 6)));
}

TEST(MustOrder, LeadsFromAThreadToItsJoin) {
  for (const Operation join : {kJoin, kTryJoin}) {
    for (const EventResult result : {EventResult::kDone, EventResult::kFailed}) {
      TraceBuilder trace;
      trace.create_up_to(1);
      trace.store(0, kVar, 1);
      trace.store(1, kVar, 2);
      sync(trace, 1, kExit, 1, 3);
      trace.add(0, join, 1).result = result;
      trace.store(0, kVar, 4);
      const History history = history_of(trace);

      const bool is_done = result == EventResult::kDone;
      EXPECT_EQ(history.is_before(at(history, 2), at(history, 4)), is_done);
      EXPECT_FALSE(history.is_before(at(history, 1), at(history, 2)));
    }
  }
}

TEST(MustOrder, LeadsFromAWakeToWhoWasWoken) {
  TraceBuilder trace;
  trace.create_up_to(3);
  trace.add(1, kWait, kThing);
  trace.add(3, kWait, kThing);
  trace.store(2, kVar, 1);
  trace.add(2, kWoke, kThing, 1);
  trace.store(2, kVar, 2);
  trace.add(2, kSignal, kThing);
  trace.store(1, kVar, 3);
  trace.store(3, kVar, 4);
  const History history = history_of(trace);

  EXPECT_TRUE(history.is_before(at(history, 1), at(history, 3)));
  EXPECT_FALSE(history.is_before(at(history, 2), at(history, 3)));
  EXPECT_FALSE(history.is_before(at(history, 1), at(history, 4)));
}

TEST(MustOrder, IsNotThatOfASignalThatWokeNobody) {
  for (const Operation wake : {kSignal, kBroadcast}) {
    EXPECT_FALSE(orders([&](TraceBuilder& trace) {
      trace.add(1, wake, kThing);
      trace.add(2, kWait, kThing);
    }));
  }
}

TEST(MustOrder, LeadsFromAPostToWhoTakesTheUnit) {
  EXPECT_TRUE(orders([](TraceBuilder& trace) {
    trace.add(1, kSemPost, kThing, 1);
    trace.add(2, kSemWait, kThing, 0);
  }));
}

TEST(MustOrder, IsThatOfUnitsInTurn) {
  EXPECT_FALSE(orders([](TraceBuilder& trace) {
    trace.add(3, kSemPost, kThing, 1);
    trace.add(1, kSemPost, kThing, 2);
    trace.add(2, kSemWait, kThing, 1);  // that of thread 3
  }));
  EXPECT_TRUE(orders([](TraceBuilder& trace) {
    trace.add(3, kSemPost, kThing, 1);
    trace.add(1, kSemPost, kThing, 2);
    trace.add(2, kSemWait, kThing, 1);
    trace.add(2, kSemWait, kThing, 0);
  }));
}

TEST(MustOrder, IsNotThatOfUnitsThatWereThereFromTheBeginning) {
  EXPECT_FALSE(orders([](TraceBuilder& trace) {
    trace.add(1, kSemPost, kThing, 2);
    trace.add(2, kSemTryWait, kThing, 1);
  }));
}

TEST(MustOrder, IsNotThatOfUnitsThatWereNotTaken) {
  EXPECT_FALSE(orders([](TraceBuilder& trace) {
    trace.add(1, kSemPost, kThing, 1);
    trace.add(2, kSemTryWait, kThing, 0).result = EventResult::kFailed;
  }));
}

void pass_barrier(TraceBuilder& trace, const std::vector<std::uint32_t>& threads) {
  const std::uint32_t last = threads.back();
  for (const std::uint32_t thread : threads) {
    trace.add(thread, kArrive, kThing);
    if (thread != last) trace.add(thread, kBarrierWait, kThing);
  }
  for (const std::uint32_t thread : threads) {
    if (thread != last) trace.add(last, kWoke, kThing, thread);
  }
  trace.add(last, kBarrierWait, kThing);
}

TEST(MustOrder, LeadsFromAllThatArriveAtABarrierToAllThatLeave) {
  for (const std::vector<std::uint32_t>& threads :
       {std::vector<std::uint32_t>{1, 2, 3}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}}) {
    EXPECT_TRUE(orders([&](TraceBuilder& trace) { pass_barrier(trace, threads); }));
  }
}

TEST(MustOrder, IsNotThatOfWhatComesAfterABarrier) {
  TraceBuilder trace;
  trace.create_up_to(2);
  pass_barrier(trace, {1, 2});
  trace.store(1, kVar, 1);
  trace.store(2, kVar, 2);
  const History history = history_of(trace);

  EXPECT_FALSE(history.is_before(at(history, 1), at(history, 2)));
  EXPECT_FALSE(history.is_before(at(history, 2), at(history, 1)));
}

TEST(MustOrder, OfARoundOfABarrierDoesNotLeakIntoTheNext) {
  TraceBuilder trace;
  trace.create_up_to(4);
  trace.store(1, kVar, 1);
  pass_barrier(trace, {1, 2});
  pass_barrier(trace, {3, 4});
  trace.store(4, kVar, 2);
  trace.store(3, kVar, 3);
  const History history = history_of(trace);

  EXPECT_FALSE(history.is_before(at(history, 1), at(history, 2)));
  EXPECT_FALSE(history.is_before(at(history, 1), at(history, 3)));
}

TEST(MustOrder, LeadsFromAOnceToWhoFindsItDone) {
  EXPECT_TRUE(orders([](TraceBuilder& trace) {
    trace.add(1, kOnce, kThing, 1);
    trace.add(2, kOnce, kThing, 0);
  }));
  EXPECT_FALSE(orders([](TraceBuilder& trace) {
    trace.add(1, kOnce, kThing, 1);
    trace.add(2, kOnce, kLockM, 0);
  }));
  EXPECT_FALSE(orders([](TraceBuilder& trace) {
    trace.add(1, kOnce, kThing, 0);
    trace.add(2, kOnce, kThing, 0);
  }));
}

TEST(MustOrder, LeadsFromWhatIsSentOutsideToWhoReceives) {
  EXPECT_TRUE(orders([](TraceBuilder& trace) {
    trace.add(1, kWrite, 4);
    trace.add(2, kRead, 5);
  }));
  EXPECT_TRUE(orders([](TraceBuilder& trace) {
    trace.add(1, kSendSignal, 10);
    trace.add(2, kHandle, 10);
  }));
  EXPECT_FALSE(orders([](TraceBuilder& trace) {
    trace.add(1, kSendSignal, 10);
    trace.add(2, kHandle, 12);
  }));
}

TEST(UsualOrder, IsThatOfOperationsOnOneThing) {
  TraceBuilder trace;
  sync(trace, 1, kSignal, kThing, 1);
  sync(trace, 2, kWait, kThing, 2);
  sync(trace, 2, kSignal, kLockN, 3);
  const History history = history_of(trace);

  EXPECT_EQ(history.usual, (std::vector<OrderEdge>{{at(history, 1), at(history, 2)}}));
  EXPECT_TRUE(history.must.empty());
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

// --- Regions -------------------------------------------------------------------------------------

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

// --- Limits --------------------------------------------------------------------------------------

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
