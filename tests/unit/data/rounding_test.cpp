#include "data/rounding.hpp"

#include <gtest/gtest.h>

#include "data/print.hpp"

namespace unravel {
namespace {

using wire::End;
using wire::Operation;

wire::Slice slice(std::uint32_t thread, wire::Clock until, Operation pending = Operation::kNone,
                  End end = End::kPreempted) {
  return {.thread = {.ordinal = thread}, .until = until, .end = end, .pending = pending};
}

std::string rounded(std::vector<wire::Slice> slices, std::uint64_t moved) {
  Schedule schedule;
  schedule.slices = std::move(slices);
  EXPECT_EQ(round_to_operations(schedule), moved);
  std::string text;
  for (const wire::Slice& slice : schedule.slices) {
    EXPECT_FALSE(wire::is_hook(slice.pending));
    text += (text.empty() ? "" : " ") + print(slice.thread, slice.until);
  }
  return text;
}

TEST(Rounding, MovesASwitchAtAnAccessToTheOperationBeforeIt) {
  EXPECT_EQ(
      rounded({slice(1, {12, 37}, Operation::kStore), slice(2, {3, 0}), slice(1, {14, 0})}, 1),
      "T1:12 T2:3 T1:14");
}

TEST(Rounding, MovesWhatCountsHooksAlthoughItLiesAtAnOperation) {
  EXPECT_EQ(rounded({slice(1, {12, 1}, Operation::kLoad), slice(2, {3, 9}, Operation::kLock),
                     slice(1, {14, 1}, Operation::kLock)},
                    1),
            "T1:12 T2:3 T1:14+1");
}

TEST(Rounding, LeavesOutSlicesThatHaveNothingLeftToDo) {
  // T2 made only hooks, between T1's two slices, which become one.
  EXPECT_EQ(rounded({slice(2, {3, 0}), slice(1, {12, 5}, Operation::kLoad),
                     slice(2, {3, 7}, Operation::kStore), slice(1, {14, 0}), slice(2, {5, 0})},
                    2),
            "T2:3 T1:14 T2:5");
  EXPECT_EQ(rounded({slice(1, {0, 3}, Operation::kEnter), slice(0, {2, 0})}, 1), "T0:2");
}

TEST(Rounding, LetsAThreadEndWhereItEnded) {
  EXPECT_EQ(rounded({slice(1, {1, 4}, Operation::kStore), slice(0, {4, 0}),
                     slice(1, {1, 60}, Operation::kNone, End::kEnded)},
                    1),
            "T1:1 T0:4 T1:1+60");
}

TEST(Rounding, LeavesAScheduleWithoutSwitchesAtAccessesAlone) {
  Schedule schedule;
  schedule.slices = {slice(1, {12, 3}, Operation::kLock), slice(1, {12, 3}), slice(2, {0, 0})};
  const Schedule before = schedule;

  EXPECT_EQ(round_to_operations(schedule), 0u);

  EXPECT_EQ(schedule, before);
}

}  // namespace
}  // namespace unravel
