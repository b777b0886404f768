/// Neighbours of a schedule: close at first, never twice, each switch with its own receiver.
#include "explore/neighbours.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "unit/explore/sim_bugs.hpp"
#include "unit/explore/sim_hunt.hpp"

namespace unravel {
namespace {

using Switches = std::vector<wire::ClockSwitch>;

wire::ClockSwitch to(std::uint64_t count, std::uint32_t receiver) {
  return {.count = count, .receiver = {.ordinal = receiver}, .has_receiver = 1};
}

Knowledge of_length(std::uint64_t length) {
  Knowledge known;
  known.length = length;
  return known;
}

std::vector<std::uint64_t> counts_of(const Proposal& proposal) {
  std::vector<std::uint64_t> counts;
  for (const wire::ClockSwitch& one : proposal.schedule.clock_switches) counts.push_back(one.count);
  return counts;
}

const Switches kThree = {to(100, 1), to(200, 2), to(300, 0)};

TEST(Neighbours, AreInClockFormWithTheSameReceiversAndChoices) {
  const std::vector<wire::Choice> choices = {{.thread = {.ordinal = 2}, .value = 7}};
  Neighbours neighbours(kThree, choices);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Proposal proposal = *neighbours.propose(of_length(400), seed);
    EXPECT_EQ(proposal.following, wire::Following::kClockForm);
    EXPECT_EQ(proposal.strategy, "neighbours");
    EXPECT_EQ(proposal.schedule.choices, choices);
    Switches switches = proposal.schedule.clock_switches;
    ASSERT_EQ(switches.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) switches[i].count = kThree[i].count;
    EXPECT_EQ(switches, kThree) << "nothing but the counts differs";
  }
}

TEST(Neighbours, ComeInNoOrderButTheirOwn) {
  // So close that they cross in almost every proposal.
  Neighbours neighbours({to(50, 1), to(51, 2), to(52, 3), to(53, 4)}, {});
  int met = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::vector<std::uint64_t> counts = counts_of(*neighbours.propose(of_length(100), seed));
    EXPECT_TRUE(std::is_sorted(counts.begin(), counts.end()));
    EXPECT_GE(counts.front(), 1u) << "no point comes before the first";
    met += std::adjacent_find(counts.begin(), counts.end()) != counts.end();
  }
  EXPECT_GT(met, 200) << "who would cross stays where the one before it is";
}

TEST(Neighbours, AreNeverProposedTwiceNorIsTheScheduleItself) {
  Neighbours neighbours(kThree, {});
  std::set<std::vector<std::uint64_t>> seen = {{100, 200, 300}};
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    const Proposal proposal = *neighbours.propose(of_length(400), seed % 3);
    EXPECT_TRUE(seen.insert(counts_of(proposal)).second) << seed;
  }
}

TEST(Neighbours, EndWhereAllPlacesWereProposed) {
  Neighbours neighbours({to(2, 1)}, {});
  std::set<std::uint64_t> places;
  std::uint64_t seed = 0;
  while (const auto proposal = neighbours.propose(of_length(4), ++seed)) {
    places.insert(counts_of(*proposal).front());
    ASSERT_LT(seed, 1'000u) << "there is always one more";
  }
  for (const std::uint64_t place : {1u, 3u, 4u, 5u, 6u}) EXPECT_TRUE(places.contains(place));
  EXPECT_FALSE(places.contains(2));
}

TEST(Neighbours, OfAScheduleWithoutSwitchesAreNone) {
  EXPECT_FALSE(Neighbours({}, {}).propose(of_length(100), 1));
}

TEST(Neighbours, AreCloseAtFirstAndWiderThenUpToTheLengthOfARun) {
  Neighbours neighbours({to(1'000'000, 1)}, {});
  const Knowledge known = of_length(2'000'000);
  double before = neighbours.width(known);
  EXPECT_EQ(before, 1);
  std::vector<double> distances;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const double at = static_cast<double>(counts_of(*neighbours.propose(known, seed)).front());
    distances.push_back(std::abs(at - 1'000'000));
    EXPECT_GE(neighbours.width(known), before);
    before = neighbours.width(known);
  }
  EXPECT_EQ(before, 2'000'000);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_LE(distances[i], 12) << i;
  const auto mean = [&](std::size_t first) {
    double sum = 0;
    for (std::size_t i = first; i < first + 100; ++i) sum += distances[i];
    return sum / 100;
  };
  EXPECT_LT(mean(0), 100);
  EXPECT_GT(mean(500), 500'000);
}

TEST(Neighbours, BeginAsWideAsTheyAreAskedTo) {
  const Knowledge known = of_length(2'000'000);
  Neighbours neighbours({to(1'000'000, 1)}, {}, /*first_width=*/50'000);
  EXPECT_EQ(neighbours.width(known), 50'000);
  // Each of 16 is closer than a tenth of the width with a chance of 8 %.
  int far = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const double at = static_cast<double>(counts_of(*neighbours.propose(known, seed)).front());
    far += std::abs(at - 1'000'000) > 5'000;
  }
  EXPECT_GE(far, 10);
  EXPECT_EQ(neighbours.width(known), 100'000) << "twice as wide after 16";
  EXPECT_EQ(neighbours.width(of_length(70'000)), 70'000) << "never wider than a run is long";
  EXPECT_EQ(Neighbours({to(1, 1)}, {}, 0).width(known), Neighbours::kNarrowest);
}

TEST(Neighbours, AreMovedByAGaussian) {
  // The width of the first proposal is one point: far away from a limit and with many switches,
  // as many draws.
  Switches many;
  for (std::uint64_t i = 1; i <= 10'000; ++i) many.push_back(to(1'000 * i, 0));
  Neighbours neighbours(many, {});
  const std::vector<std::uint64_t> counts = counts_of(*neighbours.propose(of_length(100), 3));
  double sum = 0;
  double squares = 0;
  int within = 0;
  for (std::size_t i = 0; i < many.size(); ++i) {
    const double moved = static_cast<double>(counts[i]) - static_cast<double>(many[i].count);
    sum += moved;
    squares += moved * moved;
    within += moved == 0;
  }
  // Rounded to whole points: the variance is 1 + 1/12, and 38.3 % stay where they were. Five
  // deviations of the mean are 0.052, of the variance 0.077, of those that stay 243.
  EXPECT_NEAR(sum / 10'000, 0, 0.052);
  EXPECT_NEAR(squares / 10'000, 1 + 1.0 / 12, 0.077);
  EXPECT_NEAR(within, 3'829, 243);
}

TEST(Neighbours, AreTheSameForTheSameSeeds) {
  const auto proposals = [](std::uint64_t master) {
    Neighbours neighbours(kThree, {});
    std::vector<Proposal> all;
    for (std::uint64_t i = 0; i < 100; ++i) {
      all.push_back(*neighbours.propose(of_length(400), wire::seed_of(master, i)));
    }
    return all;
  };
  EXPECT_EQ(proposals(1), proposals(1));
  EXPECT_NE(proposals(1), proposals(2));
}

// --- On a program ---

/// Runs of random walk until one ends as wanted, with switches to move.
sim::SimRun run_that(const sim::SimProgram& program, bool fails, std::uint64_t seed) {
  for (;; ++seed) {
    sim::SimRun run = sim::run(program, wire::Rule{.kind = wire::RuleKind::kRandom,
                                                   .switch_probability = wire::kCertain / 4,
                                                   .seed = seed});
    if (run.failed() == fails && run.clock_form.size() >= 2) return run;
  }
}

/// After how many neighbours a run ends otherwise, in the mean over some runs.
double mean_to_other(bool from_failing) {
  const sim::SimProgram program = lost_update(/*between=*/20);
  constexpr std::uint64_t kRunsToLeave = 30;
  double proposals = 0;
  for (std::uint64_t i = 0; i < kRunsToLeave; ++i) {
    const sim::SimRun run = run_that(program, from_failing, 1'000 * i);
    Neighbours neighbours(run.clock_form, run.schedule.choices);
    SimHunt hunt(program, neighbours, i);
    std::optional<sim::SimRun> other;
    do other = hunt.next();
    while (other && other->failed() == from_failing && hunt.proposals().size() < 2'000);
    EXPECT_TRUE(other && other->failed() != from_failing)
        << "no neighbour of " << run.clock_switches() << " ends otherwise";
    proposals += static_cast<double>(hunt.proposals().size());
  }
  return proposals / kRunsToLeave;
}

TEST(Neighbours, OfAFailingRunPassAfterAFew) { EXPECT_LE(mean_to_other(true), 80); }

TEST(Neighbours, OfAPassingRunFailAfterAFew) { EXPECT_LE(mean_to_other(false), 80); }

}  // namespace
}  // namespace unravel
