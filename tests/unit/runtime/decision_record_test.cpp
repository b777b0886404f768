/// What a run tells of its decisions: who could have gone on, and who was chosen.
#include "runtime/core/decision_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "data/decisions.hpp"
#include "property/property.hpp"
#include "unit/runtime/any_program.hpp"
#include "unit/runtime/any_run.hpp"

namespace unravel {
namespace {

using sim::SimLimits;
using sim::SimProgram;
using sim::SimRun;
using sim::SimSchedule;
using wire::Ability;
using wire::DecisionKind;
using wire::Operation;

RunDecisions decisions_of(const SimRun& run) {
  DecisionDecoder decoder;
  decoder.take(run.decisions, {});
  EXPECT_FALSE(decoder.damaged());
  EXPECT_EQ(decoder.runs().size(), 1u);
  return decoder.runs().empty() ? RunDecisions() : decoder.runs()[0];
}

std::set<std::uint32_t> able(const std::vector<Alternative>& alternatives, Ability ability) {
  std::set<std::uint32_t> threads;
  for (const Alternative& one : alternatives) {
    if (one.ability == ability) threads.insert(one.thread);
  }
  return threads;
}

const SimLimits kRecorded{.decisions = true};

TEST(DecisionRecord, IsEmptyUnlessItIsAskedFor) {
  const SimProgram program{
      .threads = {{"a", {"lock m", "unlock m"}}, {"b", {"lock m", "unlock m"}}}};
  EXPECT_TRUE(sim::run(program, wire::Rule{}).decisions.empty());
}

TEST(DecisionRecord, NamesWhatEachThreadIsAboutToDo) {
  const SimProgram program{.threads = {{"a", {"lock m", "unlock m"}}, {"b", {"post s"}}}};
  const RunDecisions run = decisions_of(sim::run(program, wire::Rule{}, kRecorded));
  ASSERT_FALSE(run.decisions.empty());
  const RecordedDecision& first = run.decisions[0];
  EXPECT_EQ(first.kind, DecisionKind::kThread);
  ASSERT_EQ(first.alternatives.size(), 2u);
  EXPECT_EQ(first.alternatives[0].thread, 0u);
  EXPECT_EQ(first.alternatives[0].operation, Operation::kLock);
  EXPECT_EQ(first.alternatives[1].thread, 1u);
  EXPECT_TRUE(run.has_ended);
}

TEST(DecisionRecord, TellsWhomTheEndFoundBlocked) {
  const SimProgram program{.threads = {{"a", {"lock m", "lock n", "unlock n", "unlock m"}},
                                       {"b", {"lock n", "lock m", "unlock m", "unlock n"}}}};
  bool has_deadlock = false;
  for (std::uint64_t seed = 0; seed < 100 && !has_deadlock; ++seed) {
    const wire::Rule rule{
        .kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
    const SimRun run = sim::run(program, rule, kRecorded);
    if (run.failure() != wire::FailureKind::kDeadlock) continue;
    has_deadlock = true;
    const RunDecisions told = decisions_of(run);
    ASSERT_EQ(told.at_end.size(), 2u);
    for (const Alternative& one : told.at_end) EXPECT_EQ(one.operation, Operation::kLock);
    EXPECT_NE(told.at_end[0].object, told.at_end[1].object);
    EXPECT_EQ(able(told.at_end, Ability::kBlocked).size(), 1u) << "the other closed the cycle";
  }
  EXPECT_TRUE(has_deadlock);
}

TEST(DecisionRecord, TellsWhichWaiterWasWoken) {
  const SimProgram program{.threads = {{"a", {"lock m", "wait c m", "unlock m"}},
                                       {"b", {"lock m", "wait c m", "unlock m"}},
                                       {"c", {"signal c", "signal c"}}}};
  std::set<std::uint32_t> woken;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const wire::Rule rule{
        .kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
    for (const RecordedDecision& one : decisions_of(sim::run(program, rule, kRecorded)).decisions) {
      if (one.kind != DecisionKind::kWaiter) continue;
      EXPECT_EQ(able(one.alternatives, Ability::kBlocked), (std::set<std::uint32_t>{0, 1}));
      woken.insert(one.chosen);
    }
  }
  EXPECT_EQ(woken, (std::set<std::uint32_t>{0, 1}));
}

PROPERTY(DecisionRecords, ChangeNothingOfARunBySynchronisation, ()) {
  const SimProgram program = any_program();
  const wire::Rule rule = any_rule();
  const SimRun plain = sim::run(program, rule);
  SimRun told = sim::run(program, rule, kRecorded);
  RC_ASSERT(!told.decisions.empty());
  told.decisions.clear();
  require_same(program, plain, told);
}

// The thread that is chosen is one of those that could go on, and any other of them could have
// been. A thread that is not listed cannot go on there, whatever is asked for.
PROPERTY(DecisionRecords, HaveExactlyTheThreadsThatCanGoOn, ()) {
  const SimProgram program = any_program();
  const SimRun recorded = sim::run(program, any_rule(), kRecorded);
  const RunDecisions told = decisions_of(recorded);
  std::uint32_t threads = 0;
  for (const wire::Slice& slice : recorded.schedule.slices) {
    threads = std::max(threads, slice.thread.ordinal + 1);
  }
  std::set<std::uint64_t> steps;
  for (const RecordedDecision& decision : told.decisions) {
    if (decision.kind != DecisionKind::kThread) continue;
    const std::set<std::uint32_t> can = able(decision.alternatives, Ability::kGoOn);
    const std::set<std::uint32_t> times_out = able(decision.alternatives, Ability::kTimeOut);
    RC_ASSERT(can.contains(decision.chosen) || times_out.contains(decision.chosen));
    RC_ASSERT(decision.fires_timeout == !can.contains(decision.chosen));
    // A few of each run, and only where one step has one decision.
    if (steps.size() > 5 || !steps.insert(decision.step).second) continue;
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      SimSchedule other{.choices = recorded.schedule.choices};
      for (const wire::ClockSwitch& one : recorded.clock_form) {
        if (one.count < decision.step) other.clock_switches.push_back(one);
      }
      other.clock_switches.push_back(
          {.count = decision.step, .receiver = {.ordinal = thread}, .has_receiver = 1});
      const RunDecisions now =
          decisions_of(sim::run(program, other, wire::Following::kClockForm, kRecorded));
      const auto there = std::find_if(
          now.decisions.begin(), now.decisions.end(), [&](const RecordedDecision& one) {
            return one.kind == DecisionKind::kThread && one.step == decision.step;
          });
      RC_ASSERT(there != now.decisions.end());
      RC_ASSERT(able(there->alternatives, Ability::kGoOn) == can);
      if (there->fires_timeout) continue;
      if (can.contains(thread)) RC_ASSERT(there->chosen == thread);
      if (!can.contains(thread)) RC_ASSERT(there->chosen != thread);
    }
  }
}

}  // namespace
}  // namespace unravel
