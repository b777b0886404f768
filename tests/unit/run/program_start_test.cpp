/// Programs that a runner cannot start, or that behave oddly before their first thread.
#include <gtest/gtest.h>

#include "process_runner_fixture.hpp"

namespace unravel {
namespace {

TEST_F(ProcessRunnerTest, TakesAProgramWithoutThreadsForOneRun) {
  ProcessRunner simple = runner("has-one-thread");

  const auto run = simple.run({});

  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->summary.outcome, Outcome::kUnresolved);
  EXPECT_EQ(run->summary.reason, Reason::kNoSecondThread);
  EXPECT_EQ(run->summary.threads, 1u);
  EXPECT_EQ(run->output, "start\n");
  EXPECT_FALSE(simple.forks());
}

TEST_F(ProcessRunnerTest, SeesAFailureBeforeTheFirstThread) {
  const auto run = runner("exits-with-4").run({});

  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->failure->detail, "exit status 4");
}

TEST_F(ProcessRunnerTest, EndsAProgramThatNeitherEndsNorCreatesAThread) {
  options_.limits.timeout = kShort;

  const auto run = runner("never-ends").run({});

  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->summary.outcome, Outcome::kUnresolved);
  EXPECT_TRUE(run->explanation.starts_with("it did not create a thread or end within 1 s"))
      << run->explanation;
}

TEST_F(ProcessRunnerTest, StartsAProcessForEachRunWhereItMust) {
  ProcessRunner direct = runner("runs-directly");

  const auto batch = direct.run_batch({.first_ordinal = 4, .count = 3});

  ASSERT_TRUE(batch.has_value());
  ASSERT_EQ(batch->runs.size(), 3u);
  EXPECT_EQ(batch->runs[2].ordinal, 6u);
  EXPECT_FALSE(direct.forks());
  EXPECT_EQ(direct.why_not_forking(), "it likes to be alone");
  EXPECT_EQ(direct.run({})->output, "start\nrun\n");
}

TEST_F(ProcessRunnerTest, SaysThatTheRuntimeWasNotLoaded) {
  const auto run = runner("ignores-the-channel").run({});

  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().kind, Error::Kind::kEnvironment);
  EXPECT_TRUE(run.error().what.starts_with("the runtime was not loaded")) << run.error().what;
}

TEST_F(ProcessRunnerTest, NamesBothVersionsWhereTheRuntimeHasAnother) {
  const auto run = runner("has-another-version").run({});

  ASSERT_FALSE(run.has_value());
  EXPECT_NE(run.error().why.find("version 77"), std::string::npos) << run.error().why;
  EXPECT_NE(run.error().why.find("unravel version " + std::to_string(wire::kVersion)),
            std::string::npos)
      << run.error().why;
}

TEST_F(ProcessRunnerTest, DoesNotTakeAProgramThatReplacedItselfForPassed) {
  const auto run = runner("replaces-itself").run({});

  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().kind, Error::Kind::kEnvironment);
  EXPECT_NE(run.error().why.find("LD_PRELOAD"), std::string::npos) << run.error().why;
}

TEST_F(ProcessRunnerTest, CannotStartWhatIsGone) {
  Program program = fake_program("serves");
  program.path = "/no/such/program";
  ProcessRunner gone(program, options_,
                     std::move(*ProgramProcess::create(program, options_, harmless_library())));

  const auto run = gone.run({});

  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().what, "cannot start '/no/such/program'") << run.error().what;
}

}  // namespace
}  // namespace unravel
