/// Those who learn from traced runs, without a program: what they ask for, and what they keep.
#include <gtest/gtest.h>

#include "fake_runner.hpp"
#include "investigate/hunt_learner.hpp"
#include "investigate/points_learner.hpp"
#include "recording_observer.hpp"
#include "temporary_store.hpp"

namespace unravel {
namespace {

class LearnersTest : public testing::Test {
 protected:
  LearnersTest() { temporary_.open(); }

  PointsFile file() { return PointsFile(program_, temporary_.path(), observer_); }

  /// What an earlier command learnt.
  LearntPoints keep_points() {
    const LearntPoints points = {.modules = {{}, {.path = "/script", .build_id = {}}},
                                 .sites = {wire::Site::of(1, 16)}};
    file().keep(points);
    return points;
  }

  Answer answers(unravel::Run run) {
    return [this, run = std::move(run)](const RunRequest& request) {
      asked_.push_back(request);
      return run;
    };
  }

  const Program program_{.arguments = {"/script"}, .path = "/script", .directory = "/"};
  TemporaryStore temporary_;
  RecordingObserver observer_;
  std::vector<RunRequest> asked_;
};

TEST_F(LearnersTest, PointsOfEarlierCommandsAreTaken) {
  const LearntPoints points = keep_points();
  FakeRunner runner(answers(passed_run()));
  PointsLearner learner(runner, program_, temporary_.path(), observer_);

  ASSERT_TRUE(learner.begin());

  EXPECT_TRUE(asked_.empty()) << "nothing has to be run";
  EXPECT_EQ(learner.points(), points);
  EXPECT_EQ(runner.marks(), (std::vector<std::vector<wire::Site>>{points.sites}));
}

TEST_F(LearnersTest, PointsAreLearntFromARunWithFewSwitches) {
  FakeRunner runner(answers(passed_run()));
  PointsLearner learner(runner, program_, temporary_.path(), observer_);

  ASSERT_TRUE(learner.begin());

  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_EQ(asked_[0].schedule.then.kind, wire::RuleKind::kStay);
  EXPECT_EQ(asked_[0].trace, wire::TraceLevel::kMemory);
  EXPECT_NE(asked_[0].sink, nullptr);
  EXPECT_TRUE(file().read()) << "that there is nothing is worth knowing, too";
  EXPECT_EQ(runner.marks().size(), 1u);
}

TEST_F(LearnersTest, OnlyRunsThatDidSomethingNewAreLookedAtAndNotMoreThanEight) {
  FakeRunner runner(answers(passed_run()));
  PointsLearner learner(runner, program_, temporary_.path(), observer_);
  BatchRequest batch;
  batch.rule.kind = wire::RuleKind::kRandom;
  std::vector<RunSummary> runs(24);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].seed = 100 + i;
    runs[i].new_pairs = i % 2;
  }

  ASSERT_TRUE(learner.learn_from(batch, runs));

  ASSERT_EQ(asked_.size(), 8u);
  EXPECT_EQ(asked_[0].schedule.then.seed, 101u);
  EXPECT_EQ(asked_[7].schedule.then.seed, 115u);
  EXPECT_EQ(asked_[0].schedule.then.kind, wire::RuleKind::kRandom);
}

TEST_F(LearnersTest, NothingIsLearntFromARunInWhichWeFailed) {
  unravel::Run run = passed_run();
  run.summary.outcome = Outcome::kError;
  FakeRunner runner(answers(run));
  PointsLearner learner(runner, program_, temporary_.path(), observer_);

  EXPECT_TRUE(learner.begin());
  EXPECT_TRUE(learner.points().modules.empty());
}

TEST_F(LearnersTest, ErrorsArePassedOn) {
  const Answer breaks = [](const RunRequest&) -> Result<unravel::Run> {
    return user_error("no program");
  };
  FakeRunner runner(breaks);
  FakePool fake(breaks);
  PointsLearner points(runner, program_, temporary_.path(), observer_);
  HuntLearner hunt(fake.pool, file(), wire::PointSet::kAuto);

  RunSummary new_run;
  new_run.new_pairs = 1;
  EXPECT_EQ(points.begin().error().what, "no program");
  EXPECT_EQ(points.learn_from({}, {new_run}).error().what, "no program");
  EXPECT_EQ(hunt.learn({}).error().what, "no program");
}

TEST_F(LearnersTest, AHuntLearnsFromAProposalWithItsPoints) {
  const LearntPoints points = keep_points();
  unravel::Run run = passed_run();
  run.schedule.modules = points.modules;
  run.warnings = {"runs are not sandboxed"};
  FakePool fake(answers(run));
  HuntLearner learner(fake.pool, file(), wire::PointSet::kAuto);
  Proposal proposal;
  proposal.strategy = "pct";
  proposal.following = wire::Following::kLenient;
  proposal.schedule.then.seed = 7;

  const auto lesson = learner.learn(proposal);

  ASSERT_TRUE(lesson);
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_EQ(asked_[0].schedule, proposal.schedule);
  EXPECT_EQ(asked_[0].following, proposal.following);
  EXPECT_EQ(*asked_[0].marks, points.sites);
  EXPECT_EQ(lesson->run.strategy, "pct");
  EXPECT_EQ(*lesson->marks, points.sites);
  EXPECT_EQ(*learner.marks(), points.sites);
  EXPECT_EQ(learner.modules(), points.modules);
  EXPECT_EQ(learner.warnings(), run.warnings);
}

TEST_F(LearnersTest, AHuntInAnotherSetOfPointsHasNoMarks) {
  keep_points();
  FakePool fake(answers(passed_run()));
  HuntLearner learner(fake.pool, file(), wire::PointSet::kSync);

  const auto lesson = learner.learn({});

  ASSERT_TRUE(lesson);
  EXPECT_EQ(lesson->marks, nullptr);
  EXPECT_EQ(learner.marks(), nullptr);
  EXPECT_TRUE(learner.sites().empty());
}

}  // namespace
}  // namespace unravel
