/// What holds for every program and every schedule: arbitrary small programs, arbitrary seeds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

#include "sim/sim_program.hpp"
#include "unit/runtime/any_run.hpp"

namespace unravel {
namespace {

constexpr int kRulesPerProgram = 10;

Steps any_steps(int most, int depth);

/// Something between taking and giving back.
Steps any_block(int depth) {
  Steps steps;
  switch (any_below(5)) {
    case 0:
    case 1: {
      // Timed: if it times out, what it would have protected is left out.
      const std::string mutex = any_below(2) ? "a" : "b";
      steps = {"lock " + mutex + any_time(), "if $result == 0"};
      add(steps, any_steps(3, depth + 1));
      if (mutex == "a" && any_below(3) == 0) add(steps, {"wait c a" + any_time()});
      add(steps, {"unlock " + mutex, "end"});
      break;
    }
    case 2:
    case 3: {
      steps = {(any_below(2) ? "rdlock w" : "wrlock w") + any_time(), "if $result == 0"};
      add(steps, any_steps(2, depth + 1));
      add(steps, {"rwunlock w", "end"});
      break;
    }
    case 4: {
      steps = {"trylock a", "$tries = 0", "while $result != 0"};
      add(steps, {any_below(2) ? "yield" : "sleep 1ms", "trylock a", "$tries = $tries + 1",
                  "if $tries > 60", "exit 3", "end", "end"});
      add(steps, any_steps(2, depth + 1));
      add(steps, {"unlock a"});
      break;
    }
  }
  return steps;
}

Steps any_steps(int most, int depth) {
  const char* const singles[] = {
      "step",        "step",          "yield",        "signal c",       "broadcast c", "post s",
      "sleep 1ms",   "sleep 3s",      "hook",         "x = x + 1",      "read x",      "write x 2",
      "barrier k 2", "sem_trywait s", "assert x < 3", "futex_wake f 2", "write f 1"};
  Steps steps;
  for (int left = any_below(most + 1); left > 0; --left) {
    const int kind = any_below(10);
    if (kind < 3 && depth < 2) {
      add(steps, any_block(depth));
    } else if (kind == 3) {
      add(steps, {"sem_wait s" + any_time()});
    } else if (kind == 4) {
      add(steps, {"futex_wait f 0" + any_time()});
    } else {
      add(steps, {singles[any_below(static_cast<int>(std::size(singles)))]});
    }
  }
  return steps;
}

SimProgram any_program() {
  SimProgram program{.start = {{"s", any_below(2)}, {"f", 0}, {"x", 0}}};
  const int threads = 1 + any_below(3);
  Steps main;
  for (int i = 0; i < threads; ++i) add(main, {"create t" + std::to_string(i)});
  add(main, any_steps(4, 0));
  // Some are joined, the others are alive when main returns, and some are created anew.
  for (int i = 0; i < threads; ++i) {
    if (any_below(4)) add(main, {"join t" + std::to_string(i) + any_time()});
  }
  if (any_below(3) == 0) add(main, {"create t0", "step"});
  program.threads.push_back({"main", main});
  for (int i = 0; i < threads; ++i) {
    program.threads.push_back({"t" + std::to_string(i), any_steps(6, 0)});
  }
  return program;
}

RC_GTEST_PROP(Replay, IsTheSameRunWhenTheScheduleIsFollowedStrictly, ()) {
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

RC_GTEST_PROP(Replay, IsTheSameRunWhenItsOwnScheduleIsFollowedLeniently, ()) {
  const SimProgram program = any_program();
  for (int i = 0; i < kRulesPerProgram; ++i) {
    const SimRun recorded = run(program, any_rule());

    sim::SimSchedule schedule = recorded.schedule;
    schedule.then = {};
    require_same(program, recorded, run(program, schedule, wire::Following::kLenient));
  }
}

RC_GTEST_PROP(Runs, AreTheSameUnderTheSameRule, ()) {
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

RC_GTEST_PROP(Runs, HaveSlicesWhoseAddressesMeanSomething, ()) {
  const SimProgram program = any_program();
  for (int i = 0; i < kRulesPerProgram; ++i) require_meaningful(run(program, any_rule()));
}

RC_GTEST_PROP(Runs, KnowAtEveryDecisionWhoCanRun, ()) {
  const SimProgram program = any_program();
  for (int i = 0; i < kRulesPerProgram; ++i) require_whole(program, run(program, any_rule()));
}

RC_GTEST_PROP(Runs, StayWholeUnderAScheduleOfAnotherProgram, ()) {
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
