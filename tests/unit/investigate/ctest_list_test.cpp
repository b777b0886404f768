#include "investigate/ctest_list.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace unravel {
namespace {

std::string list_of(const std::string& tests) {
  return R"({"kind": "ctestInfo", "version": {"major": 1, "minor": 0}, "tests": [)" + tests + "]}";
}

/// One test `t` with these properties.
Result<std::vector<TestCase>> read_with(const std::string& properties) {
  return read_ctest_list(
      list_of(R"({"name": "t", "command": ["/b/t"], "properties": [)" + properties + "]}"), "/b");
}

TEST(CtestList, HasCommandDirectoryAndEnvironmentOfEachTest) {
  const auto tests =
      read_ctest_list(list_of(R"({"name": "a", "command": ["/b/t", "-x", ""], "properties": [
                    {"name": "ENVIRONMENT", "value": ["LEVEL=2", "EMPTY=", "LINK=a=b", "odd"]},
                    {"name": "LABELS", "value": ["unit"]}, {"name": "TIMEOUT", "value": 600.0},
                    {"name": "WORKING_DIRECTORY", "value": "/b/sub"}]},
                 {"name": "b", "command": ["/b/u"]})"),
                      "/b");

  ASSERT_TRUE(tests) << tests.error().what;
  ASSERT_EQ(tests->size(), 2u);
  const TestCase first{.name = "a",
                       .arguments = {"/b/t", "-x", ""},
                       .directory = "/b/sub",
                       .environment = {{"LEVEL", "2"}, {"EMPTY", ""}, {"LINK", "a=b"}},
                       .judged_by = {}};
  EXPECT_EQ((*tests)[0], first);
  EXPECT_EQ((*tests)[1].directory, "/b");
  EXPECT_TRUE((*tests)[1].environment.empty());
}

TEST(CtestList, LeavesOutWhatIsDisabledEvenIfItIsNotBuilt) {
  const auto tests =
      read_ctest_list(list_of(R"({"name": "a", "properties": [{"name": "DISABLED", "value": true}]},
                 {"name": "b", "command": ["/b/u"],
                  "properties": [{"name": "DISABLED", "value": false}]})"),
                      "/b");

  ASSERT_TRUE(tests);
  ASSERT_EQ(tests->size(), 1u);
  EXPECT_EQ(tests->front().name, "b");
}

TEST(CtestList, NamesTheTestsThatWereNotBuilt) {
  const auto tests = read_ctest_list(
      list_of(R"({"name": "a_NOT_BUILT"}, {"name": "b", "command": ["/b/u"]}, {"name": "c"},
                 {"name": "d", "command": []}, {"name": "e"})"),
      "/b");

  ASSERT_FALSE(tests);
  EXPECT_EQ(tests.error().what, "tests in /b have no program: a_NOT_BUILT, c, d, …");
  EXPECT_EQ(tests.error().hint, "build them first: `cmake --build /b`");
}

TEST(CtestList, TellsWhatElseThanTheExitStatusJudgesATest) {
  const auto tests = read_with(R"({"name": "WILL_FAIL", "value": true},
                                  {"name": "PASS_REGULAR_EXPRESSION", "value": ["ok"]},
                                  {"name": "SKIP_REGULAR_EXPRESSION", "value": ["skip"]})");

  ASSERT_TRUE(tests);
  EXPECT_EQ(tests->front().judged_by,
            (std::vector<std::string>{"WILL_FAIL", "PASS_REGULAR_EXPRESSION"}));
  EXPECT_TRUE(read_with(R"({"name": "WILL_FAIL", "value": false})")->front().judged_by.empty());
}

TEST(CtestList, KnowsByWhichStatusATestIsSkipped) {
  EXPECT_EQ(read_with(R"({"name": "SKIP_RETURN_CODE", "value": 4})")->front().skip_status, 4);
  EXPECT_EQ(read_with(R"({"name": "TIMEOUT", "value": 4})")->front().skip_status, std::nullopt);
}

TEST(CtestList, ModifiesTheEnvironmentInTheOrderOfItsEntries) {
  ::setenv("UNRAVEL_TEST_PATHS", "/ours", 1);
  ::unsetenv("UNRAVEL_TEST_UNSET");

  const auto tests = read_with(
      R"({"name": "ENVIRONMENT", "value": ["KEPT=1", "GONE=1", "BACK=1", "WORD=b"]},
         {"name": "ENVIRONMENT_MODIFICATION", "value": [
            "UNRAVEL_TEST_PATHS=path_list_prepend:/first", "UNRAVEL_TEST_PATHS=path_list_append:/last",
            "UNRAVEL_TEST_UNSET=path_list_append:/only", "WORD=string_prepend:a",
            "WORD=string_append:c:=", "LIST=set:1", "LIST=cmake_list_append:2", "GONE=unset:",
            "BACK=set:2", "BACK=reset:", "NEVER=set:1", "NEVER=reset:"]})");

  ASSERT_TRUE(tests) << tests.error().what;
  EXPECT_EQ(tests->front().environment,
            (EnvironmentChanges{{"KEPT", "1"},
                                {"GONE", std::nullopt},
                                {"BACK", "1"},
                                {"WORD", "abc:="},
                                {"UNRAVEL_TEST_PATHS", "/first:/ours:/last"},
                                {"UNRAVEL_TEST_UNSET", "/only"},
                                {"LIST", "1;2"}}));
}

TEST(CtestList, RefusesAChangeThatIsNotKnown) {
  for (const std::string entry : {"A=rotate:x", "A=string_turn:x", "A=set", "A", "=set:x", "A:b"}) {
    const auto tests =
        read_with(R"({"name": "ENVIRONMENT_MODIFICATION", "value": [")" + entry + "\"]}");

    ASSERT_FALSE(tests) << entry;
    EXPECT_EQ(tests.error().what, "cannot read the environment of test t");
  }
}

TEST(CtestList, RefusesWhatIsNoListOfTests) {
  for (const std::string text :
       {"", "no tests", "[]", "{}", R"({"kind": "ctestInfo"})", R"({"kind": 3, "tests": []})",
        R"({"kind": "ctestInfo", "tests": 1})"}) {
    const auto tests = read_ctest_list(text, "/b");

    ASSERT_FALSE(tests) << text;
    EXPECT_EQ(tests.error().what, "cannot read the list of tests in /b");
  }
}

TEST(CtestList, OfOddValuesIsReadAsFarAsItMakesSense) {
  const auto tests = read_ctest_list(
      list_of(R"(7, {"name": "t", "command": ["/b/t", 7], "properties": {"name": 1}},
                 {"name": 1, "command": "/b/u", "properties": [7, {"name": "DISABLED"}]})"),
      "/b");

  ASSERT_TRUE(tests);
  EXPECT_EQ(tests->size(), 2u);
}

}  // namespace
}  // namespace unravel
