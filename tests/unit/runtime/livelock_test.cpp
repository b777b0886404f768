/// Runs in which threads go on and get nowhere, and runs that only look like it.
#include <gtest/gtest.h>

#include "sim/sim_program.hpp"

namespace unravel {
namespace {

using sim::SimProgram;
using sim::SimRun;
using wire::FailureKind;

const sim::Steps kPollByYield{"while x == 0", "yield", "end"};

TEST(Livelock, IsSpinningOfAllInAStateThatComesBack) {
  const SimProgram program{.threads = {{"T0", kPollByYield}, {"T1", kPollByYield}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_EQ(run.failure(), FailureKind::kLivelock);
  EXPECT_GT(run.counts.steps, 1'000u);
  EXPECT_LT(run.counts.steps, 100'000u);
}

TEST(Livelock, IsAlsoOneWhoseStateComesBackAfterSeveralRounds) {
  const SimProgram program{
      .threads = {{"T0",
                   {"while y == 0", "z = 1", "yield", "z = 2", "yield", "z = 3", "yield", "end"}},
                  {"T1", {"while y == 0", "yield", "end"}}},
      .start = {{"y", 0}, {"z", 0}}};

  EXPECT_EQ(sim::run(program, wire::Rule{}).failure(), FailureKind::kLivelock);
}

TEST(Livelock, IsNoneWhileMemoryChanges) {
  const SimProgram program{.threads = {{"T0", {"while x < 30000", "x = x + 1", "yield", "end"}},
                                       {"T1", {"lock m", "join T0"}}},
                           .start = {{"x", 0}}};

  for (const auto kind :
       {wire::RuleKind::kStay, wire::RuleKind::kRandom, wire::RuleKind::kPriority}) {
    const SimRun run = sim::run(program, wire::Rule{.kind = kind, .seed = 3});
    EXPECT_TRUE(run.passed()) << run.words.text;
  }
}

TEST(Livelock, IsNoneWhileSomebodyReadsTheClock) {
  const SimProgram program{
      .threads = {{"T0", {"clock", "while $result < 100000000000", "yield", "clock", "end"}},
                  {"T1", {"join T0"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_TRUE(run.passed()) << run.words.text;
}

TEST(Livelock, IsAlsoOneOfFailedAttempts) {
  const sim::Steps attempts{"trylock m", "while $result != 0", "trylock m", "end"};
  const SimProgram program{.threads = {{"T0", {"lock m"}}, {"T1", attempts}, {"T2", attempts}}};

  EXPECT_EQ(sim::run(program, wire::Rule{}).failure(), FailureKind::kLivelock);
}

TEST(Livelock, IsNoneWhenAThreadThatTheRuleStarvedCanHelp) {
  // Under priority the two spinners could play with each other for ever.
  const SimProgram program{
      .threads = {{"T0", kPollByYield}, {"T1", kPollByYield}, {"T2", {"step", "x = 1"}}}};

  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const SimRun run =
        sim::run(program, wire::Rule{.kind = wire::RuleKind::kPriority, .seed = seed});
    EXPECT_TRUE(run.passed()) << seed;
  }
}

TEST(Livelock, IsNoneWhenASleeperCanHelp) {
  const SimProgram program{
      .threads = {{"T0", kPollByYield}, {"T1", {"sleep 1s", "sleep 1s", "x = 1"}}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_TRUE(run.passed());
  EXPECT_GE(run.now, 2'000'000'000u);
}

TEST(Livelock, IsNoneWhileAPollingSleeperAndAYielderTakeTurns) {
  // After many yields scheduling turns fair: then both must go on getting turns.
  const SimProgram program{
      .threads = {{"T0", {"while x == 0", "sleep 1ms", "end"}},
                  {"T1", sim::in_order(sim::repeat("yield", 200), {"x = 1"})}}};

  const SimRun run = sim::run(program, wire::Rule{}, {.most_steps = 100'000});

  EXPECT_TRUE(run.passed()) << run.words.text;
}

TEST(Livelock, IsNoneWhileSeveralPollingSleepersAndAYielderTakeTurns) {
  const sim::Steps polls{"while x == 0", "sleep 1ms", "end"};
  const SimProgram program{
      .threads = {{"T0", polls},
                  {"T1", polls},
                  {"T2", sim::in_order(sim::repeat("yield", 300), {"x = 1"})}}};

  const SimRun run = sim::run(program, wire::Rule{}, {.most_steps = 100'000});

  EXPECT_TRUE(run.passed()) << run.words.text;
}

TEST(Livelock, ReplaysStrictlyWhenFairnessEndedASleepEarly) {
  const SimProgram program{
      .threads = {{"T0", sim::repeat("sleep 1ms", 50)}, {"T1", sim::repeat("yield", 200)}}};
  const SimRun recorded = sim::run(program, wire::Rule{});

  const SimRun replayed = sim::run(program, recorded.schedule, wire::Following::kStrict);

  EXPECT_EQ(replayed.words.text, std::string());
  EXPECT_EQ(recorded.slices(), replayed.slices());
}

}  // namespace
}  // namespace unravel
