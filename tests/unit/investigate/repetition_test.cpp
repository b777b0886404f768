#include "investigate/repetition.hpp"

#include <gtest/gtest.h>

#include "fake_runner.hpp"

namespace unravel {
namespace {

TEST(Repetition, OfTheSameRunDiffersInNothing) {
  EXPECT_EQ(difference(passed_run(), passed_run()), "");
  EXPECT_EQ(difference(failed_run(), failed_run()), "");
}

TEST(Repetition, NamesBothOutcomes) {
  unravel::Run diverged = passed_run();
  diverged.summary.outcome = Outcome::kDiverged;
  diverged.explanation = "T1 is not there";

  EXPECT_EQ(difference(failed_run(), diverged),
            "recorded: failed (assert); replay: diverged (T1 is not there)");
  EXPECT_EQ(difference(passed_run(), failed_run()), "recorded: passed; replay: failed (assert)");
}

TEST(Repetition, NamesBothKindsOfFailure) {
  unravel::Run deadlocked = failed_run();
  deadlocked.failure->kind = FailureKind::kDeadlock;

  EXPECT_EQ(difference(failed_run(), deadlocked),
            "recorded: failed (assert); replay: failed (deadlock)");
}

TEST(Repetition, NamesBothPlaces) {
  EXPECT_EQ(difference(failed_run("assert: f a.c:1"), failed_run("assert: g a.c:2")),
            "it fails at another place; recorded: assert: f a.c:1; replay: assert: g a.c:2");
}

TEST(Repetition, SeesOtherStepsToTheSameEnd) {
  unravel::Run other = failed_run();
  other.summary.schedule_hash = 99;

  EXPECT_EQ(difference(failed_run(), other), "it reaches the same outcome by other steps");
}

TEST(Repetition, TakesATimeoutForTheSameWhereverItHappened) {
  unravel::Run before = failed_run("timeout: f a.c:1");
  unravel::Run now = failed_run("timeout: g a.c:2");
  before.failure->kind = now.failure->kind = FailureKind::kTimeout;
  now.summary.schedule_hash = 99;

  EXPECT_EQ(difference(before, now), "");
}

TEST(Repetition, ForATableFollowsTheScheduleStrictlyAndTakesDownItsOperations) {
  unravel::Run run = failed_run();
  run.schedule.slices.resize(3);
  std::optional<RunRequest> asked;
  FakeRunner runner([&](const RunRequest& request) -> Result<unravel::Run> {
    asked = request;
    return failed_run();
  });

  ASSERT_TRUE(replay_for_table(runner, run));

  EXPECT_EQ(asked->schedule, run.schedule);
  EXPECT_EQ(asked->following, wire::Following::kStrict);
  EXPECT_EQ(asked->trace, wire::TraceLevel::kSync);
  EXPECT_TRUE(asked->table);
}

}  // namespace
}  // namespace unravel
