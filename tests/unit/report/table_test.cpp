#include "report/table.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "golden.hpp"
#include "report/table_rows.hpp"
#include "sample_runs.hpp"

namespace unravel {
namespace {

const Paint kPlain(false);

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, width(line));
  return most;
}

/// How often `part` is in `text`.
std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Table, ShowsADeadlock) {
  expect_golden("table_deadlock.txt", render_table(deadlocked_run(), {}, kPlain));
}

TEST(Table, ShowsALostUpdate) {
  expect_golden("table_lost_update.txt", render_table(lost_update_run(), {}, kPlain));
}

TEST(Table, ShowsTheLastRowsAndSaysHowManyAreLeftOut) {
  expect_golden("table_clip.txt", render_table(lost_update_run(), {.rows = 4}, kPlain));
}

TEST(Table, ShowsAccessesWhereThreadsWereLeftAndWentOn) {
  expect_golden("table_accesses.txt", render_table(plain_counter_run(), {}, kPlain));
}

TEST(Table, PutsAnAccessBehindTheSwitchAlsoWhenNothingElseHappenedInBetween) {
  unravel::Run run = plain_counter_run();
  const Step left = run.steps[1];
  Step made = left;
  made.event.result = wire::EventResult::kDone;
  run.steps = {left, made};
  run.schedule.slices.resize(2);
  run.schedule.slices.push_back(run.schedule.slices[0]);
  run.schedule.slices.back().until.operations = 2;

  const std::string table = render_table(run, {}, kPlain);

  EXPECT_LT(table.find("before store counter"), table.find("T3 → T1")) << table;
  EXPECT_LT(table.find("T3 → T1"), table.rfind("store counter")) << table;
}

TEST(Table, HasTheValuesOfAccesses) {
  unravel::Run run = plain_counter_run();
  for (Step& step : run.steps) {
    if (step.event.operation == wire::Operation::kStore &&
        step.event.result == wire::EventResult::kDone) {
      step.value = "7";
    }
  }

  const std::string table = render_table(run, {}, kPlain);

  EXPECT_NE(table.find("  store counter = 7 "), std::string::npos) << table;
  EXPECT_EQ(table.find("before store counter ="), std::string::npos) << table;
}

TEST(Table, SaysThatASignalWokeNobody) {
  for (const wire::Operation operation : {wire::Operation::kSignal, wire::Operation::kBroadcast}) {
    for (const std::uint64_t woken : {0u, 1u}) {
      unravel::Run run = lost_update_run();
      run.steps[0].event.operation = operation;
      run.steps[0].event.value = woken;
      // The longest of them is wrapped on any screen.
      EXPECT_EQ(table_rows(run, 40).rows[0].text.ends_with(": nobody waits"), woken == 0);
    }
  }
}

TEST(Table, SaysInWhichFunctionALocalIsOnce) {
  unravel::Run run = lost_update_run();
  for (Step& step : run.steps) {
    if (step.object == "mutex 1") step.object = "bank.lock in main()";
  }
  const std::string table = render_table(run, {.columns = 200}, kPlain);
  EXPECT_EQ(times(table, "lock bank.lock in main()"), 1u) << table;
  EXPECT_EQ(times(table, "in main()"), 1u) << table;
  EXPECT_GT(times(table, "lock bank.lock "), 6u) << table;

  run.steps[3].object = "bank.lock in other()";
  const std::string two = render_table(run, {.columns = 200}, kPlain);
  EXPECT_EQ(times(two, "lock bank.lock in other()"), 1u) << two;
  EXPECT_GT(times(two, "lock bank.lock in main()"), 6u) << two;
}

TEST(Table, SaysWhatAThreadWaitsForThatNobodyWakes) {
  unravel::Run run = lost_update_run();
  run.steps.resize(2);
  run.steps[1].event.operation = wire::Operation::kWait;
  run.steps[1].object = "queue.filled";
  run.failure->kind = FailureKind::kLostWakeup;
  run.failure->threads = {{.thread = 1, .state = "waiting in wait", .stack = {}},
                          {.thread = 2, .state = "blocked in lock", .stack = {}}};

  const std::string table = render_table(run, {}, kPlain);

  EXPECT_NE(table.find("waits for queue.filled"), table.npos) << table;
  EXPECT_NE(table.find("blocked in lock"), table.npos) << table;
}

/// T1 tries a lock `tries` times over, then T2 as often, in a run that has no other steps.
unravel::Run spinning_run(std::uint64_t tries) {
  unravel::Run run = lost_update_run();
  Step attempt = run.steps[0];
  attempt.event.operation = wire::Operation::kTryLock;
  attempt.event.result = wire::EventResult::kFailed;
  attempt.event.value = EBUSY;
  run.steps.clear();
  run.schedule.slices.clear();
  for (const std::uint32_t thread : {1u, 2u}) {
    attempt.event.thread.ordinal = thread;
    for (std::uint64_t i = 1; i <= tries; ++i) {
      attempt.event.clock.operations = i;
      run.steps.push_back(attempt);
    }
    run.schedule.slices.push_back(
        {.thread = {.ordinal = thread}, .until = {.operations = tries, .hooks = 1}});
  }
  run.summary.operations = 2 * tries;
  return run;
}

TEST(Table, FoldsWhatAThreadDoesOverAndOver) {
  const std::string table = render_table(spinning_run(57), {.rows = 2}, kPlain);

  EXPECT_EQ(times(table, "try lock mutex 1: EBUSY ×57"), 2u) << table;
  EXPECT_EQ(times(table, "try lock"), 2u) << table;
  EXPECT_EQ(table.find("earlier operation"), table.npos) << "all of them are told: " << table;
}

TEST(Table, FoldsNothingThatDiffers) {
  unravel::Run run = spinning_run(3);
  run.steps[1].event.result = wire::EventResult::kDone;

  const std::string table = render_table(run, {}, kPlain);

  EXPECT_EQ(times(table, "×"), 1u) << table;
  EXPECT_EQ(times(table, "try lock mutex 1"), 4u) << table;
}

TEST(Table, CountsTheStepsOfAFoldThatIsLeftOut) {
  const std::string table = render_table(spinning_run(57), {.rows = 1}, kPlain);

  EXPECT_NE(table.find("… 57 earlier operations"), table.npos) << table;
}

TEST(Table, WithColours) {
  expect_golden("table_colours.txt", render_table(deadlocked_run(), {}, Paint(true)));
}

TEST(Table, OnANarrowScreenWrapsOperations) {
  expect_golden("table_narrow.txt", render_table(run_with_odd_names(), {.columns = 60}, kPlain));
}

TEST(Table, WithOddNames) {
  expect_golden("table_odd_names.txt", render_table(run_with_odd_names(), {}, kPlain));
}

TEST(Table, OfMoreThreadsThanFitHasOneColumn) {
  expect_golden("table_many_threads.txt",
                render_table(run_of_many_threads(12), {.columns = 80}, kPlain));
}

TEST(Table, NeverIsWiderThanTheScreen) {
  for (const unravel::Run& run :
       {deadlocked_run(), lost_update_run(), plain_counter_run(), run_with_odd_names(),
        run_of_many_threads(3), run_of_many_threads(200)}) {
    for (std::size_t columns = 60; columns <= 200; columns += 7) {
      EXPECT_LE(widest_line(render_table(run, {.columns = columns}, kPlain)), columns);
    }
  }
}

TEST(Table, ShowsTheSourceLineWhereThereIsRoom) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("unravel_table_" + std::to_string(::getpid()));
  std::ofstream(file) << "first\n\t  second(\x1b[2J);  \n";
  unravel::Run run = run_of_many_threads(1);
  run.steps[0].stack[0].file = file;
  run.steps[0].stack[0].line = 2;

  const std::string wide = render_table(run, {.columns = 120}, kPlain);
  const std::string narrow = render_table(run, {.columns = 60}, kPlain);
  std::filesystem::remove(file);

  EXPECT_NE(wide.find("second(?[2J);"), wide.npos) << wide;
  EXPECT_EQ(narrow.find("second("), narrow.npos) << narrow;
}

TEST(Table, OfARunWithoutStepsIsEmpty) { EXPECT_EQ(render_table(unravel::Run{}, {}, kPlain), ""); }

TEST(Table, SurvivesStepsThatNoSliceNames) {
  unravel::Run run = deadlocked_run();
  run.schedule.slices.clear();

  EXPECT_NE(render_table(run, {}, kPlain), "");
}

}  // namespace
}  // namespace unravel
