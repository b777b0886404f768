#include "report/failure_text.hpp"

#include <gtest/gtest.h>

#include "golden.hpp"
#include "sample_runs.hpp"

namespace unravel {
namespace {

const Paint kPlain(false);

TEST(FailureText, TellsWhoWaitsForWhomInADeadlock) {
  expect_golden("failure_deadlock.txt", failure_text(*deadlocked_run().failure, kPlain));
}

TEST(FailureText, TellsWhereAnAssertionFailed) {
  expect_golden("failure_assert.txt", failure_text(*lost_update_run().failure, kPlain));
}

TEST(FailureTitle, NamesTheConditionOfAnAssertion) {
  Failure failure;
  failure.kind = FailureKind::kAssert;
  failure.detail = "prog: a.c:30: main: Assertion `f('x') == 2' failed.";

  EXPECT_EQ(failure_title(failure), "assertion failed in T0: f('x') == 2");
}

TEST(FailureText, DoesNotPassOnWhatWouldMoveTheCursor) {
  Failure failure;
  failure.detail = "a\033[2J\nb";

  EXPECT_EQ(failure_title(failure), "a?[2J b");
}

TEST(FailureText, SaysThatAThreadWaitsForItself) {
  Failure failure;
  failure.kind = FailureKind::kDeadlock;
  failure.detail = "T1→mutex 1→T1";

  EXPECT_EQ(failure_text(failure, kPlain), "  T1 waits for mutex 1, which it holds itself\n");
}

TEST(OutcomeLine, NamesTheRunAndItsOutcome) {
  unravel::Run run;
  EXPECT_EQ(outcome_line(run, kPlain), "run passed");
  run.id = "3fa9c1";
  run.summary.outcome = Outcome::kUnresolved;
  run.explanation = "still running after 100 steps";
  EXPECT_EQ(outcome_line(run, kPlain), "run 3fa9c1 is unresolved: still running after 100 steps");
}

TEST(ClientText, TellsHowTheClientEndedAndWhatItWrote) {
  unravel::Run run;
  EXPECT_EQ(client_text(run), "");
  run.client = ClientEnd{.command = "./client 5555",
                         .kind = ClientEnd::Kind::kExited,
                         .number = 3,
                         .output = "first\nlast \x1b"};
  EXPECT_EQ(client_text(run),
            "  client: ./client 5555 (exit status 3)\n    first\n    " + clean("last \x1b") + "\n");
  run.client->kind = ClientEnd::Kind::kUnfinished;
  run.client->output.clear();
  EXPECT_EQ(client_text(run), "  client: ./client 5555 (ended by unravel)\n");
}

TEST(NumbersLine, CountsInWords) {
  unravel::Run run = deadlocked_run();
  EXPECT_EQ(numbers_line(run),
            "3 threads, 41 steps, 3 switches (1 preemption), random seed 17, 0.012 s");
}

}  // namespace
}  // namespace unravel
