/// How far a thread may run through hooks before anybody has to look.
#include <gtest/gtest.h>

#include <vector>

#include "runtime/core/countdown.hpp"
#include "runtime/core/decide.hpp"

namespace unravel {
namespace {

using wire::PointSet;
using wire::RuleKind;

constexpr std::uint64_t kFar = Countdown::kFar;

/// A thread with that clock.
struct At : Thread {
  At(std::uint64_t operations, std::uint64_t hooks, std::uint32_t who = 1) {
    ordinal = who;
    clock = {.operations = operations, .hooks = hooks};
  }
};

/// A schedule with one slice of thread 1, followed by the rule stay.
class OneSlice {
 public:
  OneSlice(wire::Clock until, wire::Following following) {
    bytes_.resize(sizeof(wire::ScheduleHeader) + sizeof(wire::Slice));
    header() = {.bytes = bytes_.size(), .slices = 1, .following = following};
    *reinterpret_cast<wire::Slice*>(&header() + 1) = {.thread = {.ordinal = 1}, .until = until};
  }
  Plan plan() { return Plan(&header()); }

 private:
  wire::ScheduleHeader& header() { return *reinterpret_cast<wire::ScheduleHeader*>(bytes_.data()); }

  alignas(8) std::vector<std::byte> bytes_;
};

Plan with_points(PointSet points, wire::Rule rule) {
  Plan plan(rule);
  plan.use(points, /*ticks=*/false);
  return plan;
}
Plan memory(const wire::Rule& rule) { return with_points(PointSet::kMemory, rule); }

TEST(Countdown, TellsHowManyHooksWereMadeSinceItWasLastAsked) {
  Countdown countdown;
  countdown.set(5);
  for (int i = 0; i < 3; ++i) --countdown.left;
  EXPECT_EQ(countdown.take(), 3u);
  EXPECT_EQ(countdown.take(), 0u);
  EXPECT_EQ(countdown.left, 2);
  for (int i = 0; i < 3; ++i) --countdown.left;
  EXPECT_LT(countdown.left, 0) << "five may pass, the sixth is looked at";
  EXPECT_EQ(countdown.take(), 3u);
}

TEST(Countdown, CountsOnWhereEveryHookIsLookedAt) {
  Countdown countdown;
  countdown.set(2);
  --countdown.left;
  countdown.inspect_every(true);
  EXPECT_LT(countdown.left, 0);
  EXPECT_FALSE(countdown.is_due());
  EXPECT_EQ(countdown.take(), 1u);

  --countdown.left;
  EXPECT_FALSE(countdown.is_due());
  --countdown.left;
  EXPECT_TRUE(countdown.is_due()) << "two may pass, the third is due";
  EXPECT_EQ(countdown.take(), 2u);

  countdown.inspect_every(false);
  EXPECT_EQ(countdown.left, -1) << "as if nobody had looked";
  countdown.set(Countdown::kFar);
  countdown.inspect_every(true);
  EXPECT_LT(countdown.left, 0) << "however many are left";
}

TEST(Hooks, AreLookedAtWhereASliceEndsAmongThem) {
  for (const auto following : {wire::Following::kStrict, wire::Following::kLenient}) {
    OneSlice schedule({.operations = 3, .hooks = 10}, following);
    Plan plan = schedule.plan();
    EXPECT_EQ(plan.distance(At(3, 4), 0, true).hooks, 5u) << "the sixth has the clock 3+10";
    EXPECT_EQ(plan.distance(At(3, 9), 0, true).hooks, 0u);
    EXPECT_EQ(plan.distance(At(2, 4), 0, true).hooks, kFar) << "an operation comes first";
    EXPECT_FALSE(plan.is_due());
    EXPECT_EQ(plan.distance(At(3, 4, /*who=*/2), 0, true).hooks, kFar);
  }
}

TEST(Hooks, OfALoopThatNeverEndsAreLookedAtInALenientReplay) {
  OneSlice schedule({.operations = 7, .hooks = 1}, wire::Following::kLenient);
  Plan plan = schedule.plan();
  plan.use(PointSet::kMemory, /*ticks=*/false);
  const std::uint64_t most = plan.distance(At(3, 0), 0, true).hooks;
  EXPECT_LT(most, 1'000'000u);
  OneSlice strict({.operations = 7, .hooks = 1}, wire::Following::kStrict);
  Plan exact = strict.plan();
  exact.use(PointSet::kMemory, /*ticks=*/false);
  EXPECT_EQ(exact.distance(At(3, 0), 0, true).hooks, kFar) << "recorded ends, no heuristics";
}

TEST(Hooks, AreNoPointsUnlessTheSetSaysSo) {
  Plan plan(wire::Rule{.kind = RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = 1});
  EXPECT_EQ(plan.distance(At(1, 0), 0, true).hooks, kFar);
  plan.use(PointSet::kMemory, /*ticks=*/false);
  EXPECT_EQ(plan.distance(At(1, 0), 0, true).hooks, 0u);
  EXPECT_TRUE(plan.is_due());
  EXPECT_EQ(plan.distance(At(1, 0), 0, false).hooks, kFar) << "there is nobody to switch to";
  EXPECT_FALSE(plan.is_due());
}

TEST(Hooks, AreSwitchedAtWithTheProbabilityOfTheRule) {
  constexpr int kDraws = 20'000;
  Plan plan =
      memory({.kind = RuleKind::kRandom, .switch_probability = wire::kCertain / 32, .seed = 7});
  std::uint64_t passed = 0;
  for (int i = 0; i < kDraws; ++i) {
    passed += plan.distance(At(1, 0), 0, true).hooks;
    EXPECT_TRUE(plan.is_due());
  }
  // Geometric with mean 31 and deviation 31.5: that of the mean is 0.22.
  EXPECT_NEAR(static_cast<double>(passed) / kDraws, 31.0, 1.2);
}

TEST(Hooks, AreLookedAtWhereAPriorityChanges) {
  wire::Rule rule{.kind = RuleKind::kPriority, .change_point_count = 1};
  rule.change_points[0] = 50;
  Plan plan = memory(rule);
  EXPECT_EQ(plan.distance(At(1, 0), 10, true).hooks, 39u) << "the fortieth is step 50";
}

/// A thread that has made so many hooks at which rules may switch.
struct AfterPoints : Thread {
  explicit AfterPoints(std::uint64_t points) { hook_points = points; }
};

TEST(Hooks, InARowForTooLongAreASpin) {
  Plan plan = memory({.kind = RuleKind::kStay});
  const std::uint64_t most = plan.distance(At(1, 0), 0, true).hooks;
  EXPECT_LT(most, 1'000'000u);
  EXPECT_TRUE(plan.is_spinning(AfterPoints(most + 1)));
  EXPECT_FALSE(plan.is_spinning(AfterPoints(most)));
  EXPECT_FALSE(plan.is_spinning(AfterPoints(0)));
  EXPECT_FALSE(plan.is_due());
}

TEST(Hooks, ThatAreCallsHaveACountdownOfTheirOwn) {
  Plan plan =
      with_points(PointSet::kCalls,
                  {.kind = RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = 1});
  const Distance far = plan.distance(At(1, 0), 0, true);
  EXPECT_EQ(far.calls, 0u);
  EXPECT_EQ(far.hooks, kFar);
  EXPECT_TRUE(plan.is_due());
}

TEST(Hooks, ArePointsByTheirKind) {
  using wire::Operation;
  const wire::Rule rule{.kind = RuleKind::kStay};
  const Plan sync = with_points(PointSet::kSync, rule);
  const Plan calls = with_points(PointSet::kCalls, rule);
  const Plan accesses = with_points(PointSet::kMemory, rule);
  for (const Operation hook : {Operation::kEnter, Operation::kBackEdge}) {
    EXPECT_FALSE(sync.is_point(hook, false));
    EXPECT_TRUE(calls.is_point(hook, false));
    EXPECT_TRUE(accesses.is_point(hook, false));
  }
  for (const Operation hook : {Operation::kLoad, Operation::kStore, Operation::kAtomicUpdate}) {
    EXPECT_FALSE(sync.is_point(hook, false));
    EXPECT_FALSE(calls.is_point(hook, false));
    EXPECT_TRUE(accesses.is_point(hook, false));
  }
  const Plan marked = with_points(PointSet::kAuto, rule);
  EXPECT_FALSE(marked.is_point(Operation::kLoad, false));
  EXPECT_TRUE(marked.is_point(Operation::kLoad, true));
}

// A loop without a marked site would never end while others wait.
TEST(Hooks, OfALoopWithoutMarkedSitesAreAPointNowAndThen) {
  Plan plan = with_points(PointSet::kAuto, {.kind = RuleKind::kStay});
  const std::uint64_t far = plan.distance(At(3, 0), 0, true).hooks;
  ASSERT_LT(far, 1'000'000u);
  EXPECT_TRUE(plan.needs_point(At(3, far + 1)));
  EXPECT_TRUE(plan.is_spinning(At(3, far + 1)));
  EXPECT_FALSE(plan.needs_point(At(3, far)));
  EXPECT_FALSE(
      with_points(PointSet::kMemory, {.kind = RuleKind::kStay}).needs_point(At(3, far + 1)));

  // A strict replay stops there too, since these points count.
  OneSlice schedule({.operations = 9, .hooks = 0}, wire::Following::kStrict);
  Plan exact = schedule.plan();
  exact.use(PointSet::kAuto, /*ticks=*/false);
  EXPECT_EQ(exact.distance(At(3, 0), 0, true).hooks, far);
  EXPECT_TRUE(exact.needs_point(At(3, far + 1)));
  EXPECT_FALSE(exact.is_spinning(At(3, far + 1)));
}

}  // namespace
}  // namespace unravel
