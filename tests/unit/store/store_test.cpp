#include "store/store.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "store_fixture.hpp"

namespace unravel {
namespace {

TEST_F(StoreTest, KeepsAnEnvironmentForItsOwnerAlone) {
  Store store = open();
  unravel::Run run = failed_run();
  const Environment environment{.variables = {"SECRET=x"}, .umask = 027, .limits = {{7, 1, 2}}};
  run.environment = std::make_shared<const Environment>(environment);

  const std::string id = store.add(run, {}).value();

  EXPECT_EQ(*store.environment(id).value(), environment);
  const fs::path file = directory_ / "runs" / (id + ".environment");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(store.load(id).value().run.environment, nullptr) << "only who runs it again needs it";
}

TEST_F(StoreTest, HasNoEnvironmentOfARunThatWasKeptWithoutOne) {
  Store store = open();
  const std::string id = store.add(failed_run(), {}).value();

  const auto environment = store.environment(id);

  ASSERT_TRUE(environment);
  EXPECT_EQ(*environment, nullptr);
}

TEST_F(StoreTest, RemembersHowMuchOutputWasLeftOut) {
  Store store = open();
  unravel::Run run = passed_run();
  run.output_left_out = 5'000'000'000;
  run.error_output_left_out = 7;

  const unravel::Run stored = open().load(store.add(run, {}).value()).value().run;

  EXPECT_EQ(stored.output_left_out, 5'000'000'000);
  EXPECT_EQ(stored.error_output_left_out, 7u);
}

TEST_F(StoreTest, GivesBackWhatItWasGiven) {
  Store store = open();
  const RunSettings settings{.oracle = {"grep", "x"}, .most_steps = 7};

  const std::string id = store.add(failed_run(), settings, "some input").value();
  const StoredRun stored = open().load(id).value();

  EXPECT_EQ(stored.run.id, id);
  EXPECT_EQ(stored.settings, settings);
  EXPECT_EQ(stored.run.program, failed_run().program);
  EXPECT_EQ(stored.run.failure, failed_run().failure);
  EXPECT_EQ(stored.run.schedule, failed_run().schedule);
  EXPECT_EQ(stored.run.steps, failed_run().steps);
  EXPECT_EQ(stored.run.constraints, failed_run().constraints);
  EXPECT_EQ(stored.run.output, "hello\n");
  EXPECT_EQ(stored.run.error_output, "");
  EXPECT_EQ(stored.run.warnings, failed_run().warnings);
  EXPECT_EQ(stored.run.summary.outcome, Outcome::kFailed);
  EXPECT_EQ(stored.run.summary.failure, FailureKind::kAssert);
  EXPECT_EQ(stored.run.summary.seed, failed_run().summary.seed);
  EXPECT_EQ(stored.run.summary.schedule_hash, failed_run().summary.schedule_hash);
  EXPECT_EQ(store.input(id).value(), "some input");
}

TEST_F(StoreTest, GivesShortIdsThatDiffer) {
  Store store = open();
  std::set<std::string> ids;

  for (int i = 0; i < 20; ++i) ids.insert(store.add(passed_run(), {}).value());

  EXPECT_EQ(ids.size(), 20u);
  for (const std::string& id : ids) EXPECT_EQ(id.size(), 6u);
  EXPECT_EQ(store.list().value().runs.size(), 20u);
}

TEST_F(StoreTest, FindsTheLatestFailingRunWithoutAName) {
  Store store = open();
  store.add(failed_run(), {}).value();
  const std::string latest = store.add(failed_run(), {}).value();
  store.add(passed_run(), {}).value();

  EXPECT_EQ(store.find("").value(), latest);
}

TEST_F(StoreTest, NeverFindsAnUnverifiedFailureWithoutItsName) {
  Store store = open();
  const std::string verified = store.add(failed_run(), {}).value();
  unravel::Run unverified = failed_run();
  unverified.unverified = true;
  const std::string id = store.add(unverified, {}).value();

  EXPECT_EQ(store.find("").value(), verified);
  EXPECT_TRUE(store.load(id).value().run.unverified);
}

TEST_F(StoreTest, SaysThatNothingFailed) {
  Store store = open();
  store.add(passed_run(), {}).value();

  EXPECT_EQ(store.find("").error().what, "no run in this store failed");
}

TEST_F(StoreTest, FindsARunByItsBeginning) {
  Store store = open();
  const std::string id = store.add(passed_run(), {}).value();

  EXPECT_EQ(store.find(id.substr(0, 3)).value(), id);
  EXPECT_EQ(store.find("zz").error().what, "no run 'zz' in this store");
  EXPECT_EQ(store.find("%").error().what, "no run '%' in this store");
}

TEST_F(StoreTest, NamesTheRunsThatABeginningCouldMean) {
  Store store = open();
  // 17 ids cannot begin with 17 different hexadecimal digits.
  std::set<char> first;
  std::string prefix;
  for (int i = 0; i < 17; ++i) {
    const std::string id = store.add(passed_run(), {}).value();
    if (!first.insert(id[0]).second) prefix = id.substr(0, 1);
  }

  const Error error = store.find(prefix).error();

  EXPECT_TRUE(error.what.starts_with("run '" + prefix + "' is ambiguous: ")) << error.what;
}

TEST_F(StoreTest, AddsUpRunsThatItDoesNotKeep) {
  const RunCount ten{"./prog", "random", Outcome::kPassed, 10, 100, 0.5};
  ASSERT_TRUE(open().count({ten}));

  ASSERT_TRUE(open().count({ten}));

  const std::vector<RunCount> counts = open().counts().value();
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0], (RunCount{"./prog", "random", Outcome::kPassed, 20, 200, 1.0}));
}

TEST_F(StoreTest, KeepsStepsOfARunThatHadNone) {
  Store store = open();
  const std::string id = store.add(passed_run(), {}).value();

  ASSERT_TRUE(store.add_steps(id, failed_run()));

  EXPECT_EQ(store.load(id).value().run.steps, failed_run().steps);
}

TEST_F(StoreTest, TakesRunsFromTwoCommandsAtOnce) {
  open();
  constexpr int kEach = 10;
  std::vector<pid_t> children;
  for (int child = 0; child < 2; ++child) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      Result<Store> store = Store::open(directory_, Store::Access::kWrite);
      bool good = store.has_value();
      for (int i = 0; good && i < kEach; ++i) good = store->add(failed_run(), {}).has_value();
      ::_exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }

  EXPECT_EQ(open().list().value().runs.size(), 2u * kEach);
}

TEST_F(StoreTest, IsWholeAfterAKill) {
  open();
  const pid_t pid = ::fork();
  if (pid == 0) {
    Result<Store> store = Store::open(directory_, Store::Access::kWrite);
    for (;;) store->add(failed_run(), {}).value();
  }
  ::usleep(50'000);
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);

  Store store = open();
  const std::vector<StoredRun> runs = store.list().value().runs;
  for (const StoredRun& stored : runs) {
    EXPECT_TRUE(store.load(stored.run.id)) << stored.run.id;
  }
  EXPECT_TRUE(store.add(passed_run(), {}));
}

}  // namespace
}  // namespace unravel
