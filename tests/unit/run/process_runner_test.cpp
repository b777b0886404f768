#include "run/process_runner.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "process_runner_fixture.hpp"

namespace unravel {
namespace {

TEST_F(ProcessRunnerTest, RunsABatchInOneProcess) {
  ProcessRunner serving = runner("serves");

  const auto first = serving.run_batch({.first_ordinal = 5, .count = 3, .master_seed = 9});
  const auto second = serving.run_batch({.first_ordinal = 8, .count = 1, .master_seed = 9});

  ASSERT_TRUE(first.has_value()) << first.error().what;
  ASSERT_EQ(first->runs.size(), 3u);
  EXPECT_EQ(first->runs[2].ordinal, 7u);
  EXPECT_EQ(first->runs[2].seed, wire::seed_of(9, 7));
  EXPECT_EQ(first->runs[2].steps, 10u);
  EXPECT_TRUE(first->failures.empty());
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->runs[0].ordinal, 8u);
  EXPECT_TRUE(serving.forks());
}

TEST_F(ProcessRunnerTest, GivesARunTheOutputOfTheStartToo) {
  ProcessRunner serving = runner("serves");
  ASSERT_TRUE(serving.run({}).has_value());

  const auto run = serving.run({});

  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->summary.outcome, Outcome::kPassed);
  EXPECT_EQ(run->output, "start\nrun\n");
  EXPECT_EQ(run->summary.threads, 2u);
  ASSERT_EQ(run->schedule.slices.size(), 1u);
  EXPECT_TRUE(run->schedule.complete);
}

TEST_F(ProcessRunnerTest, StopsAtAFailureAndHasItWhole) {
  ProcessRunner failing = runner("fails-third");

  const auto batch = failing.run_batch({.count = 10});

  ASSERT_TRUE(batch.has_value());
  ASSERT_EQ(batch->runs.size(), 3u);
  ASSERT_EQ(batch->failures.size(), 1u);
  const unravel::Run& run = batch->failures[0];
  EXPECT_EQ(run.failure->detail, "exit status 3");
  EXPECT_EQ(run.failure->key, "exit: exit status 3");
  EXPECT_EQ(run.schedule.slices.back().until.operations, 102u);
  EXPECT_EQ(run.schedule.then.seed, wire::seed_of(0, 2));
}

TEST_F(ProcessRunnerTest, GoesOnAfterAFailureWhereItIsAsked) {
  ProcessRunner failing = runner("fails-third");

  const auto batch = failing.run_batch({.count = 10, .stop_at_failure = false});

  ASSERT_TRUE(batch.has_value());
  EXPECT_EQ(batch->runs.size(), 10u);
  EXPECT_EQ(batch->failures.size(), 1u);
}

TEST_F(ProcessRunnerTest, CountsAFailureThatIsNoTargetAsPassed) {
  options_.targets.kinds = {FailureKind::kDeadlock};
  ProcessRunner failing = runner("fails-third");

  const auto batch = failing.run_batch({.count = 5});

  ASSERT_TRUE(batch.has_value());
  EXPECT_EQ(batch->runs.size(), 5u);
  EXPECT_TRUE(batch->failures.empty());
}

TEST_F(ProcessRunnerTest, KnowsATargetByItsTextToo) {
  options_.targets.texts = {"status 3"};
  const auto found = runner("fails-third").run_batch({.count = 5});
  options_.targets.texts = {"status 4"};
  const auto passed_by = runner("fails-third").run_batch({.count = 5});

  ASSERT_TRUE(found.has_value() && passed_by.has_value());
  EXPECT_EQ(found->failures.size(), 1u);
  EXPECT_EQ(passed_by->runs.size(), 5u);
  EXPECT_TRUE(passed_by->failures.empty());
  EXPECT_EQ(passed_by->runs[2].outcome, Outcome::kPassed);
  EXPECT_FALSE(passed_by->runs[2].failure);
}

TEST_F(ProcessRunnerTest, SplitsWhatDoesNotFitOneBatch) {
  ProcessRunner failing = runner("fails-third");

  const auto batch = failing.run_batch({.first_ordinal = 3, .count = wire::kMostRunsInBatch + 2});

  ASSERT_TRUE(batch.has_value());
  EXPECT_EQ(batch->runs.size(), wire::kMostRunsInBatch + 2);
  EXPECT_EQ(batch->runs.back().ordinal, wire::kMostRunsInBatch + 4);
}

TEST_F(ProcessRunnerTest, LooksAtARunThatStandsStillAndLetsItGoOn) {
  ProcessRunner failing = runner("deadlocks-third");

  const auto batch = failing.run_batch({.count = 5});

  ASSERT_TRUE(batch.has_value());
  ASSERT_EQ(batch->failures.size(), 1u);
  EXPECT_EQ(batch->failures[0].failure->kind, FailureKind::kDeadlock);
  EXPECT_EQ(batch->failures[0].summary.failure, FailureKind::kDeadlock);
}

TEST_F(ProcessRunnerTest, TakesStreamsThatAreFullAndKeepsThoseOfTheLastRunOnly) {
  ProcessRunner streaming = runner("full-streams");

  ASSERT_TRUE(streaming.run_batch({.count = 3}).has_value());
  const auto run = streaming.run({});

  ASSERT_TRUE(run.has_value());
  ASSERT_EQ(run->schedule.slices.size(), 4u);
  EXPECT_EQ(run->schedule.slices[1].until.operations, 1u);
}

TEST_F(ProcessRunnerTest, EndsARunThatHangsAndOnlyThat) {
  options_.limits.timeout = kShort;
  ProcessRunner hanging = runner("hangs-third");

  const auto batch = hanging.run_batch({.count = 5});

  ASSERT_TRUE(batch.has_value()) << batch.error().what;
  EXPECT_EQ(batch->runs.size(), 5u);
  ASSERT_EQ(batch->unsettled.size(), 1u);
  EXPECT_EQ(batch->unsettled[0].summary.outcome, Outcome::kUnresolved);
  EXPECT_NE(batch->unsettled[0].explanation.find("no scheduling point for"), std::string::npos);
  EXPECT_NE(batch->unsettled[0].explanation.find("system call"), std::string::npos);
  EXPECT_FALSE(batch->unsettled[0].schedule.complete);
}

TEST_F(ProcessRunnerTest, MakesAHangAFailureWhereTimeoutsAreTargets) {
  options_.limits.timeout = kShort;
  options_.targets.kinds = {FailureKind::kTimeout};
  ProcessRunner hanging = runner("hangs-third");

  const auto batch = hanging.run_batch({.count = 5});

  ASSERT_TRUE(batch.has_value());
  ASSERT_EQ(batch->failures.size(), 1u);
  EXPECT_EQ(batch->failures[0].failure->kind, FailureKind::kTimeout);
}

TEST_F(ProcessRunnerTest, BelievesNothingOfARunThatOverwroteTheChannel) {
  for (const char* act : {"overwrites-third", "overwrites-a-batch-third", "serves-too-early-third",
                          "names-another-process-third"}) {
    SCOPED_TRACE(act);
    ProcessRunner overwritten = runner(act);

    const auto batch = overwritten.run_batch({.count = 5});

    ASSERT_TRUE(batch.has_value()) << batch.error().what;
    EXPECT_EQ(batch->runs.size(), 5u);
    EXPECT_TRUE(batch->failures.empty());
    ASSERT_EQ(batch->unsettled.size(), 1u);
    const unravel::Run& run = batch->unsettled[0];
    EXPECT_EQ(run.summary.ordinal, 2u);
    EXPECT_EQ(run.summary.outcome, Outcome::kUnresolved);
    EXPECT_TRUE(run.explanation.starts_with("the program overwrote unravel's memory ("))
        << run.explanation;
    EXPECT_TRUE(run.schedule.slices.empty());
    EXPECT_FALSE(run.schedule.complete);
    EXPECT_EQ(batch->runs[1].outcome, Outcome::kPassed);
    EXPECT_EQ(batch->runs.back().outcome, Outcome::kPassed);
    EXPECT_EQ(batch->runs.back().ordinal, 4u);
  }
}

TEST_F(ProcessRunnerTest, EndsARunThatIsHeldForEver) {
  options_.limits.timeout = kShort;
  ProcessRunner held = runner("is-held-for-ever-third");

  const auto batch = held.run_batch({.count = 5});

  ASSERT_TRUE(batch.has_value()) << batch.error().what;
  EXPECT_EQ(batch->runs.size(), 5u);
  ASSERT_EQ(batch->unsettled.size(), 1u);
  EXPECT_EQ(batch->unsettled[0].summary.outcome, Outcome::kUnresolved);
}

TEST_F(ProcessRunnerTest, EndsARunThatWritesMoreThanItsJudgeCanBeGiven) {
  options_.limits.most_output = 3'000'000;
  options_.oracle = {"true"};
  ProcessRunner flooding = runner("floods-third");

  const auto batch = flooding.run_batch({.count = 4});

  ASSERT_TRUE(batch.has_value());
  EXPECT_EQ(batch->runs.size(), 4u);
  ASSERT_EQ(batch->unsettled.size(), 1u);
  EXPECT_EQ(
      batch->unsettled[0].explanation,
      "it wrote more than 3000000 bytes of output, which is the most that an oracle can be given");
}

TEST_F(ProcessRunnerTest, AsksTheOracleAboutEveryRunThatEndedWell) {
  options_.oracle = {"grep -q nothing-like-it"};
  ProcessRunner serving = runner("serves");

  const auto batch = serving.run_batch({.count = 5});

  ASSERT_TRUE(batch.has_value());
  ASSERT_EQ(batch->failures.size(), 1u);
  EXPECT_EQ(batch->failures[0].failure->key, "oracle: oracle exit status 1");
}

TEST_F(ProcessRunnerTest, ComparesTheOutputOfEveryRunThatEndedWell) {
  options_.expected_output = "start\nrun\n";
  const auto same = runner("serves").run_batch({.count = 5});
  options_.expected_output = "start\nran\n";
  const auto other = runner("serves").run_batch({.count = 5});

  ASSERT_TRUE(same.has_value() && other.has_value());
  EXPECT_EQ(same->runs.size(), 5u);
  EXPECT_TRUE(same->failures.empty());
  ASSERT_EQ(other->runs.size(), 1u);
  ASSERT_EQ(other->failures.size(), 1u);
  EXPECT_EQ(other->failures[0].failure->kind, FailureKind::kOracle);
  EXPECT_EQ(other->failures[0].failure->detail,
            "output differs from expected: line 2: expected 'ran', got 'run'");
  EXPECT_EQ(other->failures[0].failure->key, "oracle: output differs from expected");
}

TEST_F(ProcessRunnerTest, AsksTheOracleOnlyIfTheOutputIsAsExpected) {
  options_.oracle = {"sh", "-c", "exit 9"};
  options_.expected_output = "nothing";
  const auto differs = runner("serves").run({});
  options_.expected_output = "start\nrun\n";
  const auto same = runner("serves").run({});

  ASSERT_TRUE(differs.has_value() && same.has_value());
  EXPECT_EQ(differs->failure->key, "oracle: output differs from expected");
  EXPECT_EQ(same->failure->key, "oracle: oracle exit status 9");
}

TEST_F(ProcessRunnerTest, EndsEverythingWhenInterrupted) {
  ProcessRunner hanging = runner("never-ends");
  std::thread other([&] { hanging.interrupt(); });

  const auto run = hanging.run({});
  other.join();

  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().what, "interrupted");
  EXPECT_FALSE(hanging.run({}).has_value());
}

}  // namespace
}  // namespace unravel
