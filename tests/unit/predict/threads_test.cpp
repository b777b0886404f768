/// Slots in vector clocks: used again when that is safe, and never mistaken for each other.
#include "predict/threads.hpp"

#include <gtest/gtest.h>

#include "unit/predict/race_check.hpp"

namespace unravel {
namespace {

TEST(Threads, UseASlotAgainOnceItsThreadIsJoined) {
  Threads threads;
  TracedThread& main = threads.get(0);
  for (std::uint32_t ordinal = 1; ordinal <= 5000; ++ordinal) {
    threads.create(main, ordinal);
    threads.end(threads.get(ordinal));
    threads.join(main, ordinal);
  }

  EXPECT_EQ(threads.slots(), 2u);
  EXPECT_EQ(threads.ordinal_of(1, 1), 1u);
  EXPECT_EQ(threads.ordinal_of(1, 4711), 4711u);
}

TEST(Threads, KeepTheSlotOfAThreadThatTheCreatorKnowsLittleOf) {
  Threads threads;
  TracedThread& main = threads.get(0);
  threads.create(main, 1);
  threads.end(threads.get(1));
  threads.create(main, 2);

  EXPECT_NE(threads.get(2).slot, 1u);
  EXPECT_EQ(threads.slots(), 3u);
}

TEST(Threads, OfOneSlotAreToldApartInARace) {
  TraceBuilder trace;
  trace.create_up_to(2);
  trace.add(1, Operation::kExit);
  trace.add(0, Operation::kJoin, 1);
  trace.add(0, Operation::kCreate, 3);
  trace.store(3, kX, 1);
  trace.store(2, kX, 2);

  RaceDetector detector;
  detector.take(trace.events);

  ASSERT_EQ(detector.races().size(), 1u);
  EXPECT_EQ(detector.races()[0].earlier.thread, 3u);
}

TEST(Threads, RaceWithAnEarlierOwnerOfTheirSlotsNeighbour) {
  // Threads 1 and 2 end; main joins 1 only, so thread 3 may take the slot of 1, never that of 2.
  TraceBuilder trace;
  trace.create_up_to(2);
  trace.store(1, kX, 1);
  trace.store(2, kY, 2);
  trace.add(1, Operation::kExit);
  trace.add(2, Operation::kExit);
  trace.add(0, Operation::kJoin, 1);
  trace.add(0, Operation::kCreate, 3);
  trace.store(3, kX, 3);
  trace.store(3, kY, 4);

  EXPECT_EQ(races_of(trace), (RacingSites{{2, 4}}));
}

TEST(Threads, ThatCameAndWentByTheThousandStillRaceWithTheirOwnOnly) {
  // Generation after generation: two threads at a time, which race with each other and are joined.
  TraceBuilder trace;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const std::uint32_t one = 2 * i + 1;
    const std::uint32_t other = 2 * i + 2;
    trace.add(0, Operation::kCreate, one);
    trace.add(0, Operation::kCreate, other);
    trace.store(one, kX, i % 2 ? 1 : 3);
    trace.store(other, kX, i % 2 ? 2 : 4);
    for (const std::uint32_t thread : {one, other}) {
      trace.add(thread, Operation::kExit);
      trace.add(0, Operation::kJoin, thread);
    }
  }

  RaceDetector detector;
  detector.take(trace.events);

  EXPECT_EQ(pairs_of(detector.races()), (RacingSites{{1, 2}, {3, 4}}));
  for (const Race& race : detector.races()) EXPECT_EQ(race.count, 1500u);
}

}  // namespace
}  // namespace unravel
