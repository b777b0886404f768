#include "investigate/check.hpp"

#include <fstream>

#include "investigated.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

class CheckTest : public Investigated {
 protected:
  CheckRequest request(std::vector<std::string> runs = {}) {
    CheckRequest request;
    request.runs = std::move(runs);
    request.neighbours = 20;
    request.store = store_.path();
    return request;
  }

  Result<CheckReport> check(const CheckRequest& request) {
    return check_kept(
        request, [&](const Checked& checked) { told_.push_back(checked); }, observer_);
  }

  std::vector<Checked> told_;
};

TEST_F(CheckTest, SaysThatTheSameBuildStillFailsByItsSchedule) {
  const std::string id = keep_failure_of("account");

  const auto report = check(request());

  ASSERT_TRUE(report) << report.error().what;
  ASSERT_EQ(report->all.size(), 1u);
  EXPECT_EQ(report->all[0].run, id);
  EXPECT_EQ(report->all[0].verdict, CheckVerdict::kStillFails);
  EXPECT_EQ(report->all[0].reproduced_by, ReproducedBy::kSchedule);
  EXPECT_EQ(report->all[0].neighbours, 0u);
  EXPECT_EQ(told_, report->all);
  ASSERT_EQ(report->findings.size(), 1u);
  EXPECT_EQ(report->findings[0].runs.found, id);
  EXPECT_EQ(report->findings[0].key, report->all[0].key);
}

TEST_F(CheckTest, SaysFixedOfAProgramThatWasMended) {
  keep_failure_of("account");
  install("account_mended");

  const auto report = check(request());

  ASSERT_TRUE(report) << report.error().what;
  ASSERT_EQ(report->all.size(), 1u);
  EXPECT_EQ(report->all[0].verdict, CheckVerdict::kFixed) << report->all[0].reason;
  EXPECT_EQ(report->all[0].neighbours, 20u);
  EXPECT_EQ(report->all[0].reproduced_by, ReproducedBy::kNothing);
  EXPECT_TRUE(report->all[0].others.empty());
  EXPECT_TRUE(report->findings.empty());
}

TEST_F(CheckTest, FindsTheSameBugInAnotherBuild) {
  keep_failure_of("account");
  install("account_anew");

  const auto report = check(request());

  ASSERT_TRUE(report) << report.error().what;
  EXPECT_EQ(report->all.at(0).verdict, CheckVerdict::kStillFails) << report->all[0].reason;
  EXPECT_NE(report->all[0].reproduced_by, ReproducedBy::kNothing);
  EXPECT_EQ(report->findings.size(), 1u);
}

TEST_F(CheckTest, FindsTheSameRaceInAnotherBuildOfAProgramWithHooks) {
  const std::string id = keep_failure_of("counter");
  // As if it had been another build that was recorded.
  Store store = store_.open();
  StoredRun kept = store.load(id).value();
  kept.run.schedule.modules.at(1).build_id = "abcd";
  const std::string older = store.add(kept.run, kept.settings).value();

  const auto report = check(request({older}));

  ASSERT_TRUE(report) << report.error().what;
  EXPECT_EQ(report->all.at(0).verdict, CheckVerdict::kStillFails) << report->all[0].reason;
}

TEST_F(CheckTest, KeepsAnotherFailureThatItMeets) {
  keep_failure_of("account");
  install("always");

  const auto report = check(request());

  ASSERT_TRUE(report) << report.error().what;
  EXPECT_EQ(report->all.at(0).verdict, CheckVerdict::kFixed) << report->all[0].reason;
  ASSERT_EQ(report->all[0].others.size(), 1u) << "one for each key";
  const OtherFailure& other = report->all[0].others[0];
  EXPECT_EQ(other.key, "exit: exit status 3");
  EXPECT_TRUE(other.verified);
  EXPECT_EQ(store_.open().load(other.run)->run.failure->key, other.key);
}

TEST_F(CheckTest, IsNotApplicableToAProgramThatIsGone) {
  keep_failure_of("account");
  fs::remove(file());

  const auto report = check(request({"all"}));

  ASSERT_TRUE(report) << report.error().what;
  EXPECT_EQ(report->all.at(0).verdict, CheckVerdict::kNotApplicable);
  EXPECT_EQ(report->all[0].reason, file().string() + " is not there any more");
  EXPECT_FALSE(report->all[0].is_trouble);
}

TEST_F(CheckTest, IsNotApplicableToAnotherProgramWithOneThread) {
  keep_failure_of("account");
  install("alone");

  const auto report = check(request());

  ASSERT_TRUE(report) << report.error().what;
  EXPECT_EQ(report->all.at(0).verdict, CheckVerdict::kNotApplicable);
  EXPECT_TRUE(report->all[0].reason.starts_with("nothing was tested")) << report->all[0].reason;
  EXPECT_TRUE(report->all[0].is_trouble);
}

TEST_F(CheckTest, IsInTroubleIfTheSameBuildDoesSomethingElse) {
  keep_failure_of("account");
  std::ofstream(store_.home() / "careful") << "";

  const auto report = check(request());

  ASSERT_TRUE(report) << report.error().what;
  EXPECT_EQ(report->all.at(0).verdict, CheckVerdict::kNotApplicable);
  EXPECT_TRUE(report->all[0].is_trouble);
  EXPECT_TRUE(report->all[0].reason.starts_with("the build is the same, but the run differs: "))
      << report->all[0].reason;
}

TEST_F(CheckTest, TriesEachFailureOnceAndNotWhatWasMadeOfIt) {
  const std::string id = keep_failure_of("account");
  Store store = store_.open();
  StoredRun kept = store.load(id).value();
  kept.run.strategy = "simplify";
  ASSERT_TRUE(store.add(kept.run, kept.settings));

  const auto all = check(request());
  const auto twice = check(request({id, id.substr(0, 8)}));

  ASSERT_TRUE(all && twice);
  EXPECT_EQ(all->all.size(), 1u);
  EXPECT_EQ(twice->all.size(), 1u);
}

TEST_F(CheckTest, RefusesWhatDidNotFailOrIsNotThere) {
  const std::string id = keep_plain_run_of("account");

  const auto passed = check(request({id}));
  const auto missing = check(request({"ffffffffffff"}));
  CheckRequest elsewhere = request();
  elsewhere.store = store_.home() / "elsewhere";

  ASSERT_FALSE(passed);
  EXPECT_EQ(passed.error().what, "run " + id + " did not fail");
  EXPECT_FALSE(missing);
  EXPECT_FALSE(check(elsewhere)) << "there is no store";
}

TEST_F(CheckTest, TellsWhatItSawBeforeItsTrouble) {
  const std::string failed = keep_failure_of("account");
  const std::string passed = keep_plain_run_of("account");

  const auto report = check(request({failed, passed}));

  ASSERT_TRUE(report) << report.error().what;
  EXPECT_EQ(report->all.size(), 1u);
  ASSERT_TRUE(report->trouble);
  EXPECT_EQ(report->trouble->what, "run " + passed + " did not fail");
}

TEST_F(CheckTest, EndsWithAnInterruption) {
  keep_failure_of("account");
  keep_failure_of("account");

  const auto report = check_kept(
      request(), [&](const Checked&) { observer_.interrupt(); }, observer_);

  ASSERT_TRUE(report) << report.error().what;
  EXPECT_EQ(report->all.size(), 1u) << "what was seen before counts";
  ASSERT_TRUE(report->trouble);
  EXPECT_EQ(*report->trouble, interrupted_error());
}

}  // namespace
}  // namespace unravel
