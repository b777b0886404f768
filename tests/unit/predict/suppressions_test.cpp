#include "predict/suppressions.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

Suppressions parsed(std::string_view text) {
  Result<Suppressions> result = Suppressions::parse(text, "known.txt");
  EXPECT_TRUE(result) << result.error().what;
  return std::move(*result);
}

const Stack kPush = {{.function = "push", .file = "/src/list.c"},
                     {.function = "worker", .file = "/src/main.c"}};
const Stack kPop = {{.function = "pop(List&)", .file = "/src/deep/queue.cc"}};

TEST(Suppressions, OfAFunctionMatchAnyFrameOfEitherStack) {
  EXPECT_TRUE(parsed("function:push").match(kPush, kPop, ""));
  EXPECT_TRUE(parsed("function:worker").match(kPush, kPop, ""));
  EXPECT_TRUE(parsed("function:pop(*").match(kPush, kPop, ""));
  EXPECT_FALSE(parsed("function:pus").match(kPush, kPop, ""));
  EXPECT_FALSE(parsed("function:list.c").match(kPush, kPop, ""));
}

TEST(Suppressions, OfAFileMatchItsNameOrWithASlashItsPath) {
  EXPECT_TRUE(parsed("file:queue.cc").match(kPush, kPop, ""));
  EXPECT_TRUE(parsed("file:/src/*/queue.cc").match(kPush, kPop, ""));
  EXPECT_TRUE(parsed("file:*/deep/*").match(kPush, kPop, ""));
  EXPECT_FALSE(parsed("file:/queue.cc").match(kPush, kPop, ""));
  EXPECT_FALSE(parsed("file:src").match(kPush, kPop, ""));
}

TEST(Suppressions, OfAFileDoNotMatchCodeWithoutOne) {
  EXPECT_FALSE(parsed("file:*").match({{.function = "f"}}, {}, ""));
}

TEST(Suppressions, OfAVariableMatchItsName) {
  EXPECT_TRUE(parsed("variable:stat_*").match(kPush, kPop, "stat_hits"));
  EXPECT_FALSE(parsed("variable:stat_*").match(kPush, kPop, "hits"));
  EXPECT_FALSE(parsed("variable:*").match(kPush, kPop, ""));
  EXPECT_FALSE(parsed("variable:push").match(kPush, kPop, "x"));
}

TEST(Suppressions, AreSeveralOfWhichOneIsEnough) {
  const Suppressions several = parsed("# known\n\nfunction:nobody\n  file: list.c \r\n");

  EXPECT_TRUE(several.match(kPush, {}, ""));
  EXPECT_FALSE(several.match(kPop, {}, ""));
}

TEST(Suppressions, OfAnEmptyTextMatchNothing) {
  EXPECT_TRUE(parsed("\n# nothing: here\n   \n").empty());
  EXPECT_FALSE(parsed("").match(kPush, kPop, "x"));
}

TEST(Suppressions, SayWhichLineIsBadAndWhatToDo) {
  const struct {
    const char* text;
    const char* what;
    const char* hint;
  } cases[] = {
      {"function:a\n\npush\n", "known.txt:3: `push` is no suppression: there is no `:` in it",
       "write `function:push` if it is the name of a function"},
      {"race:push", "known.txt:1: `race` is nothing that races are suppressed by",
       "write `function`, `file` or `variable` before the first `:`"},
      {"#\nfile:  ", "known.txt:2: there is nothing after `file:`",
       "name what is meant; `file:*` means all"},
      {":x", "known.txt:1: `` is nothing that races are suppressed by",
       "write `function`, `file` or `variable` before the first `:`"},
  };
  for (const auto& one : cases) {
    const Result<Suppressions> result = Suppressions::parse(one.text, "known.txt");
    ASSERT_FALSE(result) << one.text;
    EXPECT_EQ(result.error().kind, Error::Kind::kUser);
    EXPECT_EQ(result.error().what, one.what);
    EXPECT_EQ(result.error().why,
              "a line is function:GLOB, file:GLOB, variable:GLOB or a # comment");
    EXPECT_EQ(result.error().hint, one.hint);
  }
}

TEST(Glob, StarStandsForAnyCharacters) {
  const struct {
    const char* pattern;
    const char* text;
    bool matches;
  } cases[] = {
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"**", "abc", true},
      {"a*", "a", true},
      {"*a", "ba", true},
      {"a*c", "abbc", true},
      {"a*c", "abcd", false},
      {"*ab*", "xaab", true},
      {"a*b*c", "aXbYbZc", true},
      {"a*b*c", "aXcYb", false},
      {"abc", "ab", false},
      {"ab", "abc", false},
      {"*aab", "aaaab", true},
      {"a.c", "abc", false},
      {"a?c", "abc", false},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(glob_matches(one.pattern, one.text), one.matches) << one.pattern << " " << one.text;
  }
}

TEST(Glob, OfManyStarsIsQuick) {
  // Tried naively this takes longer than anybody waits.
  std::string pattern;
  for (int i = 0; i < 40; ++i) pattern += "a*";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(2000, 'a')));
}

}  // namespace
}  // namespace unravel
