#include "base/folder.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace unravel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMost = 1 << 20;

class Folders : public testing::Test {
 protected:
  Folders() {
    std::string pattern = (fs::temp_directory_path() / "unravel-folder-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folders() override { fs::remove_all(path_); }

  Folder open() const { return std::move(Folder::open(path_).value()); }
  static std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
  }

  fs::path path_;
};

TEST_F(Folders, GiveBackWhatWasWrittenForTheOwnerAlone) {
  const Folder folder = open();

  ASSERT_TRUE(folder.write("a", bytes("text")));

  const auto content = folder.read("a", kMost).value();
  ASSERT_TRUE(content);
  EXPECT_TRUE(std::ranges::equal(*content, bytes("text")));
  EXPECT_EQ(fs::status(path_ / "a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a"});
  EXPECT_FALSE(folder.read("missing", kMost).value());
}

TEST_F(Folders, FollowNoLinks) {
  fs::create_directory(path_ / "real");
  std::ofstream(path_ / "file") << "text";
  fs::create_symlink(path_ / "file", path_ / "link");
  fs::create_symlink(path_ / "real", path_ / "linked");
  fs::create_symlink("loop", path_ / "loop");
  const Folder folder = open();

  EXPECT_EQ(folder.read("link", kMost).error().why, "it is a symbolic link");
  EXPECT_EQ(folder.read("loop", kMost).error().why, "it is a symbolic link");
  EXPECT_EQ(folder.inside("linked").error().why, "it is a symbolic link");
  EXPECT_EQ(folder.make("linked").error().why, "it is a symbolic link");
  EXPECT_EQ(folder.make("file").error().why, "it is not a directory");
  ASSERT_TRUE(folder.write("link", bytes("new")));
  EXPECT_FALSE(fs::is_symlink(path_ / "link"));
  EXPECT_EQ(fs::file_size(path_ / "file"), 4u);
}

TEST_F(Folders, ReadNothingButRegularFilesOfABoundedSize) {
  ASSERT_EQ(::mkfifo((path_ / "pipe").c_str(), 0600), 0);
  std::ofstream(path_ / "large") << 'x';
  fs::resize_file(path_ / "large", kMost + 1);
  fs::create_directory(path_ / "directory");
  const Folder folder = open();

  EXPECT_EQ(folder.read("pipe", kMost).error().why, "it is not a regular file");
  EXPECT_NE(folder.read("large", kMost).error().why.find("more than 1 MiB"), std::string::npos);
  EXPECT_EQ(folder.read("directory", kMost).error().why, "it is not a regular file");
}

TEST_F(Folders, RefuseWhatBelongsToSomebodyElse) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  std::ofstream(path_ / "file") << "text";
  fs::create_directory(path_ / "theirs");
  ASSERT_EQ(::chown((path_ / "file").c_str(), 12345, 12345), 0);
  ASSERT_EQ(::chown((path_ / "theirs").c_str(), 12345, 12345), 0);
  const Folder folder = open();

  EXPECT_EQ(folder.inside("theirs").error().why, "it belongs to another user");
  EXPECT_NE(folder.read("file", kMost).error().why.find("another user"), std::string::npos);
  folder.remove_tree("theirs");
  EXPECT_TRUE(fs::exists(path_ / "theirs"));
  // A whole directory of somebody else may be looked at.
  ASSERT_EQ(::chown(path_.c_str(), 12345, 12345), 0);
  EXPECT_TRUE(open().read("file", kMost).value());
  EXPECT_FALSE(open().is_ours());
}

TEST_F(Folders, RemoveATreeAndNothingThatALinkInItLeadsTo) {
  fs::create_directories(path_ / "tree/a/b");
  fs::create_directory(path_ / "kept");
  std::ofstream(path_ / "kept/file") << "text";
  std::ofstream(path_ / "tree/a/file") << "text";
  fs::create_directory_symlink(path_ / "kept", path_ / "tree/link");
  fs::create_directory_symlink(path_ / "kept", path_ / "linked");
  const Folder folder = open();

  folder.remove_tree("tree");
  folder.remove_tree("linked");

  EXPECT_FALSE(fs::exists(path_ / "tree"));
  EXPECT_TRUE(fs::is_symlink(path_ / "linked"));
  EXPECT_TRUE(fs::exists(path_ / "kept/file"));
}

}  // namespace
}  // namespace unravel
