/// What was found out about a failure, in words and as JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "report/difference_text.hpp"
#include "report/explanation_json.hpp"
#include "report/simplify_text.hpp"

namespace unravel {
namespace {

wire::ThreadId thread(std::uint32_t ordinal) {
  wire::ThreadId id;
  id.ordinal = ordinal;
  return id;
}

wire::Clock clock_of(std::uint64_t operations, std::uint64_t hooks) {
  wire::Clock clock;
  clock.operations = operations;
  clock.hooks = hooks;
  return clock;
}

Place place(std::uint32_t ordinal, wire::Clock clock, int line, wire::Operation pending) {
  return {
      .thread = thread(ordinal),
      .clock = clock,
      .stack = {{.function = "add", .file = "/src/count.c", .line = line, .module = "/bin/count"},
                {.function = "work", .file = "/src/count.c", .line = 20, .module = "/bin/count"}},
      .pending = pending,
      .variable = pending == wire::Operation::kNone ? "" : "counter"};
}

Simplification simplification() {
  Simplification told;
  told.run = "aaa111";
  told.from = "bbb222";
  told.before = {.switches = 41, .preemptions = 38, .threads = 4, .steps = 120};
  told.after = {.switches = 4, .preemptions = 1, .threads = 3, .steps = 64};
  told.runs = 22;
  told.rounds = 2;
  told.seconds = 0.125;
  told.remove_last = 5;
  told.consolidate_up = 30;
  told.consolidate_down = 2;
  told.preemptions = {{place(1, clock_of(1, 3), 6, wire::Operation::kStore), thread(2)}};
  return told;
}

SmallestDifference difference() {
  SmallestDifference told;
  told.failing = "aaa111";
  told.passing = "ccc333";
  told.deltas = 3'842'577'240;
  told.deltas_left = 1;
  told.tests = 41;
  told.neighbour_tests = 12;
  told.narrowing = {{.deltas = 1921288620, .outcome = "failed"},
                    {.deltas = 1, .outcome = "passed"}};
  told.minimal = true;
  told.seconds = 3.25;
  told.switches = {{.number = 2,
                    .passing = place(1, clock_of(1, 2), 5, wire::Operation::kLoad),
                    .failing = place(1, clock_of(1, 3), 6, wire::Operation::kStore),
                    .passing_to = thread(2),
                    .failing_to = thread(2)}};
  told.flips = true;
  told.conflicts = {{.object = "counter",
                     .before = {{place(1, clock_of(1, 2), 5, wire::Operation::kLoad), "load"}},
                     .between = {place(2, clock_of(1, 3), 6, wire::Operation::kStore), "store"},
                     .after = {{place(1, clock_of(1, 3), 6, wire::Operation::kStore), "store"}}}};
  told.window = {.first = place(1, clock_of(1, 3), 6, wire::Operation::kStore),
                 .last = place(1, clock_of(1, 9), 8, wire::Operation::kStore),
                 .points = 7};
  return told;
}

TEST(SimplifyText, HasALineOfWhatBecameOfIt) {
  EXPECT_EQ(simplification_line(simplification()),
            "41 switches became 4, 38 preemptions became 1, 4 threads became 3, "
            "120 steps became 64; 22 runs, 0.12 s");
}

TEST(SimplifyText, SaysWhenItWasStopped) {
  Simplification told = simplification();
  told.after = told.before;
  told.runs = 1;
  told.complete = false;
  EXPECT_EQ(simplification_line(told),
            "41 switches, 38 preemptions, 4 threads, 120 steps; 1 run, 0.12 s; "
            "stopped before everything was tried");
}

TEST(SimplifyText, NamesEveryPreemption) {
  EXPECT_EQ(preemptions_text(simplification(), Paint(false)),
            "T1 is preempted at count.c:6 add(), before store counter; T2 continues\n");
  Simplification told = simplification();
  told.preemptions.clear();
  EXPECT_NE(preemptions_text(told, Paint(false)).find("no preemption is needed"),
            std::string::npos);
}

TEST(SimplifyText, SaysWhereNoLineIsKnown) {
  Place unknown = place(1, clock_of(1, 3), 6, wire::Operation::kNone);
  unknown.stack.clear();
  EXPECT_EQ(place_text(unknown), "an unknown place");
  EXPECT_EQ(pending_text(unknown), "");
}

TEST(DifferenceText, CountsWhatDecidesAndWhatItTook) {
  EXPECT_EQ(difference_line(difference()),
            "1 of 3842577240 differences decides, found in 41 tests (and 12 to find the other "
            "run), 3.2 s");
  SmallestDifference told = difference();
  told.deltas_left = 3;
  told.neighbour_tests = 0;
  told.unresolved = 2;
  told.minimal = false;
  EXPECT_EQ(difference_line(told),
            "3 of 3842577240 differences decide, found in 41 tests, 2 unresolved, 3.2 s; "
            "there may be a smaller difference");
}

TEST(DifferenceText, OfOneSwitchThatFlips) {
  expect_golden("difference_one.txt", difference_text(difference(), Paint(false)));
}

TEST(DifferenceText, OfSeveralSwitchesAndAChoice) {
  SmallestDifference told = difference();
  told.flips = false;
  told.window.reset();
  DecidingSwitch& second = told.switches.emplace_back(told.switches.front());
  second.number = 3;
  second.passing.reset();
  second.passing_to.reset();
  told.choices = {"T2:7"};
  expect_golden("difference_several.txt", difference_text(told, Paint(false)));
}

TEST(DifferenceText, OfAWindowOfOnePoint) {
  SmallestDifference told = difference();
  told.window->points = 1;
  EXPECT_NE(difference_text(told, Paint(false)).find("vulnerable only at this point\n"),
            std::string::npos);
}

TEST(ExplanationJson, OfASimplification) {
  expect_golden("simplify.json", simplification_json(simplification()));
}

TEST(ExplanationJson, OfADifference) {
  expect_golden("isolate.json", difference_json(difference()));
}

TEST(ExplanationJson, ASideThatEndedBeforeIsNull) {
  SmallestDifference told = difference();
  told.switches.front().passing.reset();
  told.switches.front().passing_to.reset();
  told.window.reset();
  const auto json = nlohmann::json::parse(difference_json(told));
  const auto& one = json["differences"][0];
  for (const char* name : {"passing_at", "passing_site", "passing_stack"}) {
    EXPECT_TRUE(one[name].is_null()) << name;
  }
  EXPECT_EQ(one["failing_stack"].size(), 2u);
  EXPECT_TRUE(json["window"].is_null());
}

}  // namespace
}  // namespace unravel
