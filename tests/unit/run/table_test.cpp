#include "run/table.hpp"

#include <gtest/gtest.h>

#include "run/process_runner.hpp"

namespace unravel {
namespace {

wire::Event event(std::uint32_t thread, std::uint64_t operations, wire::Operation operation,
                  std::uint64_t object = 0x10) {
  return {.thread = {.ordinal = thread},
          .clock = {.operations = operations},
          .object = object,
          .operation = operation};
}

wire::Slice slice(std::uint32_t thread, std::uint64_t operations, std::uint64_t hooks) {
  return {.thread = {.ordinal = thread}, .until = {.operations = operations, .hooks = hooks}};
}

std::vector<std::string> described(const std::vector<wire::Hold>& holds) {
  std::vector<std::string> texts;
  for (const wire::Hold& hold : holds) texts.push_back(describe(hold.thread, hold.clock));
  return texts;
}

TEST(Table, IsHeldWhereOperationsAreReachedWhichMayBeLongBeforeTheyHappen) {
  // T1 stands before its second operation, a lock, while T2 has it.
  const wire::Event events[] = {
      event(1, 1, wire::Operation::kLock, 0x20), event(2, 1, wire::Operation::kLock),
      event(2, 2, wire::Operation::kUnlock), event(1, 2, wire::Operation::kLock)};
  const wire::Slice slices[] = {slice(2, 0, 1), slice(1, 1, 1), slice(2, 2, 0), slice(1, 2, 0)};

  const Table table(events, slices);

  EXPECT_EQ(described(table.holds()),
            (std::vector<std::string>{"T2:0+1", "T1:0+1", "T1:1+1", "T2:1+1"}));
}

TEST(Table, IsNotHeldWhereThereIsNoPoint) {
  const wire::Event events[] = {event(1, 1, wire::Operation::kStart),
                                event(1, 1, wire::Operation::kClockRead),
                                event(1, 2, wire::Operation::kLock)};
  const wire::Slice slices[] = {slice(1, 2, 0)};

  const Table table(events, slices);

  EXPECT_EQ(described(table.holds()), std::vector<std::string>{"T1:1+1"});
}

TEST(Table, PutsStacksIntoTheRowsOfTheirOperations) {
  const wire::Event events[] = {event(1, 5, wire::Operation::kLock),
                                event(2, 5, wire::Operation::kLock)};
  Table table(events, {});

  table.add({.ordinal = 2}, {.operations = 4, .hooks = 1}, {Frame{.function = "two"}});
  table.add({.ordinal = 3}, {.operations = 4, .hooks = 1}, {Frame{.function = "stranger"}});

  const std::vector<Step> steps = table.take_steps();
  EXPECT_TRUE(steps[0].stack.empty());
  ASSERT_EQ(steps[1].stack.size(), 1u);
  EXPECT_EQ(steps[1].stack[0].function, "two");
}

TEST(Table, ShowsTheEndOfALongRunUnderTheNamesOfTheWhole) {
  std::vector<wire::Event> events;
  for (std::uint64_t i = 1; i <= kLongestClip + 2; ++i) {
    events.push_back(event(0, i, wire::Operation::kLock, i));
  }
  const wire::Slice slices[] = {slice(0, kLongestClip + 2, 0)};

  Table table(events, slices);

  EXPECT_EQ(table.holds().size(), kLongestClip);
  const std::vector<Step> steps = table.take_steps();
  ASSERT_EQ(steps.size(), kLongestClip);
  EXPECT_EQ(steps[0].object, "mutex 3");
}

TEST(LastSlice, IsClosedWhereTheRunDidNot) {
  wire::ThreadRecord current;
  current.thread = {.ordinal = 1};
  current.clock = {.operations = 7, .hooks = 1};
  std::vector<wire::Slice> slices = {{.thread = {.ordinal = 0}, .until = {.operations = 3}}};

  close_last_slice(slices, current);
  close_last_slice(slices, current);

  ASSERT_EQ(slices.size(), 2u) << "once closed it stays so";
  EXPECT_EQ(slices[1].thread.ordinal, 1u);
  EXPECT_EQ(slices[1].until, current.clock);
  EXPECT_EQ(slices[1].end, wire::End::kEnded);
}

TEST(LastSlice, IsMissingWhereTheRunHadNoPoint) {
  std::vector<wire::Slice> slices;

  close_last_slice(slices, {});

  EXPECT_TRUE(slices.empty());
}

}  // namespace
}  // namespace unravel
