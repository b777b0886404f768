/// Clock form: switches by the count of points, other turns in the order of a queue.
#include <gtest/gtest.h>

#include "property/property.hpp"
#include "unit/runtime/any_program.hpp"
#include "unit/runtime/any_run.hpp"

namespace unravel {
namespace {

using sim::repeat;
using sim::SimSchedule;

wire::ClockSwitch to(std::uint64_t count, std::uint32_t receiver) {
  return {.count = count, .receiver = {.ordinal = receiver}, .has_receiver = 1};
}
wire::ClockSwitch to_head(std::uint64_t count) { return {.count = count}; }

SimRun run_clock_form(const SimProgram& program, std::vector<wire::ClockSwitch> switches,
                      const sim::SimLimits& limits = {}) {
  return sim::run(program, SimSchedule{.clock_switches = std::move(switches)},
                  wire::Following::kClockForm, limits);
}

/// Who had the turn, one letter for each slice.
std::string turns(const SimRun& run) {
  std::string text;
  for (const wire::Slice& slice : run.schedule.slices) {
    text += static_cast<char>('A' + slice.thread.ordinal);
  }
  return text;
}

const SimProgram kThree{
    .threads = {{"a", repeat("step", 4)}, {"b", repeat("step", 4)}, {"c", repeat("step", 4)}}};

TEST(ClockForm, WithoutSwitchesRunsEveryThreadToItsEndInTheOrderOfItsCreation) {
  EXPECT_EQ(turns(run_clock_form(kThree, {})), "ABC");
}

TEST(ClockForm, SwitchesToTheHeadOfTheQueueAndPutsWhoWasPreemptedAtItsTail) {
  const SimRun run = run_clock_form(kThree, {to_head(2), to_head(4)});
  EXPECT_EQ(turns(run), "ABCAB");
  EXPECT_EQ(run.counts.preemptions, 2u);
}

TEST(ClockForm, SwitchesToAReceiverThatItNames) {
  EXPECT_EQ(turns(run_clock_form(kThree, {to(2, 2)})), "ACBA");
}

TEST(ClockForm, TakesTheHeadForAReceiverThatCannotRun) {
  const SimProgram program{.threads = {{"a", {"lock m", "step", "step", "unlock m"}},
                                       {"b", {"lock m", "unlock m"}},
                                       {"c", {"step"}}}};
  // After the lock: B cannot have it.
  EXPECT_EQ(turns(run_clock_form(program, {to(2, 1)})).substr(0, 2), "AB") << "not tried yet";
  const SimRun blocked = run_clock_form(program, {to(2, 1), to(4, 1)});
  EXPECT_EQ(turns(blocked).substr(0, 3), "ABC") << "blocked, so the one behind it";
  EXPECT_TRUE(blocked.passed());
}

TEST(ClockForm, SwitchesTwiceWithoutAStepWhereCountsAreEqual) {
  // B gets the turn and gives it up at once: then it queues behind A.
  EXPECT_EQ(turns(run_clock_form(kThree, {to_head(2), to_head(2)})), "ACAB");
  EXPECT_EQ(turns(run_clock_form(kThree, {to_head(2), to_head(2), to_head(2)})), "ABC");
}

TEST(ClockForm, NamesTheReceiverOfAForcedSwitchOfTheSameCount) {
  const SimRun natural = run_clock_form(kThree, {});
  ASSERT_EQ(turns(natural), "ABC");
  // A has 4 operations with a point before each, its exit, and its end.
  const std::uint64_t end_of_a = 6;
  EXPECT_EQ(turns(run_clock_form(kThree, {to(end_of_a, 2)})), "ACB");
}

TEST(ClockForm, OfARunHasOnlySwitchesThatTheQueueDoesNotMakeByItself) {
  EXPECT_EQ(run_clock_form(kThree, {}).clock_switches(), "");
  EXPECT_EQ(run_clock_form(kThree, {to(2, 1)}).clock_switches(), "2>T1");
}

/// `2:0 4:1`: counts of its clock form, and which slice was going on there or ended.
std::string slices_of_switches(const SimRun& run) {
  std::string text;
  for (const wire::ClockSwitch& one : run.clock_form) {
    if (!text.empty()) text += ' ';
    text += std::to_string(one.count) + ":" + std::to_string(one.slice);
  }
  return text;
}

TEST(ClockForm, OfARunNamesTheSliceThatASwitchEnded) {
  const SimRun run = run_clock_form(kThree, {to_head(2), to(4, 0), to(7, 2)});
  ASSERT_EQ(turns(run), "ABACBA");
  EXPECT_EQ(slices_of_switches(run), "2:0 4:1 7:2");
  EXPECT_EQ(run.schedule.slices[2].until, (wire::Clock{.operations = 4, .hooks = 1}))
      << "where A was when it was left for the second time";
  // Whatever was asked for, it is told as it was.
  std::vector<wire::ClockSwitch> again = run.clock_form;
  for (wire::ClockSwitch& one : again) one.slice = 99;
  EXPECT_EQ(slices_of_switches(run_clock_form(kThree, again)), "2:0 4:1 7:2");
}

TEST(ClockForm, OfARunNamesTheSliceThatGoesOnWhereASwitchChangesNothing) {
  // At 2 all three have the turn one after the other without a step, and A goes on; at 13 B ends
  // by itself.
  const SimRun run = run_clock_form(kThree, {to_head(2), to_head(2), to_head(2), to_head(13)});
  ASSERT_EQ(turns(run), "ABC");
  EXPECT_EQ(slices_of_switches(run), "2:0 2:0 2:0 13:1");
}

TEST(ClockForm, PreemptsAtTheFirstPointAfterATick) {
  const SimRun run = run_clock_form(kThree, {}, {.tick_every = 3});
  EXPECT_GT(run.counts.preemptions, 2u);
  EXPECT_TRUE(run.passed());
  // What the ticks did is in its clock form, and needs no ticks.
  require_same(kThree, run, run_clock_form(kThree, run.clock_form));
}

TEST(ClockForm, CountsPointsOfTheSetThatItIsFor) {
  const SimProgram program{
      .threads = {{"a", {"step", "call", "access x", "call", "access x", "step"}},
                  {"b", {"step"}}}};
  const auto first_slice = [&](wire::PointSet points) {
    return run_clock_form(program, {to(3, 1)}, {.points = points}).schedule.slices[0].until;
  };
  EXPECT_EQ(first_slice(wire::PointSet::kMemory), (wire::Clock{.operations = 1, .hooks = 2}));
  EXPECT_EQ(first_slice(wire::PointSet::kCalls), (wire::Clock{.operations = 1, .hooks = 3}));
  EXPECT_EQ(first_slice(wire::PointSet::kSync), (wire::Clock{.operations = 2, .hooks = 1}));
}

SimSchedule clock_form_of(const SimRun& run) {
  return {.choices = run.schedule.choices, .clock_switches = run.clock_form};
}

PROPERTY(ClockForm, OfAnyRunGivesTheSameRun, ()) {
  const SimProgram program = any_program();
  for (int i = 0; i < 10; ++i) {
    const sim::SimLimits limits{.points = any_points()};
    const SimRun recorded = run(program, any_rule(), limits);
    const SimRun again = run(program, clock_form_of(recorded), wire::Following::kClockForm, limits);
    require_same(program, recorded, again);
    RC_ASSERT(recorded.clock_switches() == again.clock_switches());
  }
}

PROPERTY(ClockForm, OfAnyRunNamesSlicesInTheirOrder, ()) {
  const SimProgram program = any_program();
  const SimRun seen = run(program, any_rule(), {.points = any_points()});
  std::uint32_t before = 0;
  for (const wire::ClockSwitch& one : seen.clock_form) {
    RC_ASSERT(one.slice >= before);
    RC_ASSERT(one.slice < seen.schedule.slices.size());
    before = one.slice;
  }
}

PROPERTY(ClockForm, OfAnySwitchesIsTheSameRunAgainAndStepForStep, ()) {
  const SimProgram program = any_program();
  const sim::SimLimits limits{.points = any_points()};
  SimSchedule schedule;
  std::uint64_t count = 0;
  for (int i = any_below(8); i > 0; --i) {
    count += static_cast<std::uint64_t>(any_below(8));
    schedule.clock_switches.push_back(
        any_below(2) ? to_head(count) : to(count, static_cast<std::uint32_t>(any_below(5))));
  }
  const SimRun once = run(program, schedule, wire::Following::kClockForm, limits);
  require_whole(program, once);
  require_same(program, once, run(program, schedule, wire::Following::kClockForm, limits));
  SimSchedule slices = once.schedule;
  const SimRun strict = run(program, slices, wire::Following::kStrict, limits);
  RC_ASSERT(once.slices() == strict.slices());
  RC_ASSERT(once.counts.steps == strict.counts.steps);
}

}  // namespace
}  // namespace unravel
