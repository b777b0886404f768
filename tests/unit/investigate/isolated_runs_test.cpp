#include "investigate/isolated_runs.hpp"

#include "investigated.hpp"

namespace unravel {
namespace {

class IsolatedRunsTest : public Investigated {
 protected:
  IsolateRequest request(const std::string& run) {
    IsolateRequest request;
    request.run = run;
    request.store = store_.path();
    request.jobs = 1;
    return request;
  }

  unravel::Run load(const std::string& id) { return store_.open().load(id).value().run; }
};

TEST_F(IsolatedRunsTest, DifferInOneSwitchThatDecides) {
  const std::string id = keep_failure_of("account");

  const auto isolated = isolate_kept(request(id), observer_);

  ASSERT_TRUE(isolated) << isolated.error().what;
  EXPECT_FALSE(isolated->nearby);
  EXPECT_FALSE(isolated->why_unkept);
  const SmallestDifference& told = isolated->narrowed.told;
  EXPECT_TRUE(told.minimal);
  EXPECT_EQ(told.deltas_left, 1u);
  ASSERT_EQ(told.switches.size(), 1u);
  ASSERT_TRUE(told.switches[0].failing);
  EXPECT_FALSE(told.switches[0].failing->stack.empty());
  EXPECT_EQ(load(told.failing).failure->key, load(id).failure->key);
  EXPECT_EQ(load(told.passing).summary.outcome, Outcome::kPassed);
  EXPECT_EQ(load(told.passing).strategy, "isolate");
}

TEST_F(IsolatedRunsTest, NameTheVariableOfARace) {
  const std::string id = keep_failure_of("counter");

  const auto isolated = isolate_kept(request(id), observer_);

  ASSERT_TRUE(isolated) << isolated.error().what;
  const SmallestDifference& told = isolated->narrowed.told;
  ASSERT_EQ(told.switches.size(), 1u);
  ASSERT_FALSE(told.conflicts.empty());
  EXPECT_EQ(told.conflicts[0].object, "counter");
  EXPECT_TRUE(told.window);
}

TEST_F(IsolatedRunsTest, OfARunThatPassedBeginWithAFailureNearIt) {
  const std::string id = keep_plain_run_of("account");

  const auto isolated = isolate_kept(request(id), observer_);

  ASSERT_TRUE(isolated) << isolated.error().what;
  ASSERT_TRUE(isolated->nearby);
  EXPECT_TRUE(isolated->nearby->failure);
  EXPECT_EQ(load(isolated->nearby->id).failure->key, isolated->nearby->failure->key);
  EXPECT_TRUE(isolated->narrowed.passing);
  EXPECT_GT(isolated->narrowed.told.neighbour_tests, 0u);
}

TEST_F(IsolatedRunsTest, MayBeComparedWithARunThatIsNamed) {
  IsolateRequest named = request(keep_failure_of("account"));
  named.passing = keep_plain_run_of("account");

  const auto isolated = isolate_kept(named, observer_);

  ASSERT_TRUE(isolated) << isolated.error().what;
  EXPECT_EQ(isolated->narrowed.told.neighbour_tests, 0u) << "none had to be looked for";
  EXPECT_EQ(isolated->narrowed.told.switches.size(), 1u);
}

TEST_F(IsolatedRunsTest, RefuseToBeComparedWithAFailureOrAnotherProgram) {
  const std::string failed = keep_failure_of("account");
  Store store = store_.open();
  StoredRun other = store.load(keep_plain_run_of("account")).value();
  other.run.program.arguments.push_back("--more");
  const std::string elsewhere = store.add(other.run, other.settings).value();
  IsolateRequest named = request(failed);

  named.passing = failed;
  EXPECT_EQ(isolate_kept(named, observer_).error().what, "run " + failed + " did not pass");
  named.passing = elsewhere;
  EXPECT_EQ(isolate_kept(named, observer_).error().what,
            "run " + elsewhere + " is of another program or has other arguments");
  named.passing = "ffffffffffff";
  EXPECT_FALSE(isolate_kept(named, observer_));
}

TEST_F(IsolatedRunsTest, SayIfNothingNearPasses) {
  const std::string id = keep_failure_of("always");
  IsolateRequest few = request(id);
  few.tests = 5;

  const auto isolated = isolate_kept(few, observer_);

  ASSERT_FALSE(isolated);
  EXPECT_EQ(isolated.error().what, "no run near " + id + " passes");
}

TEST_F(IsolatedRunsTest, SayIfNothingNearFails) {
  const std::string id = keep_plain_run_of("account_mended");
  IsolateRequest few = request(id);
  few.tests = 5;

  const auto isolated = isolate_kept(few, observer_);

  ASSERT_FALSE(isolated);
  EXPECT_EQ(isolated.error().what, "no run near " + id + " fails");
}

TEST_F(IsolatedRunsTest, NeedARunThatFailedOrPassed) {
  const std::string id = keep_plain_run_of("alone");

  const auto isolated = isolate_kept(request(id), observer_);

  ASSERT_FALSE(isolated);
  EXPECT_EQ(isolated.error().what, "run " + id + " neither failed nor passed");
  EXPECT_FALSE(isolate_kept(request("ffffffffffff"), observer_));
}

}  // namespace
}  // namespace unravel
