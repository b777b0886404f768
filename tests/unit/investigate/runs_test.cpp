#include "investigate/runs.hpp"

#include <fstream>

#include "investigate/build_ids.hpp"
#include "investigated.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

class RunsTest : public Investigated {
 protected:
  Schedule kept_schedule(const std::string& id) {
    return store_.open().load(id).value().run.schedule;
  }
};

TEST_F(RunsTest, KeepAFailureThatCameBackThreeTimes) {
  RunsRequest request = runs_of("account");
  request.runs = 500;

  const auto ran = run(request);

  ASSERT_TRUE(ran) << ran.error().what;
  ASSERT_TRUE(ran->run && ran->run->failure);
  EXPECT_EQ(ran->outcome(), Outcome::kFailed);
  ASSERT_TRUE(ran->verification);
  EXPECT_TRUE(ran->verification->verified());
  EXPECT_FALSE(ran->trouble());
  EXPECT_EQ(ran->run->failure->kind, FailureKind::kAssert);
  EXPECT_TRUE(ran->run->failure->key.starts_with("assert: main ")) << ran->run->failure->key;
  EXPECT_LT(ran->tally->runs, 500u) << "it ends at the first";
  EXPECT_EQ(ran->tally->runs_that(Outcome::kFailed), 1u);
  EXPECT_TRUE(fs::exists(ran->schedule_file));
  const StoredRun kept = store_.open().load(ran->run->id).value();
  EXPECT_FALSE(kept.run.unverified);
  EXPECT_EQ(kept.run.failure->key, ran->run->failure->key);
  EXPECT_FALSE(kept.run.steps.empty());
  EXPECT_FALSE(kept.run.constraints.empty()) << "another build can look for it";
}

TEST_F(RunsTest, ThatPassAreCountedAndNotKept) {
  RunsRequest request = runs_of("account_mended");
  request.runs = 30;
  const auto runs = Runs::prepare(request, observer_);
  ASSERT_TRUE(runs);

  const auto ran = (*runs)->perform();

  ASSERT_TRUE(ran) << ran.error().what;
  EXPECT_FALSE(ran->run);
  EXPECT_EQ(ran->outcome(), Outcome::kPassed);
  EXPECT_EQ(ran->tally->runs, 30u);
  EXPECT_EQ(ran->tally->runs_that(Outcome::kPassed), 30u);
  EXPECT_TRUE(store_.runs().empty());
  const auto counts = store_.open().counts().value();
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].runs, 30u);
  EXPECT_EQ(counts[0].outcome, Outcome::kPassed);
  ASSERT_FALSE(observer_.steps.empty());
  EXPECT_EQ(observer_.steps.back(), (std::pair<std::uint64_t, std::uint64_t>{30, 30}));
}

TEST_F(RunsTest, OfOneThreadEndAfterTheFirst) {
  RunsRequest request = runs_of("alone");
  request.runs = 100;

  const auto ran = run(request);

  ASSERT_TRUE(ran) << ran.error().what;
  EXPECT_FALSE(ran->run);
  EXPECT_EQ(ran->tally->runs, 1u);
  EXPECT_TRUE(ran->tally->has_one_thread());
  EXPECT_EQ(ran->outcome(), Outcome::kUnresolved);
  EXPECT_FALSE(ran->tally->explanation.empty());
}

TEST_F(RunsTest, OnceByARuleAreKeptHoweverTheyEnd) {
  const std::string id = keep_plain_run_of("account");

  const unravel::Run kept = store_.open().load(id).value().run;
  EXPECT_EQ(kept.summary.outcome, Outcome::kPassed);
  EXPECT_EQ(kept.summary.preemptions, 0u);
  EXPECT_EQ(kept.output, "counted\n");
  EXPECT_EQ(kept.summary.threads, 3u);
}

TEST_F(RunsTest, ByATickAreKeptWithTheirClockForm) {
  RunsRequest request = runs_of("account_mended");
  request.tick = std::chrono::milliseconds(1);

  const auto ran = run(request);

  ASSERT_TRUE(ran) << ran.error().what;
  ASSERT_TRUE(ran->run);
  EXPECT_EQ(ran->run->summary.outcome, Outcome::kPassed);
  EXPECT_EQ(store_.runs().size(), 1u);
}

TEST_F(RunsTest, OfAProbabilityOfNoneDoNotPreempt) {
  RunsRequest request = runs_of("account");
  request.probability = 0;
  request.runs = 20;

  const auto ran = run(request);

  ASSERT_TRUE(ran) << ran.error().what;
  EXPECT_EQ(ran->outcome(), Outcome::kPassed);
}

TEST_F(RunsTest, FollowAScheduleToTheSameFailure) {
  const std::string id = keep_failure_of("account");
  RunsRequest request = runs_of("account");
  request.schedule = kept_schedule(id);

  const auto ran = run(request);

  ASSERT_TRUE(ran) << ran.error().what;
  ASSERT_TRUE(ran->run && ran->run->failure);
  EXPECT_EQ(ran->run->failure->key, store_.open().load(id)->run.failure->key);
}

TEST_F(RunsTest, RefuseAScheduleOfAnotherBuildUnlessTheyFollowItLeniently) {
  const std::string id = keep_failure_of("account");
  RunsRequest request = runs_of("account_mended");
  request.schedule = kept_schedule(id);

  const auto refused = run(request);
  request.following = wire::Following::kLenient;
  const auto ran = run(request);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, file().string() + " was rebuilt since the schedule was recorded");
  ASSERT_TRUE(ran) << ran.error().what;
  EXPECT_EQ(ran->outcome(), Outcome::kPassed);
}

TEST_F(RunsTest, RefuseAScheduleOfAnotherProgram) {
  const std::string id = keep_failure_of("account");
  RunsRequest request = runs_of("account");
  request.schedule = kept_schedule(id);
  request.schedule->modules.at(1) = {.path = "/elsewhere", .build_id = "abcd"};

  const auto refused = run(request);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what,
            "the schedule was recorded with /elsewhere, not with " + file().string());
}

TEST_F(RunsTest, CountOnlyFailuresThatAreTargets) {
  RunsRequest request = runs_of("account");
  request.judging.targets.kinds = {FailureKind::kDeadlock};
  request.runs = 50;

  const auto ran = run(request);

  ASSERT_TRUE(ran) << ran.error().what;
  EXPECT_EQ(ran->tally->runs_that(Outcome::kPassed), 50u);
}

TEST_F(RunsTest, LearnWhereToSwitchInAProgramWithHooks) {
  RunsRequest request = runs_of("counter");
  request.runs = 500;

  const auto ran = run(request);

  ASSERT_TRUE(ran) << ran.error().what;
  ASSERT_TRUE(ran->run && ran->run->failure);
  EXPECT_EQ(ran->points, wire::PointSet::kAuto);
  EXPECT_FALSE(ran->run->schedule.marks.empty());
  EXPECT_TRUE(
      fs::exists(fs::path(store_.path()) / "points" / build_id_of(file().string()).value()));
}

TEST_F(RunsTest, RefusePointsThatTheProgramIsNotBuiltFor) {
  RunsRequest request = runs_of("account");
  request.judging.points = wire::PointSet::kMemory;

  const auto refused = run(request);

  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("has no hooks at memory accesses"), std::string::npos);
}

TEST_F(RunsTest, EndWithAnInterruption) {
  RunsRequest request = runs_of("account_mended");
  request.runs = 10'000'000;
  observer_.interrupts_at_run = 1;
  const auto runs = Runs::prepare(request, observer_);
  ASSERT_TRUE(runs);

  const auto ran = (*runs)->perform();

  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error(), interrupted_error());
}

TEST_F(RunsTest, TellOfAFailureThatTheStoreDidNotTake) {
  RunsRequest request = runs_of("account");
  request.schedule = kept_schedule(keep_failure_of("account"));
  const auto runs = Runs::prepare(request, observer_);
  ASSERT_TRUE(runs);
  // Its database is there, and takes nothing more.
  fs::remove_all(fs::path(store_.path()) / "runs");
  std::ofstream(fs::path(store_.path()) / "runs") << "a file where a directory should be";

  const auto ran = (*runs)->perform();

  ASSERT_TRUE(ran) << ran.error().what;
  ASSERT_TRUE(ran->run && ran->run->failure);
  EXPECT_TRUE(ran->verification && ran->verification->verified());
  EXPECT_TRUE(ran->unkept);
  EXPECT_EQ(ran->schedule_file, "");
}

TEST_F(RunsTest, KeepTheFilesOfTheLastRunThatWroteSome) {
  const auto runs = Runs::prepare(runs_of("account_mended"), observer_);
  ASSERT_TRUE(runs);
  const auto ran = (*runs)->perform();
  ASSERT_TRUE(ran && ran->run);
  if (!ran->run->schedule.sandboxed) GTEST_SKIP() << "this machine does not allow sandboxes";

  const auto kept = (*runs)->keep_files(store_.home() / "kept");

  ASSERT_TRUE(kept) << kept.error().what;
  EXPECT_EQ(*kept, 0u) << "it writes none";
}

}  // namespace
}  // namespace unravel
