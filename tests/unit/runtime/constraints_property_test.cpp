/// What stops for every program under any constraints: they choose among its runs, and make none.
#include <gtest/gtest.h>

#include "property/property.hpp"
#include "unit/runtime/any_program.hpp"
#include "unit/runtime/any_run.hpp"

namespace unravel {
namespace {

constexpr int kRulesPerProgram = 5;

wire::EventPattern any_pattern(const SimProgram& program) {
  const wire::Operation operations[] = {
      wire::Operation::kLock, wire::Operation::kUnlock,  wire::Operation::kOnce,
      wire::Operation::kWait, wire::Operation::kSemPost, wire::Operation::kStart,
      wire::Operation::kExit, wire::Operation::kJoin,    wire::Operation::kLoad};
  wire::EventPattern pattern;
  const int parts = any_below(8);
  if (parts & 1) {
    const int thread = any_below(static_cast<int>(program.threads.size()));
    const auto& steps = program.threads[static_cast<std::size_t>(thread)].steps;
    pattern.site = sim::site_of(static_cast<std::uint32_t>(thread),
                                static_cast<std::size_t>(1 + any_below(1 + int(steps.size()))));
  }
  if (parts & 2) pattern.operation = operations[any_below(static_cast<int>(std::size(operations)))];
  if (parts & 4) pattern.object = static_cast<std::uint64_t>(any_below(5));
  pattern.occurrence = static_cast<std::uint64_t>(any_below(4));
  pattern.whose = static_cast<wire::Whose>(any_below(wire::kWhoseCount));
  pattern.thread = static_cast<std::uint32_t>(any_below(4));
  return pattern;
}

std::vector<wire::Constraint> any_constraints(const SimProgram& program) {
  std::vector<wire::Constraint> constraints(static_cast<std::size_t>(1 + any_below(4)));
  for (wire::Constraint& one : constraints) {
    one.first = any_pattern(program);
    one.then = any_pattern(program);
    one.give_up = any_below(2) ? 0 : static_cast<std::uint64_t>(1 + any_below(20));
  }
  return constraints;
}

SimRun run_constrained(const SimProgram& program, const sim::SimLimits& limits) {
  return sim::run(program,
                  sim::SimSchedule{.then = any_rule(), .constraints = any_constraints(program)},
                  wire::Following::kNothing, limits);
}

// So it is one of the runs that the program has without any.
PROPERTY(ConstrainedRuns, AreTheSameWhenTheirSchedulesAreFollowedWithoutThem, ()) {
  const SimProgram program = any_program();
  const sim::SimLimits limits{.points = any_points()};
  for (int i = 0; i < kRulesPerProgram; ++i) {
    const SimRun recorded = run_constrained(program, limits);
    require_whole(program, recorded);
    RC_ASSERT(recorded.words.kind != wire::LastWords::Kind::kUnresolved);

    sim::SimSchedule schedule = recorded.schedule;
    schedule.then = {};
    require_same(program, recorded, sim::run(program, schedule, wire::Following::kStrict, limits));
  }
}

/// Threads that take turns at a counter in all ways that are right.
SimProgram any_correct_program() {
  const Steps rounds[] = {
      {"lock m", "read x", "$x = $result", "write x $x + 1", "unlock m"},
      {"wrlock w", "read y", "$x = $result", "write y $x + 1", "rwunlock w", "lock m", "x = x + 1",
       "signal c", "unlock m"},
      {"lock m", "while x < 1", "wait c m", "end", "x = x + 1", "broadcast c", "unlock m"},
      {"sleep 1ms", "lock m", "x = x + 1", "broadcast c", "unlock m", "yield"}};
  SimProgram program;
  // The first never waits, and so lets the others go on.
  program.threads.push_back({"t0", rounds[3]});
  const int threads = 2 + any_below(3);
  for (int i = 1; i < threads; ++i) {
    program.threads.push_back({"t" + std::to_string(i), rounds[any_below(4)]});
  }
  program.fails_if = "x != " + std::to_string(program.threads.size());
  return program;
}

PROPERTY(ConstrainedRuns, OfACorrectProgramNeverFail, ()) {
  const SimProgram program = any_correct_program();
  for (int i = 0; i < kRulesPerProgram; ++i) {
    const SimRun run = run_constrained(program, {});
    require_whole(program, run);
    if (!run.passed()) RC_FAIL(std::string(run.words.text) + text_of(program) + run.slices());
  }
}

}  // namespace
}  // namespace unravel
