/// Runs in which no thread can go on: deadlocks and lost wake-ups.
#include <gtest/gtest.h>

#include <set>

#include "sim/sim_program.hpp"

namespace unravel {
namespace {

using sim::SimProgram;
using sim::SimRun;
using wire::FailureKind;
using wire::Operation;

wire::Rule random_rule(std::uint64_t seed) {
  return {.kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
}

/// The first of 200 random runs that fails, or the last.
SimRun first_failure(const SimProgram& program) {
  SimRun last;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    last = run(program, random_rule(seed));
    EXPECT_EQ(last.disagreement, "") << seed;
    if (last.failed()) break;
  }
  return last;
}

std::set<FailureKind> failures_of(const SimProgram& program) {
  std::set<FailureKind> kinds;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const SimRun last = run(program, random_rule(seed));
    EXPECT_EQ(last.disagreement, "") << seed;
    EXPECT_TRUE(last.passed() || last.failed()) << last.words.text;
    kinds.insert(last.failure());
  }
  return kinds;
}

const std::set<FailureKind> kNoFailure = {FailureKind::kNone};

// --- Cycles ---

TEST(Deadlock, OfTwoThreadsNamesWhatEachHoldsAndWants) {
  const SimProgram program{.threads = {{"T0", {"lock a", "lock b", "unlock b", "unlock a"}},
                                       {"T1", {"lock b", "lock a", "unlock a", "unlock b"}}}};

  const SimRun run = first_failure(program);

  // A chance of more than 1/8 per run: all 200 miss once in 10^11.
  ASSERT_EQ(run.failure(), FailureKind::kDeadlock);
  ASSERT_EQ(run.words.cycle_length, 2u);
  for (std::uint32_t i = 0; i < 2; ++i) {
    const wire::CycleEdge& edge = run.words.cycle[i];
    const wire::CycleEdge& next = run.words.cycle[1 - i];
    EXPECT_EQ(edge.wanted, next.held) << "each wants what the next one holds";
    EXPECT_EQ(edge.held, edge.thread.ordinal == 0 ? 1u : 2u) << "a is 1, b is 2";
    EXPECT_EQ(edge.wanted_operation, Operation::kLock);
    EXPECT_EQ(edge.held_operation, Operation::kLock);
    EXPECT_EQ(edge.held_site.offset() & 0xfffff, 1u) << "both hold since their first step";
    EXPECT_EQ(edge.wanted_site.offset() & 0xfffff, 2u);
  }
  EXPECT_NE(run.words.cycle[0].thread, run.words.cycle[1].thread);
}

TEST(Deadlock, OfThreeThreadsIsACycleOfThree) {
  const SimProgram program{.threads = {{"T0", {"lock a", "lock b", "unlock b", "unlock a"}},
                                       {"T1", {"lock b", "lock c", "unlock c", "unlock b"}},
                                       {"T2", {"lock c", "lock a", "unlock a", "unlock c"}}}};

  const SimRun run = first_failure(program);

  // Each takes its first lock before any takes its second: more than 1 run in 20.
  ASSERT_EQ(run.failure(), FailureKind::kDeadlock);
  ASSERT_EQ(run.words.cycle_length, 3u);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(run.words.cycle[i].wanted, run.words.cycle[(i + 1) % 3].held);
  }
}

TEST(Deadlock, WithItselfIsACycleOfOne) {
  const SimProgram program{.threads = {{"T0", {"lock a", "lock a"}}, {"T1", {"step"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  ASSERT_EQ(run.failure(), FailureKind::kDeadlock);
  ASSERT_EQ(run.words.cycle_length, 1u);
  EXPECT_EQ(run.words.cycle[0].thread.ordinal, 0u);
  EXPECT_EQ(run.words.cycle[0].wanted, run.words.cycle[0].held);
}

TEST(Deadlock, IsSeenAsSoonAsItClosesThoughOthersRun) {
  const SimProgram program{.threads = {{"T0", {"lock a", "yield", "lock b"}},
                                       {"T1", {"lock b", "yield", "lock a"}},
                                       {"T2", sim::repeat("yield", 1'000)}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_EQ(run.failure(), FailureKind::kDeadlock);
  EXPECT_EQ(run.words.cycle_length, 2u);
  EXPECT_LT(run.counts.steps, 30u);
}

TEST(Deadlock, MayGoThroughOneOfSeveralReaders) {
  const SimProgram program{
      .threads = {{"T0", {"rdlock w", "yield", "lock m", "unlock m", "rwunlock w"}},
                  {"T1", {"rdlock w", "yield", "yield", "rwunlock w"}},
                  {"T2", {"lock m", "wrlock w", "rwunlock w", "unlock m"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  ASSERT_EQ(run.failure(), FailureKind::kDeadlock);
  ASSERT_EQ(run.words.cycle_length, 2u);
  std::set<Operation> wanted;
  for (std::uint32_t i = 0; i < 2; ++i) wanted.insert(run.words.cycle[i].wanted_operation);
  EXPECT_EQ(wanted, (std::set<Operation>{Operation::kLock, Operation::kWriteLock}));
}

TEST(Deadlock, OfTwoReadersWhoBothWantToWriteIsACycle) {
  const SimProgram program{.threads = {{"T0", {"rdlock w", "yield", "wrlock w"}},
                                       {"T1", {"rdlock w", "yield", "wrlock w"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_EQ(run.failure(), FailureKind::kDeadlock);
  EXPECT_GE(run.words.cycle_length, 1u);
}

TEST(Deadlock, OfThreadsThatJoinEachOtherIsACycle) {
  const SimProgram program{
      .threads = {{"T0", {"join T1"}}, {"T1", {"join T2"}}, {"T2", {"join T0"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  ASSERT_EQ(run.failure(), FailureKind::kDeadlock);
  ASSERT_EQ(run.words.cycle_length, 3u);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const wire::CycleEdge& edge = run.words.cycle[i];
    EXPECT_EQ(edge.wanted_operation, Operation::kJoin);
    EXPECT_EQ(edge.wanted, (edge.thread.ordinal + 1) % 3) << "the thread that it joins";
  }
}

TEST(Deadlock, OfAJoinerWhoHoldsWhatTheOtherWantsIsACycle) {
  const SimProgram program{
      .threads = {{"main", {"lock m", "create t", "join t", "unlock m"}}, {"t", {"lock m"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  ASSERT_EQ(run.failure(), FailureKind::kDeadlock);
  EXPECT_EQ(run.words.cycle_length, 2u);
}

TEST(Deadlock, WithAJoinIsNoneWhileSomebodyRunsWhoCouldCancelTheJoiner) {
  // By the rule `stay` main and t close the cycle before u has begun.
  const SimProgram program{.threads = {{"main", {"create t", "create u", "lock m", "join t"}},
                                       {"t", {"lock m"}},
                                       {"u", {"yield", "exit 3"}}}};

  EXPECT_EQ(sim::run(program, wire::Rule{}).failure(), FailureKind::kExit);
}

TEST(Deadlock, OfLocksAloneIsToldWhileOthersRun) {
  const SimProgram program{
      .threads = {{"main", {"create t", "create u", "lock m", "yield", "lock n"}},
                  {"t", {"lock n", "lock m"}},
                  {"u", {"yield", "yield", "yield", "exit 3"}}}};

  EXPECT_EQ(sim::run(program, wire::Rule{}).failure(), FailureKind::kDeadlock);
}

TEST(Deadlock, OfAThreadWithItselfIsNoneWhileSomebodyRunsWhoMayUnlock) {
  const SimProgram program{
      .threads = {{"main", {"create t", "lock m", "lock m"}}, {"t", {"yield", "exit 3"}}}};
  const SimProgram alone{.threads = {{"main", {"create t", "lock m", "lock m"}}, {"t", {"yield"}}}};

  EXPECT_EQ(sim::run(program, wire::Rule{}).failure(), FailureKind::kExit);
  EXPECT_EQ(sim::run(alone, wire::Rule{}).failure(), FailureKind::kDeadlock);
}

TEST(Deadlock, HasNoTimedWaitInItsCycle) {
  const SimProgram program{
      .threads = {{"T0", {"lock a", "yield", "lock b for 1s", "unlock a"}},
                  {"T1", {"lock b", "yield", "lock a", "unlock a", "unlock b"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_TRUE(run.passed());
  EXPECT_EQ(run.now, 1'000'050'000u) << "the timed one gave up";
}

TEST(Deadlock, IsNotClaimedForATakerThatOnlyWaitsForASignal) {
  // T1 stops b and waits for a signal that T2 will give: no cycle, however long T0 waits for b.
  const SimProgram program{
      .threads = {{"T0", {"lock a", "yield", "lock b", "unlock b", "unlock a"}},
                  {"T1", {"lock b", "lock m", "wait c m", "unlock m", "unlock b"}},
                  {"T2", {"yield", "yield", "lock m", "signal c", "unlock m"}}}};

  EXPECT_TRUE(sim::run(program, wire::Rule{}).passed());
}

TEST(Deadlock, IsNotSeenInWhatAnEarlierThreadOfTheSlotHeld) {
  // The first t ends with the lock; the second, in its place, does not hold it.
  const SimProgram program{
      .threads = {
          {"main", {"create t", "join t", "create u", "yield", "yield", "unlock m", "join u"}},
          {"t", {"lock m"}},
          {"u", {"lock m", "unlock m"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_TRUE(run.passed()) << "main unlocks what u waits for";
}

TEST(Deadlock, IsNotInventedWhenTheTableOfObjectsGrowsWhileAThreadBlocks) {
  // The table grows at 512 objects: whoever blocks on the one that makes it grow is noted there.
  for (std::size_t objects = 505; objects < 520; ++objects) {
    sim::Steps steps{"lock m"};
    for (std::size_t i = 0; i < objects; ++i) {
      steps.push_back("lock x" + std::to_string(i));
      steps.push_back("unlock x" + std::to_string(i));
    }
    steps.insert(steps.end(), {"yield", "post s", "step", "step", "unlock m"});
    const SimProgram program{.threads = {{"T0", steps}, {"T1", {"sem_wait s", "step"}}}};

    const SimRun run = sim::run(program, wire::Rule{});

    EXPECT_TRUE(run.passed()) << objects;
    EXPECT_EQ(run.disagreement, "") << objects;
  }
}

// --- Without a cycle ---

TEST(LostWakeup, IsAWaitForASignalThatNobodyGives) {
  const SimProgram program{.threads = {{"T0", {"lock m", "signal c", "unlock m"}},
                                       {"T1", {"lock m", "wait c m", "unlock m"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_EQ(run.failure(), FailureKind::kLostWakeup);
  EXPECT_EQ(run.words.thread.ordinal, 1u);
  EXPECT_EQ(run.words.cycle_length, 0u);
}

TEST(LostWakeup, IsNamedThoughOthersWaitForTheWaiter) {
  const SimProgram program{.threads = {{"main", {"create t", "lock n", "join t", "unlock n"}},
                                       {"t", {"lock m", "wait c m", "unlock m"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_EQ(run.failure(), FailureKind::kLostWakeup);
  EXPECT_EQ(run.words.thread.ordinal, 1u);
}

TEST(LostWakeup, IsAlsoOneOnAFutex) {
  const SimProgram program{.threads = {{"T0", {"futex_wake f 1"}}, {"T1", {"futex_wait f 0"}}}};

  EXPECT_EQ(sim::run(program, wire::Rule{}).failure(), FailureKind::kLostWakeup);
}

TEST(LostWakeup, DoesNotHappenToAWaitWithADeadline) {
  const SimProgram program{
      .threads = {{"T0", {"lock m", "wait c m for 7ms", "unlock m"}}, {"T1", {"step"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_TRUE(run.passed());
  EXPECT_EQ(run.now, 7'050'000u);
}

TEST(Stuck, IsADeadlockWhenAllWaitForASemaphoreOrABarrier) {
  const SimProgram semaphore{.threads = {{"T0", {"sem_wait s"}}, {"T1", {"sem_wait s"}}}};
  const SimProgram barrier{.threads = {{"T0", {"barrier b 3"}}, {"T1", {"barrier b 3"}}}};

  for (const SimProgram& program : {semaphore, barrier}) {
    const SimRun run = sim::run(program, wire::Rule{});

    EXPECT_EQ(run.failure(), FailureKind::kDeadlock);
    EXPECT_EQ(run.words.cycle_length, 0u);
  }
}

TEST(Stuck, IsNoFailureOnceMainHasReturned) {
  const SimProgram program{
      .threads = {{"main", {"create t", "yield", "yield"}}, {"t", {"lock m", "wait c m"}}}};

  EXPECT_EQ(failures_of(program), kNoFailure);
}

}  // namespace
}  // namespace unravel
