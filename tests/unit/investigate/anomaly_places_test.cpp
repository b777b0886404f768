#include "investigate/anomaly_places.hpp"

#include <gtest/gtest.h>

#include "data/print.hpp"
#include "fake_runner.hpp"

namespace unravel {
namespace {

RaceSide side(std::uint32_t thread, wire::Clock clock, wire::Operation operation) {
  RaceSide side;
  side.thread.ordinal = thread;
  side.clock = clock;
  side.operation = operation;
  side.site = {.function = "access"};
  side.stack = {side.site};
  return side;
}

wire::Slice slice(std::uint32_t thread, wire::Clock until, wire::Operation pending) {
  return {.thread = {.ordinal = thread}, .until = until, .pending = pending};
}

Probe probe(const wire::StopAt& stop, wire::Clock clock, const std::string& variable) {
  return {.thread = stop.thread,
          .clock = clock,
          .stack = {{.function = "access"}, {.function = "caller of " + print(stop.thread)}},
          .variable = variable,
          .type = {}};
}

/// A run in which T1 stands before its write while T2 reads.
Run racing_run() {
  Run run = passed_run();
  run.schedule.slices = {slice(1, {1, 2}, wire::Operation::kStore),
                         slice(2, {1, 3}, wire::Operation::kLoad),
                         slice(1, {1, 5}, wire::Operation::kExit)};
  return run;
}

class AnomalyPlacesTest : public testing::Test {
 protected:
  /// A pool in which the thread of each stop accesses `variables`, one after the other.
  FakePool pool(std::vector<std::string> variables) {
    return FakePool([this, variables = std::move(variables)](const RunRequest& request) {
      asked_.clear();
      unravel::Run run = passed_run();
      for (const wire::StopAt& stop : request.probes) {
        wire::Clock clock = stop.clock;
        if (clock.hooks == wire::kBeforeNext) clock.hooks = 1;
        asked_ += (asked_.empty() ? "" : " ") + print(stop.thread, clock);
        const std::size_t number = run.probes.size();
        run.probes.push_back(
            probe(stop, clock, number < variables.size() ? variables[number] : std::string()));
      }
      return run;
    });
  }

  std::string asked_;  // stops of the latest run
};

TEST_F(AnomalyPlacesTest, EachSideOfARaceHasItsWholeStack) {
  FoundAnomaly anomaly;
  anomaly.sides = {side(2, {1, 2}, wire::Operation::kLoad),
                   side(1, {1, 2}, wire::Operation::kStore)};
  FakePool one = pool({"x", "x"});

  const Result<void> placed =
      place_sides(one.pool, racing_run(), std::vector<std::size_t>{0, 0}, anomaly);

  ASSERT_TRUE(placed);
  EXPECT_EQ(asked_, "T1:1+2 T2:1+2") << "T1 is there before T2";
  ASSERT_EQ(anomaly.sides[0].stack.size(), 2u);
  EXPECT_EQ(anomaly.sides[0].stack[1].function, "caller of T2");
  ASSERT_EQ(anomaly.sides[1].stack.size(), 2u);
  EXPECT_EQ(anomaly.sides[1].stack[1].function, "caller of T1");
  EXPECT_EQ(anomaly.variables, std::vector<std::string>{"x"});
  EXPECT_EQ(anomaly.variable(), "x");
}

TEST_F(AnomalyPlacesTest, EachVariableIsNamedOnceAndEachSideByItsOwnCode) {
  FoundAnomaly anomaly;
  anomaly.kind = AnomalyKind::kSet;
  for (const std::uint64_t hooks : {1u, 2u, 3u, 4u}) {
    anomaly.sides.push_back(side(1, {1, hooks}, wire::Operation::kStore));
  }
  FakePool one = pool({"", "pair.y", "pair.x", "self->y"});

  ASSERT_TRUE(place_sides(one.pool, racing_run(), std::vector<std::size_t>{0, 1, 0, 1}, anomaly));

  EXPECT_EQ(anomaly.variables, (std::vector<std::string>{"pair.x", "pair.y"}));
  EXPECT_EQ(anomaly.sides[0].variable, "pair.x") << "its own code has no name for it";
  EXPECT_EQ(anomaly.sides[1].variable, "pair.y");
  EXPECT_EQ(anomaly.sides[3].variable, "self->y");
}

TEST_F(AnomalyPlacesTest, AVariableWithoutANameHasAnEmptyOne) {
  FoundAnomaly anomaly;
  anomaly.kind = AnomalyKind::kSet;
  anomaly.sides = {side(1, {1, 1}, wire::Operation::kLoad),
                   side(1, {1, 2}, wire::Operation::kLoad)};
  FakePool one = pool({"", "y"});

  ASSERT_TRUE(place_sides(one.pool, racing_run(), std::vector<std::size_t>{0, 1}, anomaly));

  EXPECT_EQ(anomaly.variables, (std::vector<std::string>{"", "y"}));
  EXPECT_EQ(anomaly.variable(), "y");
}

TEST_F(AnomalyPlacesTest, ThreadsOfADeadlockStandBeforeTheirLocks) {
  unravel::Run run = failed_run();
  run.failure->kind = FailureKind::kDeadlock;
  run.failure->threads = {
      {.thread = 1, .state = "blocked in lock", .stack = {{.function = "a"}, {.function = "b"}}},
      {.thread = 2, .state = "blocked in lock", .stack = {}}};
  run.schedule.slices = {slice(1, {1, 4}, wire::Operation::kLock),
                         slice(2, {1, 1}, wire::Operation::kLock)};
  FoundAnomaly anomaly;
  anomaly.kind = AnomalyKind::kDeadlock;
  anomaly.sides = {side(2, {2, 0}, wire::Operation::kLock),
                   side(1, {2, 0}, wire::Operation::kLock)};
  FakePool one = pool({"first.__data.__lock", "second._M_mutex"});

  ASSERT_TRUE(place_sides(one.pool, run, std::vector<std::size_t>{0, 1}, anomaly));

  EXPECT_EQ(asked_, "T1:1+1 T2:1+1");
  EXPECT_EQ(print(anomaly.sides[1].clock), "1+1") << "it is not behind the lock";
  EXPECT_EQ(anomaly.sides[1].stack, run.failure->threads[0].stack);
  EXPECT_EQ(anomaly.sides[0].stack[1].function, "caller of T2");
  EXPECT_EQ(anomaly.variables, (std::vector<std::string>{"second", "first"}));
}

TEST_F(AnomalyPlacesTest, WhatIsNotReachedKeepsItsOneFrame) {
  FoundAnomaly anomaly;
  anomaly.sides = {side(1, {1, 2}, wire::Operation::kLoad)};
  FakePool none([](const RunRequest&) { return passed_run(); });

  ASSERT_TRUE(place_sides(none.pool, racing_run(), std::vector<std::size_t>{0}, anomaly));

  EXPECT_EQ(anomaly.sides[0].stack, Stack{anomaly.sides[0].site});
  EXPECT_EQ(anomaly.variables, std::vector<std::string>{""});
  EXPECT_EQ(anomaly.variable(), "");
}

TEST_F(AnomalyPlacesTest, AnErrorOfTheRunIsPassedOn) {
  FoundAnomaly anomaly;
  anomaly.sides = {side(1, {1, 2}, wire::Operation::kLoad)};
  FakePool broken(
      [](const RunRequest&) -> Result<unravel::Run> { return user_error("no such program"); });

  const Result<void> placed =
      place_sides(broken.pool, racing_run(), std::vector<std::size_t>{0}, anomaly);

  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().what, "no such program");
}

}  // namespace
}  // namespace unravel
