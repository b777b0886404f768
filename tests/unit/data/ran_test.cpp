#include "data/ran.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

Ran failed() {
  Ran ran;
  ran.run.emplace();
  ran.run->id = "aaa111";
  ran.run->summary.outcome = Outcome::kFailed;
  ran.verification.emplace();
  return ran;
}

Ran many(std::uint64_t passed, std::uint64_t unresolved) {
  Ran ran;
  ran.tally.emplace();
  ran.tally->runs = passed + unresolved;
  ran.tally->by_outcome = {{Outcome::kPassed, passed}, {Outcome::kUnresolved, unresolved}};
  return ran;
}

TEST(Ran, HasTheOutcomeOfItsRun) {
  EXPECT_EQ(failed().outcome(), Outcome::kFailed);
  EXPECT_FALSE(failed().trouble());
  EXPECT_FALSE(failed().is_doubtful());
}

TEST(Ran, OfManyPassedIfAnyWasResolved) {
  EXPECT_EQ(many(1, 9).outcome(), Outcome::kPassed);
  EXPECT_EQ(many(0, 9).outcome(), Outcome::kUnresolved);
  EXPECT_EQ(many(3, 0).tally->runs_that(Outcome::kFailed), 0u);
}

TEST(Ran, OfOneThreadSaysSoOnlyIfNothingWasTested) {
  Ran ran = many(0, 1);
  EXPECT_FALSE(ran.tally->has_one_thread());
  ran.tally->reason = Reason::kNoSecondThread;
  EXPECT_TRUE(ran.tally->has_one_thread());
  ran.tally->reason = Reason::kChildren;
  EXPECT_TRUE(ran.tally->has_one_thread());
  ran.tally->runs = 2;
  EXPECT_FALSE(ran.tally->has_one_thread());
}

TEST(Ran, IsDoubtfulIfSomethingThatIsNotControlledTookPart) {
  Ran ran = failed();
  ran.verification = Verification{.differs = "x", .uncontrolled = "a child process"};

  EXPECT_TRUE(ran.is_doubtful());
  EXPECT_EQ(ran.outcome(), Outcome::kUnresolved);
  EXPECT_FALSE(ran.trouble()) << "it is no fault of ours";
}

TEST(Ran, IsOurFaultIfAllWasControlled) {
  Ran ran = failed();
  ran.verification = Verification{.differs = "it passed", .uncontrolled = {}};

  ASSERT_TRUE(ran.trouble());
  EXPECT_EQ(ran.trouble()->kind, Error::Kind::kInternal);
  EXPECT_EQ(ran.trouble()->what,
            "the failure of run aaa111 did not come back when it was replayed");
  EXPECT_EQ(ran.trouble()->why, "it passed");
}

TEST(Ran, SaysWhatKeptAFailureFromBeingReplayed) {
  Ran ran = failed();
  ran.verification.reset();
  ran.not_verified = Error{.what = "out of memory"};

  EXPECT_EQ(ran.trouble()->what, "out of memory");
}

}  // namespace
}  // namespace unravel
