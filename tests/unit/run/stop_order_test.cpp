#include "run/stop_order.hpp"

#include <gtest/gtest.h>

#include "data/print.hpp"

namespace unravel {
namespace {

wire::StopAt at(std::uint32_t thread, std::uint64_t operations, std::uint64_t hooks) {
  return {.thread = {.ordinal = thread}, .clock = {.operations = operations, .hooks = hooks}};
}

wire::Slice slice(std::uint32_t thread, std::uint64_t operations, std::uint64_t hooks,
                  wire::Operation pending) {
  return {.thread = {.ordinal = thread},
          .until = {.operations = operations, .hooks = hooks},
          .pending = pending};
}

/// Threads and clocks, one after the other.
std::string order_of(const std::vector<wire::StopAt>& stops,
                     const std::vector<wire::Slice>& slices) {
  std::string text;
  for (const wire::StopAt& stop : as_reached(stops, slices)) {
    const bool is_before_next = stop.clock.hooks == wire::kBeforeNext;
    text += (text.empty() ? "" : " ") + print(stop.thread) + ":" +
            (is_before_next ? std::to_string(stop.clock.operations) + "+next" : print(stop.clock));
  }
  return text;
}

TEST(StopOrder, AThreadThatStandsBeforeItsAccessReachedItFirst) {
  // T1 stands before its write; T2 makes its own; then T1 goes on.
  const std::vector<wire::Slice> slices = {slice(1, 1, 2, wire::Operation::kStore),
                                           slice(2, 1, 3, wire::Operation::kLoad),
                                           slice(1, 1, 5, wire::Operation::kExit)};

  EXPECT_EQ(order_of({at(2, 1, 2), at(1, 1, 2), at(1, 1, 3)}, slices), "T1:1+2 T2:1+2 T1:1+3");
}

TEST(StopOrder, AThreadThatIsBlockedStandsBeforeItsOperation) {
  const std::vector<wire::Slice> slices = {slice(1, 2, 1, wire::Operation::kLock),
                                           slice(2, 4, 0, wire::Operation::kNone),
                                           slice(1, 3, 0, wire::Operation::kNone)};

  EXPECT_EQ(order_of({at(2, 3, wire::kBeforeNext), at(1, 2, wire::kBeforeNext)}, slices),
            "T1:2+next T2:3+next");
}

TEST(StopOrder, AThreadThatStandsAtAHookDoesNotStandBeforeItsOperation) {
  const std::vector<wire::Slice> slices = {slice(1, 2, 1, wire::Operation::kLoad),
                                           slice(2, 4, 0, wire::Operation::kNone),
                                           slice(1, 3, 0, wire::Operation::kNone)};

  EXPECT_EQ(order_of({at(1, 2, wire::kBeforeNext), at(2, 3, wire::kBeforeNext)}, slices),
            "T2:3+next T1:2+next");
}

TEST(StopOrder, WhatNoSliceReachesComesLast) {
  const std::vector<wire::Slice> slices = {slice(1, 1, 2, wire::Operation::kStore),
                                           slice(2, 1, 3, wire::Operation::kLoad)};

  EXPECT_EQ(order_of({at(3, 1, 1), at(1, 9, 0), at(2, 1, 1), at(1, 1, 1)}, slices),
            "T1:1+1 T2:1+1 T1:9 T3:1+1");
}

TEST(StopOrder, NothingIsSortedToNothing) { EXPECT_EQ(order_of({}, {}), ""); }

}  // namespace
}  // namespace unravel
