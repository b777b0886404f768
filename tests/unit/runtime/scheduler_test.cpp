/// The scheduler's accounts: clocks, switches, time, threads, limits.
#include "runtime/core/scheduler.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sim/sim_program.hpp"

namespace unravel {
namespace {

using sim::SimProgram;
using sim::SimRun;
using wire::End;
using wire::Operation;

wire::Rule random_rule(std::uint64_t seed) {
  return {.kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
}

std::string text_of(const wire::Clock& clock) {
  return std::to_string(clock.operations) +
         (clock.hooks ? "+" + std::to_string(clock.hooks) : std::string());
}

/// Every clock at which a thread was left in 300 random runs beside one that makes 20 steps.
/// One point is missed by all of them once in 10^20 or less.
std::set<std::string> points_of(const sim::Steps& steps) {
  const SimProgram program{.threads = {{"busy", sim::repeat("step", 20)}, {"t", steps}}};
  std::set<std::string> points;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const SimRun seen = run(program, random_rule(seed), {.timeouts = wire::Timeouts::kIdle});
    EXPECT_EQ(seen.disagreement, "");
    for (const wire::Slice& slice : seen.schedule.slices) {
      if (slice.thread.ordinal == 1) points.insert(text_of(slice.until));
    }
  }
  return points;
}

// --- Clocks ---

TEST(Clocks, OfAThreadBeginBeforeItsStartAndEndAfterItsExit) {
  EXPECT_EQ(points_of({}), (std::set<std::string>{"1", "1+1", "2"}))
      << "after its start, before its exit, ended";
}

TEST(Clocks, CountOneMoreBeforeAnOperationAndNoneAfterIt) {
  EXPECT_EQ(points_of({"lock m", "unlock m"}),
            (std::set<std::string>{"1", "1+1", "2+1", "3", "3+1", "4"}))
      << "a lock has no point after it, an unlock has";
}

TEST(Clocks, CountHooksWithoutAPoint) {
  EXPECT_EQ(points_of({"hook", "hook", "step", "clock", "step"}),
            (std::set<std::string>{"1", "1+3", "2+2", "3+1", "4"}));
}

TEST(Clocks, CountAWaitAsTwoOperations) {
  const SimProgram program{
      .threads = {{"T0", {"lock m", "wait c m", "unlock m"}},
                  {"T1", {"step", "lock m", "signal c", "unlock m", "step", "step"}}}};
  std::set<std::string> points;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const SimRun seen = run(program, random_rule(seed));
    if (!seen.passed()) continue;  // signalled before it waited
    for (const wire::Slice& slice : seen.schedule.slices) {
      if (slice.thread.ordinal == 0) points.insert(text_of(slice.until));
    }
  }

  // Before the lock, before the wait, in it, before the lock that follows, and so on.
  EXPECT_EQ(points, (std::set<std::string>{"0+1", "1+1", "2", "2+1", "3+1", "4", "4+1", "5"}));
}

TEST(Clocks, CountNothingForAnAttemptThatBlocks) {
  const SimProgram program{
      .threads = {{"T0", {"lock m", "yield", "unlock m"}}, {"T1", {"lock m", "unlock m"}}}};

  const SimRun seen = run(program, wire::Rule{});

  EXPECT_EQ(seen.slices(), "T0:1+1 T1:1+1 T0:4 T1:3+1");
  EXPECT_EQ(seen.schedule.slices[1].end, End::kBlocked);
  EXPECT_EQ(seen.schedule.slices[1].pending, Operation::kLock);
}

TEST(Clocks, NameTheEventsThatHappened) {
  const SimProgram program{.threads = {{"main", {"lock m", "unlock m"}}}};

  const SimRun seen = run(program, wire::Rule{});

  ASSERT_EQ(seen.events.size(), 3u);
  EXPECT_EQ(seen.events[0].operation, Operation::kLock);
  EXPECT_EQ(seen.events[0].clock, (wire::Clock{1, 0}));
  EXPECT_EQ(seen.events[1].operation, Operation::kUnlock);
  EXPECT_EQ(seen.events[1].clock, (wire::Clock{2, 0}));
  EXPECT_EQ(seen.events[2].operation, Operation::kProcessExit);
}

// --- Switches ---

struct Account {
  const char* why;
  SimProgram program;
  std::string slices;
  std::uint64_t preemptions;
};

TEST(Switches, AreForcedWhenTheThreadLeftCouldNotGoOnOrGaveWay) {
  const Account accounts[] = {
      {"ended", {.threads = {{"T0", {"step"}}, {"T1", {"step"}}}}, "T0:2 T1:2+1", 0},
      {"blocked",
       {.threads = {{"T0", {"sem_wait s"}}, {"T1", {"post s"}}}},
       "T0:0+1 T1:3 T0:1+1",
       0},
      {"yields", {.threads = {{"T0", {"yield"}}, {"T1", {"step"}}}}, "T0:0+1 T1:3 T0:1+1", 0},
      {"sleeps", {.threads = {{"T0", {"sleep 1ms"}}, {"T1", {"step"}}}}, "T0:0+1 T1:3 T0:1+1", 0},
  };
  for (const Account& account : accounts) {
    const SimRun seen = run(account.program, wire::Rule{});

    EXPECT_EQ(seen.slices(), account.slices) << account.why;
    EXPECT_EQ(seen.counts.switches, seen.counts.slices) << account.why;
    EXPECT_EQ(seen.counts.preemptions, account.preemptions) << account.why;
  }
}

TEST(Switches, FromASpinnerAreForced) {
  const SimProgram program{
      .threads = {{"T0", {"lock m", "yield", "unlock m"}},
                  {"T1", {"trylock m", "while $result != 0", "trylock m", "end", "unlock m"}}}};

  const SimRun seen = run(program, wire::Rule{});

  ASSERT_TRUE(seen.passed());
  EXPECT_EQ(seen.schedule.slices[1].end, End::kSpin);
  EXPECT_EQ(seen.schedule.slices[1].until, (wire::Clock{5, 1}))
      << "three attempts at one place pass";
  EXPECT_EQ(seen.counts.preemptions, 0u);
}

TEST(Switches, FromAThreadWithOnlyItsExitPendingAreForced) {
  const SimProgram program{.threads = {{"T0", {"step"}}, {"T1", {"step"}}}};
  const sim::SimSchedule schedule{.slices = {{.thread = {.ordinal = 0}, .until = {1, 1}},
                                             {.thread = {.ordinal = 1}, .until = {1, 1}}}};

  const SimRun seen = run(program, schedule, wire::Following::kLenient);

  EXPECT_EQ(seen.slices(), "T0:1+1 T1:3 T0:1+1");
  EXPECT_EQ(seen.schedule.slices[0].end, End::kPreempted);
  EXPECT_EQ(seen.counts.preemptions, 0u);
}

TEST(Switches, FromASleeperAreForcedThoughItsTimeHasCome) {
  // Both deadlines come at the same moment; whoever is left had its sleep pending.
  const SimProgram program{.threads = {{"T0", {"sleep 1ms"}}, {"T1", {"sleep 1ms"}}}};

  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const SimRun seen = run(program, random_rule(seed), {.timeouts = wire::Timeouts::kIdle});
    std::uint64_t others = 0;
    for (const wire::Slice& slice : seen.schedule.slices) {
      others += slice.end == End::kPreempted && slice.pending != Operation::kSleep &&
                slice.pending != Operation::kExit;
    }

    ASSERT_EQ(seen.counts.preemptions, others) << seen.slices();
  }
}

TEST(Switches, ArePreemptionsOtherwise) {
  const SimProgram program{.threads = {{"T0", sim::repeat("step", 3)}, {"T1", {"step"}}}};
  const sim::SimSchedule schedule{.slices = {{.thread = {.ordinal = 0}, .until = {1, 1}},
                                             {.thread = {.ordinal = 1}, .until = {1, 1}},
                                             {.thread = {.ordinal = 0}, .until = {2, 1}},
                                             {.thread = {.ordinal = 1}, .until = {2, 1}}}};

  const SimRun seen = run(program, schedule, wire::Following::kLenient);

  EXPECT_EQ(seen.slices(), "T0:1+1 T1:1+1 T0:2+1 T1:3 T0:3+1");
  EXPECT_EQ(seen.counts.switches, 4u);
  EXPECT_EQ(seen.counts.preemptions, 3u);
  EXPECT_EQ(seen.forced(), 1u);
}

// --- Time ---

TEST(Time, JumpsToTheNextDeadlineWhenAllAreBlocked) {
  const SimProgram program{
      .threads = {{"T0", {"sleep 5s", "x = 1"}}, {"T1", {"sleep 3s", "assert x == 0"}}}};

  const SimRun seen = run(program, wire::Rule{});

  EXPECT_TRUE(seen.passed());
  EXPECT_EQ(seen.now, 5'000'050'000u) << "a wait ends a little late";
  EXPECT_TRUE(seen.schedule.choices.empty()) << "there was nothing to choose";
}

TEST(Time, DoesNotPassWhileSomebodyCanRun) {
  const SimProgram program{.threads = {{"T0", {"sleep 1ms"}}, {"T1", sim::repeat("step", 100)}}};

  const SimRun seen = run(program, wire::Rule{});

  EXPECT_EQ(seen.slices(), "T0:0+1 T1:102 T0:1+1");
}

TEST(Time, ThatIsReadMakesASleeperWhoseDeadlineItPassesRunnable) {
  // 1,000 reads of 1 us and more, with an operation between: then the sleep of 100 us is over.
  const SimProgram program{.threads = {{"T0", {"sleep 100us", "x = 1"}},
                                       {"T1", sim::in_order(sim::repeat({"clock", "step"}, 1'000),
                                                            {"yield", "y = x"})}}};

  const SimRun seen = run(program, wire::Rule{});

  EXPECT_EQ(seen.value("y"), 1) << "the yield had somebody to give way to";
}

TEST(Time, IsUpForATimedLockThatIsTakenAfterItsDeadline) {
  // T0 could take m when it is left; time passes its deadline; then T1 takes m.
  const SimProgram program{.threads = {{"T0", {"lock m for 1ms", "assert $result == 2"}},
                                       {"T1", {"sleep 2ms", "lock m", "yield", "unlock m"}}}};
  const sim::SimSchedule schedule{
      .slices = {{.thread = {.ordinal = 1}, .until = {1, 1}},
                 {.thread = {.ordinal = 1}, .until = {3, 1}},
                 {.thread = {.ordinal = 0}, .until = {9, 0}}},
      .choices = {{.thread = {.ordinal = 1}, .clock = {1, 1}, .kind = wire::ChoiceKind::kTimeout}}};

  const SimRun seen = run(program, schedule, wire::Following::kLenient);

  EXPECT_TRUE(seen.passed()) << seen.words.text;
  EXPECT_EQ(seen.disagreement, "");
}

TEST(Time, ChosenToReachADeadlinePassesEveryEarlierOne) {
  const SimProgram program{.threads = {{"T0", sim::repeat("step", 30)},
                                       {"T1", {"sleep 10ms", "step"}},
                                       {"T2", {"sleep 20ms", "step"}}}};
  int later_first = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const sim::SimSchedule both_sleep_first{.slices = {{.thread = {.ordinal = 1}, .until = {2, 0}},
                                                       {.thread = {.ordinal = 2}, .until = {2, 0}}},
                                            .then = random_rule(seed)};
    const SimRun seen = run(program, both_sleep_first, wire::Following::kLenient);
    EXPECT_TRUE(seen.passed());
    EXPECT_EQ(seen.disagreement, "") << "the earlier one can run too";
    EXPECT_EQ(seen.now, 20'050'000u);
    const auto& choices = seen.schedule.choices;
    if (choices.empty() || choices[0].thread.ordinal != 2) continue;
    ++later_first;
    EXPECT_EQ(choices.size(), 1u) << "nobody is left to time out";
  }

  // A third of the seeds never choose a timeout; of the others half choose this one first.
  EXPECT_GT(later_first, 60);
}

TEST(Time, IsChosenToReachNearDeadlinesOnlyUnlessAsked) {
  const SimProgram program{.threads = {{"T0", sim::repeat("step", 50)}, {"T1", {"sleep 1s"}}}};
  const auto chosen = [&](wire::Timeouts timeouts) {
    std::size_t choices = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      choices += run(program, random_rule(seed), {.timeouts = timeouts}).schedule.choices.size();
    }
    return choices;
  };

  EXPECT_EQ(chosen(wire::Timeouts::kNear), 0u) << "a second is not near";
  EXPECT_EQ(chosen(wire::Timeouts::kIdle), 0u);
  EXPECT_GT(chosen(wire::Timeouts::kAny), 20u) << "two seeds in three would, at some point";
}

TEST(Time, OutTellsATimedOperationSo) {
  const SimProgram program{
      .threads = {{"main", {"lock m", "create t", "join t", "unlock m"}},
                  {"t",
                   {"lock m for 1ms", "assert $result == 2", "sem_wait s for 1ms",
                    "assert $result == 2", "lock n", "wait c n for 1ms", "assert $result == 2",
                    "unlock n", "join main for 1ms", "assert $result == 2"}}}};

  const SimRun seen = run(program, wire::Rule{});

  EXPECT_TRUE(seen.passed()) << seen.words.text;
  EXPECT_EQ(seen.now, 4'200'000u);
}

// --- Threads ---

TEST(Threads, ReuseSlotsAfterAJoinAndNeverOrdinals) {
  constexpr std::size_t kMore = wire::kMostThreads + 100;
  const SimProgram program{
      .threads = {{"main", sim::repeat({"create t", "assert $result == 0", "join t"}, kMore)},
                  {"t", {}}}};

  const SimRun seen = run(program, wire::Rule{});

  EXPECT_TRUE(seen.passed()) << seen.words.text;
  EXPECT_EQ(seen.counts.threads, kMore + 1);
  std::set<std::uint32_t> ordinals;
  for (const wire::Event& event : seen.events) ordinals.insert(event.thread.ordinal);
  EXPECT_EQ(ordinals.size(), kMore + 1);
}

TEST(Threads, ReuseSlotsOfDetachedOnesToo) {
  constexpr std::size_t kMore = wire::kMostThreads + 100;
  const SimProgram program{
      .threads = {
          {"main", sim::repeat({"create t", "assert $result == 0", "detach t", "yield"}, kMore)},
          {"t", {}}}};

  const SimRun seen = run(program, wire::Rule{});

  EXPECT_TRUE(seen.passed()) << seen.words.text;
  EXPECT_EQ(seen.counts.threads, kMore + 1);
}

TEST(Threads, AreRefusedWhenTooManyAreAlive) {
  const SimProgram program{
      .threads = {{"main", sim::in_order(sim::repeat({"create t", "assert $result == 0"},
                                                     wire::kMostThreads - 1),
                                         {"create t", "assert $result == 1"})},
                  {"t", {"sem_wait s"}}}};

  const SimRun seen = run(program, wire::Rule{});

  EXPECT_TRUE(seen.passed()) << seen.words.text;
}

TEST(Threads, BeyondSixtyFourTakePartLikeOthers) {
  const SimProgram program{.threads = {{"main", sim::in_order(sim::repeat("create t", 100),
                                                              {"while n < 100", "yield", "end"})},
                                       {"t", {"lock m", "n = n + 1", "unlock m"}}}};

  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const SimRun seen = run(program, random_rule(seed));
    EXPECT_TRUE(seen.passed());
    EXPECT_EQ(seen.value("n"), 100);
    EXPECT_EQ(seen.disagreement, "");
  }
}

// --- Limits ---

TEST(Limits, OfStepsLeaveARunUnresolved) {
  const SimProgram program{.threads = {{"T0", {"while x == 0", "step", "end"}}, {"T1", {"step"}}}};

  const SimRun seen = run(program, wire::Rule{}, {.most_steps = 100});

  EXPECT_EQ(seen.words.kind, wire::LastWords::Kind::kUnresolved);
  EXPECT_EQ(seen.words.text, std::string("step limit reached"));
  EXPECT_EQ(seen.counts.steps, 101u);
}

// --- Waiters ---

TEST(Waiters, AreChosenEvenlyByTheRandomRule) {
  const SimProgram program{.threads = {{"T0", {"lock m", "signal c", "broadcast c", "unlock m"}},
                                       {"T1", {"lock m", "wait c m", "unlock m"}},
                                       {"T2", {"lock m", "wait c m", "unlock m"}},
                                       {"T3", {"lock m", "wait c m", "unlock m"}}}};
  std::vector<int> counts(4);
  const sim::SimSchedule all_wait_first{.slices = {{.thread = {.ordinal = 1}, .until = {3, 1}},
                                                   {.thread = {.ordinal = 2}, .until = {3, 1}},
                                                   {.thread = {.ordinal = 3}, .until = {3, 1}},
                                                   {.thread = {.ordinal = 0}, .until = {3, 0}}}};
  for (std::uint64_t seed = 0; seed < 900; ++seed) {
    sim::SimSchedule schedule = all_wait_first;
    schedule.then = random_rule(seed);
    const SimRun seen = run(program, schedule, wire::Following::kLenient);
    ASSERT_FALSE(seen.schedule.choices.empty());
    ++counts[seen.schedule.choices[0].value];
  }

  // Mean 300, deviation 14.
  for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(counts[i], 300, 70) << i;
}

TEST(Waiters, AreAllWokenByABroadcastWithoutAChoice) {
  const SimProgram program{.threads = {{"T0", {"lock m", "wait c m", "unlock m"}},
                                       {"T1", {"lock m", "wait c m", "unlock m"}},
                                       {"T2", {"lock m", "broadcast c", "unlock m"}}}};

  const SimRun seen = run(program, wire::Rule{});

  EXPECT_TRUE(seen.passed());
  EXPECT_TRUE(seen.schedule.choices.empty());
}

}  // namespace
}  // namespace unravel
