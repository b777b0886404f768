/// Constraints of a schedule: who waits for whom, how long, and what a pattern matches.
#include "runtime/core/constraints.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sim/sim_program.hpp"

namespace unravel {
namespace {

using sim::object_of;
using sim::repeat;
using sim::SimLimits;
using sim::SimProgram;
using sim::SimRun;
using sim::SimSchedule;
using sim::site_of;
using sim::Steps;
using wire::Constraint;
using wire::EventPattern;
using wire::Operation;

using Orders = std::set<std::string>;

EventPattern at(std::uint32_t thread, std::size_t step, std::uint64_t occurrence = 0) {
  return {.site = site_of(thread, step), .occurrence = occurrence};
}
EventPattern on(std::uint64_t object) { return {.object = object}; }
EventPattern of(Operation operation, std::uint64_t occurrence = 0) {
  return {.occurrence = occurrence, .operation = operation};
}

/// A letter for every read and write: who made it.
std::string order_of(const SimRun& run) {
  std::string text;
  for (const wire::Event& event : run.events) {
    if (event.operation != Operation::kOnce) continue;
    text += static_cast<char>('a' + event.thread.ordinal);
  }
  return text;
}

SimRun run_with(const SimProgram& program, std::vector<Constraint> constraints,
                const wire::Rule& rule = {}, const SimLimits& limits = {}) {
  SimRun run = sim::run(program, SimSchedule{.then = rule, .constraints = std::move(constraints)},
                        wire::Following::kNothing, limits);
  EXPECT_EQ(run.disagreement, "");
  EXPECT_TRUE(run.passed()) << run.words.text;
  return run;
}

/// All that 300 seeds come to. An order of these small programs has a chance of 1/16 at least, so
/// that one of them is missed by all once in 250 million.
Orders orders_of(const SimProgram& program, const std::vector<Constraint>& constraints) {
  Orders orders;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const wire::Rule rule{
        .kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
    orders.insert(order_of(run_with(program, constraints, rule)));
  }
  return orders;
}

Steps twice(const std::string& step) {
  return {"$i = 0", "while $i < 2", step, "$i = $i + 1", "end"};
}
constexpr std::size_t kInLoop = 3;

/// Each makes the same write twice, at one site.
const SimProgram kLoops{.threads = {{"a", twice("write x 1")}, {"b", twice("write y 1")}}};
const Orders kAll = {"aabb", "abab", "abba", "baab", "baba", "bbaa"};

// --- Occurrences ---

TEST(Constraints, AreNeededForAnOrderToBeCertain) { EXPECT_EQ(orders_of(kLoops, {}), kAll); }

TEST(Constraints, LetTheSecondWaitForAllOfTheFirst) {
  EXPECT_EQ(orders_of(kLoops, {{at(1, kInLoop), at(0, kInLoop)}}), Orders{"bbaa"});
  EXPECT_EQ(orders_of(kLoops, {{at(0, kInLoop), at(1, kInLoop)}}), Orders{"aabb"});
}

TEST(Constraints, LetTheSecondWaitForOneOccurrenceOfTheFirst) {
  EXPECT_EQ(orders_of(kLoops, {{at(1, kInLoop, 1), at(0, kInLoop)}}),
            (Orders{"bbaa", "baba", "baab"}));
  EXPECT_EQ(orders_of(kLoops, {{at(1, kInLoop, 2), at(0, kInLoop)}}), Orders{"bbaa"});
}

TEST(Constraints, LetOneOccurrenceOfTheSecondWait) {
  EXPECT_EQ(orders_of(kLoops, {{at(1, kInLoop), at(0, kInLoop, 1)}}), Orders{"bbaa"});
  EXPECT_EQ(orders_of(kLoops, {{at(1, kInLoop), at(0, kInLoop, 2)}}),
            (Orders{"abba", "baba", "bbaa"}));
  EXPECT_EQ(orders_of(kLoops, {{at(1, kInLoop, 1), at(0, kInLoop, 2)}}),
            (Orders{"abba", "baba", "bbaa", "abab", "baab"}));
}

TEST(Constraints, DoNothingForAnOccurrenceThatNeverComes) {
  EXPECT_EQ(orders_of(kLoops, {{at(1, kInLoop), at(0, kInLoop, 3)}}), kAll);
}

TEST(Constraints, CountOccurrencesOverAllThreads) {
  const SimProgram program{
      .threads = {{"a", {"write x 1"}}, {"b", {"write y 1"}}, {"c", {"write y 1"}}}};
  const std::uint64_t y = object_of(program, "y");
  EventPattern second = on(y);
  second.occurrence = 2;

  EXPECT_EQ(orders_of(program, {{second, at(0, 1)}}), (Orders{"bca", "cba"}));
  // Whichever of them comes second waits.
  EXPECT_EQ(orders_of(program, {{at(0, 1), second}}), (Orders{"abc", "acb", "bac", "cab"}));
}

// A wait has a point before it and one where it was woken: it is made once.
TEST(Constraints, CountAWaitOnce) {
  const SimProgram program{
      .threads = {{"a", {"lock m", "wait c m for 1ms", "unlock m", "write x 1", "write x 2"}},
                  {"b", {"write y 1"}}}};

  EXPECT_EQ(orders_of(program, {{of(Operation::kWait, 2), at(1, 1)}}), Orders{"aab"});
  EXPECT_EQ(orders_of(program, {{of(Operation::kWait, 1), at(1, 1)}}),
            (Orders{"aab", "aba", "baa"}));
}

// Who spins waits for somebody who is held back: the constraint that has held longest goes.
TEST(Constraints, AreGivenUpWhenTheOthersOnlySpin) {
  const Steps spins = {"while flag == 0", "yield", "end", "write z 1"};
  const SimProgram program{
      .threads = {{"a", spins}, {"b", {"write x 1", "flag = 1"}}, {"c", {"write y 1"}}},
      .start = {{"flag", 0}}};
  const Constraint never_b{at(0, 99), at(1, 1)};
  const Constraint c_after_b{at(1, 1, 1), at(2, 1)};

  EXPECT_EQ(orders_of(program, {never_b}), Orders{"cba"});
  EXPECT_EQ(orders_of(program, {never_b, c_after_b}), (Orders{"bac", "bca", "cba"}));
  EXPECT_EQ(orders_of(program, {c_after_b}), (Orders{"bac", "bca"}));
}

// --- Patterns ---

TEST(Patterns, MatchBySiteOrOperationOrObject) {
  const SimProgram program{
      .threads = {{"a", {"write x 1", "write x 2"}}, {"b", {"post s", "write y 1"}}}};
  const Orders b_first = {"baa"};
  const std::uint64_t x = object_of(program, "x");
  const std::uint64_t y = object_of(program, "y");
  ASSERT_EQ(orders_of(program, {}), (Orders{"aab", "aba", "baa"}));

  EXPECT_EQ(orders_of(program, {{at(1, 2), at(0, 1)}}), b_first);
  EXPECT_EQ(orders_of(program, {{on(y), on(x)}}), b_first);
  EXPECT_EQ(orders_of(program, {{on(y), at(0, 1)}}), b_first);
  EXPECT_EQ(orders_of(program, {{of(Operation::kOnce, 2), of(Operation::kSemPost)}}),
            Orders{"aab"});
}

TEST(Patterns, MatchOnlyWhatAllOfTheirFieldsMatch) {
  const std::uint64_t x = object_of(kLoops, "x");
  const std::uint64_t y = object_of(kLoops, "y");
  EventPattern site_and_object = at(0, kInLoop);
  EventPattern all = site_and_object;

  site_and_object.object = x;
  all.object = x;
  all.operation = Operation::kOnce;
  EXPECT_EQ(orders_of(kLoops, {{on(y), site_and_object}}), Orders{"bbaa"});
  EXPECT_EQ(orders_of(kLoops, {{on(y), all}}), Orders{"bbaa"});

  site_and_object.object = y;
  all.operation = Operation::kLock;
  EXPECT_EQ(orders_of(kLoops, {{on(y), site_and_object}}), kAll);
  EXPECT_EQ(orders_of(kLoops, {{on(y), all}}), kAll);
}

TEST(Patterns, OfZerosMatchNothing) {
  EXPECT_EQ(orders_of(kLoops, {Constraint{}}), kAll);
  EXPECT_EQ(orders_of(kLoops, {{at(1, kInLoop), {}}}), kAll);
  // What never happens is waited for until nobody else is left.
  EXPECT_EQ(orders_of(kLoops, {{{}, at(0, kInLoop)}}), Orders{"bbaa"});
  EXPECT_EQ(orders_of(kLoops, {{{.occurrence = 1}, at(0, kInLoop)}}), Orders{"bbaa"});
}

TEST(Patterns, OfASiteThatIsNotLoadedMatchNothing) {
  // Its offset is that of a write.
  EventPattern elsewhere;
  elsewhere.site = wire::Site::of(7, site_of(0, kInLoop).offset());

  EXPECT_EQ(orders_of(kLoops, {{at(1, kInLoop), elsewhere}}), kAll);
  EXPECT_EQ(orders_of(kLoops, {{elsewhere, at(1, kInLoop, 2)}}), (Orders{"aabb", "abab", "baab"}));
  elsewhere.occurrence = 1;
  EXPECT_EQ(orders_of(kLoops, {{elsewhere, at(1, kInLoop)}}), Orders{"aabb"});
}

TEST(Patterns, MatchAThreadsStart) {
  const SimProgram program{
      .threads = {{"main", {"create t", "create t", "write x 1", "join t"}}, {"t", {"write y 1"}}}};
  const auto starts_before_main = [&](std::vector<Constraint> constraints) {
    int most = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const wire::Rule rule{
          .kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
      int starts = 0;
      for (const wire::Event& event : run_with(program, constraints, rule).events) {
        if (event.operation == Operation::kOnce && event.thread.ordinal == 0) break;
        starts += event.operation == Operation::kStart;
      }
      most = std::max(most, starts);
    }
    return most;
  };

  EXPECT_EQ(starts_before_main({}), 2);
  EXPECT_EQ(starts_before_main({{at(0, 3), of(Operation::kStart, 2)}}), 1);
  EXPECT_EQ(starts_before_main({{at(0, 3), of(Operation::kStart, 1)}}), 0);
}

TEST(Patterns, MatchAccessesToMemory) {
  // Hooks are looked at from a thread's first operation on.
  const SimProgram program{.threads = {{"a", {"step", "store x 1"}}, {"b", {"step", "store x 2"}}}};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const wire::Rule rule{
        .kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
    const SimLimits limits{.points = wire::PointSet::kMemory};
    EXPECT_EQ(run_with(program, {{at(1, 2), at(0, 2)}}, rule, limits).value("x"), 1);
    EXPECT_EQ(run_with(program, {{at(0, 2), at(1, 2)}}, rule, limits).value("x"), 2);
  }
}

// --- Giving up ---

TEST(GivingUp, ComesAfterAsManyStepsAsTheConstraintSays) {
  // The first has the higher priority under some seed: then it goes on as soon as it may.
  const SimProgram program{.threads = {{"a", {"write x 1"}}, {"b", repeat("write y 1", 20)}}};
  wire::Rule rule{.kind = wire::RuleKind::kPriority};
  while (order_of(run_with(program, {}, rule))[0] != 'a') ++rule.seed;
  const auto waits = [&](std::uint64_t give_up) {
    return order_of(run_with(program, {{at(1, 99), at(0, 1), give_up}}, rule)).find('a');
  };

  // Its first step of waiting is the other's start.
  for (std::uint64_t give_up = 3; give_up < 15; ++give_up) {
    EXPECT_EQ(waits(give_up), give_up - 1) << give_up;
  }
  EXPECT_EQ(waits(0), 20u) << "never for that reason";
}

TEST(GivingUp, ComesWhenNobodyElseCanRun) {
  const SimProgram program{.threads = {{"a", {"lock m", "write x 1", "unlock m", "write x 2"}},
                                       {"b", {"lock m", "write y 1", "unlock m"}}}};

  // The second write waits for what only the thread itself makes later: nobody else is left.
  EXPECT_EQ(order_of(run_with(program, {{at(0, 4), at(0, 2)}})), "aab");
  // And this one for a thread that waits for its lock.
  EXPECT_EQ(order_of(run_with(program, {{at(1, 2), at(0, 2)}})), "aab");
}

TEST(GivingUp, OfTwoThatContradictEachOtherTakesTheOldest) {
  const Constraint b_first{at(1, kInLoop), at(0, kInLoop)};
  const Constraint a_first{at(0, kInLoop), at(1, kInLoop)};

  // The first thread comes to its write before the second does.
  EXPECT_EQ(order_of(run_with(kLoops, {a_first, b_first})), "aabb");
  EXPECT_EQ(order_of(run_with(kLoops, {b_first, a_first})), "aabb");
  for (const std::string& order : orders_of(kLoops, {a_first, b_first})) {
    EXPECT_TRUE(order == "aabb" || order == "bbaa") << order;
  }
}

TEST(GivingUp, ComesAfterTimeWasLetPass) {
  const auto order = [](const char* sleep, wire::Timeouts timeouts) {
    const SimProgram program{.threads = {{"a", {"write x 1"}}, {"b", {sleep, "write y 1"}}}};
    return order_of(run_with(program, {{at(1, 2), at(0, 1)}}, {}, {.timeouts = timeouts}));
  };

  EXPECT_EQ(order("sleep 1ms", wire::Timeouts::kNear), "ba");
  EXPECT_EQ(order("sleep 3s", wire::Timeouts::kAny), "ba");
  EXPECT_EQ(order("sleep 3s", wire::Timeouts::kNear), "ab") << "it may not be woken so early";
  EXPECT_EQ(order("sleep 1ms", wire::Timeouts::kIdle), "ab");
}

TEST(Constraints, DoNothingWhereAScheduleIsFollowedStrictly) {
  const SimRun recorded = run_with(kLoops, {});
  ASSERT_EQ(order_of(recorded), "aabb");
  SimSchedule schedule = recorded.schedule;
  schedule.constraints = {{at(1, kInLoop), at(0, kInLoop)}};

  EXPECT_EQ(difference(recorded, sim::run(kLoops, schedule, wire::Following::kStrict)), "");
}

TEST(Constraints, AreKeptWhereAScheduleHasEnded) {
  SimSchedule schedule = run_with(kLoops, {}).schedule;
  ASSERT_EQ(schedule.slices[0].thread.ordinal, 0u);
  // Up to the first write, and no further.
  schedule.slices.resize(1);
  schedule.slices[0].until = {.operations = 1, .hooks = 1};
  schedule.slices[0].end = wire::End::kPreempted;
  schedule.slices[0].pending = Operation::kOnce;
  schedule.complete = false;
  schedule.constraints = {{at(1, kInLoop), at(0, kInLoop)}};

  EXPECT_EQ(order_of(sim::run(kLoops, schedule, wire::Following::kLenient)), "abba");
}

}  // namespace
}  // namespace unravel
