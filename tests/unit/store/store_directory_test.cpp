/// The directory of a store: where it is made, who may use it, and which links are not followed.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/files.hpp"
#include "store/scratch.hpp"
#include "store_fixture.hpp"

namespace unravel {
namespace {

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

TEST_F(StoreTest, OpensNoDatabaseThroughALink) {
  open();
  fs::rename(directory_ / "store.db", home_ / "elsewhere.db");
  fs::create_symlink(home_ / "elsewhere.db", directory_ / "store.db");

  EXPECT_EQ(Store::open(directory_, Store::Access::kWrite).error().why, "it is a symbolic link");
  EXPECT_EQ(Store::open(directory_, Store::Access::kExisting).error().why, "it is a symbolic link");
}

}  // namespace
}  // namespace unravel
