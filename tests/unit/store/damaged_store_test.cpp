/// Stores that are damaged, incomplete, or made by another version or program.
#include <gtest/gtest.h>

#include <fstream>

#include "base/files.hpp"
#include "store_fixture.hpp"

namespace unravel {
namespace {

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

}  // namespace
}  // namespace unravel
