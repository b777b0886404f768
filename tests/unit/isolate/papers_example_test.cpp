/// Figures 3 to 6 of Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002.
///
/// Threads A, B and C make 6, 6 and 5 statements; C begins when A has ended, and the run fails iff
/// it finds then that B has not made its fifth. What counts is the points between statements: a
/// thread that others start has one after its start, all have one before each step and before their
/// exit, and one where they end, but the last thread's end is the program's. So 17 statements have
/// 16 points, and 16 is where the paper's clock ends too.
#include <gtest/gtest.h>

#include "isolate/isolate.hpp"
#include "sim/sim_laboratory.hpp"

namespace unravel {
namespace {

using sim::repeat;

const sim::SimProgram kQueue{
    .threads = {{"A", repeat("step", 4)},
                {"B", {"step", "step", "write finished 1"}},
                {"C", {"seen = finished", "step", "step"}, /*follows=*/"A"}},
    .fails_if = "seen == 0",
};

using Clocks = std::vector<std::uint64_t>;

Clocks clocks_of(const std::vector<wire::ClockSwitch>& switches) {
  Clocks clocks;
  for (const wire::ClockSwitch& one : switches) {
    EXPECT_FALSE(one.has_receiver) << "the paper's switches go to the head of the queue";
    clocks.push_back(one.count);
  }
  return clocks;
}

sim::SimRun run_of(const Clocks& clocks) {
  sim::SimSchedule schedule;
  for (const std::uint64_t clock : clocks) schedule.clock_switches.push_back({.count = clock});
  return sim::run(kQueue, schedule, wire::Following::kClockForm);
}

TEST(PapersExample, PassesAndFailsByTheSchedulesOfItsFigures) {
  const sim::SimRun passing = run_of({6, 12});
  EXPECT_TRUE(passing.passed());
  EXPECT_EQ(passing.slices(), "T0:5 T1:5 T2:3+1");
  EXPECT_EQ(passing.counts.steps, 16u);
  EXPECT_EQ(clocks_of(passing.clock_form), (Clocks{6, 12}));

  const sim::SimRun failing = run_of({5, 7, 8, 10, 15});
  EXPECT_TRUE(failing.failed());
  EXPECT_EQ(failing.slices(), "T0:4+1 T1:1+1 T0:5 T1:3+1 T2:4 T1:5");
  EXPECT_EQ(failing.counts.steps, 16u);
  EXPECT_EQ(clocks_of(failing.clock_form), (Clocks{5, 7, 8, 10, 15}));
}

TEST(PapersExample, IsIsolatedByTheTestsOfFigureSix) {
  const sim::SimRun passing = run_of({6, 12});
  const sim::SimRun failing = run_of({5, 7, 8, 10, 15});
  sim::SimLaboratory laboratory(kQueue, sim::key_of(failing));

  const Result<Isolated> found =
      isolate(laboratory, realised(sim::whole(passing)), realised(sim::whole(failing)));

  ASSERT_TRUE(found);
  EXPECT_EQ(found->deltas, 24u);
  std::vector<Clocks> tried;
  for (const Proposal& proposal : laboratory.tried) {
    tried.push_back(clocks_of(proposal.schedule.clock_switches));
  }
  EXPECT_EQ(tried,
            (std::vector<Clocks>{
                {5, 7, 8, 17, 17}, {5, 7, 8, 10, 17}, {5, 7, 8, 13, 17}, {5, 7, 8, 11, 17}}));
  EXPECT_EQ(found->history, (std::vector<DeltaTest>{{5, 24, DeltaOutcome::kPass},
                                                    {2, 9, DeltaOutcome::kFail},
                                                    {1, 7, DeltaOutcome::kPass},
                                                    {1, 3, DeltaOutcome::kPass}}));
  EXPECT_EQ(found->tests, 4u);
  EXPECT_EQ(found->unresolved, 0u);
  EXPECT_EQ(found->neighbour_tests, 0u);
  EXPECT_TRUE(found->minimal);
  EXPECT_EQ(found->deltas_left, 1u);

  // Switch 4 at 10 instead of 11: C begins when B has made four statements, or five.
  ASSERT_EQ(found->switches.size(), 1u);
  EXPECT_TRUE(found->choices.empty());
  const SwitchDifference& one = found->switches[0];
  EXPECT_EQ(one.index, 3u);
  EXPECT_EQ(one.passing.count, 11u);
  EXPECT_EQ(one.failing.count, 10u);
  EXPECT_FALSE(one.receiver_differs);
  EXPECT_EQ(clocks_of(found->passing->run.clock_form), (Clocks{5, 7, 8, 11}));
  EXPECT_EQ(clocks_of(found->failing->run.clock_form), (Clocks{5, 7, 8, 10}));
  // Both end the fourth slice, which is B's: one before it has written, one after.
  EXPECT_EQ(one.passing_slice, 3u);
  EXPECT_EQ(one.failing_slice, 3u);
  const wire::Slice& passed = found->passing->run.schedule.slices[3];
  const wire::Slice& failed = found->failing->run.schedule.slices[3];
  EXPECT_EQ(passed.thread.ordinal, 1u);
  EXPECT_EQ(failed.thread.ordinal, 1u);
  EXPECT_EQ(failed.site, sim::site_of(1, 3)) << "about to write";
  EXPECT_EQ(passed.pending, wire::Operation::kExit);
}

}  // namespace
}  // namespace unravel
