/// Deadlines that come although other threads can go on.
#include <gtest/gtest.h>

#include <string>

#include "sim/sim_program.hpp"

namespace unravel {
namespace {

using sim::SimProgram;
using sim::SimRun;

constexpr std::uint64_t kSecond = 1'000'000'000;

const sim::Steps kBusy{"while stop == 0", "lock m", "unlock m", "end"};

/// Every rule, and some seeds.
std::vector<wire::Rule> rules() {
  std::vector<wire::Rule> all{wire::Rule{}};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    all.push_back({.kind = wire::RuleKind::kRandom, .seed = seed});
    all.push_back({.kind = wire::RuleKind::kPriority, .seed = seed});
  }
  return all;
}

void expect_passes_and_replays(const SimProgram& program) {
  for (const wire::Rule& rule : rules()) {
    const SimRun recorded = sim::run(program, rule);
    ASSERT_TRUE(recorded.passed()) << recorded.words.text;

    const SimRun replayed = sim::run(program, recorded.schedule, wire::Following::kStrict);

    EXPECT_EQ(std::string(replayed.words.text), "");
    EXPECT_EQ(replayed.now, recorded.now);
    EXPECT_EQ(replayed.choices(), recorded.choices());
    EXPECT_EQ(replayed.slices(), recorded.slices());
  }
}

TEST(Deadlines, EndASleepBesideThreadsThatNeverStop) {
  expect_passes_and_replays(
      {.threads = {{"T0", {"sleep 1s", "stop = 1"}}, {"T1", kBusy}, {"T2", kBusy}},
       .start = {{"stop", 0}}});
}

TEST(Deadlines, EndANearSleepBesideThreadsThatNeverStop) {
  expect_passes_and_replays(
      {.threads = {{"T0", {"sleep 1ms", "stop = 1"}}, {"T1", kBusy}}, .start = {{"stop", 0}}});
}

TEST(Deadlines, ComeThoughAYoungerOneIsAlwaysNearer) {
  // T1 waits for a second again and again, and T2 always wakes it long before.
  const sim::Steps waits{"lock m", "while stop == 0", "wait c m for 1s", "late = late + $result",
                         "end",    "unlock m"};
  const sim::Steps wakes{"while stop == 0", "lock m", "signal c", "unlock m", "end"};
  const SimProgram program{
      .threads = {{"T0", {"sleep 60s", "stop = 1"}}, {"T1", waits}, {"T2", wakes}},
      .start = {{"stop", 0}, {"late", 0}}};
  const SimRun run = sim::run(program, wire::Rule{}, {.most_steps = 2'000'000});

  EXPECT_TRUE(run.passed()) << run.words.text;
  EXPECT_GE(run.now, 60 * kSecond);
}

TEST(Deadlines, DoNotComeBeforeOthersHaveMadeManyPoints) {
  const SimProgram program{
      .threads = {{"T0", {"sleep 1s", "late = 1"}},
                  {"T1",
                   sim::in_order(sim::repeat({"lock m", "unlock m"}, 1'000), {"saw = late"})}},
      .start = {{"late", 0}, {"saw", 0}}};
  for (const wire::Rule& rule : rules()) {
    EXPECT_EQ(sim::run(program, rule).value("saw"), 0);
  }
}

TEST(Deadlines, DoNotComeWhereOnlyIdleTimeCounts) {
  const SimProgram program{.threads = {{"T0", {"sleep 1s", "stop = 1"}}, {"T1", kBusy}},
                           .start = {{"stop", 0}}};

  const SimRun run =
      sim::run(program, wire::Rule{}, {.most_steps = 500'000, .timeouts = wire::Timeouts::kIdle});

  EXPECT_EQ(std::string(run.words.text), "step limit reached");
}

TEST(Deadlines, EndASleepOfNoTimeAtOnceAndLetOthersGoFirst) {
  const SimProgram program{
      .threads = {{"T0", {"while x == 0", "sleep 0ms", "end"}}, {"T1", {"x = 1"}}},
      .start = {{"x", 0}}};

  const SimRun run = sim::run(program, wire::Rule{});

  EXPECT_TRUE(run.passed());
  EXPECT_LT(run.counts.steps, 100u);
  EXPECT_EQ(run.now, 0u);
}

TEST(LongTurns, EndWhereAThreadWaitsByLockingAndLooking) {
  const sim::Steps looks{"while x == 0", "lock m", "unlock m", "end"};
  const SimProgram program{.threads = {{"T0", looks}, {"T1", {"lock m", "x = 1", "unlock m"}}},
                           .start = {{"x", 0}}};
  for (const wire::Rule& rule : rules()) {
    const SimRun run = sim::run(program, rule, {.most_steps = 100'000});
    EXPECT_TRUE(run.passed()) << run.words.text;
  }
}

}  // namespace
}  // namespace unravel
