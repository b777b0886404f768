#include "report/check_text.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

const Paint kPlain(false);

Checked checked(CheckVerdict verdict) {
  Checked one;
  one.run = "3fa1b2";
  one.verdict = verdict;
  one.key = "assert: main a.c:7";
  return one;
}

TEST(CheckText, SaysInHowManyTriesAFixedFailureDidNotComeBack) {
  Checked fixed = checked(CheckVerdict::kFixed);
  fixed.neighbours = 200;

  EXPECT_EQ(check_line(fixed, kPlain),
            "3fa1b2 fixed: not reproduced in 200 tries (assert: main a.c:7)\n");
}

TEST(CheckText, DoesNotHideTriesThatSettledNothing) {
  Checked fixed = checked(CheckVerdict::kFixed);
  fixed.neighbours = 200;
  fixed.unresolved = 3;
  fixed.others = {{"signal: worker a.c:9", "90cc17", true}, {"assert: f a.c:3", "77ab01", false}};

  EXPECT_EQ(
      check_line(fixed, kPlain),
      "3fa1b2 fixed, but fails in another way: not reproduced in 200 tries, 3 of them unresolved "
      "(assert: main a.c:7)\n"
      "       another failure was seen: run 90cc17, signal: worker a.c:9\n"
      "       another failure was seen, but replays did not reproduce it: run 77ab01, "
      "assert: f a.c:3\n");
  EXPECT_EQ(check_summary({fixed}),
            "1 run: 1 fixed (1 with another failure), 0 still failing, 0 not applicable\n");
}

TEST(CheckText, SaysHowAFailureCameBack) {
  Checked failing = checked(CheckVerdict::kStillFails);
  failing.reproduced_by = ReproducedBy::kSchedule;
  EXPECT_EQ(check_line(failing, kPlain),
            "3fa1b2 still fails: reproduced by its own schedule (assert: main a.c:7)\n");

  failing.reproduced_by = ReproducedBy::kConstraints;
  failing.neighbours = 1;
  EXPECT_EQ(check_line(failing, kPlain),
            "3fa1b2 still fails: reproduced by its constraints in 1 try (assert: main a.c:7)\n");

  failing.reproduced_by = ReproducedBy::kNeighbours;
  failing.neighbours = 12;
  EXPECT_EQ(
      check_line(failing, kPlain),
      "3fa1b2 still fails: reproduced by a schedule near it in 12 tries (assert: main a.c:7)\n");
}

TEST(CheckText, CountsVerdicts) {
  EXPECT_EQ(check_summary({checked(CheckVerdict::kFixed), checked(CheckVerdict::kStillFails),
                           checked(CheckVerdict::kFixed), checked(CheckVerdict::kNotApplicable)}),
            "4 runs: 2 fixed, 1 still failing, 1 not applicable\n");
  EXPECT_EQ(check_summary({}),
            "no failure is stored, so there is nothing to check; `unravel hunt -- PROGRAM` looks "
            "for one\n");
}

}  // namespace
}  // namespace unravel
