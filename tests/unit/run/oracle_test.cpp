#include "run/oracle.hpp"

#include <gtest/gtest.h>

#include "run/plain_command.hpp"

namespace unravel {
namespace {

class OracleTest : public testing::Test {
 protected:
  Result<std::optional<int>> ask_for(std::vector<std::string> command, const std::string& output) {
    return ask({.command = std::move(command), .directory = "/", .timeout = timeout_},
               file_in_memory(output).value().get(), interrupted_);
  }

  std::chrono::milliseconds timeout_{20'000};
  std::atomic<bool> interrupted_{false};
};

TEST_F(OracleTest, ReadsTheOutputAndAnswersByItsExitStatus) {
  EXPECT_EQ(*ask_for({"grep -q good"}, "all good\n"), 0);
  EXPECT_EQ(*ask_for({"grep -q good"}, "all bad\n"), 1);
  EXPECT_EQ(*ask_for({"sh", "-c", "exit 125"}, ""), 125);
}

TEST_F(OracleTest, MayLeaveALargeOutputUnread) {
  EXPECT_EQ(*ask_for({"true"}, std::string(1'000'000, 'x')), 0);
}

TEST_F(OracleTest, EndedByASignalHasAStatusAsInAShell) {
  EXPECT_EQ(*ask_for({"kill -9 $$"}, ""), 128 + 9);
}

TEST_F(OracleTest, ThatCannotBeStartedIsTheUsersError) {
  EXPECT_FALSE(ask_for({"/no/such/oracle"}, "").has_value());
  EXPECT_FALSE(ask_for({"/no/such/oracle --strict"}, "").has_value());
}

TEST_F(OracleTest, ThatDoesNotEndInTimeHasNoAnswer) {
  timeout_ = std::chrono::milliseconds(50);

  EXPECT_EQ(*ask_for({"sleep", "1000"}, ""), std::nullopt);
}

TEST_F(OracleTest, EndsWhenInterrupted) {
  interrupted_ = true;

  const auto answer = ask_for({"sleep", "1000"}, "");

  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().what, "interrupted");
}

}  // namespace
}  // namespace unravel
