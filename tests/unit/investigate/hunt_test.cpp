#include "investigate/hunt.hpp"

#include "investigated.hpp"

namespace unravel {
namespace {

class HuntTest : public Investigated {
 protected:
  /// One worker, so that it repeats.
  HuntRequest request(std::uint64_t runs) {
    HuntRequest request;
    request.judging.timeout = kPatience;
    request.budget.runs = runs;
    request.jobs = 1;
    request.seed = 1;
    request.store = store_.path();
    return request;
  }
};

TEST_F(HuntTest, FindsVerifiesKeepsAndExplainsALostUpdate) {
  const auto hunted = hunt(request(1000), program("account"), observer_);

  ASSERT_TRUE(hunted) << hunted.error().what;
  EXPECT_EQ(hunted->ended, "found");
  EXPECT_EQ(hunted->outcome(), Outcome::kFailed);
  EXPECT_FALSE(hunted->trouble);
  ASSERT_EQ(hunted->found.size(), 1u);
  const FoundFailure& found = hunted->found[0];
  EXPECT_TRUE(found.verified());
  EXPECT_GT(found.found_at_run, 0u);
  ASSERT_TRUE(found.explained);
  EXPECT_TRUE(found.explained->order.depends);
  ASSERT_TRUE(found.explained->simplified);
  EXPECT_EQ(found.explained->simplified->after.preemptions, 1u);
  ASSERT_TRUE(found.explained->difference);
  EXPECT_EQ(found.explained->difference->switches.size(), 1u);
  EXPECT_FALSE(found.explained->stopped);
  ASSERT_EQ(observer_.findings.size(), 1u);
  const FindingRuns& runs = observer_.findings[0].runs;
  const Store store = store_.open();
  EXPECT_EQ(runs.found, found.run.id);
  EXPECT_EQ(store.load(runs.found)->run.failure->kind, FailureKind::kAssert);
  EXPECT_EQ(store.load(runs.fails)->run.failure->key, observer_.findings[0].key);
  EXPECT_EQ(store.load(runs.passes)->run.summary.outcome, Outcome::kPassed);
  EXPECT_FALSE(observer_.explored_runs.empty());
}

TEST_F(HuntTest, LearnsWhereToSwitchInAProgramWithHooks) {
  const auto hunted = hunt(request(1000), program("counter"), observer_);

  ASSERT_TRUE(hunted) << hunted.error().what;
  EXPECT_EQ(hunted->outcome(), Outcome::kFailed);
  EXPECT_EQ(hunted->points, wire::PointSet::kAuto);
  EXPECT_FALSE(hunted->points_given);
  EXPECT_TRUE(hunted->has_hooks);
  EXPECT_GT(hunted->explored.functions.total, 0u);
  ASSERT_EQ(observer_.findings.size(), 1u);
  EXPECT_EQ(observer_.findings[0].variables, (std::vector<std::string>{"counter"}));
}

TEST_F(HuntTest, FindsNothingInAMendedProgram) {
  const auto hunted = hunt(request(60), program("account_mended"), observer_);

  ASSERT_TRUE(hunted) << hunted.error().what;
  EXPECT_EQ(hunted->ended, "runs");
  EXPECT_EQ(hunted->outcome(), Outcome::kPassed);
  EXPECT_EQ(hunted->explored.runs, 60u);
  EXPECT_TRUE(hunted->found.empty());
  EXPECT_TRUE(observer_.findings.empty());
  EXPECT_FALSE(hunted->has_hooks);
}

TEST_F(HuntTest, SaysIfAFailureDependsOnNoOrder) {
  const auto hunted = hunt(request(100), program("always"), observer_);

  ASSERT_TRUE(hunted) << hunted.error().what;
  ASSERT_EQ(hunted->found.size(), 1u);
  ASSERT_TRUE(hunted->found[0].explained);
  EXPECT_FALSE(hunted->found[0].explained->order.depends);
  EXPECT_FALSE(hunted->found[0].explained->simplified);
}

TEST_F(HuntTest, DoesNotTellOfKnownFailures) {
  HuntRequest knowing = request(100);
  knowing.known = KnownFailures::parse("assert: main *\n", "known").value();

  const auto hunted = hunt(knowing, program("account"), observer_);

  ASSERT_TRUE(hunted) << hunted.error().what;
  EXPECT_EQ(hunted->ended, "runs");
  EXPECT_GT(hunted->known_failures, 0u);
  EXPECT_TRUE(hunted->found.empty());
  EXPECT_TRUE(observer_.findings.empty());
  EXPECT_TRUE(store_.runs().empty());
}

TEST_F(HuntTest, GoesOnAfterAFailureAndTellsOfEachOnce) {
  HuntRequest exploring = request(200);
  exploring.goes_on = true;
  exploring.explains = false;

  const auto hunted = hunt(exploring, program("account"), observer_);

  ASSERT_TRUE(hunted) << hunted.error().what;
  EXPECT_EQ(hunted->ended, "runs");
  EXPECT_EQ(hunted->found.size(), 1u);
  EXPECT_FALSE(hunted->found[0].explained);
  EXPECT_EQ(observer_.findings.size(), 1u);
  EXPECT_GT(hunted->explored.failures.at(hunted->found[0].run.failure->key), 1u);
}

TEST_F(HuntTest, GoesOnWhereItWasInterrupted) {
  const Program mended = program("account_mended");
  observer_.interrupts_at_run = 30;
  const auto first = hunt(request(200), mended, observer_);
  HuntRequest resuming = request(200);
  resuming.seed.reset();
  resuming.resumes = true;
  RecordingObserver patient;

  const auto second = hunt(resuming, mended, patient);

  ASSERT_TRUE(first) << first.error().what;
  EXPECT_EQ(first->ended, "interrupted");
  EXPECT_LT(first->explored.runs, 200u);
  ASSERT_TRUE(second) << second.error().what;
  EXPECT_EQ(second->ended, "runs");
  EXPECT_EQ(second->seed, first->seed);
  EXPECT_EQ(second->explored.runs, 200u);
  const auto third = hunt(resuming, mended, patient);
  EXPECT_FALSE(third) << "there is no hunt to resume any more";
}

TEST_F(HuntTest, IsTheSameHuntWhetherItWasInterruptedOrNot) {
  const Program mended = program("account_mended");
  const auto whole = hunt(request(150), mended, observer_);
  RecordingObserver impatient;
  impatient.interrupts_at_run = 40;
  ASSERT_TRUE(hunt(request(150), mended, impatient));
  HuntRequest resuming = request(150);
  resuming.resumes = true;
  RecordingObserver patient;

  const auto resumed = hunt(resuming, mended, patient);

  ASSERT_TRUE(whole && resumed);
  EXPECT_EQ(resumed->explored.schedules, whole->explored.schedules);
  EXPECT_EQ(resumed->explored.behaviours, whole->explored.behaviours);
}

TEST_F(HuntTest, CountsFailuresFromBeforeItWasInterrupted) {
  const Program account = program("account");
  HuntRequest exploring = request(400);
  exploring.goes_on = true;
  exploring.explains = false;
  observer_.interrupts_at_run = 200;
  const auto first = hunt(exploring, account, observer_);
  ASSERT_TRUE(first) << first.error().what;
  ASSERT_EQ(first->found.size(), 1u);
  exploring.resumes = true;
  RecordingObserver patient;

  const auto second = hunt(exploring, account, patient);

  ASSERT_TRUE(second) << second.error().what;
  EXPECT_EQ(second->earlier_failures + second->found.size(), 1u);
  EXPECT_EQ(second->outcome(), Outcome::kFailed);
}

TEST_F(HuntTest, EndsAtOnceInAProgramWithOneThread) {
  const auto hunted = hunt(request(100), program("alone"), observer_);

  ASSERT_TRUE(hunted) << hunted.error().what;
  EXPECT_EQ(hunted->ended, "one thread");
  EXPECT_EQ(hunted->outcome(), Outcome::kUnresolved);
  EXPECT_EQ(hunted->reason(), Reason::kNoSecondThread);
}

TEST_F(HuntTest, EndsWhenNothingIsNew) {
  HuntRequest stale = request(0);
  stale.budget.stale = 30;

  const auto hunted = hunt(stale, program("account_mended"), observer_);

  ASSERT_TRUE(hunted) << hunted.error().what;
  EXPECT_EQ(hunted->ended, "stale");
}

TEST_F(HuntTest, HasNoTimeToExplainPastTheUsersLimit) {
  HuntRequest hasty = request(1000);
  hasty.time = std::chrono::milliseconds(0);  // the budget is another limit

  const auto hunted = hunt(hasty, program("account"), observer_);

  ASSERT_TRUE(hunted) << hunted.error().what;
  ASSERT_EQ(hunted->found.size(), 1u);
  ASSERT_TRUE(hunted->found[0].explained);
  EXPECT_TRUE(hunted->found[0].explained->stopped);
  EXPECT_FALSE(hunted->found[0].explained->simplified);
}

TEST_F(HuntTest, OfATestIsMadeInItsDirectoryAndEnvironment) {
  HuntRequest short_hunt = request(100);
  short_hunt.explains = false;
  TestCase test;
  test.name = "Account.Counts";
  test.arguments = program("account").arguments;
  test.directory = store_.home().string();
  test.skip_status = 3;

  test.environment = {{"CAREFUL", "1"}};
  const auto careful = hunt_in_test(short_hunt, test, observer_);
  test.environment.clear();
  const auto careless = hunt_in_test(short_hunt, test, observer_);
  test.arguments = {"/no/such/program"};
  const auto missing = hunt_in_test(short_hunt, test, observer_);

  ASSERT_TRUE(careful && careless);
  EXPECT_EQ(careful->outcome(), Outcome::kPassed);
  EXPECT_EQ(careless->outcome(), Outcome::kFailed);
  EXPECT_EQ(careless->found.at(0).run.program.directory, store_.home().string());
  EXPECT_FALSE(missing);
}

TEST_F(HuntTest, OfATestIsSkippedByTheStatusThatTheTestNames) {
  TestCase test;
  test.arguments = program("always").arguments;
  test.skip_status = 3;

  const auto hunted = hunt_in_test(request(20), test, observer_);

  ASSERT_TRUE(hunted) << hunted.error().what;
  EXPECT_EQ(hunted->reason(), Reason::kSkipped);
}

TEST_F(HuntTest, RefusesWhatItCannotDo) {
  HuntRequest points = request(10);
  points.judging.points = wire::PointSet::kMemory;
  HuntRequest strategy = request(10);
  strategy.strategy = "rando";
  HuntRequest resuming = request(10);
  resuming.resumes = true;
  HuntRequest expecting = request(10);
  expecting.judging.expected_output = store_.home() / "not-there";

  EXPECT_FALSE(hunt(points, program("account"), observer_));
  EXPECT_EQ(hunt(strategy, program("account"), observer_).error().what,
            "there is no strategy 'rando', did you mean random?");
  EXPECT_FALSE(hunt(expecting, program("account"), observer_));
  EXPECT_FALSE(hunt(resuming, program("counter"), observer_)) << "no hunt in this build";
}

TEST(HuntStrategies, ShareTheBudgetIfThereAreSeveral) {
  EXPECT_EQ(strategy_from("pct").value()->name(), "pct");
  EXPECT_EQ(strategy_from("pct,random").value()->name(),
            strategy_from("portfolio").value()->name());
}

TEST(HuntStrategies, ThatAreNotKnownAreRefusedWithTheNamesOfAll) {
  const auto unknown = strategy_from("random,xyzzyxyzzy");

  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().what, "there is no strategy 'xyzzyxyzzy'");
  EXPECT_NE(unknown.error().hint.find("portfolio"), std::string::npos);
  EXPECT_FALSE(strategy_from(""));
  EXPECT_FALSE(strategy_from("pct,"));
}

}  // namespace
}  // namespace unravel
