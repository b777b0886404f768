#include "base/files.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <fstream>
#include <iterator>

namespace unravel {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    std::string pattern = (fs::temp_directory_path() / "unravel-files-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Files() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(Files, AreReadBackAsTheyWereWritten) {
  const std::string content("line\nzero\0byte", 14);

  ASSERT_TRUE(write_file_atomically(folder_ / "a", content).has_value());

  EXPECT_EQ(read_text_file(folder_ / "a"), content);
}

TEST_F(Files, LargerThanOneReadAreReadWhole) {
  const std::string content(1'000'000, 'x');

  ASSERT_TRUE(write_file_atomically(folder_ / "a", content).has_value());

  EXPECT_EQ(read_file(folder_ / "a")->size(), content.size());
}

TEST_F(Files, OfUnknownSizeAreReadWhole) {
  const Result<std::string> status = read_text_file("/proc/self/status");

  ASSERT_TRUE(status.has_value());
  EXPECT_NE(status->find("Pid:"), std::string::npos);
}

TEST_F(Files, AreReplacedWithoutLeavingATemporaryFile) {
  ASSERT_TRUE(write_file_atomically(folder_ / "a", std::string_view("old and longer")).has_value());
  ASSERT_TRUE(write_file_atomically(folder_ / "a", std::string_view("new")).has_value());

  EXPECT_EQ(read_text_file(folder_ / "a"), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(Files, ThatCannotBeReplacedLeaveNoTemporaryFileEither) {
  ASSERT_TRUE(ensure_directory(folder_ / "a" / "b").has_value());

  const Result<void> written = write_file_atomically(folder_ / "a", std::string_view("text"));

  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().what, "cannot replace '" + (folder_ / "a").string() + "'");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(Files, AreForTheirOwnerAlone) {
  ASSERT_TRUE(write_file_atomically(folder_ / "a", std::string_view("secret")).has_value());

  EXPECT_EQ(fs::status(folder_ / "a").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Files, ThatAreTooLargeAreAnErrorAndNotReadToTheirEnd) {
  const Result<std::vector<std::byte>> endless = read_file("/dev/zero", 1 << 20);

  ASSERT_FALSE(endless.has_value());
  EXPECT_EQ(endless.error().what, "cannot read '/dev/zero'");
  EXPECT_NE(endless.error().why.find("more than 1 MiB"), std::string::npos);
  std::ofstream(folder_ / "sparse") << 'x';
  fs::resize_file(folder_ / "sparse", std::uintmax_t{1} << 40);
  EXPECT_FALSE(read_file(folder_ / "sparse").has_value());
}

TEST_F(Files, ThatDoNotExistAreAnErrorThatNamesPathAndReason) {
  const Result<std::string> missing = read_text_file(folder_ / "missing");

  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().kind, Error::Kind::kEnvironment);
  EXPECT_EQ(missing.error().what, "cannot open '" + (folder_ / "missing").string() + "'");
  EXPECT_EQ(missing.error().why, "No such file or directory");
}

TEST_F(Files, ThatAreDirectoriesAreAnErrorToRead) { EXPECT_FALSE(read_file(folder_).has_value()); }

TEST_F(Files, DirectoriesAreCreatedWithTheirParentsAndMayExist) {
  EXPECT_TRUE(ensure_directory(folder_ / "a" / "b").has_value());
  EXPECT_TRUE(ensure_directory(folder_ / "a" / "b").has_value());
  EXPECT_TRUE(fs::is_directory(folder_ / "a" / "b"));
}

TEST_F(Files, DirectoriesAreNotCreatedWhereAFileIs) {
  ASSERT_TRUE(write_file_atomically(folder_ / "a", std::string_view("text")).has_value());

  const Result<void> created = ensure_directory(folder_ / "a");

  ASSERT_FALSE(created.has_value());
  EXPECT_EQ(created.error().why, "Not a directory");
}

TEST(FileError, HintsAtTheUsualCauses) {
  EXPECT_NE(file_error("write", "a", ENOSPC).hint.find("disk space"), std::string::npos);
  EXPECT_NE(file_error("write", "a", EROFS).hint.find("read-only"), std::string::npos);
  EXPECT_NE(file_error("write", "a", EACCES).hint.find("permissions"), std::string::npos);
  EXPECT_NE(file_error("open", "a", EMFILE).hint.find("ulimit"), std::string::npos);
  EXPECT_EQ(file_error("open", "a", ENOENT).hint, "");
}

}  // namespace
}  // namespace unravel
