#include "store/hunts.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "store/store.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

class HuntStoreTest : public testing::Test {
 protected:
  HuntStoreTest() {
    std::string name = (fs::temp_directory_path() / "unravel_hunts_XXXXXX").string();
    home_ = ::mkdtemp(name.data());
    directory_ = home_ / ".unravel";
    Store::open(directory_, Store::Access::kWrite).value();
  }
  ~HuntStoreTest() override { fs::remove_all(home_); }

  HuntStore open() { return std::move(HuntStore::open(directory_).value()); }

  HuntRow begin(HuntStore& store, const std::string& command, std::uint64_t seed) {
    HuntRow hunt{.command = command, .directory = "/d", .build = "b", .strategy = "s"};
    hunt.seed = seed;
    hunt.id = store.begin(hunt).value();
    return hunt;
  }

  void execute(const char* sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((directory_ / "store.db").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

  fs::path home_;
  fs::path directory_;
};

std::vector<std::vector<std::byte>> rounds_of(const HuntStore& store, const std::string& hunt) {
  std::vector<std::vector<std::byte>> rounds;
  std::uint64_t next = 0;
  while (auto round = store.round_from(hunt, next).value()) {
    next = round->number + 1;
    rounds.push_back(std::move(round->data));
  }
  return rounds;
}

const std::vector<std::byte> kOne(3, std::byte{1});
const std::vector<std::byte> kTwo(5, std::byte{2});

TEST_F(HuntStoreTest, GivesBackTheLatestHuntThatDidNotEndWithItsRounds) {
  HuntRow last;
  {
    HuntStore store = open();
    begin(store, "./prog\n", 1);
    last = begin(store, "./prog\n", ~std::uint64_t{0});
    last.runs = 7;
    last.seconds = 1.5;
    ASSERT_TRUE(store.add_round(last, 0, kOne));
    ASSERT_TRUE(store.add_round(last, 1, kTwo));
    begin(store, "./other\n", 3);
  }
  HuntStore store = open();
  EXPECT_EQ(store.unfinished("./prog\n", "/d").value(), last);
  EXPECT_EQ(rounds_of(store, last.id), (std::vector{kOne, kTwo}));
  EXPECT_EQ(store.unfinished("./prog\n", "/elsewhere").value(), std::nullopt);
}

TEST_F(HuntStoreTest, ForgetsTheRoundsOfAHuntThatEnded) {
  HuntStore store = open();
  HuntRow hunt = begin(store, "./prog\n", 1);
  ASSERT_TRUE(store.add_round(hunt, 0, kOne));
  hunt.ended = true;
  ASSERT_TRUE(store.end(hunt));
  EXPECT_EQ(store.unfinished("./prog\n", "/d").value(), std::nullopt);
  EXPECT_TRUE(rounds_of(store, hunt.id).empty());
}

TEST_F(HuntStoreTest, RefusesARoundThatIsThereAlready) {
  HuntStore store = open();
  const HuntRow hunt = begin(store, "./prog\n", 1);
  ASSERT_TRUE(store.add_round(hunt, 0, kOne));
  EXPECT_FALSE(store.add_round(hunt, 0, kTwo));
  EXPECT_EQ(rounds_of(store, hunt.id), (std::vector<std::vector<std::byte>>{kOne}));
}

TEST_F(HuntStoreTest, HasOneRestAfterAllRounds) {
  HuntStore store = open();
  const HuntRow hunt = begin(store, "./prog\n", 1);
  ASSERT_TRUE(store.add_round(hunt, 0, kOne));
  ASSERT_TRUE(store.set_rest(hunt, kOne));
  EXPECT_EQ(store.extent(hunt.id)->bytes, kOne.size());
  ASSERT_TRUE(store.set_rest(hunt, kTwo));

  EXPECT_EQ(rounds_of(store, hunt.id), (std::vector{kOne, kTwo}));
  EXPECT_EQ(store.extent(hunt.id)->rounds, 1u);
  EXPECT_TRUE(store.extent(hunt.id)->has_rest);
  EXPECT_FALSE(store.extent("another")->has_rest);
}

TEST_F(HuntStoreTest, MakesAStoreOfVersionTwoANewOneAndLosesNothing) {
  ASSERT_TRUE(Store::open(directory_, Store::Access::kWrite)->count({{"./prog", "random"}}));
  execute("DROP TABLE hunts; DROP TABLE hunt_rounds; PRAGMA user_version = 2");
  {
    HuntStore store = open();
    begin(store, "./prog\n", 1);
  }
  EXPECT_TRUE(open().unfinished("./prog\n", "/d").value());
  EXPECT_EQ(Store::open(directory_, Store::Access::kWrite)->counts()->size(), 1u);
}

}  // namespace
}  // namespace unravel
