#include "investigate/each_test.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"

namespace unravel {
namespace {

/// The GoogleTest binary that is asked is this one.
class EachTest : public testing::Test {
 protected:
  EachTest() { std::filesystem::create_directories(folder_); }
  ~EachTest() override { std::filesystem::remove_all(folder_); }

  Result<std::vector<TestCase>> list(const std::vector<std::string>& arguments) {
    return list_tests(arguments, [&] { return interrupted_; });
  }

  /// Also where it is built with a sanitizer, for which no run could be controlled.
  Result<std::vector<TestCase>> list_self(const std::vector<std::string>& options) {
    Program program{
        .arguments = {self_}, .path = self_, .directory = std::filesystem::current_path().string()};
    program.arguments.insert(program.arguments.end(), options.begin(), options.end());
    return list_gtest(program, [&] { return interrupted_; });
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("unravel-each-test-" + std::to_string(::getpid()));
  const std::string self_ = std::filesystem::read_symlink("/proc/self/exe");
  bool interrupted_ = false;
};

TEST_F(EachTest, IsListedByAGoogleTestBinary) {
  const auto tests = list_self({});

  ASSERT_TRUE(tests) << tests.error().what;
  EXPECT_GT(tests->size(), 10u);
  const auto named = [&](const std::string& name) {
    return std::find_if(tests->begin(), tests->end(),
                        [&](const TestCase& test) { return test.name == name; });
  };
  const auto this_one = named("EachTest.IsListedByAGoogleTestBinary");
  ASSERT_NE(this_one, tests->end());
  EXPECT_EQ(
      this_one->arguments,
      (std::vector<std::string>{self_, "--gtest_filter=EachTest.IsListedByAGoogleTestBinary"}));
  EXPECT_EQ(this_one->directory, std::filesystem::current_path().string());
}

TEST_F(EachTest, IsListedIfTheUsersFilterLetsItBy) {
  const auto tests = list_self({"--gtest_filter=EachTest.IsListedI*:KnownFailures.*Star"});

  ASSERT_TRUE(tests);
  EXPECT_EQ(tests->size(), 2u);
}

TEST_F(EachTest, OfWhichAllAreDisabledIsAnError) {
  const auto tests = list({"sh", "-c", "echo 'Queue.'; echo '  DISABLED_Push'"});

  ASSERT_FALSE(tests);
  EXPECT_EQ(tests.error().what, "every test of 'sh' is disabled");
}

TEST_F(EachTest, OfAnotherProgramIsRefusedWithWhatItAnswered) {
  const auto refused = list({"ls", "/proc/self/status"});
  const auto silent = list({"true"});

  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().what.starts_with("'ls' is not a GoogleTest binary"));
  EXPECT_NE(refused.error().why.find("exit status 2, and wrote 'ls: "), std::string::npos)
      << refused.error().why;
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().why, "it answered --gtest_list_tests with exit status 0 and no output");
}

TEST_F(EachTest, OfAProgramThatIsNotThereIsRefused) { EXPECT_FALSE(list({"/no/such/program"})); }

TEST_F(EachTest, IsInterruptedWhileItIsListed) {
  interrupted_ = true;

  const auto tests = list({"sh", "-c", "sleep 1000"});

  ASSERT_FALSE(tests);
  EXPECT_EQ(tests.error().what, "interrupted");
}

TEST_F(EachTest, IsListedByCTestForABuildDirectory) {
  const std::string file =
      "add_test(first \"/bin/echo\" \"a b\")\n"
      "set_tests_properties(first PROPERTIES ENVIRONMENT \"A=1;B=2\" WORKING_DIRECTORY \"/tmp\")\n"
      "add_test(second \"/bin/true\")\n"
      "set_tests_properties(second PROPERTIES DISABLED \"TRUE\")\n";
  ASSERT_TRUE(write_file_atomically(folder_ / "CTestTestfile.cmake", std::string_view(file)));

  const auto tests = list({folder_.string()});

  ASSERT_TRUE(tests) << tests.error().what << ": " << tests.error().why;
  ASSERT_EQ(tests->size(), 1u);
  EXPECT_EQ(tests->front(), (TestCase{.name = "first",
                                      .arguments = {"/bin/echo", "a b"},
                                      .directory = "/tmp",
                                      .environment = {{"A", "1"}, {"B", "2"}},
                                      .judged_by = {}}));
}

TEST_F(EachTest, OfADirectoryWithoutTestsIsRefused) {
  const auto tests = list({folder_.string()});

  ASSERT_FALSE(tests);
  EXPECT_EQ(tests.error().what, "there is no test in " + folder_.string());
}

}  // namespace
}  // namespace unravel
