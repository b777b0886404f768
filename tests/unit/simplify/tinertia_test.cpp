/// Figures 1 to 5 of Jalbert and Sen, "A Trace Simplification Technique for Effective Debugging of
/// Concurrent Programs", FSE 2010.
#include <gtest/gtest.h>

#include "sim/sim_laboratory.hpp"
#include "simplify/passes.hpp"
#include "simplify/simplifier.hpp"

namespace unravel {
namespace {

/// T1: flag = 1; x = 1; if (x == 3) error();
/// T2: while (!flag) sleep(); x = 3; flag = 0;
const sim::SimProgram kProgram{.threads = {{"T1",
                                            {"write flag 1", "write x 1", "read x",
                                             "$seen = $result", "step", "assert $seen != 3"}},
                                           {"T2",
                                            {"read flag", "while $result == 0", "step", "read flag",
                                             "end", "write x 3", "write flag 0"}}}};

constexpr std::uint32_t kT1 = 0, kT2 = 1;

/// Up to the point before the operation after the n-th.
wire::Slice up_to(std::uint32_t thread, std::uint64_t operations) {
  return {.thread = {.ordinal = thread}, .until = {operations, 1}, .site = {}};
}

/// Figure 2.
Run buggy_run() {
  sim::SimSchedule schedule;
  // To have started is the first operation of T2.
  schedule.slices = {up_to(kT2, 3), up_to(kT1, 1), up_to(kT2, 4), up_to(kT1, 2),
                     up_to(kT2, 5), up_to(kT1, 3), up_to(kT2, 9), up_to(kT1, 9)};
  return sim::whole(sim::run(kProgram, schedule, wire::Following::kLenient));
}

/// The paper lets any thread begin; here T1 has the turn at first, and may lose it before it has
/// done anything.
std::uint64_t switches(const Run& run) {
  const wire::Slice& first = run.schedule.slices.front();
  return run.summary.switches - (first.thread.ordinal == kT1 && first.until == wire::Clock{0, 1});
}

TEST(Tinertia, GivesTheSwitchesOfThePapersFigures) {
  const unravel::Run failing = buggy_run();
  ASSERT_TRUE(failing.failure);
  ASSERT_EQ(switches(failing), 7u);
  ASSERT_EQ(failing.summary.preemptions, 7u);  // T2 ends before the last, T1 gives way first

  sim::SimLaboratory laboratory(kProgram, failing.failure->key);
  Attempts attempts(laboratory, failing, [](auto, const auto&) { return true; });
  remove_last_slices(attempts);
  EXPECT_EQ(switches(attempts.best()), 5u);  // figure 3
  consolidate_up(attempts);
  EXPECT_EQ(switches(attempts.best()), 3u);  // figure 4
  consolidate_down(attempts);
  EXPECT_EQ(switches(attempts.best()), 2u);  // figure 5
  EXPECT_EQ(attempts.removed(Edit::Kind::kRemoveLast), 2u);
  EXPECT_EQ(attempts.removed(Edit::Kind::kConsolidateUp), 2u);
  EXPECT_EQ(attempts.removed(Edit::Kind::kConsolidateDown), 2u);  // T1 begins
}

TEST(Tinertia, ComesToTheSameByGroups) {
  const unravel::Run failing = buggy_run();
  sim::SimLaboratory laboratory(kProgram, failing.failure->key);
  const Simplified simplified = simplify(laboratory, failing);
  EXPECT_EQ(simplified.after.switches, 2u);
  EXPECT_EQ(simplified.after.preemptions, 1u);  // T2 ends before T1 goes on
  EXPECT_TRUE(simplified.complete);
  EXPECT_EQ(simplified.run.failure->key, failing.failure->key);
}

}  // namespace
}  // namespace unravel
