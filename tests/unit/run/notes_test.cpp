#include "run/notes.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(Notes, AreOneLineEach) {
  const Notes notes = read_notes("./out.txt\na SIGEV_THREAD timer\n/tmp/lock\n../up");

  EXPECT_EQ(notes.uncontrolled, std::vector<std::string>{"a SIGEV_THREAD timer"});
  EXPECT_EQ(notes.files, (std::vector<std::string>{"./out.txt", "/tmp/lock", "../up"}));
  EXPECT_FALSE(notes.more_files);
  EXPECT_EQ(describe_files(notes), "./out.txt, /tmp/lock, ../up");
}

TEST(Notes, SayThatThereWereMore) {
  EXPECT_EQ(describe_files(read_notes("./out.txt\n+")), "./out.txt and others");
  EXPECT_EQ(describe_files(read_notes("+")), "files with long names");
}

TEST(Notes, OfNothingAreNothing) {
  EXPECT_EQ(read_notes(""), Notes{});
  EXPECT_EQ(describe_files({}), "");
}

}  // namespace
}  // namespace unravel
