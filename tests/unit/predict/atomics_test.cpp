/// What atomic operations and fences order. Site 1 is thread 1's, site 2 thread 2's.
#include <gtest/gtest.h>

#include "unit/predict/race_check.hpp"

namespace unravel {
namespace {

using enum Operation;
using enum MemoryOrder;

/// TracedThread 1 stores to x; thread 2 reads it after both have done something to the flag.
struct Passing {
  Passing() {
    trace.create_up_to(3);
    trace.store(1, kX, 1);
  }
  Passing& atomic(std::uint32_t thread, Operation operation, MemoryOrder order) {
    last = &trace.atomic(thread, operation, kFlag, order);
    return *this;
  }
  Passing& failed() {
    last->result = EventResult::kFailed;
    return *this;
  }
  Passing& fence(std::uint32_t thread, MemoryOrder order) {
    trace.fence(thread, order);
    return *this;
  }
  RacingSites races() {
    trace.load(2, kX, 2);
    return races_of(trace);
  }

  TraceBuilder trace;
  TraceEvent* last = nullptr;
};

TEST(Atomics, AReleaseStoreLeadsToAnAcquireLoad) {
  for (const MemoryOrder release : {kRelease, kSequential}) {
    for (const MemoryOrder acquire : {kConsume, kAcquire, kSequential}) {
      EXPECT_EQ(Passing().atomic(1, kAtomicStore, release).atomic(2, kAtomicLoad, acquire).races(),
                kNoRace);
    }
  }
}

TEST(Atomics, OneRelaxedSideOrdersNothing) {
  EXPECT_EQ(Passing().atomic(1, kAtomicStore, kRelaxed).atomic(2, kAtomicLoad, kAcquire).races(),
            kOneAndTwo);
  EXPECT_EQ(Passing().atomic(1, kAtomicStore, kRelease).atomic(2, kAtomicLoad, kRelaxed).races(),
            kOneAndTwo);
}

TEST(Atomics, AnotherStoreTakesTheMeaningAway) {
  for (const MemoryOrder order : {kRelaxed, kRelease}) {
    EXPECT_EQ(Passing()
                  .atomic(1, kAtomicStore, kRelease)
                  .atomic(3, kAtomicStore, order)
                  .atomic(2, kAtomicLoad, kAcquire)
                  .races(),
              kOneAndTwo);
  }
}

TEST(Atomics, AReleaseSequenceGoesOnThroughUpdates) {
  for (const MemoryOrder order : {kRelaxed, kRelease, kAcquire}) {
    EXPECT_EQ(Passing()
                  .atomic(1, kAtomicStore, kRelease)
                  .atomic(3, kAtomicUpdate, order)
                  .atomic(2, kAtomicLoad, kAcquire)
                  .races(),
              kNoRace);
  }
}

TEST(Atomics, AnUpdateAcquiresAndReleases) {
  EXPECT_EQ(Passing()
                .atomic(1, kAtomicUpdate, kAcquireRelease)
                .atomic(2, kAtomicUpdate, kAcquireRelease)
                .races(),
            kNoRace);
  EXPECT_EQ(Passing().atomic(1, kAtomicUpdate, kAcquire).atomic(2, kAtomicUpdate, kRelease).races(),
            kOneAndTwo);
}

TEST(Atomics, AnExchangeThatFailedIsALoad) {
  EXPECT_EQ(Passing()
                .atomic(1, kAtomicUpdate, kSequential)
                .failed()
                .atomic(2, kAtomicLoad, kAcquire)
                .races(),
            kOneAndTwo);
  EXPECT_EQ(Passing()
                .atomic(1, kAtomicStore, kRelease)
                .atomic(2, kAtomicUpdate, kAcquire)
                .failed()
                .races(),
            kNoRace);
}

TEST(Atomics, AReleaseFenceGivesLaterRelaxedStoresAMeaning) {
  for (const Operation give : {kAtomicStore, kAtomicUpdate}) {
    EXPECT_EQ(Passing()
                  .fence(1, kRelease)
                  .atomic(1, give, kRelaxed)
                  .atomic(2, kAtomicLoad, kAcquire)
                  .races(),
              kNoRace);
  }
  EXPECT_EQ(Passing()
                .atomic(1, kAtomicStore, kRelaxed)
                .fence(1, kRelease)
                .atomic(2, kAtomicLoad, kAcquire)
                .races(),
            kOneAndTwo);
}

TEST(Atomics, AnAcquireFenceAcquiresWhatRelaxedLoadsSaw) {
  for (const Operation see : {kAtomicLoad, kAtomicUpdate}) {
    EXPECT_EQ(Passing()
                  .atomic(1, kAtomicStore, kRelease)
                  .atomic(2, see, kRelaxed)
                  .fence(2, kAcquire)
                  .races(),
              kNoRace);
  }
  EXPECT_EQ(Passing()
                .atomic(1, kAtomicStore, kRelease)
                .fence(2, kAcquire)
                .atomic(2, kAtomicLoad, kRelaxed)
                .races(),
            kOneAndTwo);
}

TEST(Atomics, FencesOfBothKindsPairUp) {
  for (const MemoryOrder both : {kAcquireRelease, kSequential}) {
    EXPECT_EQ(Passing()
                  .fence(1, both)
                  .atomic(1, kAtomicStore, kRelaxed)
                  .atomic(2, kAtomicLoad, kRelaxed)
                  .fence(2, both)
                  .races(),
              kNoRace);
  }
  EXPECT_EQ(Passing()
                .fence(1, kAcquire)
                .atomic(1, kAtomicStore, kRelaxed)
                .atomic(2, kAtomicLoad, kRelaxed)
                .fence(2, kRelease)
                .races(),
            kOneAndTwo);
}

TEST(Atomics, WhatComesAfterAReleaseFenceIsNotGiven) {
  Passing passing;
  passing.fence(1, kRelease);
  passing.trace.store(1, kY, 3);
  passing.atomic(1, kAtomicStore, kRelaxed).atomic(2, kAtomicLoad, kAcquire);
  passing.trace.load(2, kY, 4);

  EXPECT_EQ(passing.races(), (RacingSites{{3, 4}}));
}

TEST(Atomics, TheAccessItselfComesAfterWhatItAcquires) {
  TraceBuilder trace;
  trace.create_up_to(2);
  trace.store(1, kFlag, 1);  // a plain initialisation
  trace.atomic(1, kAtomicStore, kFlag, kRelease, 3);
  trace.atomic(2, kAtomicLoad, kFlag, kAcquire, 2);
  trace.store(2, kFlag, 4);

  EXPECT_EQ(races_of(trace), kNoRace);
}

}  // namespace
}  // namespace unravel
