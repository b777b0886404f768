#include "cli/exit_status.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace unravel {
namespace {

TEST(ExitStatus, RanksOurFaultThenAFailureThenTroubleThenNothing) {
  constexpr int kByRank[] = {kOurFault, kFoundFailure, kUserOrEnvironment, kNoFailure};
  for (const int one : kByRank) {
    for (const int other : kByRank) {
      const int first = *std::find_if(std::begin(kByRank), std::end(kByRank),
                                      [&](int each) { return each == one || each == other; });
      EXPECT_EQ(graver(one, other), first) << one << " and " << other;
    }
  }
}

TEST(ExitStatus, OfWhatIsUnresolvedIsNoSuccessUnlessThatIsAllowed) {
  EXPECT_EQ(exit_status(Outcome::kUnresolved, false), kUserOrEnvironment);
  EXPECT_EQ(exit_status(Outcome::kUnresolved, true), kNoFailure);
  for (const bool allowed : {false, true}) {
    EXPECT_EQ(exit_status(Outcome::kPassed, allowed), kNoFailure);
    EXPECT_EQ(exit_status(Outcome::kFailed, allowed), kFoundFailure);
    EXPECT_EQ(exit_status(Outcome::kDiverged, allowed), kUserOrEnvironment);
    EXPECT_EQ(exit_status(Outcome::kError, allowed), kOurFault);
  }
}

}  // namespace
}  // namespace unravel
