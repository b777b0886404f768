#include "store/store.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "base/files.hpp"
#include "store/scratch.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    std::string name = (fs::temp_directory_path() / "unravel_store_XXXXXX").string();
    home_ = ::mkdtemp(name.data());
    directory_ = home_ / ".unravel";
  }
  ~StoreTest() override { fs::remove_all(home_); }

  Store open() { return std::move(Store::open(directory_, Store::Access::kWrite).value()); }

  void execute(const char* sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((directory_ / "store.db").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

  fs::path home_;
  fs::path directory_;
};

Run passed_run() {
  Run run;
  run.program = {{"./prog", "a b"}, "/home/me/prog", "/home/me"};
  run.summary.threads = 3;
  run.summary.steps = 41;
  run.summary.seed = ~std::uint64_t{0};
  run.summary.schedule_hash = std::uint64_t{1} << 63;
  run.strategy = "random";
  run.schedule.complete = true;
  run.schedule.slices.resize(2);
  run.output = "hello\n";
  return run;
}

Run failed_run() {
  Run run = passed_run();
  run.summary.outcome = Outcome::kFailed;
  run.summary.failure = FailureKind::kAssert;
  run.failure =
      Failure{.kind = FailureKind::kAssert, .detail = "x == 1", .key = "assert main a.c:3"};
  run.steps.resize(4);
  run.constraints.resize(1);
  run.constraints[0].first.function = "worker";
  run.warnings = {"mind the gap"};
  return run;
}

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

TEST_F(StoreTest, RefusesAnEnvironmentThatIsDamaged) {
  Store store = open();
  unravel::Run run = failed_run();
  run.environment = std::make_shared<const Environment>();
  const std::string id = store.add(run, {}).value();
  std::ofstream(directory_ / "runs" / (id + ".environment")) << "nothing";

  const auto environment = store.environment(id);

  ASSERT_FALSE(environment);
  EXPECT_NE(environment.error().what.find(id), std::string::npos);
  EXPECT_TRUE(store.load(id)) << "it can be shown";
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

TEST_F(StoreTest, ThatIsNotThereIsNotMadeByAReader) {
  const Result<Store> store = Store::open(directory_, Store::Access::kExisting);

  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().what, "there is no store in " + directory_.string());
  EXPECT_FALSE(fs::exists(directory_));
}

TEST_F(StoreTest, RefusesAFileInItsPlace) {
  std::ofstream(directory_) << "hello";

  const Result<Store> store = Store::open(directory_, Store::Access::kWrite);

  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().what, directory_.string() + " is not a store of unravel");
}

TEST_F(StoreTest, RefusesAFileThatIsNoDatabase) {
  fs::create_directory(directory_);
  std::ofstream(directory_ / "store.db") << std::string(5000, 'x');

  const Result<Store> store = Store::open(directory_, Store::Access::kWrite);

  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().what, (directory_ / "store.db").string() + " is not a store of unravel");
}

TEST_F(StoreTest, RefusesTheDatabaseOfAnotherProgram) {
  fs::create_directory(directory_);
  execute("CREATE TABLE t (x)");

  const Result<Store> store = Store::open(directory_, Store::Access::kWrite);

  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().why, "it is a database of another program");
}

TEST_F(StoreTest, RefusesANewerStoreWithBothVersions) {
  open();
  execute("PRAGMA user_version = 12");

  const Result<Store> store = Store::open(directory_, Store::Access::kWrite);

  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().what, "the store " + directory_.string() +
                                    " has version 12, and this unravel reads version 3");
}

TEST_F(StoreTest, SaysWhatToDoWithADamagedDatabase) {
  {
    Store store = open();
    for (int i = 0; i < 15; ++i) store.add(failed_run(), {}).value();
  }
  const fs::path database = directory_ / "store.db";
  std::fstream file(database, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(200);  // behind the header, in the first page: the schema
  file << std::string(fs::file_size(database) - 200, '\x5a');
  file.close();

  const Result<Store> store = Store::open(directory_, Store::Access::kExisting);
  const Error error = store ? store->list().error() : store.error();

  EXPECT_EQ(error.what, "the store " + directory_.string() + " is damaged");
  EXPECT_NE(error.hint.find("move it away"), error.hint.npos);
}

TEST_F(StoreTest, SaysWhichScheduleIsDamaged) {
  Store store = open();
  const std::string id = store.add(passed_run(), {}).value();
  fs::resize_file(store.schedule_file(id), 10);

  const Result<StoredRun> stored = store.load(id);

  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().what, store.schedule_file(id).string() + ": this schedule is damaged");
}

TEST_F(StoreTest, TakesADamagedTableForNone) {
  Store store = open();
  const std::string id = store.add(failed_run(), {}).value();
  fs::resize_file(directory_ / "runs" / (id + ".steps"), 5);

  EXPECT_TRUE(store.load(id).value().run.steps.empty());
}

TEST_F(StoreTest, TakesDamagedConstraintsForNone) {
  Store store = open();
  const std::string id = store.add(failed_run(), {}).value();
  std::ofstream(directory_ / "runs" / (id + ".constraints")) << "not constraints";

  EXPECT_TRUE(store.load(id).value().run.constraints.empty());
}

TEST_F(StoreTest, ReadsRunsThatWereKeptWithoutConstraints) {
  Store store = open();
  const std::string id = store.add(failed_run(), {}).value();
  fs::remove(directory_ / "runs" / (id + ".constraints"));

  EXPECT_TRUE(store.load(id).value().run.constraints.empty());
}

TEST_F(StoreTest, ListsWhatCanBeReadAndNamesWhatCannot) {
  Store store = open();
  const std::string damaged = store.add(failed_run(), {}).value();
  const std::string whole = store.add(failed_run(), {}).value();
  execute(("UPDATE runs SET details = x'0102' WHERE id = '" + damaged + "'").c_str());

  const RunList listed = store.list().value();

  ASSERT_EQ(listed.runs.size(), 1u);
  EXPECT_EQ(listed.runs[0].run.id, whole);
  ASSERT_EQ(listed.unreadable.size(), 1u);
  EXPECT_NE(listed.unreadable[0].what.find(damaged), std::string::npos);
}

TEST_F(StoreTest, TouchesNothingThatAnIdLeadsTo) {
  Store store = open();
  store.add(failed_run(), {}).value();
  execute("UPDATE runs SET id = '../outside'");
  std::ofstream(directory_ / "outside.sched") << "mine";

  EXPECT_TRUE(store.list().value().runs.empty());
  EXPECT_NE(store.load("../outside").error().what.find("no id"), std::string::npos);
  EXPECT_FALSE(store.add_steps("../outside", failed_run()));
  EXPECT_FALSE(store.add_trace("../outside", {}));
  EXPECT_FALSE(store.input("../outside"));
  EXPECT_FALSE(store.trace("/etc/passwd"));
  EXPECT_FALSE(fs::exists(directory_ / "outside.steps"));
}

TEST_F(StoreTest, FollowsNoLinkToAFileOfARun) {
  Store store = open();
  const std::string id = store.add(failed_run(), {}).value();
  const fs::path schedule = store.schedule_file(id);
  fs::rename(schedule, home_ / "elsewhere");
  fs::create_symlink(home_ / "elsewhere", schedule);

  EXPECT_EQ(store.load(id).error().why, "it is a symbolic link");
  fs::rename(directory_ / "runs", home_ / "runs");
  fs::create_directory_symlink(home_ / "runs", directory_ / "runs");
  EXPECT_EQ(store.add(failed_run(), {}).error().why, "it is a symbolic link");
}

TEST_F(StoreTest, KeepsEverythingForItsOwnerAlone) {
  Store store = open();
  store.add(failed_run(), {}, "some input").value();
  const fs::perms others = fs::perms::group_all | fs::perms::others_all;

  EXPECT_EQ(fs::status(directory_).permissions() & others, fs::perms::none);
  for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
    EXPECT_EQ(entry.status().permissions() & others, fs::perms::none) << entry.path();
  }
}

TEST_F(StoreTest, IsMadeInANewOrEmptyDirectoryOnly) {
  fs::create_directory(directory_);
  std::ofstream(directory_ / "letter") << "mine";

  const Result<Store> store = Store::open(directory_, Store::Access::kWrite);

  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().what, directory_.string() + " is not a store of unravel");
  EXPECT_NE(store.error().why.find("letter"), std::string::npos);
  EXPECT_FALSE(Scratch::make(directory_));
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), {}), 1);
  // An empty file of the right name makes it no store, either.
  std::ofstream(directory_ / "store.db") << "";
  EXPECT_FALSE(Store::open(directory_, Store::Access::kWrite));
  fs::remove(directory_ / "letter");
  EXPECT_TRUE(Store::open(directory_, Store::Access::kWrite)) << "as after an interrupted command";
}

TEST_F(StoreTest, LeavesADatabaseOfAnotherProgramAsItWas) {
  fs::create_directory(directory_);
  execute("CREATE TABLE t (x)");
  const std::string before = read_text_file(directory_ / "store.db").value();

  EXPECT_FALSE(Store::open(directory_, Store::Access::kWrite));

  EXPECT_EQ(read_text_file(directory_ / "store.db").value(), before);
}

TEST_F(StoreTest, IsMadeOnceByCommandsThatBeginAtTheSameTime) {
  std::vector<pid_t> children;
  for (int child = 0; child < 8; ++child) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      Result<Store> store = Store::open(directory_, Store::Access::kWrite);
      const bool good = store && store->add(failed_run(), {}) && Scratch::make(directory_);
      ::_exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(open().list().value().runs.size(), children.size());
}

TEST_F(StoreTest, OfAnotherUserCanOnlyBeRead) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  open().add(failed_run(), {}).value();
  ASSERT_EQ(::chown(directory_.c_str(), 12345, 12345), 0);

  EXPECT_EQ(Store::open(directory_, Store::Access::kWrite).error().what,
            "the store " + directory_.string() + " belongs to another user");
  EXPECT_FALSE(Scratch::make(directory_));
  Result<Store> store = Store::open(directory_, Store::Access::kExisting);
  ASSERT_TRUE(store);
  EXPECT_EQ(store->list().value().runs.size(), 1u);
  EXPECT_FALSE(fs::exists(directory_ / "store.db-shm"));
}

TEST_F(StoreTest, SaysWhichTableOrColumnIsMissing) {
  const struct {
    const char* sql;
    const char* why;
  } table[] = {
      {"ALTER TABLE runs RENAME COLUMN steps TO paces", "its table 'runs' has no column 'steps'"},
      {"DROP TABLE counters", "it has no table 'counters'"},
      {"DROP TABLE hunt_rounds", "it has no table 'hunt_rounds'"},
      {"CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
       "it has a trigger 't', which unravel never makes"},
      {"DROP TABLE runs; CREATE VIEW runs AS SELECT 1 AS id",
       "it has a view 'runs', which unravel never makes"},
  };
  for (const auto& [sql, why] : table) {
    fs::remove_all(directory_);
    open();
    execute(sql);
    for (const Store::Access access : {Store::Access::kWrite, Store::Access::kExisting}) {
      const Result<Store> store = Store::open(directory_, access);
      ASSERT_FALSE(store) << sql;
      EXPECT_EQ(store.error().kind, Error::Kind::kEnvironment) << sql;
      EXPECT_EQ(store.error().why, why);
    }
  }
}

TEST_F(StoreTest, OpensNoDatabaseThroughALink) {
  open();
  fs::rename(directory_ / "store.db", home_ / "elsewhere.db");
  fs::create_symlink(home_ / "elsewhere.db", directory_ / "store.db");

  EXPECT_EQ(Store::open(directory_, Store::Access::kWrite).error().why, "it is a symbolic link");
  EXPECT_EQ(Store::open(directory_, Store::Access::kExisting).error().why, "it is a symbolic link");
}

TEST_F(StoreTest, ScratchIsGoneAfterUseAndLeftoversAfterTheNextOne) {
  const fs::path left = directory_ / "tmp" / "scratch-00c0ffee";
  const fs::path half = directory_ / "tmp" / "scratch-00000001";
  fs::path path;
  open();
  fs::create_directories(left / "deep");
  fs::create_directories(half);
  {
    const Scratch scratch = std::move(Scratch::make(directory_).value());
    path = scratch.path();
    fs::copy(path / ".unravel-scratch", left);
    EXPECT_FALSE(fs::exists(half)) << "a command was killed before it could mark it";
    EXPECT_TRUE(fs::exists(left));

    const Scratch other = std::move(Scratch::make(directory_).value());
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::is_directory(path)) << "a directory in use was taken for a leftover";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(StoreTest, ScratchRemovesNothingWithoutItsMark) {
  open();
  const fs::path all = directory_ / "tmp";
  fs::create_directories(all / "x");
  fs::create_directories(all / "scratch-12345678/mine");
  fs::create_directories(all / "aB3xYz");
  fs::create_directories(home_ / "elsewhere");
  std::ofstream(home_ / "elsewhere/.unravel-scratch") << "";
  fs::create_directory_symlink(home_ / "elsewhere", all / "scratch-87654321");

  EXPECT_TRUE(Scratch::make(directory_));

  EXPECT_TRUE(fs::exists(all / "x"));
  EXPECT_TRUE(fs::exists(all / "scratch-12345678/mine"));
  EXPECT_TRUE(fs::exists(all / "aB3xYz"));
  EXPECT_TRUE(fs::exists(home_ / "elsewhere/.unravel-scratch"));
  EXPECT_TRUE(fs::is_symlink(all / "scratch-87654321"));
}

TEST_F(StoreTest, ScratchRefusesALinkInItsPlace) {
  open();
  fs::create_directories(home_ / "elsewhere/scratch-00000001");
  fs::create_directory_symlink(home_ / "elsewhere", directory_ / "tmp");

  EXPECT_EQ(Scratch::make(directory_).error().why, "it is a symbolic link");
  EXPECT_TRUE(fs::exists(home_ / "elsewhere/scratch-00000001"));
}

}  // namespace
}  // namespace unravel
