#include "simplify/edits.hpp"

#include <gtest/gtest.h>

#include <string>

namespace unravel {
namespace {

wire::Slice slice(std::uint32_t thread, std::uint64_t until,
                  wire::End end = wire::End::kPreempted) {
  return {.thread = {.ordinal = thread}, .until = {until, 1}, .site = {}, .end = end};
}

/// `T1:3 T2:4`: threads and the operations up to which they run.
std::string text(const Slices& slices) {
  std::string all;
  for (const wire::Slice& one : slices) {
    all += (all.empty() ? "T" : " T") + std::to_string(one.thread.ordinal) + ":" +
           std::to_string(one.until.operations);
  }
  return all;
}

const Slices kThree = {slice(1, 2), slice(2, 3), slice(1, 5, wire::End::kBlocked), slice(2, 7),
                       slice(1, 9)};

TEST(Edits, FindTheSlicesOfAThread) {
  EXPECT_EQ(next_of_thread(kThree, 0), 2u);
  EXPECT_EQ(next_of_thread(kThree, 3), std::nullopt);
  EXPECT_EQ(previous_of_thread(kThree, 4), 2u);
  EXPECT_EQ(previous_of_thread(kThree, 1), std::nullopt);
}

TEST(Edits, JoinSlicesThatComeToLieSideBySide) {
  EXPECT_EQ(text(without(kThree, 1)), "T1:5 T2:7 T1:9");
  EXPECT_EQ(text(without(kThree, 4)), "T1:2 T2:3 T1:5 T2:7");
}

TEST(Edits, PutOffTheEndOfASlice) {
  EXPECT_EQ(text(*joined_with_next(kThree, 0)), "T1:5 T2:7 T1:9");
  EXPECT_EQ(text(*joined_with_next(kThree, 1)), "T1:2 T2:7 T1:9");
  EXPECT_EQ(joined_with_next(kThree, 4), std::nullopt);
  EXPECT_EQ(text(prolong(kThree, 0, {4, 0})), "T1:4 T2:3 T1:5 T2:7 T1:9");
}

TEST(Edits, MoveASliceLater) {
  EXPECT_EQ(text(moved_before(kThree, 0, 4)), "T2:3 T1:5 T2:7 T1:9");  // two of T1 are one
  EXPECT_EQ(text(moved_before(kThree, 1, 4)), "T1:5 T2:3 T1:9");
  EXPECT_EQ(text(moved_before(kThree, 2, 4)), "T1:2 T2:7 T1:9");
}

TEST(Edits, LeaveOutPreemptionsButNotOtherSwitches) {
  const std::vector<bool> none(kThree.size(), false);
  // T1 goes on up to where it is blocked, T2 to its end, and T1 once more.
  EXPECT_EQ(text(keep_preemptions(kThree, none)), "T1:5 T2:7 T1:9");
  std::vector<bool> second = none;
  second[1] = true;
  // T2 is still left where it was, but T1 has nothing to do before it goes on.
  EXPECT_EQ(text(keep_preemptions(kThree, second)), "T1:5 T2:7 T1:9");
  std::vector<bool> first = none;
  first[0] = true;
  EXPECT_EQ(text(keep_preemptions(kThree, first)), "T1:2 T2:7 T1:9");
  EXPECT_EQ(text(keep_preemptions(kThree, std::vector<bool>(kThree.size(), true))), text(kThree));
}

TEST(Edits, KnowWhatTheProgramAskedFor) {
  EXPECT_TRUE(is_preempted(slice(1, 1)));
  EXPECT_FALSE(is_preempted(slice(1, 1, wire::End::kBlocked)));
  wire::Slice exits = slice(1, 1);
  exits.pending = wire::Operation::kExit;
  EXPECT_FALSE(is_preempted(exits));
}

}  // namespace
}  // namespace unravel
