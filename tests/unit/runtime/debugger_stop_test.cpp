#include "runtime/core/debugger_stop.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

using Kind = wire::DebuggerStop::Kind;

class DebuggerStopTest : public testing::Test {
 protected:
  DebuggerStopTest() {
    stop.use(&place);
    thread.ordinal = 1;
    next.ordinal = 2;
  }

  wire::DebuggerStop place;
  DebuggerStop stop;
  Thread thread;
  Thread next;
};

TEST_F(DebuggerStopTest, WithoutADebuggerNothingStops) {
  DebuggerStop none;
  EXPECT_FALSE(none.is_watched());
  EXPECT_FALSE(none.take_point(thread, 5));
  EXPECT_FALSE(none.take_switch(thread, next, 5));
  EXPECT_EQ(none.points_left(5), static_cast<std::uint64_t>(Countdown::kFar));
}

TEST_F(DebuggerStopTest, StopsOnceAtTheFirstPointThatIsNotBeforeACount) {
  place.kind = Kind::kStep;
  place.count = 10;
  EXPECT_EQ(stop.points_left(4), 5u);
  EXPECT_FALSE(stop.take_point(thread, 9));
  EXPECT_TRUE(stop.take_point(thread, 11));
  EXPECT_EQ(place.kind, Kind::kNowhere);
  EXPECT_FALSE(stop.take_point(thread, 12));
}

TEST_F(DebuggerStopTest, StopsAtAClockOfItsThread) {
  place.kind = Kind::kClock;
  place.at = {.thread = {.ordinal = 1}, .clock = {3, 2}};
  thread.clock = {3, 1};
  next.clock = {9, 0};
  EXPECT_FALSE(stop.take_point(thread, 1));
  EXPECT_FALSE(stop.take_point(next, 1));
  ASSERT_NE(stop.clock_of(thread), nullptr);
  EXPECT_EQ(stop.clock_of(next), nullptr);
  thread.clock = {3, 2};
  EXPECT_TRUE(stop.take_point(thread, 1));
}

TEST_F(DebuggerStopTest, StopsBeforeASwitchAndTellsWhoIsNext) {
  place.kind = Kind::kSwitch;
  place.count = 3;
  EXPECT_FALSE(stop.take_switch(thread, next, 1));
  EXPECT_FALSE(stop.take_point(thread, 100));
  EXPECT_TRUE(stop.take_switch(thread, next, 2));
  EXPECT_EQ(place.is_before_switch, 1u);
  EXPECT_EQ(place.next.ordinal, 2u);
  stop.went_on();
  EXPECT_EQ(place.is_before_switch, 0u);
}

TEST_F(DebuggerStopTest, StopsBeforeTheSwitchAtAClock) {
  place.kind = Kind::kSwitchAt;
  place.at = {.thread = {.ordinal = 1}, .clock = {3, 1}};
  thread.clock = {3, 1};
  EXPECT_FALSE(stop.take_point(thread, 1));
  EXPECT_FALSE(stop.take_switch(next, thread, 1));
  EXPECT_TRUE(stop.take_switch(thread, next, 1));
}

}  // namespace
}  // namespace unravel
