/// What must come before what.
#include <functional>

#include "predict/history.hpp"
#include "unit/predict/history_of.hpp"

namespace unravel {
namespace {

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

}  // namespace
}  // namespace unravel
