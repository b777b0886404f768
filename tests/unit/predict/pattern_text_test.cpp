#include "predict/pattern_text.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

std::vector<Pattern> parsed(std::string_view text) {
  Result<std::vector<Pattern>> result = parse_patterns(text, "mine.txt");
  EXPECT_TRUE(result) << result.error().what;
  return result ? std::move(*result) : std::vector<Pattern>{};
}

constexpr std::string_view kOfTheHeader =
    "pattern inconsistent-read set     # a comment\n"
    "  t1 u1 write x\n"
    "  t2 u2 read  x\n"
    "  t2 u2 read  y\n"
    "  t1 u1 write y\n";

/// The same by numbers.
const Pattern kInconsistentRead = {
    .name = "inconsistent-read",
    .kind = AnomalyKind::kPattern,
    .is_of_set = true,
    .events = {{.thread = 0, .unit = 0, .variable = 0, .is_write = true},
               {.thread = 1, .unit = 1, .variable = 0, .is_write = false},
               {.thread = 1, .unit = 1, .variable = 1, .is_write = false},
               {.thread = 0, .unit = 0, .variable = 1, .is_write = true}}};

TEST(PatternText, OfTheHeaderMeansWhatItSays) {
  EXPECT_EQ(parsed(kOfTheHeader), (std::vector{kInconsistentRead}));
}

TEST(PatternText, MayHaveCommentsBlankLinesTabsAndNoLastNewline) {
  EXPECT_EQ(parsed("# first\n\n   \n"
                   "\tpattern\tinconsistent-read  set#comment\n"
                   "# t9 u9 write z\n"
                   "t1\tu1 write   x   # writes\n"
                   "\n"
                   "t2 u2 read x\nt2 u2 read y\n"
                   "   t1 u1 write y"),
            (std::vector{kInconsistentRead}));
}

TEST(PatternText, MayEndItsLinesWithCarriageReturns) {
  std::string text;
  for (const char c : kOfTheHeader) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(parsed(text + "\r\n"), (std::vector{kInconsistentRead}));
}

TEST(PatternText, NumbersNamesInTheOrderInWhichTheyCome) {
  const std::vector<Pattern> patterns = parsed(
      "pattern p\n"
      "  zoe last write counter\n"
      "  adam first write counter\n"
      "  zoe middle read counter\n");

  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_EQ(patterns[0].events, (std::vector<PatternEvent>{
                                    {.thread = 0, .unit = 0, .variable = 0, .is_write = true},
                                    {.thread = 1, .unit = 1, .variable = 0, .is_write = true},
                                    {.thread = 0, .unit = 2, .variable = 0, .is_write = false}}));
}

TEST(PatternText, SaysAfterTheNameWhetherEventsAreNeighboursOrVariablesASet) {
  constexpr std::string_view kEvents = "\nt1 u1 write x\nt2 u2 write x\n";
  const struct {
    const char* line;
    bool is_adjacent;
    bool is_of_set;
  } cases[] = {
      {"pattern p", false, false},
      {"pattern p adjacent", true, false},
      {"pattern p set", false, true},
      {"pattern p adjacent set", true, true},
      {"pattern p set adjacent", true, true},
  };
  for (const auto& one : cases) {
    const std::vector<Pattern> patterns = parsed(one.line + std::string(kEvents));
    ASSERT_EQ(patterns.size(), 1u) << one.line;
    EXPECT_EQ(patterns[0].is_adjacent, one.is_adjacent) << one.line;
    EXPECT_EQ(patterns[0].is_of_set, one.is_of_set) << one.line;
  }
}

TEST(PatternText, HasSeveralPatternsWithNamesOfTheirOwn) {
  const std::vector<Pattern> patterns = parsed(
      "pattern one\n t1 u1 write x\n t2 u2 read x\n"
      "pattern two adjacent\n t2 u2 read x\n t1 u1 write x\n");

  ASSERT_EQ(patterns.size(), 2u);
  EXPECT_EQ(patterns[0].name, "one");
  EXPECT_FALSE(patterns[0].is_adjacent);
  EXPECT_EQ(patterns[1].name, "two");
  EXPECT_TRUE(patterns[1].is_adjacent);
  EXPECT_EQ(patterns[1].events,
            (std::vector<PatternEvent>{{.thread = 0, .unit = 0, .variable = 0, .is_write = false},
                                       {.thread = 1, .unit = 1, .variable = 0, .is_write = true}}));
}

TEST(PatternText, MayHaveAsManyEventsThreadsAndVariablesAsAPatternHolds) {
  const std::vector<Pattern> patterns = parsed(
      "pattern full\n"
      "t1 u1 write a\nt2 u2 read a\n"
      "t2 u2 write b\nt3 u3 read b\n"
      "t3 u3 write c\nt4 u4 read c\n"
      "t4 u4 write d\nt1 u1 read d\n");

  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_EQ(patterns[0].events.size(), Pattern::kMostEvents);
  EXPECT_EQ(patterns[0].events[6].thread, Pattern::kMostThreads - 1);
  EXPECT_EQ(patterns[0].events[6].variable, Pattern::kMostVariables - 1);
}

TEST(PatternText, SaysWhichLineIsBadAndWhatIsWrongWithIt) {
  const struct {
    const char* text;
    const char* place;
    const char* what;
    const char* why;
  } cases[] = {
      {"pattern p sets\nt1 u1 write x\n", "mine.txt:1: ", "'sets' is not known here",
       "`adjacent`, `set` or nothing"},
      {"pattern p set of two\n", "mine.txt:1: ", "'of' is not known here",
       "`adjacent`, `set` or nothing"},
      {"pattern p\n\nt1 u1 update x\n", "mine.txt:3: ", "'update' is not known here",
       "`read` or `write`"},
      {"pattern p\nt1 u1 Write x\n", "mine.txt:2: ", "'Write' is not known here",
       "`read` or `write`"},
      {"pattern p\nt1 write x\n", "mine.txt:2: ", "3 words instead of 4", "a thread, a unit"},
      {"pattern p\nt1 u1 write x y\n", "mine.txt:2: ", "5 words instead of 4", "a thread, a unit"},
      {"pattern p\nt1\n", "mine.txt:2: ", "1 words instead of 4", "a thread, a unit"},
      {"# first\nt1 u1 write x\n", "mine.txt:2: ", "'t1' comes before any pattern",
       "belongs to a pattern"},
      {"patterns p\n", "mine.txt:1: ", "'patterns' comes before any pattern",
       "belongs to a pattern"},
      {"\npattern p\nt1 u1 write x\nt1 u2 read x\n",
       "mine.txt:2: ", "pattern 'p' has one thread only", "two threads"},
      {"pattern p\n\n", "mine.txt:1: ", "pattern 'p' has no events", "nothing"},
      {"pattern p\npattern q\nt1 u1 write x\nt2 u2 write x\n",
       "mine.txt:1: ", "pattern 'p' has no events", "nothing"},
      {"", "mine.txt", " has no pattern", "empty"},
      {"\n# nothing: here\n   \r\n", "mine.txt", " has no pattern", "empty"},
      {"pattern p\nt1 u1 write x\nt2 u1 read x\n",
       "mine.txt:3: ", "unit 'u1' belongs to thread 't1'", "made by one thread"},
      {"#\npattern p\nt1 u1 write x\nt2 u2 read x\nt2 u2 write y\n",
       "mine.txt:2: ", "pattern 'p' leaves the variable 'y' open", "one thread alone"},
      {"pattern p\nt1 u1 write x\nt2 u2 write x\nt1 u1 read y\nt2 u2 read y\n",
       "mine.txt:1: ", "pattern 'p' leaves the variable 'y' open", "no thread writes it"},
      {"pattern p\nt1 u1 write x\nt2 u2 write x\nt1 u1 write x\nt2 u2 write x\nt1 u1 write x\n"
       "t2 u2 write x\nt1 u1 write x\nt2 u2 write x\nt1 u1 write x\n",
       "mine.txt:10: ", "too many events", "8 events"},
      {"pattern p\nt1 u1 write x\nt2 u2 write x\nt3 u3 write x\nt4 u4 write x\nt5 u5 write x\n",
       "mine.txt:6: ", "too many threads", "4 threads"},
      {"pattern p\nt1 u1 write a\nt1 u1 write b\nt1 u1 write c\nt1 u1 write d\nt1 u1 write e\n",
       "mine.txt:6: ", "too many variables", "4 variables"},
      {"pattern p\nt1 u1 write x\nt2 u2 write x\n\npattern p adjacent\n",
       "mine.txt:5: ", "there is a pattern 'p' already", "by their names"},
      {"pattern\nt1 u1 write x\n", "mine.txt:1: ", "the pattern has no name", "needs one"},
      {"\n\n  pattern # p\n", "mine.txt:3: ", "the pattern has no name", "needs one"},
  };
  for (const auto& one : cases) {
    const Result<std::vector<Pattern>> result = parse_patterns(one.text, "mine.txt");
    ASSERT_FALSE(result) << one.text;
    const Error& error = result.error();
    EXPECT_EQ(error.kind, Error::Kind::kUser) << one.text;
    EXPECT_TRUE(error.what.starts_with(one.place)) << one.text << error.what;
    EXPECT_NE(error.what.find(one.what), std::string::npos) << one.text << error.what;
    EXPECT_NE(error.why.find(one.why), std::string::npos) << one.text << error.why;
    EXPECT_FALSE(error.hint.empty()) << one.text;
  }
}

TEST(PatternText, BlamesTheFirstPatternThatIsBad) {
  const Result<std::vector<Pattern>> result = parse_patterns(
      "pattern good\nt1 u1 write x\nt2 u2 read x\n"
      "pattern bad\nt1 u1 write x\n"
      "pattern good\nt1 u1 write x\nt2 u2 read x\n",
      "mine.txt");

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().what, "mine.txt:4: pattern 'bad' has one thread only");
}

}  // namespace
}  // namespace unravel
