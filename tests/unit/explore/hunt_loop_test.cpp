/// Campaigns over workers that answer by a script: budgets, order, and what is told to whom.
#include "explore/hunt_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "unit/explore/fake_pool.hpp"

namespace unravel {
namespace {

using End = HuntLoop::End;

/// Each run of these ordinals fails.
Script failing_at(std::vector<std::uint64_t> ordinals) {
  Script script;
  script.plays = [ordinals](RunSummary& run, std::uint64_t ordinal) {
    const bool fails = std::find(ordinals.begin(), ordinals.end(), ordinal) != ordinals.end();
    if (fails) run.outcome = Outcome::kFailed;
  };
  return script;
}

std::vector<std::uint64_t> from_to(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> numbers(last - first + 1);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// All runs that were made, also those to learn from.
std::vector<std::uint64_t> runs_of(const FakeHuntLoop& fake) {
  std::vector<std::uint64_t> made = fake.done.ordinals;
  made.insert(made.end(), fake.learner.ordinals.begin(), fake.learner.ordinals.end());
  std::sort(made.begin(), made.end());
  return made;
}

// --- Budgets ---

TEST(HuntLoop, MakesAsManyRunsAsItsBudgetHas) {
  for (const std::uint64_t runs : {1u, 2u, 17u, 18u, 100u, 1'000u}) {
    FakeHuntLoop fake({}, {.runs = runs});
    EXPECT_EQ(*fake.loop.run(), End::kRuns);
    EXPECT_EQ(fake.loop.explored().runs, runs);
    EXPECT_EQ(runs_of(fake), from_to(0, runs - 1));
    EXPECT_EQ(fake.learner.ordinals.front(), 0u) << "the first is one to learn from";
  }
}

TEST(HuntLoop, EndsWhenNothingNewComes) {
  Script script;
  // The last behaviour that is new is that of run 30.
  script.plays = [](RunSummary& run, std::uint64_t ordinal) {
    run.behaviour = std::min<std::uint64_t>(ordinal, 30);
  };
  FakeHuntLoop fake(script, {.stale = 100});

  EXPECT_EQ(*fake.loop.run(), End::kStale);
  const Explored& explored = fake.loop.explored();
  EXPECT_EQ(explored.behaviours, 31u);
  EXPECT_GE(explored.since_new, 100u);
  EXPECT_EQ(explored.since_new, explored.runs - 31);
  EXPECT_LT(explored.runs, 31u + 100 + 128) << "at the end of a round";
}

TEST(HuntLoop, EndsWhenItsTimeIsOver) {
  FakeHuntLoop fake({}, {.time = std::chrono::duration<double>(0)});
  EXPECT_EQ(*fake.loop.run(), End::kTime);
  EXPECT_EQ(fake.loop.explored().runs, 1u) << "what it learns from";
  EXPECT_TRUE(fake.strategy.seeds.empty());
}

TEST(HuntLoop, EndsWhenTheStrategyHasNothingLeft) {
  FakeHuntLoop fake({}, {.runs = 1'000});
  fake.strategy.has = 40;
  EXPECT_EQ(*fake.loop.run(), End::kNothingLeft);
  EXPECT_EQ(fake.loop.explored().runs, 41u);
}

// --- Failures ---

TEST(HuntLoop, TellsTheRunThatFailedExactlyAndMakesNoMore) {
  for (const std::uint64_t ordinal : {1u, 2u, 16u, 17u, 50u, 333u}) {
    FakeHuntLoop fake(failing_at({ordinal}), {.runs = 1'000});
    EXPECT_EQ(*fake.loop.run(), End::kEnough);
    const auto expected = std::pair<std::string, std::uint64_t>("key", ordinal + 1);
    EXPECT_EQ(fake.audience.found_at, std::vector{expected});
    EXPECT_EQ(fake.loop.explored().runs, ordinal + 1);
    EXPECT_EQ(runs_of(fake), from_to(0, ordinal));
  }
}

TEST(HuntLoop, MayFailInTheRunThatItLearnsFrom) {
  FakeHuntLoop fake(failing_at({0}), {.runs = 1'000});
  EXPECT_EQ(*fake.loop.run(), End::kEnough);
  ASSERT_EQ(fake.audience.found_at.size(), 1u);
  EXPECT_EQ(fake.audience.found_at[0].second, 1u);
  EXPECT_TRUE(fake.done.ordinals.empty());
}

TEST(HuntLoop, SaysThatItFoundSomethingInTheLastRunOfItsBudget) {
  FakeHuntLoop fake(failing_at({99}), {.runs = 100});
  EXPECT_EQ(*fake.loop.run(), End::kEnough);
}

TEST(HuntLoop, MakesTheRestOfAPieceAfterAFailureAndKeepsOneWitnessForEachKey) {
  for (const unsigned workers : {1u, 2u}) {
    Script script = failing_at({3, 4, 9, 30, 31, 60});
    script.key = [](std::uint64_t ordinal) {
      return ordinal == 9 || ordinal == 60 ? "two" : "one";
    };
    FakeHuntLoop fake(script, {.runs = 100}, workers, /*explores=*/true);

    EXPECT_EQ(*fake.loop.run(), End::kRuns);
    EXPECT_EQ(runs_of(fake), from_to(0, 99)) << "each once";
    EXPECT_EQ(fake.strategy.observed, fake.strategy.seeds) << "in the order of the proposals";
    EXPECT_EQ(fake.audience.found_at,
              (std::vector<std::pair<std::string, std::uint64_t>>{{"one", 4}, {"two", 10}}));
    EXPECT_EQ(fake.loop.explored().failures,
              (std::map<std::string, std::uint64_t>{{"one", 4}, {"two", 2}}));
    EXPECT_EQ(fake.loop.explored().runs, 100u);
  }
}

TEST(HuntLoop, CountsRunsWithoutAClearOutcome) {
  Script script;
  script.plays = [](RunSummary& run, std::uint64_t ordinal) {
    if (ordinal % 10 == 5) run.outcome = Outcome::kUnresolved;
    run.steps = ordinal == 25 ? 1'000'000 : 10;
  };
  FakeHuntLoop fake(script, {.runs = 60});

  EXPECT_EQ(*fake.loop.run(), End::kRuns);
  EXPECT_EQ(fake.loop.explored().unresolved, 6u);
  EXPECT_EQ(fake.loop.explored().why_unresolved, "of run 5");
  EXPECT_EQ(fake.loop.explored().longest, 10u) << "they say nothing of how long runs are";
  EXPECT_TRUE(fake.loop.explored().failures.empty());
}

TEST(HuntLoop, CountsNoRunInTheBoundThatSaysNothing) {
  Script script;
  script.plays = [](RunSummary& run, std::uint64_t) { run.outcome = Outcome::kUnresolved; };
  FakeHuntLoop fake(script, {.runs = 60});

  EXPECT_EQ(*fake.loop.run(), End::kRuns);
  EXPECT_FALSE(fake.loop.explored().tested());
  for (const std::uint64_t runs : fake.loop.explored().pct.runs) EXPECT_EQ(runs, 0u);
}

TEST(HuntLoop, MakesOneRunOfAProgramWithOneThread) {
  Script script;
  script.plays = [](RunSummary& run, std::uint64_t) {
    run.threads = 1;
    run.outcome = Outcome::kUnresolved;
    run.reason = Reason::kNoSecondThread;
  };
  FakeHuntLoop fake(script, {.runs = 60});

  EXPECT_EQ(*fake.loop.run(), End::kOneThread);
  EXPECT_EQ(fake.loop.explored().runs, 1u);
  EXPECT_EQ(fake.loop.explored().reason, Reason::kNoSecondThread);
}

TEST(HuntLoop, GoesOnIfARunWasEndedBeforeItsSecondThread) {
  Script script;
  script.plays = [](RunSummary& run, std::uint64_t ordinal) {
    if (ordinal > 0) return;
    run.threads = 1;
    run.outcome = Outcome::kUnresolved;
    run.reason = Reason::kLimit;
  };
  FakeHuntLoop fake(script, {.runs = 20});

  EXPECT_EQ(*fake.loop.run(), End::kRuns);
  EXPECT_EQ(fake.loop.explored().passed, 19u);
}

TEST(HuntLoop, EndsAtAFaultOfOurs) {
  Script script;
  script.plays = [](RunSummary& run, std::uint64_t ordinal) {
    if (ordinal == 20) run.outcome = Outcome::kError;
  };
  FakeHuntLoop fake(script, {.runs = 60});

  const Result<End> end = fake.loop.run();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().what, "a run of the hunt went wrong");
  EXPECT_EQ(end.error().why, "of run 20");
}

TEST(HuntLoop, EndsAtAnErrorOfAWorker) {
  Script script;
  script.breaks = [](std::uint64_t ordinal) { return ordinal == 20 ? "no more memory" : ""; };
  FakeHuntLoop fake(script, {.runs = 60});
  const Result<End> end = fake.loop.run();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().what, "no more memory");
}

// --- Learning ---

TEST(HuntLoop, LearnsFromTheRunsOfARoundThatShowedMost) {
  Script script;
  script.plays = [](RunSummary& run, std::uint64_t ordinal) {
    if (ordinal == 3) run.new_pairs = 1;
    if (ordinal == 5) run.new_pairs = 7;
    if (ordinal == 6) run.new_pairs = 2;
    if (ordinal == 7) run.new_pairs = 9;
    if (ordinal == 7) run.outcome = Outcome::kFailed;  // it is known how that went
    // The first of a round showed the same as another one, which showed it too.
    run.behaviour = ordinal == 3 ? 5 : ordinal;
  };
  FakeHuntLoop fake(script, {.runs = 30}, 1, /*explores=*/true);

  EXPECT_EQ(*fake.loop.run(), End::kRuns);
  ASSERT_EQ(fake.learner.proposals.size(), 3u) << "the first, and two of a round";
  EXPECT_EQ(fake.learner.proposals[0].schedule.then.kind, wire::RuleKind::kStay);
  EXPECT_EQ(fake.learner.proposals[1].schedule.then.seed, fake.strategy.seeds[4]);
  EXPECT_EQ(fake.learner.proposals[2].schedule.then.seed, fake.strategy.seeds[5]);
  EXPECT_EQ(fake.loop.explored().runs, 30u) << "they count";
  EXPECT_EQ(fake.done.ordinals.size(), 27u);
  // Eight runs, then these two, and what they showed is known from then on.
  EXPECT_EQ(fake.strategy.pairs_known[7], 1u);
  EXPECT_EQ(fake.strategy.pairs_known[8], 3u);
  EXPECT_EQ(fake.done.ordinals[8], 11u);
}

TEST(HuntLoop, CountsPairsThatWereMetInBothOrders) {
  FakeHuntLoop fake({}, {.runs = 40});
  EXPECT_EQ(*fake.loop.run(), End::kRuns);
  EXPECT_EQ(fake.loop.explored().sync_pairs, (Covered{0, 1}));
  EXPECT_EQ(fake.loop.explored().data_pairs, (Covered{0, 0}));
}

// --- What is told ---

TEST(HuntLoop, TellsTheStrategyWhatWasNew) {
  Script script;
  script.plays = [](RunSummary& run, std::uint64_t ordinal) {
    run.behaviour = ordinal / 2;
    run.schedule_hash = ordinal;
  };
  FakeHuntLoop fake(script, {.runs = 21});

  EXPECT_EQ(*fake.loop.run(), End::kRuns);
  ASSERT_EQ(fake.strategy.observations.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    const std::uint64_t ordinal = i + 1;  // what was learnt from is 0
    EXPECT_EQ(fake.strategy.observations[i].run.ordinal, ordinal);
    EXPECT_EQ(fake.strategy.observations[i].is_new_behaviour, ordinal % 2 == 0) << ordinal;
    EXPECT_TRUE(fake.strategy.observations[i].is_new_schedule);
  }
  EXPECT_EQ(fake.loop.explored().behaviours, 11u);
  EXPECT_EQ(fake.loop.explored().schedules, 21u);
  EXPECT_EQ(fake.loop.explored().steps, 210u);
  EXPECT_TRUE(std::is_sorted(fake.audience.told.begin(), fake.audience.told.end()));
  EXPECT_EQ(fake.audience.told.back(), 21u);
}

TEST(HuntLoop, ProposesTheSameHoweverItsRoundsAreCutIntoPieces) {
  const auto proposals = [](double seconds, unsigned workers, std::size_t largest) {
    Script script;
    script.plays = [seconds](RunSummary& run, std::uint64_t ordinal) {
      run.seconds = seconds;
      run.behaviour = ordinal % 50;
      run.new_pairs = ordinal % 90 == 5;
    };
    FakeHuntLoop fake(script, {.runs = 300}, workers);
    EXPECT_EQ(*fake.loop.run(), End::kRuns);
    const std::vector<std::size_t>& pieces = fake.done.pieces;
    EXPECT_EQ(*std::max_element(pieces.begin(), pieces.end()), largest);
    EXPECT_EQ(fake.strategy.observed, fake.strategy.seeds);
    return std::pair(fake.strategy.seeds, fake.strategy.pairs_known);
  };

  const auto in_large_pieces = proposals(1e-6, 1, 128);
  EXPECT_EQ(proposals(10, 1, 1), in_large_pieces);
  EXPECT_EQ(proposals(0.05, 1, 5), in_large_pieces);
  EXPECT_EQ(proposals(0.05, 2, 5), in_large_pieces);
}

}  // namespace
}  // namespace unravel
