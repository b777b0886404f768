/// Fork servers and runs that are killed from outside.
#include <gtest/gtest.h>

#include "process_runner_fixture.hpp"

namespace unravel {
namespace {

TEST_F(ProcessRunnerTest, NeverBlamesTheProgramForBeingKilledFromOutside) {
  const auto run = runner("is-killed").run({});
  const auto batch = runner("is-killed-third").run_batch({.count = 5});

  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().kind, Error::Kind::kEnvironment);
  ASSERT_FALSE(batch.has_value());
  EXPECT_EQ(batch.error(), run.error());
}

TEST_F(ProcessRunnerTest, StartsAgainWhenTheServerLeftBetweenBatches) {
  ProcessRunner leaving = runner("leaves-after-a-batch");

  for (std::uint64_t i = 0; i < 3; ++i) {
    const auto batch = leaving.run_batch({.first_ordinal = i, .count = 1});
    ASSERT_TRUE(batch.has_value()) << batch.error().what;
    EXPECT_EQ(batch->runs[0].outcome, Outcome::kPassed);
  }
}

TEST_F(ProcessRunnerTest, NeverBlamesTheProgramForALostServer) {
  ProcessRunner dying = runner("server-dies");

  const auto batch = dying.run_batch({.count = 5});

  ASSERT_FALSE(batch.has_value());
  EXPECT_EQ(batch.error().kind, Error::Kind::kEnvironment);
}

TEST_F(ProcessRunnerTest, RepeatsTheRunInWhichItsServerWasLost) {
  // Each server loses its third run, whichever that is.
  const auto batch = runner("third-run-kills-server").run_batch({.count = 5});

  ASSERT_TRUE(batch.has_value()) << batch.error().what;
  ASSERT_EQ(batch->runs.size(), 5u);
  EXPECT_EQ(batch->runs[2].ordinal, 2u);
  EXPECT_EQ(batch->runs[4].ordinal, 4u);
  EXPECT_TRUE(batch->failures.empty());
}

}  // namespace
}  // namespace unravel
