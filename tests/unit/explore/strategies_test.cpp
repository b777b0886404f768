/// Each strategy on simulated programs: how many runs it takes, and that it repeats.
///
/// Bounds on means are half as much again as what these seeds give, where a comment says nothing
/// else; all seeds are fixed.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "data/pct_bound.hpp"
#include "explore/rule_strategies.hpp"
#include "unit/explore/sim_bugs.hpp"
#include "unit/explore/sim_hunt.hpp"

namespace unravel {
namespace {

constexpr std::uint64_t kSeeds = 60;
constexpr std::uint64_t kMost = 300;

struct Bound {
  std::string_view strategy;
  double lost_update;
  double reorder;
  double two_stage;
  double chain;
};

class EveryStrategy : public testing::TestWithParam<Bound> {};

TEST_P(EveryStrategy, FindsTheBugsInFewRuns) {
  const Bound bound = GetParam();
  EXPECT_LE(mean_runs(lost_update(), bound.strategy, kSeeds, kMost), bound.lost_update);
  EXPECT_LE(mean_runs(reorder(2), bound.strategy, kSeeds, kMost), bound.reorder);
  EXPECT_LE(mean_runs(two_stage(2), bound.strategy, kSeeds, kMost), bound.two_stage);
  EXPECT_LE(mean_runs(chain(), bound.strategy, kSeeds, kMost), bound.chain);
}

TEST_P(EveryStrategy, ProposesTheSameForTheSameSeedAndObservations) {
  const sim::SimProgram program = two_stage(3);
  const auto proposals = [&](std::uint64_t seed) {
    const auto strategy = make_strategy(GetParam().strategy);
    SimHunt hunt(program, *strategy, seed);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(hunt.next());
    return hunt.proposals();
  };

  EXPECT_EQ(proposals(1), proposals(1));
  EXPECT_NE(proposals(1), proposals(2));
}

TEST_P(EveryStrategy, NamesItselfInWhatItProposes) {
  const auto strategy = make_strategy(GetParam().strategy);
  EXPECT_EQ(strategy->name(), GetParam().strategy);
  if (GetParam().strategy == "portfolio") return;  // whoever had the idea
  Knowledge known;
  known.pairs = {{sim::site_of(0, 1), sim::site_of(1, 1)}};
  EXPECT_EQ(strategy->propose(known, 1)->strategy, GetParam().strategy);
}

INSTANTIATE_TEST_SUITE_P(
    Strategies, EveryStrategy,
    testing::Values(Bound{"random", 10.5, 36, 38, 53}, Bound{"pct", 9.5, 50, 29, 68},
                    Bound{"pos", 6.5, 17, 22, 17}, Bound{"pairs", 4.2, 4.8, 9, 27},
                    Bound{"reads-from", 6, 7, 15, 19}, Bound{"starvation", 9, 27, 23, 34},
                    Bound{"portfolio", 4.5, 5, 9, 34}),
    [](const auto& one) {
      std::string name(one.param.strategy);
      std::erase(name, '-');
      return name;
    });

TEST(Strategies, AreMadeByTheNamesThatAreTold) {
  for (const std::string_view name : strategy_names()) {
    ASSERT_TRUE(make_strategy(name)) << name;
    EXPECT_EQ(make_strategy(name)->name(), name);
  }
  // `predicted` proposes nothing without traces: predicted_test.cpp.
  EXPECT_EQ(strategy_names().size(), 8u) << "each other has its bounds above";
  EXPECT_FALSE(make_strategy("neighbours")) << "they are those of a schedule";
  EXPECT_FALSE(make_strategy(""));
}

// What the others find the less often the more threads there are.
TEST(Strategies, ThatKnowPairsDoNotMindManyThreads) {
  EXPECT_LE(mean_runs(reorder(9), "pairs", kSeeds, kMost), 4);
  EXPECT_LE(mean_runs(reorder(9), "portfolio", kSeeds, kMost), 4);
  EXPECT_LE(mean_runs(reorder(9), "reads-from", kSeeds, kMost), 8);
  EXPECT_LE(mean_runs(two_stage(9), "pairs", kSeeds, kMost), 7);
  EXPECT_LE(mean_runs(two_stage(9), "portfolio", kSeeds, kMost), 8);
}

// --- PCT ---

/// How often runs of each depth find the bug, of how many.
struct ByDepth {
  std::array<int, Pct::kMostDepth + 1> runs{};
  std::array<int, Pct::kMostDepth + 1> found{};
  Knowledge known;

  [[nodiscard]] double share(std::size_t depth) const {
    return static_cast<double>(found[depth]) / runs[depth];
  }
};

ByDepth by_depth(const sim::SimProgram& program) {
  ByDepth seen;
  Pct pct;
  SimHunt hunt(program, pct, /*seed=*/5);
  for (int i = 0; i < 3'000; ++i) {
    const bool failed = hunt.next()->failed();
    const unsigned depth = Pct::depth_of(hunt.proposals().back());
    ++seen.runs[depth];
    seen.found[depth] += failed;
  }
  seen.known = hunt.known();
  return seen;
}

TEST(Pct, FindsABugOfItsDepthAtLeastAsOftenAsItsBoundSays) {
  const ByDepth two = by_depth(lost_update(/*between=*/4));
  EXPECT_EQ(two.found[1], 0) << "without a preemption nothing is lost";
  EXPECT_GE(two.share(2), Pct::chance(2, two.known));

  const ByDepth three = by_depth(chain());
  EXPECT_EQ(three.found[1] + three.found[2], 0) << "one preemption is not enough";
  EXPECT_GE(three.share(3), Pct::chance(3, three.known));
}

/// Of a thousand hunts: how many missed the bug, and how many may have by the bound.
struct Misses {
  double seen = 0;
  double at_most = 0;
};

Misses misses_of(const sim::SimProgram& program, unsigned depth, std::uint64_t runs) {
  Misses misses;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    Pct pct;
    SimHunt hunt(program, pct, seed);
    PctBound bound;
    bool found = false;
    for (std::uint64_t i = 0; i < runs && !found; ++i) {
      const sim::SimRun run = *hunt.next();
      found = run.failed();
      const Proposal& proposal = hunt.proposals().back();
      bound.add(Pct::depth_of(proposal), proposal.schedule.then.length, run.counts.steps);
    }
    misses.seen += !found;
    // Of a hunt that ended early the bound for all its runs is not known; it is at least 0.
    if (!found) misses.at_most += bound.missed_at_most(depth, hunt.known().threads);
  }
  return misses;
}

// If m of N hunts missed, and the bound of each is b, then m <= N b. Where the hunts that found it
// had no bound of their own, that of the others stands for them.
TEST(Pct, MissesBugsNoMoreOftenThanItsBoundSays) {
  const auto check = [](const sim::SimProgram& program, unsigned depth, std::uint64_t runs) {
    const Misses misses = misses_of(program, depth, runs);
    ASSERT_GT(misses.seen, 0) << "else this shows nothing";
    const double bound = misses.at_most / misses.seen;
    EXPECT_LT(bound, 1);
    EXPECT_LE(misses.seen / 1'000, bound + 0.05) << "three deviations of a thousand hunts";
  };
  check(late_reader(), 1, 4);
  check(late_reader(), 1, 10);
  check(lost_update(/*between=*/4), 2, 6);
  check(lost_update(/*between=*/4), 2, 20);
}

TEST(Pct, DrawsEveryDepthEquallyOften) {
  const ByDepth seen = by_depth(chain());
  EXPECT_EQ(seen.runs[0], 0);
  // Binomial with mean 600 and deviation 22: off by five once in 350,000 for one of five.
  for (unsigned depth = 1; depth <= Pct::kMostDepth; ++depth) {
    EXPECT_NEAR(seen.runs[depth], 600, 110) << depth;
  }
}

TEST(Pct, BoundsFallWithThreadsAndWithThePowerOfTheLength) {
  Knowledge known;
  known.threads = 4;
  known.longest = 100;
  EXPECT_DOUBLE_EQ(Pct::chance(1, known), 1.0 / 4);
  EXPECT_DOUBLE_EQ(Pct::chance(3, known), 1.0 / 40'000);
}

TEST(Pct, TellsItsOwnProposalsFromThoseOfOthers) {
  Knowledge known;
  EXPECT_EQ(Pct::depth_of(*Pos().propose(known, 1)), 0u);
  EXPECT_EQ(Pct::depth_of(*Starvation().propose(known, 1)), 0u);
  EXPECT_EQ(Pct::depth_of(*RandomWalk().propose(known, 1)), 0u);
}

// --- Others ---

TEST(Starvation, FindsWhatNeedsAThreadToWaitForLong) {
  EXPECT_LE(mean_runs(late_reader(), "starvation", kSeeds, kMost), 12);
  // The reader's priority is drawn anew at every write: one chance in a thousand million.
  EXPECT_EQ(mean_runs(late_reader(), "pos", 5, 100), 100);
}

TEST(RandomWalk, HasRatesThatFitTheLengthOfARun) {
  Knowledge known;
  known.length = 1'000'000;
  std::set<std::uint32_t> rates;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    rates.insert(RandomWalk().propose(known, seed)->schedule.then.switch_probability);
  }
  EXPECT_EQ(rates, (std::set<std::uint32_t>{1, wire::kCertain / 32, wire::kCertain / 6,
                                            wire::kCertain / 2, wire::kCertain}));
}

}  // namespace
}  // namespace unravel
