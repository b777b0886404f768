#include "investigate/gtest_list.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

Program program(std::vector<std::string> arguments) {
  return {.arguments = std::move(arguments), .path = "/build/t", .directory = "/build"};
}

std::vector<std::string> names(const GtestList& list) {
  std::vector<std::string> names;
  for (const TestCase& test : list.tests) names.push_back(test.name);
  return names;
}

GtestList read(std::string_view text) { return read_gtest_list(text, program({"./t"})); }

TEST(GtestList, HasATestPerIndentedLineUnderItsSuite) {
  const GtestList list =
      read("Running main() from gtest_main.cc\nQueue.\n  Push\n  Pop\nSet.\n  Add\n");

  EXPECT_EQ(names(list), (std::vector<std::string>{"Queue.Push", "Queue.Pop", "Set.Add"}));
  EXPECT_EQ(list.tests[1].arguments, (std::vector<std::string>{"./t", "--gtest_filter=Queue.Pop"}));
  EXPECT_EQ(list.tests[1].directory, "/build");
}

TEST(GtestList, KeepsInstancesAndDropsWhatIsSaidAboutThem) {
  const GtestList list = read(
      "Sizes/Queue.\n  Push/0  # GetParam() = 5\n  Push/big  # GetParam() = \"a # b. \"\n"
      "Typed/0.  # TypeParam = std::vector<int, std::allocator<int> >\n  Works\n");

  EXPECT_EQ(names(list), (std::vector<std::string>{"Sizes/Queue.Push/0", "Sizes/Queue.Push/big",
                                                   "Typed/0.Works"}));
}

TEST(GtestList, LeavesOutWhatIsDisabled) {
  const std::string text =
      "Queue.\n  DISABLED_Push\n  Pop\nDISABLED_Set.\n  Add\nSizes/DISABLED_Map.\n  Add/0\n"
      "Odd.\n  NotDISABLED_\n";

  const GtestList list = read(text);
  const GtestList all = read_gtest_list(text, program({"./t", "--gtest_also_run_disabled_tests"}));

  EXPECT_EQ(names(list), (std::vector<std::string>{"Queue.Pop", "Odd.NotDISABLED_"}));
  EXPECT_EQ(list.disabled, 3u);
  EXPECT_EQ(all.tests.size(), 5u);
  EXPECT_EQ(all.disabled, 0u);
  EXPECT_EQ(all.tests[0].arguments,
            (std::vector<std::string>{"./t", "--gtest_also_run_disabled_tests",
                                      "--gtest_filter=Queue.DISABLED_Push"}));
}

TEST(GtestList, PutsOneTestInPlaceOfTheUsersFilter) {
  const Program filtered =
      program({"./t", "--fast", "--gtest_filter=Queue.*-*Slow", "-gtest_filter=Q*", "in.txt"});

  const GtestList list = read_gtest_list("Queue.\n  Push\n", filtered);

  EXPECT_EQ(listing_arguments(filtered),
            (std::vector<std::string>{"./t", "--fast", "--gtest_filter=Queue.*-*Slow",
                                      "-gtest_filter=Q*", "in.txt", "--gtest_list_tests"}));
  ASSERT_EQ(list.tests.size(), 1u);
  EXPECT_EQ(list.tests[0].arguments,
            (std::vector<std::string>{"./t", "--fast", "in.txt", "--gtest_filter=Queue.Push"}));
}

TEST(GtestList, MayHaveLinesOfTheProgramAroundIt) {
  const GtestList list =
      read("ready. set. go.\n  indented\nQueue.\r\n  Push\r\nbye\n  Pop\n\n  Top\n");

  EXPECT_EQ(names(list), std::vector<std::string>{"Queue.Push"});
}

TEST(GtestList, OfAnythingElseIsEmpty) {
  for (const std::string text : {"", "\n", "usage: t FILE\n", "  Push\n", "Done.\n", "."}) {
    const GtestList list = read(text);

    EXPECT_TRUE(list.tests.empty()) << text;
    EXPECT_EQ(list.disabled, 0u) << text;
  }
}

}  // namespace
}  // namespace unravel
