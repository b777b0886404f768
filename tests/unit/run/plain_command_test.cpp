#include "run/plain_command.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

class PlainCommandTest : public testing::Test {
 protected:
  Result<PlainOutput> capture(std::vector<std::string> arguments) {
    return capture_plain({.arguments = std::move(arguments),
                          .directory = directory_,
                          .timeout = timeout_,
                          .most_output = most_output_},
                         [&] { return interrupted_; });
  }

  std::string directory_ = "/";
  std::chrono::milliseconds timeout_{20'000};
  std::uint64_t most_output_ = 1 << 20;
  bool interrupted_ = false;
};

TEST_F(PlainCommandTest, GivesItsOutputAndItsExitStatus) {
  directory_ = "/proc/self";

  const auto end = capture({"sh", "-c", "pwd -P; echo trouble >&2; cat; exit 3"});

  ASSERT_TRUE(end.has_value()) << end.error().what;
  EXPECT_TRUE(end->output.starts_with("/proc/")) << end->output;
  EXPECT_EQ(end->error_output, "trouble\n");
  EXPECT_EQ(end->status, 3);
}

TEST_F(PlainCommandTest, GivesMuchOutputWhole) {
  const auto end = capture({"sh", "-c", "yes | head -c 1000000"});

  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->output.size(), 1'000'000u);
}

TEST_F(PlainCommandTest, EndedByASignalHasAStatusAsInAShell) {
  EXPECT_EQ(capture({"sh", "-c", "kill -9 $$"})->status, 128 + 9);
}

TEST_F(PlainCommandTest, ThatIsNotThereOrMayNotBeRunHasTheStatusOfAShell) {
  EXPECT_EQ(capture({"/no/such/command"})->status, kNotFound);
  EXPECT_EQ(capture({"/etc/passwd"})->status, kCannotStart);
}

TEST_F(PlainCommandTest, IsEndedWhenItTakesTooLong) {
  timeout_ = std::chrono::milliseconds(200);

  const auto end = capture({"sh", "-c", "echo first; sleep 1000"});

  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->status, std::nullopt);
  EXPECT_EQ(end->output, "first\n");
}

TEST_F(PlainCommandTest, IsEndedWhenItWritesTooMuch) {
  most_output_ = 1000;

  const auto end = capture({"yes"});

  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->status, std::nullopt);
}

TEST_F(PlainCommandTest, EndsWhenInterrupted) {
  interrupted_ = true;

  const auto end = capture({"sleep", "1000"});

  ASSERT_FALSE(end.has_value());
  EXPECT_EQ(end.error().what, "interrupted");
}

}  // namespace
}  // namespace unravel
