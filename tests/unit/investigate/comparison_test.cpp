#include "investigate/comparison.hpp"

#include <fstream>

#include "investigate/steps.hpp"
#include "investigated.hpp"

namespace unravel {
namespace {

class ComparisonTest : public Investigated {
 protected:
  Result<ComparedRuns> compare(const std::string& left, const std::string& right, bool may_run) {
    return compare_kept(left, right, store_.path(), may_run, observer_);
  }

  /// Keeps the run once more with a change.
  std::string keep_changed(const std::string& id,
                           const std::function<void(unravel::Run&)>& change) {
    Store store = store_.open();
    StoredRun kept = store.load(id).value();
    change(kept.run);
    return store.add(kept.run, kept.settings).value();
  }
};

TEST_F(ComparisonTest, MakesStepsThatWereNotKeptOnlyIfItMayRunTheProgram) {
  const std::string failed = keep_failure_of("account");
  const std::string passed = keep_plain_run_of("account");

  const auto refused = compare(failed, passed, /*may_run=*/false);
  const auto made = compare(failed, passed, /*may_run=*/true);
  const auto kept = compare(failed, passed, /*may_run=*/false);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "no table of run " + passed + " was stored");
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_EQ(made->left.id, failed);
  EXPECT_EQ(made->right.id, passed);
  EXPECT_FALSE(made->left.steps.empty());
  EXPECT_FALSE(made->right.steps.empty());
  ASSERT_TRUE(kept) << "they were kept for next time: " << kept.error().what;
  EXPECT_EQ(kept->right.steps, made->right.steps);
}

TEST_F(ComparisonTest, RefusesRunsOfTwoPrograms) {
  const std::string id = keep_failure_of("account");
  const std::string other =
      keep_changed(id, [](unravel::Run& run) { run.program.path = "/bin/other"; });
  const std::string argument =
      keep_changed(id, [](unravel::Run& run) { run.program.arguments.push_back("--more"); });
  const std::string typed =
      keep_changed(id, [](unravel::Run& run) { run.program.arguments[0] = "./program"; });

  const auto refused = compare(id, other, false);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "runs " + id + " and " + other + " are not of the same program");
  EXPECT_FALSE(compare(id, argument, false));
  EXPECT_TRUE(compare(id, typed, false)) << "how it was typed does not matter";
}

TEST_F(ComparisonTest, WarnsOfTwoBuilds) {
  const std::string id = keep_failure_of("account");
  const std::string older =
      keep_changed(id, [](unravel::Run& run) { run.schedule.modules.at(1).build_id = "abcd"; });

  ASSERT_TRUE(compare(id, older, false));

  ASSERT_EQ(observer_.warnings.size(), 1u);
  EXPECT_TRUE(observer_.warnings[0].starts_with("the program was rebuilt between the two runs"));
}

TEST_F(ComparisonTest, RefusesARunThatIsNotThere) {
  const std::string id = keep_failure_of("account");

  EXPECT_FALSE(compare(id, "ffffffffffff", false));
  EXPECT_FALSE(compare("ffffffffffff", id, false));
}

using StepsTest = ComparisonTest;

TEST_F(StepsTest, OfAnotherBuildCannotBeHadAnyMore) {
  const std::string id = keep_plain_run_of("account");
  install("account_mended");
  OpenedRun opened = std::move(*open_run(id, store_.path()));

  const auto made = make_steps(opened, observer_);

  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what,
            "the steps of run " + id + " were not stored and cannot be made any more");
}

TEST_F(StepsTest, OfARunThatComesOutOtherwiseAreRefused) {
  const std::string id = keep_plain_run_of("account");
  std::ofstream(store_.home() / "careful") << "";
  OpenedRun opened = std::move(*open_run(id, store_.path()));

  const auto made = make_steps(opened, observer_);

  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what, "run " + id + " could not be repeated");
  EXPECT_TRUE(opened.stored.run.steps.empty());
}

}  // namespace
}  // namespace unravel
