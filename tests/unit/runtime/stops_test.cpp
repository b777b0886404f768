/// Threads that stop at some clock, so that the driver can probe them.
#include <gtest/gtest.h>

#include "sim/sim_program.hpp"

namespace unravel {
namespace {

using sim::SimRun;

const sim::SimProgram kSteps{
    .threads = {{"T0", sim::repeat("step", 3)}, {"T1", sim::repeat("step", 2)}}};

wire::Rule random_rule(std::uint64_t seed) {
  return {.kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
}

TEST(Stops, StandStillAtEachClockInTurn) {
  const sim::SimLimits limits{.stops = {{{.ordinal = 0}, {1, 1}}, {{.ordinal = 1}, {2, 1}}}};

  const SimRun seen = run(kSteps, wire::Rule{}, limits);

  ASSERT_EQ(seen.stopped.size(), 2u);
  EXPECT_EQ(seen.stopped[0].clock, (wire::Clock{1, 1}));
  EXPECT_EQ(seen.stopped[1].thread.ordinal, 1u);
  EXPECT_EQ(seen.stopped[1].clock, (wire::Clock{2, 1}));
}

TEST(Stops, StandStillBeforeAnOperationAfterHoweverManyHooks) {
  const sim::SimProgram program{.threads = {{"main", {"lock m", "clock", "clock", "unlock m"}}}};
  const sim::SimLimits limits{.stops = {{{.ordinal = 0}, {1, wire::kBeforeNext}}}};

  const SimRun seen = run(program, wire::Rule{}, limits);

  ASSERT_EQ(seen.stopped.size(), 1u);
  EXPECT_EQ(seen.stopped[0].clock, (wire::Clock{1, 3}));
}

TEST(Stops, DoNotTakeAWaitForTheOperationAfterIt) {
  // Who comes to the barrier first waits in it, and has done it by then.
  const sim::Steps steps{"barrier b 2", "lock m", "unlock m"};
  const sim::SimProgram program{.threads = {{"A", steps}, {"B", steps}}};
  const sim::SimLimits limits{.stops = {{{.ordinal = 0}, {1, wire::kBeforeNext}}}};

  const SimRun seen = run(program, wire::Rule{}, limits);

  ASSERT_EQ(seen.stopped.size(), 1u);
  EXPECT_EQ(seen.stopped[0].clock, (wire::Clock{1, 1}));
}

TEST(Stops, ThatCanNoLongerComeDoNotKeepLaterOnesFromBeingMet) {
  // Nobody can stand still where the clock is read.
  const sim::SimProgram program{
      .threads = {{"main", {"lock m", "clock", "clock", "unlock m", "step", "step"}}}};
  const sim::SimLimits limits{.stops = {{{.ordinal = 0}, {1, 1}},
                                        {{.ordinal = 0}, {1, 2}},
                                        {{.ordinal = 0}, {3, wire::kBeforeNext}}}};

  const SimRun seen = run(program, wire::Rule{}, limits);

  ASSERT_EQ(seen.stopped.size(), 2u);
  EXPECT_EQ(seen.stopped[0].clock, (wire::Clock{1, 3})) << "once, for both";
  EXPECT_EQ(seen.stopped[1].clock, (wire::Clock{3, 1}));
}

TEST(Stops, DoNotChangeTheRun) {
  const SimRun plain = run(kSteps, random_rule(4));
  const sim::SimLimits limits{.stops = {{{.ordinal = 0}, {1, 1}}}};

  const SimRun seen = run(kSteps, plain.schedule, wire::Following::kStrict, limits);

  EXPECT_EQ(seen.stopped.size(), 1u);
  EXPECT_EQ(difference(plain, seen), "");
}

}  // namespace
}  // namespace unravel
