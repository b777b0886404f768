#include "run/launch.hpp"

#include <gtest/gtest.h>

#include "run/child.hpp"

namespace unravel {
namespace {

TEST(Environment, GetsTheRuntimeAndTheChannel) {
  const char* const ours[] = {"HOME=/root", nullptr};

  EXPECT_EQ(
      program_environment(ours, "/lib/rt.so"),
      (std::vector<std::string>{"HOME=/root", "LD_PRELOAD=/lib/rt.so", "UNRAVEL_CHANNEL=1000"}));
}

TEST(Environment, KeepsLibrariesThatTheUserPreloads) {
  const char* const ours[] = {"LD_PRELOAD=/lib/theirs.so", "A=b", nullptr};

  EXPECT_EQ(program_environment(ours, "/lib/rt.so"),
            (std::vector<std::string>{"A=b", "LD_PRELOAD=/lib/rt.so:/lib/theirs.so",
                                      "UNRAVEL_CHANNEL=1000"}));
}

TEST(Environment, DoesNotDependOnOptionsGivenByVariables) {
  const char* const with[] = {"A=b", "UNRAVEL_SEED=7", nullptr};
  const char* const without[] = {"A=b", nullptr};

  EXPECT_EQ(program_environment(with, "/rt.so"), program_environment(without, "/rt.so"));
}

TEST(Cpus, AreThoseThatThisProcessMayUse) {
  const std::vector<int> usable = usable_cpus();

  EXPECT_NE(std::find(usable.begin(), usable.end(), choose_cpu()), usable.end());
}

}  // namespace
}  // namespace unravel
