// Every text about a run whose strings are as bad as can be: a store may come from anybody, and so
// may names of functions, files and variables.
#include <gtest/gtest.h>

#include "data/checked.hpp"
#include "data/explanation.hpp"
#include "data/explored.hpp"
#include "data/race.hpp"
#include "report/check_text.hpp"
#include "report/diff_text.hpp"
#include "report/difference_text.hpp"
#include "report/failure_text.hpp"
#include "report/hunt_text.hpp"
#include "report/races_text.hpp"
#include "report/run_list.hpp"
#include "report/simplify_text.hpp"
#include "report/table.hpp"
#include "report/text.hpp"
#include "sample_runs.hpp"

namespace unravel {
namespace {

// Clears the screen, turns text round, a newline and a lone byte.
const std::string kBad = "\033[2J\u202e\u2066\n\x9b";

Frame bad_frame() {
  return {.function = "f" + kBad, .file = "/d" + kBad + "/a.c", .line = 3, .module = "/m" + kBad};
}

Place bad_place() {
  return {.thread = {},
          .clock = {},
          .stack = {bad_frame()},
          .pending = wire::Operation::kStore,
          .variable = "v" + kBad};
}

Run bad_run() {
  Run run = lost_update_run();
  run.program.arguments = {"./prog" + kBad, kBad};
  run.program.path = run.program.directory = "/" + kBad;
  run.strategy = "s" + kBad;
  run.explanation = "e" + kBad;
  for (Step& step : run.steps) {
    step.object = "o" + kBad;
    step.value = "v" + kBad;
    step.stack = {bad_frame()};
  }
  run.failure->detail = "d" + kBad;
  run.failure->key = "k" + kBad;
  run.failure->site = bad_frame();
  run.failure->stack = {bad_frame()};
  run.failure->threads = {{.thread = 1, .state = "waits" + kBad, .stack = {bad_frame()}}};
  return run;
}

void expect_good(const std::string& what, const std::string& text) {
  for (const char* bad : {"\033", "\u202e", "\u2066", "\r"}) {
    EXPECT_EQ(text.find(bad), std::string::npos) << what << ": " << testing::PrintToString(text);
  }
  std::string lines = text;
  std::erase(lines, '\n');
  EXPECT_EQ(clean(lines), lines) << what;
}

TEST(HostileText, IsNeverPrintedOfARun) {
  unravel::Run run = bad_run();
  const Paint plain(false);

  for (const Outcome outcome : {Outcome::kFailed, Outcome::kUnresolved, Outcome::kDiverged}) {
    run.summary.outcome = outcome;
    expect_good("outcome", outcome_line(run, plain));
  }
  for (int kind = 0; kind <= static_cast<int>(FailureKind::kOracle); ++kind) {
    run.failure->kind = static_cast<FailureKind>(kind);
    expect_good("title", failure_title(*run.failure));
    expect_good("failure", failure_text(*run.failure, plain));
  }
  expect_good("numbers", numbers_line(run));
  for (const std::size_t columns : {40, 100, 300}) {
    expect_good("table", render_table(run, {.columns = columns}, plain));
    expect_good("list", render_list({{&run, 0}}, 0, columns, plain));
    unravel::Run other = run;
    other.steps.pop_back();
    const StepDiff diff = diff_steps(run, other);
    expect_good("diff", diff_text(run, other, diff, {.columns = columns}, plain));
    expect_good("first difference", first_difference_line(diff));
  }
  const Snapshot moment{.thread = {}, .clock = {}, .threads = run.failure->threads};
  expect_good("moment", snapshot_line(moment) + snapshot_text(moment, plain));
}

TEST(HostileText, IsNeverPrintedOfWhatIsMadeOfARun) {
  const Paint plain(false);
  Simplification simplified{.run = "a", .from = "b"};
  simplified.preemptions = {{bad_place(), {}}};
  expect_good("simplified", simplification_line(simplified) + preemptions_text(simplified, plain));

  SmallestDifference difference{.failing = "a", .passing = "b"};
  difference.switches = {{1, bad_place(), bad_place(), wire::ThreadId{}, wire::ThreadId{}}};
  difference.choices = {"c" + kBad};
  difference.flips = true;
  difference.window = Window{bad_place(), bad_place(), 2};
  difference.conflicts = {{"o" + kBad,
                           Conflict::Side{bad_place(), "store" + kBad},
                           {bad_place(), "store" + kBad},
                           Conflict::Side{bad_place(), "store" + kBad}}};
  expect_good("difference", difference_line(difference) + difference_text(difference, plain));

  RaceReport races;
  races.races.push_back({.key = "k" + kBad, .variable = "v" + kBad});
  for (RaceSide& side : races.races[0].sides) {
    side.site = bad_frame();
    side.stack = {bad_frame()};
  }
  expect_good("races", races_line(races) + races_text(races, plain));

  for (const CheckVerdict verdict :
       {CheckVerdict::kFixed, CheckVerdict::kStillFails, CheckVerdict::kNotApplicable}) {
    expect_good("check", check_line({.run = "a",
                                     .verdict = verdict,
                                     .key = "k" + kBad,
                                     .reason = "r" + kBad,
                                     .others = {{.key = "o" + kBad}}},
                                    plain));
  }
  Explored explored;
  explored.unresolved = 1;
  explored.why_unresolved = "w" + kBad;
  explored.failures["k" + kBad] = 1;
  expect_good("explored", hunt_line(explored) + explored_text(explored));
}

}  // namespace
}  // namespace unravel
