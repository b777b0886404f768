#include "investigate/divergence.hpp"

#include <gtest/gtest.h>

#include "fake_runner.hpp"

namespace unravel {
namespace {

using wire::DivergenceKind;

TEST(ExplainDivergence, KeepsWhatTheRunSaysAboutIt) {
  unravel::Run now = passed_run();
  now.summary.outcome = Outcome::kDiverged;
  now.divergence = {.kind = DivergenceKind::kOutput,
                    .at = "T1:2+1",
                    .recorded = {.text = "T1:2+1 before write", .place = {}},
                    .now = {.text = "T1:2+1 before write", .place = {}},
                    .cause = {}};
  const Divergence told = explain_divergence(failed_run(), now, "", {.has_recorded_inputs = true});
  EXPECT_EQ(told.kind, DivergenceKind::kOutput);
  EXPECT_EQ(told.at, "T1:2+1");
  EXPECT_FALSE(told.cause.empty());
}

TEST(ExplainDivergence, ComparesOutcomesOfRunsThatCouldFollowTheSchedule) {
  const Divergence told = explain_divergence(failed_run(), passed_run(), "", {});
  EXPECT_EQ(told.kind, DivergenceKind::kOutcome);
  EXPECT_EQ(told.at, "");
  EXPECT_EQ(told.recorded.text, "failed (assert)");
  EXPECT_EQ(told.now.text, "passed");
}

TEST(ExplainDivergence, TellsOtherStepsFromAnotherOutcome) {
  const auto kind_after_other_steps = [](unravel::Run now) {
    const unravel::Run before = now;
    now.summary.schedule_hash = 99;
    return explain_divergence(before, now, "other steps", {}).kind;
  };
  EXPECT_EQ(kind_after_other_steps(passed_run()), DivergenceKind::kSteps);
  EXPECT_EQ(kind_after_other_steps(failed_run()), DivergenceKind::kSteps);
  EXPECT_EQ(explain_divergence(passed_run(), passed_run(), "it prints something else", {}).kind,
            DivergenceKind::kOutput);
  EXPECT_EQ(
      explain_divergence(failed_run("assert: f a.c:1"), failed_run("assert: g a.c:2"), "", {}).kind,
      DivergenceKind::kOutcome);
}

TEST(ExplainDivergence, NamesTheCauseThatIsKnown) {
  const auto cause = [](const unravel::Run& before, const unravel::Run& now,
                        const ReplayConditions& conditions) {
    return explain_divergence(before, now, "", conditions).cause;
  };
  unravel::Run other_library = passed_run();
  other_library.schedule.modules.push_back({.path = "/lib/libx.so", .build_id = "22"});
  EXPECT_NE(cause(failed_run(), other_library, {}).find("/lib/libx.so was not loaded"),
            std::string::npos);

  EXPECT_NE(cause(failed_run(), passed_run(), {.changed_variables = {"A", "B"}}).find("A, B"),
            std::string::npos);

  unravel::Run asks = failed_run();
  asks.schedule.choices.push_back(
      {.thread = {}, .clock = {}, .value = 3, .kind = wire::ChoiceKind::kExternal});
  EXPECT_NE(cause(asks, passed_run(), {}).find("from outside"), std::string::npos);
  EXPECT_EQ(cause(asks, passed_run(), {.has_recorded_inputs = true, .has_recorded_files = true})
                .find("from outside"),
            std::string::npos);

  EXPECT_NE(cause(failed_run(), passed_run(), {}).find("files"), std::string::npos);
  EXPECT_EQ(
      cause(failed_run(), passed_run(), {.has_recorded_inputs = true, .has_recorded_files = true})
          .find("files"),
      std::string::npos);
}

}  // namespace
}  // namespace unravel
