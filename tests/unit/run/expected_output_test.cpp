#include "run/expected_output.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(ExpectedOutput, ThatIsTheSameHasNoDifference) {
  EXPECT_EQ(first_difference("", ""), "");
  EXPECT_EQ(first_difference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(first_difference("a\nb", "a\nb"), "");
}

TEST(ExpectedOutput, DiffersInTheFirstLineThatIsNotTheSame) {
  EXPECT_EQ(first_difference("a\nb\nx\nd\n", "a\nb\ny\ne\n"), "line 3: expected 'x', got 'y'");
  EXPECT_EQ(first_difference("one", "two"), "line 1: expected 'one', got 'two'");
  EXPECT_EQ(first_difference("a\n\nb\n", "a\nb\n"), "line 2: expected '', got 'b'");
  EXPECT_EQ(first_difference("ab\n", "abc\n"), "line 1: expected 'ab', got 'abc'");
}

TEST(ExpectedOutput, MayEndTooEarlyOrTooLate) {
  EXPECT_EQ(first_difference("a\n", ""), "there is no output");
  EXPECT_EQ(first_difference("a\nb\nc\n", "a\nb\n"), "output ends after line 2");
  EXPECT_EQ(first_difference("a\n", "a\nb\nc\n"), "line 2: expected no more, got 'b'");
  EXPECT_EQ(first_difference("", "a\n"), "line 1: expected no more, got 'a'");
}

TEST(ExpectedOutput, MayDifferInTheLastNewlineAlone) {
  EXPECT_EQ(first_difference("a\nb\n", "a\nb"), "line 2: there is no newline at its end");
  EXPECT_EQ(first_difference("a\nb", "a\nb\n"), "line 2: expected no newline at its end");
}

TEST(ExpectedOutput, ShowsControlCharactersAsWhatTheyAre) {
  EXPECT_EQ(first_difference("a\tb\n", "a b\r\n"), "line 1: expected 'a\\tb', got 'a b\\r'");
  EXPECT_EQ(first_difference("x\n", std::string("\x1b[2J\0\x7f\n", 7)),
            "line 1: expected 'x', got '\\x1b[2J\\x00\\x7f'");
}

TEST(ExpectedOutput, OfLongLinesShowsThePlaceWhereTheyDiffer) {
  const std::string common(1000, 'a');

  EXPECT_EQ(first_difference(common + "x\n", common + "y" + common + "\n"),
            "line 1: expected '…aaaaaaaaaaaaaaaaaaaax', got '…aaaaaaaaaaaaaaaaaaaay" +
                std::string(39, 'a') + "…'");
}

TEST(ExpectedOutput, IsNotCutInTheMiddleOfACharacter) {
  std::string common;
  for (int i = 0; i < 50; ++i) common += "ä";

  // Byte 80 is 20 before the difference; with one byte in front it is inside a character.
  EXPECT_EQ(first_difference("-" + common + "x", "-" + common + "yz"),
            "line 1: expected '…ääääääääääx', got '…ääääääääääyz'");
  EXPECT_TRUE(first_difference("", common).starts_with("line 1: expected no more, got 'ä"));
  EXPECT_TRUE(first_difference("", "-" + common).ends_with("ä…'"));
}

TEST(ExpectedOutput, MayBeOfAnyBytes) {
  // Bytes that continue a character, with none before them.
  const std::string bytes(500, '\x80');

  const std::string text = first_difference(bytes + "a", bytes + "b");

  EXPECT_TRUE(text.starts_with("line 1: expected '…"));
  EXPECT_LT(text.size(), 200u);
}

}  // namespace
}  // namespace unravel
