#include "predict/clip.hpp"

#include <gtest/gtest.h>

#include <string>

namespace unravel {
namespace {

/// Two variables x and y, and a lock m.
enum : std::uint32_t { kX, kY, kM };

class ClipTest : public testing::Test {
 protected:
  EventIndex add(std::uint16_t thread, Role role, std::uint32_t object,
                 wire::Operation operation = wire::Operation::kNone) {
    KeptEvent event;
    event.thread = thread;
    event.role = role;
    event.object = object;
    event.operation = operation;
    event.operations = static_cast<std::uint32_t>(history_.events.size()) + 1;
    history_.events.push_back(event);
    return static_cast<EventIndex>(history_.events.size() - 1);
  }
  EventIndex read(std::uint16_t thread, std::uint32_t object) {
    return add(thread, Role::kRead, object);
  }
  EventIndex lock(std::uint16_t thread) { return add(thread, Role::kAcquire, kM); }
  EventIndex unlock(std::uint16_t thread) { return add(thread, Role::kRelease, kM); }

  /// Numbers of events: given ones in brackets, those that are left out counted.
  std::string clip(const std::vector<EventIndex>& given, std::size_t most = 12) {
    history_.objects = {{.address = 0x1000, .is_variable = true},
                        {.address = 0x2000, .is_variable = true},
                        {.address = 0x3000, .is_variable = false}};
    history_.finish({});
    std::string text;
    for (const ClippedEvent& one : clip_around(history_, given, most)) {
      if (!text.empty()) text += " ";
      if (one.left_out > 0) text += "(" + std::to_string(one.left_out) + ") ";
      const std::string number = std::to_string(one.event);
      text += one.is_given ? "[" + number + "]" : number;
    }
    return text;
  }

  History history_;
};

TEST_F(ClipTest, HasTheLocksAroundTheEvents) {
  lock(1);
  const EventIndex first = read(1, kX);
  unlock(1);
  lock(2);
  const EventIndex second = read(2, kX);
  unlock(2);

  EXPECT_EQ(clip({first, second}), "0 [1] 2 3 [4] 5");
}

TEST_F(ClipTest, HasNeitherOtherVariablesNorLocksOfOtherThreads) {
  const EventIndex first = read(1, kX);
  read(1, kY);
  lock(3);
  read(3, kY);
  const EventIndex other = read(3, kX);
  const EventIndex last = read(2, kX);

  EXPECT_EQ(other, 4u) << "another thread at the same variable";
  EXPECT_EQ(clip({first, last}), "[0] 4 [5]");
}

TEST_F(ClipTest, GoesALittleBeyondTheEvents) {
  for (int i = 0; i < 3; ++i) {
    lock(1);
    unlock(1);
  }
  const EventIndex only = read(1, kX);
  for (int i = 0; i < 3; ++i) {
    lock(1);
    unlock(1);
  }

  EXPECT_EQ(clip({only}), "4 5 [6] 7 8");
}

TEST_F(ClipTest, HasNoOtherThreadBeforeAndAfterTheEvents) {
  read(3, kX);
  const EventIndex first = read(1, kX);
  const EventIndex last = read(2, kX);
  read(3, kX);
  read(1, kX);

  EXPECT_EQ(clip({first, last}), "[1] [2] 4");
}

TEST_F(ClipTest, LeavesOutWhatIsFarFromTheEvents) {
  const EventIndex first = read(1, kX);
  for (int i = 0; i < 10; ++i) lock(1);
  const EventIndex last = read(2, kX);

  EXPECT_EQ(clip({first, last}, 6), "[0] 1 2 (6) 9 10 [11]");
}

TEST_F(ClipTest, HasAllEventsEvenIfTheyAreTooMany) {
  const EventIndex first = read(1, kX);
  lock(1);
  const EventIndex second = read(2, kX);
  lock(1);
  const EventIndex third = read(1, kX);

  EXPECT_EQ(clip({third, first, second}, 2), "[0] (1) [2] (1) [4]");
}

TEST_F(ClipTest, HasAWideAccessOnce) {
  const EventIndex first = read(1, kX);
  const EventIndex second = read(1, kY);
  history_.events[second].operations = history_.events[first].operations;
  const EventIndex other = read(2, kY);

  EXPECT_EQ(clip({first, second, other}), "[0] [2]");
  EXPECT_EQ(events_at(history_, 1, history_.events[first].clock()),
            (std::vector<EventIndex>{first, second}));
}

TEST_F(ClipTest, HasNoBeginningAndNoEndOfAThread) {
  add(1, Role::kOther, kM, wire::Operation::kStart);
  const EventIndex only = read(1, kX);
  add(1, Role::kOther, kM, wire::Operation::kExit);

  EXPECT_EQ(clip({only}), "[1]");
}

TEST_F(ClipTest, OfNothingIsEmpty) {
  read(1, kX);

  EXPECT_EQ(clip({}), "");
  EXPECT_EQ(last_event_of(history_, 1), 0u);
  EXPECT_EQ(last_event_of(history_, 9), kNoEvent);
  EXPECT_TRUE(events_at(history_, 9, {}).empty());
}

}  // namespace
}  // namespace unravel
