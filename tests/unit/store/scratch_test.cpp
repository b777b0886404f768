#include "store/scratch.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/files.hpp"
#include "store_fixture.hpp"

namespace unravel {
namespace {

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
