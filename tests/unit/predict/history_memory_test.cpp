/// Which accesses are kept of a run, and which write a read sees.
#include "predict/history.hpp"
#include "unit/predict/history_of.hpp"

namespace unravel {
namespace {

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

}  // namespace
}  // namespace unravel
