#include "explore/near_failure.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace unravel {
namespace {

Schedule three_slices() {
  Schedule schedule;
  for (std::uint32_t i = 0; i < 3; ++i) {
    wire::Slice slice;
    slice.thread.ordinal = i;
    slice.until.operations = i + 1;
    schedule.slices.push_back(slice);
  }
  schedule.complete = true;
  return schedule;
}

std::vector<wire::Constraint> two_constraints() {
  std::vector<wire::Constraint> constraints(2);
  constraints[0].first = {.site = wire::Site::of(1, 16), .occurrence = 2};
  constraints[0].then = {.site = wire::Site::of(1, 32), .occurrence = 1};
  constraints[1].first = {.site = wire::Site::of(1, 48), .occurrence = 1};
  constraints[1].then = {.site = wire::Site::of(1, 64), .occurrence = 3};
  return constraints;
}

std::vector<Proposal> proposals(NearFailure& strategy, std::uint64_t count) {
  std::vector<Proposal> all;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    all.push_back(strategy.propose(Knowledge{}, seed).value());
  }
  return all;
}

TEST(NearFailure, BeginWithAllConstraintsAsTheyAre) {
  NearFailure strategy(three_slices(), two_constraints());

  const Proposal first = proposals(strategy, 1).front();

  EXPECT_EQ(first.strategy, NearFailure::kAllConstraints);
  ASSERT_EQ(first.schedule.constraints.size(), 2u);
  EXPECT_EQ(first.schedule.constraints[0].first, two_constraints()[0].first);
  EXPECT_EQ(first.schedule.constraints[1].then, two_constraints()[1].then);
  // A thread that is held back for ever would hide everything else.
  EXPECT_GT(first.schedule.constraints[0].give_up, 0u);
}

TEST(NearFailure, MixSomeConstraintsBeginningsOfTheScheduleAndAHunt) {
  NearFailure strategy(three_slices(), two_constraints());

  std::map<std::string, int> by_strategy;
  bool along = false;
  bool loose = false;
  for (const Proposal& proposal : proposals(strategy, 200)) {
    ++by_strategy[proposal.strategy];
    if (proposal.following == wire::Following::kLenient) {
      along = true;
      EXPECT_FALSE(proposal.schedule.complete);
      EXPECT_GE(proposal.schedule.slices.size(), 1u);
      EXPECT_LE(proposal.schedule.slices.size(), 3u);
    }
    for (const wire::Constraint& one : proposal.schedule.constraints) {
      loose |= one.first.occurrence == 0 && one.then.occurrence == 0;
    }
  }

  EXPECT_TRUE(along);
  EXPECT_TRUE(loose);
  EXPECT_EQ(by_strategy["constraints"], 8);
  EXPECT_EQ(by_strategy["neighbours"], 96);
  // What is left is a hunt's, of several strategies.
  EXPECT_GT(by_strategy.size(), 3u);
}

TEST(NearFailure, AreAHuntWhereNothingWasKept) {
  NearFailure strategy({}, {});

  for (const Proposal& proposal : proposals(strategy, 20)) {
    EXPECT_NE(proposal.strategy, NearFailure::kAllConstraints);
    EXPECT_NE(proposal.strategy, NearFailure::kNearby);
    EXPECT_TRUE(proposal.schedule.constraints.empty());
  }
}

TEST(NearFailure, ProposeTheSameForTheSameSeeds) {
  NearFailure one(three_slices(), two_constraints());
  NearFailure other(three_slices(), two_constraints());

  EXPECT_EQ(proposals(one, 50), proposals(other, 50));
}

}  // namespace
}  // namespace unravel
