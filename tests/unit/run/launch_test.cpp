#include "run/launch.hpp"

#include <gtest/gtest.h>

#include "run/child.hpp"

namespace unravel {
namespace {

TEST(Environment, GetsTheRuntimeAndTheChannel) {
  const std::vector<std::string> ours = {"HOME=/root"};

  EXPECT_EQ(
      program_environment(ours, "/lib/rt.so"),
      (std::vector<std::string>{"HOME=/root", "LD_PRELOAD=/lib/rt.so", "UNRAVEL_CHANNEL=1000"}));
}

TEST(Environment, KeepsLibrariesThatTheUserPreloads) {
  const std::vector<std::string> ours = {"LD_PRELOAD=/lib/theirs.so", "A=b"};

  EXPECT_EQ(program_environment(ours, "/lib/rt.so"),
            (std::vector<std::string>{"A=b", "LD_PRELOAD=/lib/rt.so:/lib/theirs.so",
                                      "UNRAVEL_CHANNEL=1000"}));
}

TEST(Environment, DoesNotDependOnOptionsGivenByVariables) {
  const std::vector<std::string> with = {"A=b", "UNRAVEL_SEED=7"};
  const std::vector<std::string> without = {"A=b"};

  EXPECT_EQ(program_environment(with, "/rt.so"), program_environment(without, "/rt.so"));
}

TEST(Cpus, AreThoseThatThisProcessMayUse) {
  const std::vector<int> usable = usable_cpus();

  EXPECT_NE(std::find(usable.begin(), usable.end(), choose_cpu()), usable.end());
}

}  // namespace
}  // namespace unravel
