#include "base/text.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

using Lines = std::vector<std::string>;

TEST(Text, IsCleanedOfWhatTerminalsObey) {
  EXPECT_EQ(clean("a\tb\033[1m\x7f"), "a b?[1m?");
  EXPECT_EQ(clean("für → 字"), "für → 字");
  EXPECT_EQ(clean("\xff\xc3"), "??");
  EXPECT_EQ(clean("\xc2\x9b"), "?");
  // Text that is turned round reads as something else.
  for (const char* turns :
       {"\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069", "\u2028", "\ufeff"}) {
    EXPECT_EQ(clean(std::string("a") + turns + "b"), "a?b");
  }
  EXPECT_EQ(clean("\xe0\x80\xaf"), "???") << "longer than need be";
  EXPECT_EQ(clean("\xed\xa0\x80"), "???") << "half of a pair";
  EXPECT_EQ(clean("\xf4\x90\x80\x80"), "????") << "beyond the last character";
  EXPECT_EQ(clean("\xf0\x9f\x90\x9b"), "\xf0\x9f\x90\x9b");
}

TEST(Text, IsCutBetweenCharacters) {
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(cut("abcd", 3), "ab…");
  EXPECT_EQ(cut("äöü!", 3), "äö…");
  EXPECT_EQ(cut("abc", 0), "");
}

TEST(Text, IsPaddedByColumns) { EXPECT_EQ(pad("ä", 3), "ä  "); }

TEST(Text, IsWrappedAtSpaces) {
  EXPECT_EQ(wrap("lock mutex 1", 12), (Lines{"lock mutex 1"}));
  EXPECT_EQ(wrap("try write-lock rwlock 12", 14), (Lines{"try write-lock", "rwlock 12"}));
  EXPECT_EQ(wrap("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
  EXPECT_EQ(wrap("", 3), (Lines{""}));
}

TEST(Text, CountsInWords) {
  EXPECT_EQ(plural(1, "switch"), "1 switch");
  EXPECT_EQ(plural(2, "switch"), "2 switches");
  EXPECT_EQ(plural(0, "run"), "0 runs");
}

TEST(Text, IsAsWideAsItsCharacters) {
  EXPECT_EQ(width(""), 0u);
  EXPECT_EQ(width("für →"), 5u);
}

TEST(Text, IsTakenForAMisspellingOfTheNearestName) {
  const std::vector<std::string> names = {"random", "pct", "portfolio"};

  EXPECT_EQ(nearest("rando", names), "random");
  EXPECT_EQ(nearest("portfolo", names), "portfolio");
  EXPECT_EQ(nearest("xyzzyxyzzy", names), "");
  EXPECT_EQ(nearest("random", {}), "");
}

}  // namespace
}  // namespace unravel
