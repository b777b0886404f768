#include "base/stand_ins.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace unravel {
namespace {

namespace fs = std::filesystem;

class StandIns : public testing::Test {
 protected:
  StandIns() {
    std::string name = (fs::temp_directory_path() / "unravel_stand_ins_XXXXXX").string();
    root_ = fs::canonical(::mkdtemp(name.data()));
  }
  ~StandIns() override {
    set_root_of_stand_ins({});
    fs::remove_all(root_);
  }
  void put(const std::string& path) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << "x";
  }

  fs::path root_;
};

TEST_F(StandIns, AreUsedWhereThereAreSome) {
  put("no/such/prog");
  EXPECT_EQ(file_for("/no/such/prog"), "/no/such/prog") << "before they are set";
  set_root_of_stand_ins(root_.string());
  EXPECT_EQ(root_of_stand_ins(), root_.string());
  EXPECT_EQ(file_for("/no/such/prog"), (root_ / "no/such/prog").string());
  EXPECT_EQ(file_for("/no/such/other"), "/no/such/other");
  EXPECT_EQ(file_for("/no/such"), "/no/such") << "a directory is no stand-in";
  EXPECT_EQ(file_for("no/such/prog"), "no/such/prog") << "only absolute paths have one";
  EXPECT_EQ(file_for(""), "");
  set_root_of_stand_ins({});
  EXPECT_EQ(file_for("/no/such/prog"), "/no/such/prog");
}

TEST_F(StandIns, AreFoundThroughLinksOfThisMachine) {
  const fs::path real = root_ / "real";
  fs::create_directories(real);
  fs::create_directory_symlink(real, root_ / "link");
  put(("stand" + real.string()) + "/prog");
  set_root_of_stand_ins((root_ / "stand").string());
  EXPECT_EQ(file_for((root_ / "link" / "prog").string()),
            (root_ / "stand").string() + real.string() + "/prog");
}

}  // namespace
}  // namespace unravel
