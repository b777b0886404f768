#include "data/hunted.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

FoundFailure found(std::optional<Verification> verification) {
  FoundFailure failure;
  failure.verification = std::move(verification);
  return failure;
}

Hunted tested() {
  Hunted hunted;
  hunted.explored.runs = 10;
  return hunted;
}

TEST(Verification, SaysWhyInOneSentence) {
  EXPECT_EQ(Verification{}.why(), "");
  EXPECT_TRUE(Verification{}.verified());
  EXPECT_FALSE(Verification{}.is_our_fault());

  const Verification ours{.differs = "replay: passed", .uncontrolled = {}};
  EXPECT_EQ(ours.why(), "it did not come back when it was replayed: replay: passed");
  EXPECT_TRUE(ours.is_our_fault());

  const Verification theirs{.differs = "replay: passed", .uncontrolled = "a child process"};
  EXPECT_EQ(theirs.why(),
            "it did not come back when it was replayed: replay: passed; a child process took "
            "part, which is not controlled");
  EXPECT_FALSE(theirs.is_our_fault());
}

TEST(Hunted, PassedIfSomethingWasTestedAndNothingFound) {
  EXPECT_EQ(tested().outcome(), Outcome::kPassed);
  EXPECT_EQ(tested().why(), "");
  EXPECT_EQ(tested().reason(), Reason::kNone);
}

TEST(Hunted, FailedByAVerifiedFailureOrOneFromBefore) {
  Hunted now = tested();
  now.found = {found(Verification{.differs = "x", .uncontrolled = {}}), found(Verification{})};
  Hunted before = tested();
  before.earlier_failures = 1;

  EXPECT_EQ(now.outcome(), Outcome::kFailed);
  EXPECT_EQ(before.outcome(), Outcome::kFailed);
  EXPECT_EQ(now.why(), "");
}

TEST(Hunted, IsUnresolvedByAFailureThatDidNotComeBack) {
  Hunted hunted = tested();
  hunted.found = {found(Verification{.differs = "x", .uncontrolled = {}})};

  EXPECT_EQ(hunted.outcome(), Outcome::kUnresolved);
  EXPECT_EQ(hunted.reason(), Reason::kNotReproduced);
  EXPECT_EQ(hunted.why(), "it did not come back when it was replayed: x");

  hunted.found = {found(std::nullopt)};
  EXPECT_EQ(hunted.why(), "it was not replayed");
}

TEST(Hunted, IsUnresolvedIfNoRunWas) {
  Hunted hunted = tested();
  hunted.explored.unresolved = hunted.explored.runs;
  hunted.explored.reason = Reason::kNoSecondThread;
  hunted.explored.why_unresolved = "no second thread";

  EXPECT_EQ(hunted.outcome(), Outcome::kUnresolved);
  EXPECT_EQ(hunted.why(), "no second thread");
  EXPECT_TRUE(hunted.has_nothing_to_interleave());
  hunted.explored.reason = Reason::kLimit;
  EXPECT_FALSE(hunted.has_nothing_to_interleave());
}

TEST(Hunted, TellsOurFaultsFromWhatIsNotControlled) {
  Hunted hunted = tested();
  EXPECT_EQ(hunted.unproved(true), nullptr);
  EXPECT_EQ(hunted.unproved(false), nullptr);

  hunted.found = {found(Verification{}),
                  found(Verification{.differs = "x", .uncontrolled = "a child process"}),
                  found(Verification{.differs = "x", .uncontrolled = {}})};
  EXPECT_EQ(hunted.unproved(false), &hunted.found[1]);
  EXPECT_EQ(hunted.unproved(true), &hunted.found[2]);
}

}  // namespace
}  // namespace unravel
