#include "run/rest_of_schedule.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

wire::Slice slice(std::uint32_t thread, std::uint64_t operations, std::uint64_t hooks = 0) {
  wire::Slice one;
  one.thread.ordinal = thread;
  one.until = {.operations = operations, .hooks = hooks};
  return one;
}

Schedule whole(std::vector<wire::Slice> slices) {
  Schedule schedule;
  schedule.slices = std::move(slices);
  schedule.complete = true;
  return schedule;
}

const Schedule kGiven = whole({slice(0, 1), slice(1, 3), slice(0, 4, 7)});

TEST(RestOfSchedule, IsNothingIfAllOfItWasDone) {
  EXPECT_EQ(rest_of_schedule(kGiven, kGiven, 2), "");
}

TEST(RestOfSchedule, DoesNotCountHooksBehindTheLastOperation) {
  EXPECT_EQ(rest_of_schedule(kGiven, whole({slice(0, 1), slice(1, 3), slice(0, 4)}), 2), "");
}

TEST(RestOfSchedule, IsAllOfItForAProgramThatStartedNoThread) {
  const std::string all =
      "the program ended before its first thread, and the schedule has 3 slices";

  EXPECT_EQ(rest_of_schedule(kGiven, whole({}), 1), all);
  EXPECT_EQ(rest_of_schedule(kGiven, whole({slice(0, 0, 2)}), 1), all);
}

TEST(RestOfSchedule, IsToldWhereTheProgramEndedEarlier) {
  EXPECT_EQ(rest_of_schedule(kGiven, whole({slice(0, 1), slice(1, 2)}), 2),
            "the program ended after 2 of the 3 slices of its schedule");
  EXPECT_EQ(rest_of_schedule(kGiven, whole({slice(0, 1), slice(1, 3), slice(0, 3)}), 2),
            "the program ended in T0 after operation 3, and the schedule ends in T0 after "
            "operation 4");
}

TEST(RestOfSchedule, OfABeginningIsForTheRule) {
  Schedule beginning = kGiven;
  beginning.complete = false;

  EXPECT_EQ(rest_of_schedule(beginning, whole({}), 1), "");
}

}  // namespace
}  // namespace unravel
