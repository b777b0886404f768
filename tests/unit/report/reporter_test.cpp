/// One set of findings, told for people and for programs: each on standard output and standard
/// error.
#include "report/reporter.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "golden.hpp"
#include "sample_runs.hpp"

namespace unravel {
namespace {

Frame frame(const char* function, int line) {
  return {.function = function, .file = "/home/me/lost.c", .line = line, .module = "/home/me/prog"};
}

Place place(std::uint32_t thread, std::uint64_t operations, int line) {
  return {.thread = {.ordinal = thread},
          .clock = {.operations = operations, .hooks = 1},
          .stack = {frame("deposit", line)},
          .pending = wire::Operation::kLock,
          .variable = "lock"};
}

/// A lost update: verified, simplified, and the switch that decides is known.
FoundFailure explained_failure() {
  FoundFailure found;
  found.run = lost_update_run();
  found.run.output = "paid in\n";
  found.run.warnings = {"runs are not sandboxed"};
  found.found_at_run = 17;
  found.verification.emplace();
  Explained& explained = found.explained.emplace();
  explained.run = lost_update_run();
  explained.run.id = "5be772";
  explained.runs = 61;
  explained.most_runs = 2000;
  Simplification& simple = explained.simplified.emplace();
  simple.run = "5be772";
  simple.from = found.run.id;
  simple.before = {.switches = 9, .preemptions = 5, .threads = 3, .steps = 41};
  simple.after = {.switches = 4, .preemptions = 1, .threads = 3, .steps = 41};
  simple.runs = 22;
  simple.preemptions = {{place(1, 3, 19), {.ordinal = 2}}};
  SmallestDifference& difference = explained.difference.emplace();
  difference.failing = "5be772";
  difference.passing = "77d0aa";
  difference.deltas = 12;
  difference.deltas_left = 1;
  difference.tests = 9;
  difference.minimal = true;
  difference.flips = true;
  difference.switches = {{.number = 2,
                          .passing = place(1, 5, 21),
                          .failing = place(1, 3, 19),
                          .passing_to = wire::ThreadId{.ordinal = 2},
                          .failing_to = wire::ThreadId{.ordinal = 2}}};
  return found;
}

/// A deadlock that did not come back, beside a child process; and the disk was full.
FoundFailure doubtful_failure() {
  FoundFailure found;
  found.run = deadlocked_run();
  found.run.id.clear();
  found.run.unverified = true;
  found.found_at_run = 80;
  found.verification = Verification{.differs = "recorded: failed (deadlock); replay: passed",
                                    .uncontrolled = "a child process"};
  found.unkept = Error{.kind = Error::Kind::kEnvironment,
                       .what = "the run was not kept",
                       .why = "no space left on device",
                       .hint = "free some"};
  return found;
}

FoundRace race() {
  FoundRace race;
  race.key = "race: deposit lost.c:16; deposit lost.c:19";
  race.variable = "balance";
  race.count = 12;
  race.sides[0] = {.thread = {.ordinal = 1},
                   .clock = {.operations = 2, .hooks = 3},
                   .operation = wire::Operation::kStore,
                   .size = 4,
                   .site = frame("deposit", 16),
                   .stack = {frame("deposit", 16)}};
  race.sides[1] = race.sides[0];
  race.sides[1].thread = {.ordinal = 2};
  race.sides[1].operation = wire::Operation::kLoad;
  race.sides[1].site = frame("deposit", 19);
  race.sides[1].stack = {frame("deposit", 19)};
  return race;
}

class ReporterTest : public testing::Test {
 protected:
  ReporterTest() {
    ::setenv("COLUMNS", "100", 1);
    hunted_.explored.runs = 120;
    hunted_.explored.passed = 118;
    hunted_.explored.seconds = 2;
    hunted_.explored.schedules = 60;
    hunted_.explored.behaviours = 7;
    hunted_.explored.failures = {{"assert main lost.c:29", 2}};
    hunted_.found = {explained_failure(), doubtful_failure()};
    hunted_.seed = 9;
    hunted_.ended = "runs";
    hunted_.goes_on = true;
    hunted_.store = "/home/me/.unravel";
  }

  /// Lets the reporter of every format tell it and compares what they wrote.
  static void expect_told(const std::string& name, bool quiet,
                          const std::function<void(Reporter&)>& tell) {
    for (const FormatEntry& format : all_formats()) {
      testing::internal::CaptureStdout();
      testing::internal::CaptureStderr();
      {
        Terminal terminal(Color::kNever);
        tell(*make_reporter({.format = &format, .quiet = quiet}, terminal));
      }
      const std::string err = testing::internal::GetCapturedStderr();
      const std::string out = testing::internal::GetCapturedStdout();
      const std::string file = "reporter/" + name + "_" + format.name;
      expect_golden(file + ".out", out);
      expect_golden(file + ".err", err);
    }
  }

  static void tell_hunt(Reporter& reporter, const Hunted& hunted) {
    reporter.warn("the machine is busy");
    reporter.warn("the machine is busy");
    for (const FoundFailure& one : hunted.found) reporter.found(finding_of(one));
    reporter.hunted(hunted, /*allows_untested=*/false, /*among_tests=*/false);
    reporter.note("interrupted");
  }

  Hunted hunted_;
};

TEST_F(ReporterTest, TellsOfAHunt) {
  expect_told("hunt", false, [&](Reporter& reporter) { tell_hunt(reporter, hunted_); });
}

TEST_F(ReporterTest, TellsOfAHuntInFewWords) {
  expect_told("hunt_quiet", true, [&](Reporter& reporter) { tell_hunt(reporter, hunted_); });
}

TEST_F(ReporterTest, SaysHowToContinueWhatWasInterrupted) {
  hunted_.ended = "interrupted";
  const FoundFailure found = explained_failure();
  for (const FormatEntry& format : all_formats()) {
    const auto said = [&](const std::function<void(Reporter&)>& tell) {
      testing::internal::CaptureStdout();
      testing::internal::CaptureStderr();
      Terminal terminal(Color::kNever);
      tell(*make_reporter({.format = &format, .quiet = true}, terminal));
      testing::internal::GetCapturedStdout();
      return testing::internal::GetCapturedStderr();
    };
    const auto hunt = [&](bool goes_on, bool among_tests) {
      return said([&](Reporter& reporter) {
        hunted_.goes_on = goes_on;
        reporter.hunted(hunted_, /*allows_untested=*/false, among_tests);
      });
    };
    EXPECT_TRUE(hunt(true, false)
                    .ends_with("interrupted; to continue, run the same command with "
                               "--resume\n"));
    EXPECT_TRUE(hunt(false, false).ends_with(" with --resume\n")) << "after a failure";
    EXPECT_TRUE(hunt(true, true).ends_with(" starts again with the first test\n"));
    EXPECT_TRUE(said([&](Reporter& reporter) {
                  reporter.simplified({.run = &found.explained->run,
                                       .told = &*found.explained->simplified,
                                       .interrupted = true});
                }).ends_with("continue with `unravel simplify 5be772`\n"));
    EXPECT_TRUE(said([&](Reporter& reporter) {
                  reporter.isolated({.told = &*found.explained->difference, .interrupted = true});
                }).ends_with("continue with `unravel isolate 5be772 --passing 77d0aa`\n"));
  }
}

TEST_F(ReporterTest, SaysWhatToDoIfThereIsNothing) {
  Ran ran;
  ran.tally.emplace();
  ran.tally->asked_for = ran.tally->runs = 7;
  ran.tally->by_outcome = {{Outcome::kPassed, 7}};
  Hunted nothing = hunted_;
  nothing.found.clear();
  nothing.explored.failures.clear();
  expect_told("nothing", false, [&](Reporter& reporter) {
    reporter.repeats_in(19.6);
    reporter.hunted(nothing, /*allows_untested=*/false, /*among_tests=*/false);
    reporter.ran(ran, /*allows_untested=*/false);
    reporter.list({.runs = {}, .store = ".unravel"});
    reporter.checks({});
    reporter.races({});
  });
}

TEST_F(ReporterTest, TellsOfTests) {
  expect_told("tests", false, [&](Reporter& reporter) {
    reporter.test("Account.Counts", 1, 1);
    reporter.hunted(hunted_, false, /*among_tests=*/true);
    reporter.tests({{"Account.Counts", hunted_}});
  });
}

TEST_F(ReporterTest, TellsOfRaces) {
  RaceReport report;
  report.runs = 10;
  report.events = 400;
  report.seconds = 0.5;
  report.suppressed = 1;
  report.races = {race()};
  expect_told("races", false, [&](Reporter& reporter) {
    reporter.found(finding_of(race()));
    reporter.races(report);
  });
}

TEST_F(ReporterTest, TellsOfAFindingOfAnyKind) {
  Finding finding = finding_of(race());
  finding.kind = FindingKind::kAnomaly;
  finding.title = "balance is read and written by two threads in turn";
  finding.places[1].does.clear();
  finding.next = {{"unravel replay 3fa9c1", "run it again, step by step"}};
  finding.evidence = {};
  expect_told("finding", false, [&](Reporter& reporter) { reporter.found(finding); });
}

TEST_F(ReporterTest, TellsOfARunThatFailed) {
  Ran ran;
  ran.program = lost_update_run().program;
  ran.rule = "random";
  ran.run = explained_failure().run;
  ran.run->error_output = "bank: 1 is not 2\n";
  ran.verification.emplace();
  ran.tally.emplace();
  ran.tally->asked_for = 100;
  ran.tally->runs = 17;
  ran.tally->by_outcome = {{Outcome::kPassed, 16}, {Outcome::kFailed, 1}};
  ran.schedule_file = "/home/me/.unravel/runs/3fa9c1.sched";
  expect_told("run", false, [&](Reporter& reporter) { reporter.ran(ran, false); });
}

TEST_F(ReporterTest, TellsOfRunsThatTestedNothing) {
  Ran ran;
  ran.program = lost_update_run().program;
  ran.rule = "random";
  ran.warnings = {"runs are not sandboxed"};
  ran.tally.emplace();
  ran.tally->asked_for = 100;
  ran.tally->runs = 1;
  ran.tally->by_outcome = {{Outcome::kUnresolved, 1}};
  ran.tally->explanation = "no second thread was started";
  ran.tally->reason = Reason::kNoSecondThread;
  expect_told("untested", false, [&](Reporter& reporter) { reporter.ran(ran, false); });
}

TEST_F(ReporterTest, TellsOfAReplayThatDiffered) {
  Replayed replayed;
  replayed.run = "3fa9c1";
  replayed.had_failed = true;
  replayed.now = lost_update_run();
  replayed.now.failure.reset();
  replayed.now.summary.failure.reset();
  replayed.now.summary.outcome = Outcome::kDiverged;
  replayed.now.explanation = "recorded: failed (assert); replay: passed";
  replayed.differs = replayed.now.explanation;
  replayed.changed_variables = {"CAREFUL"};
  replayed.schedule_file = "/home/me/.unravel/runs/3fa9c1.sched";
  expect_told("replay", false, [&](Reporter& reporter) { reporter.replayed(replayed); });
}

TEST_F(ReporterTest, TellsOfChecks) {
  std::vector<Checked> all(2);
  all[0].run = "3fa9c1";
  all[0].key = "assert main lost.c:29";
  all[0].verdict = CheckVerdict::kStillFails;
  all[0].reproduced_by = ReproducedBy::kConstraints;
  all[0].neighbours = 4;
  all[1].run = "77d0aa";
  all[1].key = "deadlock";
  all[1].verdict = CheckVerdict::kFixed;
  all[1].neighbours = 200;
  all[1].others = {{.key = "exit: exit status 3", .run = "10ab32", .verified = true}};
  expect_told("check", false, [&](Reporter& reporter) {
    for (const Checked& one : all) reporter.checked(one);
    reporter.checks(all);
  });
}

TEST_F(ReporterTest, TellsOfWhatWasSimplifiedAndIsolated) {
  const FoundFailure found = explained_failure();
  expect_told("simplify", false, [&](Reporter& reporter) {
    reporter.simplified({.run = &found.explained->run, .told = &*found.explained->simplified});
  });
  expect_told("isolate", false, [&](Reporter& reporter) {
    reporter.isolated({.told = &*found.explained->difference, .nearby = &found.run});
  });
}

TEST_F(ReporterTest, TellsOfErrors) {
  expect_told("error", false, [](Reporter& reporter) {
    reporter.error({.kind = Error::Kind::kInternal,
                    .what = "a batch of runs came back empty",
                    .why = "nobody knows",
                    .hint = "please report it"});
    reporter.trouble({.what = "one more\033[1m", .why = {}, .hint = {}});
  });
}

TEST_F(ReporterTest, OfJsonWantsTheStepsOfAReplay) {
  Terminal terminal(Color::kNever);

  for (const FormatEntry& format : all_formats()) {
    EXPECT_EQ(make_reporter({.format = &format}, terminal)->wants_steps(),
              std::string_view(format.name) == "json");
  }
}

}  // namespace
}  // namespace unravel
