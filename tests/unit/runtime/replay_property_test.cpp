/// What stops for every program and every schedule: arbitrary small programs, arbitrary seeds.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "property/property.hpp"
#include "sim/sim_program.hpp"
#include "unit/runtime/any_program.hpp"
#include "unit/runtime/any_run.hpp"

namespace unravel {
namespace {

constexpr int kRulesPerProgram = 10;

PROPERTY(Replay, IsTheSameRunWhenTheScheduleIsFollowedStrictly, ()) {
  const SimProgram program = any_program();
  for (int i = 0; i < kRulesPerProgram; ++i) {
    const SimRun recorded = run(program, any_rule());
    if (i == 0) RC_CLASSIFY(recorded.failed(), "failed");
    if (i == 0) RC_CLASSIFY(!recorded.schedule.choices.empty(), "has choices");

    // The rule must not matter: every step is named.
    sim::SimSchedule schedule = recorded.schedule;
    schedule.then = {};
    require_same(program, recorded, run(program, schedule, wire::Following::kStrict));
  }
}

PROPERTY(Replay, IsTheSameRunWhenItsOwnScheduleIsFollowedLeniently, ()) {
  const SimProgram program = any_program();
  for (int i = 0; i < kRulesPerProgram; ++i) {
    const SimRun recorded = run(program, any_rule());

    sim::SimSchedule schedule = recorded.schedule;
    schedule.then = {};
    require_same(program, recorded, run(program, schedule, wire::Following::kLenient));
  }
}

PROPERTY(Runs, AreTheSameUnderTheSameRule, ()) {
  const SimProgram program = any_program();
  const wire::Rule rule = any_rule();

  require_same(program, run(program, rule), run(program, rule));
}

/// Only the process's end may come before a thread's next point.
void require_meaningful(const SimRun& seen) {
  std::map<std::uint32_t, wire::Clock> reached;
  std::uint64_t preemptions = 0;
  const std::vector<wire::Slice>& slices = seen.schedule.slices;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const wire::Slice& slice = slices[i];
    const bool last = i + 1 == slices.size();
    const wire::Clock before = reached[slice.thread.ordinal];
    RC_ASSERT((last ? slice.until >= before : slice.until > before));
    RC_ASSERT((last || slice.thread != slices[i + 1].thread));
    reached[slice.thread.ordinal] = slice.until;
    if (!last) preemptions += !wire::forced(slice.end, slice.pending);
  }
  RC_ASSERT(seen.counts.preemptions == preemptions);
  RC_ASSERT(seen.counts.switches == seen.counts.slices);
  RC_ASSERT(slices.size() == seen.counts.slices + 1);
}

PROPERTY(Runs, HaveSlicesWhoseAddressesMeanSomething, ()) {
  const SimProgram program = any_program();
  for (int i = 0; i < kRulesPerProgram; ++i) require_meaningful(run(program, any_rule()));
}

PROPERTY(Runs, KnowAtEveryDecisionWhoCanRun, ()) {
  const SimProgram program = any_program();
  for (int i = 0; i < kRulesPerProgram; ++i) require_whole(program, run(program, any_rule()));
}

PROPERTY(Runs, StayWholeUnderAScheduleOfAnotherProgram, ()) {
  const SimProgram program = any_program();
  const sim::SimSchedule foreign = run(any_program(), any_rule()).schedule;

  const SimRun lenient = run(program, foreign, wire::Following::kLenient);
  require_whole(program, lenient);
  RC_ASSERT(!lenient.diverged());
  require_same(program, lenient, run(program, lenient.schedule, wire::Following::kStrict));

  require_whole(program, run(program, foreign, wire::Following::kStrict));
}

}  // namespace
}  // namespace unravel
