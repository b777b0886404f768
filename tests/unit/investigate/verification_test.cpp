#include "investigate/verification.hpp"

#include <gtest/gtest.h>

#include "data/input_log.hpp"
#include "fake_runner.hpp"
#include "run/checkup.hpp"

namespace unravel {
namespace {

/// A failure as a replay names it: with a stack and a table.
unravel::Run replayed_run() {
  unravel::Run run = failed_run();
  run.failure->detail = "balance == 2";
  run.steps.resize(4);
  run.events.resize(5);
  return run;
}

TEST(Verification, TakesThreeStrictReplaysOneOfThemWithATable) {
  std::vector<RunRequest> asked;
  unravel::Run run = failed_run();
  run.schedule.slices.resize(2);

  const auto verification = verify(run, [&](RunRequest request) -> Result<unravel::Run> {
    asked.push_back(std::move(request));
    return replayed_run();
  });

  ASSERT_TRUE(verification);
  EXPECT_TRUE(verification->verified());
  // The last looks for constraints.
  ASSERT_EQ(asked.size(), static_cast<std::size_t>(kReplays) + 1);
  for (const RunRequest& request : asked) {
    EXPECT_EQ(request.following, wire::Following::kStrict);
    EXPECT_EQ(request.schedule, run.schedule);
  }
  EXPECT_TRUE(asked[0].table);
  EXPECT_FALSE(asked[1].table);
  EXPECT_FALSE(asked[2].table);
  EXPECT_EQ(asked[3].trace, wire::TraceLevel::kMemory);
}

TEST(Verification, GivesTheRunWhatTheReplayNamed) {
  unravel::Run run = failed_run();

  ASSERT_TRUE(
      verify(run, [](const RunRequest&) -> Result<unravel::Run> { return replayed_run(); }));

  EXPECT_FALSE(run.unverified);
  EXPECT_EQ(run.failure->detail, "balance == 2");
  EXPECT_EQ(run.steps.size(), 4u);
  EXPECT_EQ(run.events.size(), 5u);
}

TEST(Verification, EndsAtTheFirstReplayThatDiffers) {
  int replays = 0;
  unravel::Run run = failed_run();

  const auto verification = verify(run, [&](const RunRequest&) -> Result<unravel::Run> {
    return ++replays == 2 ? passed_run() : replayed_run();
  });

  ASSERT_TRUE(verification);
  EXPECT_EQ(replays, 2);
  EXPECT_FALSE(verification->verified());
  EXPECT_EQ(verification->differs, "recorded: failed (assert); replay: passed");
  EXPECT_TRUE(verification->is_our_fault()) << "nothing that is not controlled took part";
  EXPECT_TRUE(run.unverified);
  EXPECT_EQ(run.failure->detail, "") << "the failure stays as it was seen";
  EXPECT_TRUE(run.steps.empty());
}

TEST(Verification, IsNotOurFaultIfAClientHadToDoTheSameAgain) {
  for (const bool is_recorded : {false, true}) {
    unravel::Run run = failed_run();
    run.client = ClientEnd{.kind = ClientEnd::Kind::kExited};
    if (is_recorded) run.inputs = std::make_shared<InputLog>();

    const auto verification =
        verify(run, [](const RunRequest&) -> Result<unravel::Run> { return passed_run(); });

    ASSERT_TRUE(verification);
    EXPECT_EQ(verification->uncontrolled, is_recorded ? "" : "its client");
  }
}

TEST(Verification, IsNotOurFaultIfAReplayHadChildProcesses) {
  unravel::Run run = failed_run();

  const auto verification = verify(run, [](const RunRequest&) -> Result<unravel::Run> {
    unravel::Run other = passed_run();
    other.summary.children = 2;
    return other;
  });

  ASSERT_TRUE(verification);
  EXPECT_EQ(verification->uncontrolled, "2 child processes");
  EXPECT_FALSE(verification->is_our_fault());
}

TEST(Verification, IsNotOurFaultIfAThreadComputedForTooLongInAReplay) {
  unravel::Run run = failed_run();

  const auto verification = verify(run, [](const RunRequest&) -> Result<unravel::Run> {
    unravel::Run other = passed_run();
    other.summary.outcome = Outcome::kUnresolved;
    other.summary.reason = Reason::kLateDeadline;
    other.explanation = "T1 computed";
    return other;
  });

  ASSERT_TRUE(verification);
  EXPECT_EQ(verification->differs, "recorded: failed (assert); replay: unresolved (T1 computed)");
  EXPECT_EQ(verification->uncontrolled, "a computation without synchronisation");
  EXPECT_FALSE(verification->is_our_fault());
  EXPECT_TRUE(run.unverified);
}

TEST(Verification, LeavesTheRunUnverifiedIfItCannotBeReplayed) {
  unravel::Run run = failed_run();

  const auto verification = verify(
      run, [](const RunRequest&) -> Result<unravel::Run> { return user_error("no program"); });

  ASSERT_FALSE(verification);
  EXPECT_EQ(verification.error().what, "no program");
  EXPECT_TRUE(run.unverified);
}

TEST(Verification, HoldsWithoutConstraintsIfThoseCannotBeFound) {
  int replays = 0;
  unravel::Run run = failed_run();

  const auto verification = verify(run, [&](const RunRequest&) -> Result<unravel::Run> {
    if (++replays > kReplays) return user_error("no trace");
    return replayed_run();
  });

  ASSERT_TRUE(verification);
  EXPECT_TRUE(verification->verified());
  EXPECT_FALSE(run.unverified);
  EXPECT_TRUE(run.constraints.empty());
}

TEST(Verification, TellsWhatIsNotControlled) {
  unravel::Run run = failed_run();
  EXPECT_EQ(uncontrolled_in(run), "");

  run.summary.children = 1;
  EXPECT_EQ(uncontrolled_in(run), "a child process");

  run.warnings.push_back(std::string(kNotControlled) + "a thread that clone() made");
  EXPECT_EQ(uncontrolled_in(run), concerns_about_escapes(run).at(0).evidence)
      << "a thread says more than a child process";
}

}  // namespace
}  // namespace unravel
