#include "isolate/window.hpp"

#include <gtest/gtest.h>

#include "sim/sim_laboratory.hpp"

namespace unravel {
namespace {

/// A is vulnerable from when it has read x to when it writes it.
const sim::SimProgram kProgram{
    .threads = {{"A",
                 {"step", "step", "read x", "$seen = $result", "step", "step", "step",
                  "write x $seen + 1", "step", "step"}},
                {"B", {"read x", "$seen = $result", "write x $seen + 1"}}},
    .fails_if = "x != 2"};

sim::SimRun left_at(std::uint64_t count) {
  sim::SimSchedule schedule;
  schedule.clock_switches = {{.count = count, .receiver = {.ordinal = 1}, .has_receiver = 1}};
  return sim::run(kProgram, schedule, wire::Following::kClockForm);
}

KnownRun known(std::uint64_t count) {
  const sim::SimRun run = left_at(count);
  ClockForm form;
  form.switches = {{.count = count, .receiver = {.ordinal = 1}, .has_receiver = 1}};
  form.steps = run.counts.steps;
  return {.run = sim::whole(run), .form = form};
}

/// Every count at which it fails, by trying them all.
std::vector<std::uint64_t> failing_counts() {
  std::vector<std::uint64_t> counts;
  for (std::uint64_t count = 1; count <= 12; ++count) {
    if (left_at(count).failed()) counts.push_back(count);
  }
  return counts;
}

TEST(SwitchWindow, IsWhereItFailsWhereverItIsLookedFor) {
  const std::vector<std::uint64_t> failing = failing_counts();
  ASSERT_GE(failing.size(), 3u);
  ASSERT_EQ(failing.back() - failing.front() + 1, failing.size());
  const std::string key = sim::key_of(left_at(failing.front()));
  for (const std::uint64_t count : failing) {
    sim::SimLaboratory laboratory(kProgram, key);
    const Result<SwitchWindow> window = find_window(laboratory, known(count), 0, {});
    ASSERT_TRUE(window);
    EXPECT_EQ(window->first.form.switches[0].count, failing.front()) << "from " << count;
    EXPECT_EQ(window->last.form.switches[0].count, failing.back()) << "from " << count;
    EXPECT_EQ(window->points, failing.size());
    EXPECT_EQ(window->tests, laboratory.tried.size());
    EXPECT_EQ(window->first_slice, 0u);
    EXPECT_EQ(window->last_slice, 0u);
  }
}

TEST(SwitchWindow, IsAsFarAsTheLimitsLetItLook) {
  const std::vector<std::uint64_t> failing = failing_counts();
  sim::SimLaboratory laboratory(kProgram, sim::key_of(left_at(failing.front())));
  const KnownRun start = known(failing[1]);
  const Result<SwitchWindow> window = find_window(laboratory, start, 0, {.runs = 0});
  ASSERT_TRUE(window);
  EXPECT_EQ(window->points, 1u);
  EXPECT_EQ(window->tests, 0u);
  EXPECT_TRUE(laboratory.tried.empty());
}

}  // namespace
}  // namespace unravel
