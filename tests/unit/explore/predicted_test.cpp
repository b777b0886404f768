/// Runs that the analysis of traces proposes: which comes next, and how a loop makes them.
#include "explore/predicted.hpp"

#include <gtest/gtest.h>

#include "explore/pair_strategy.hpp"
#include "explore/portfolio.hpp"
#include "unit/explore/fake_pool.hpp"

namespace unravel {
namespace {

/// A run that lets thread 1 go up to this operation.
PredictedRun up_to(std::uint64_t operation, std::uint64_t cost) {
  PredictedRun run{.cost = cost, .proposal = {}};
  run.proposal.schedule.slices = {{.thread = {.ordinal = 1}, .until = {operation, 0}}};
  run.proposal.following = wire::Following::kLenient;
  return run;
}

std::uint64_t operation_of(const Proposal& proposal) {
  return proposal.schedule.slices.at(0).until.operations;
}

std::vector<std::uint64_t> operations_of(Strategy& strategy) {
  std::vector<std::uint64_t> operations;
  while (const auto proposal = strategy.propose({}, 1))
    operations.push_back(operation_of(*proposal));
  return operations;
}

TEST(Predicted, HasNothingToProposeBeforeSomethingIsOffered) {
  Predicted strategy;
  EXPECT_FALSE(strategy.has_any());
  EXPECT_FALSE(strategy.propose({}, 1));
  EXPECT_TRUE(strategy.wants_predictions());
}

TEST(Predicted, ProposesTheMostPromisingFirstAndOfEqualOnesTheOlder) {
  Predicted strategy;
  strategy.offer({up_to(1, 7), up_to(2, 3), up_to(3, 7)});
  strategy.offer({up_to(4, 5)});
  EXPECT_EQ(operations_of(strategy), (std::vector<std::uint64_t>{2, 4, 1, 3}));
}

TEST(Predicted, ProposesLessonsThatFollowTheirSlices) {
  Predicted strategy;
  strategy.offer({up_to(1, 7)});
  const Proposal proposal = *strategy.propose({}, 1);
  EXPECT_TRUE(proposal.is_lesson);
  EXPECT_EQ(proposal.strategy, "predicted");
  EXPECT_EQ(proposal.following, wire::Following::kLenient);
}

TEST(Predicted, MakesNoRunTwice) {
  Predicted strategy;
  strategy.offer({up_to(1, 7), up_to(1, 2)});
  EXPECT_EQ(operations_of(strategy), std::vector<std::uint64_t>{1});
  strategy.offer({up_to(1, 1)});
  EXPECT_FALSE(strategy.has_any());
}

TEST(Predicted, DropsTheLeastPromisingWhenThereAreTooMany) {
  Predicted strategy;
  PredictedRun longest = up_to(1, 1);
  longest.proposal.schedule.slices.resize(Predicted::kMostSlices);
  strategy.offer({up_to(2, 9), longest, up_to(3, 0)});
  EXPECT_EQ(operations_of(strategy), (std::vector<std::uint64_t>{3}))
      << "the longest and the last do not fit, and the last one goes first";
}

TEST(Predicted, ProposalsAreEqualByWhatTheyDo) {
  EXPECT_EQ(hash_of_proposal(up_to(1, 1).proposal), hash_of_proposal(up_to(1, 2).proposal));
  EXPECT_NE(hash_of_proposal(up_to(1, 1).proposal), hash_of_proposal(up_to(2, 1).proposal));
  Proposal constrained = up_to(1, 1).proposal;
  constrained.schedule.constraints.push_back({.first = {.site = wire::Site::of(1, 2)}});
  EXPECT_NE(hash_of_proposal(constrained), hash_of_proposal(up_to(1, 1).proposal));
  Proposal seeded = up_to(1, 1).proposal;
  seeded.schedule.then.seed = 5;
  EXPECT_NE(hash_of_proposal(seeded), hash_of_proposal(up_to(1, 1).proposal));
}

// --- In a portfolio ---

Knowledge with_pairs(std::uint64_t count) {
  Knowledge known;
  for (std::uint64_t i = 0; i < count; ++i) {
    known.pairs.push_back({wire::Site::of(1, 2 * i + 1), wire::Site::of(1, 2 * i + 2)});
  }
  return known;
}

std::vector<PredictedRun> many() {
  std::vector<PredictedRun> runs;
  for (std::uint64_t i = 1; i <= 300; ++i) runs.push_back(up_to(i, 1));
  return runs;
}

/// How many of the runs from `first` to `last` are predicted ones.
int predicted_of(Portfolio& portfolio, const Knowledge& known, std::uint64_t first,
                 std::uint64_t last) {
  int count = 0;
  for (std::uint64_t i = first; i <= last; ++i) {
    count += portfolio.propose(known, wire::seed_of(1, i))->strategy == "predicted";
  }
  return count;
}

TEST(PortfolioOfEverything, TriesEveryFourthRunByPredictionThenEverySecond) {
  Portfolio portfolio = Portfolio::everything();
  EXPECT_TRUE(portfolio.wants_predictions());
  portfolio.offer(many());
  const Knowledge known = with_pairs(200);
  EXPECT_EQ(predicted_of(portfolio, known, 1, 2), 0);
  EXPECT_EQ(predicted_of(portfolio, known, 3, 3), 1);
  EXPECT_EQ(predicted_of(portfolio, known, 4, 12), 2);
  EXPECT_GE(predicted_of(portfolio, known, 13, 112), 50);
}

TEST(PortfolioOfEverything, PredictsFromTheBeginningWhereThereAreNoPairs) {
  Portfolio portfolio = Portfolio::everything();
  portfolio.offer(many());
  EXPECT_GE(predicted_of(portfolio, {}, 1, 10), 5);
}

TEST(PortfolioOfEverything, GivesPredictionNoFixedShareForEver) {
  Portfolio portfolio = Portfolio::everything();
  portfolio.offer(many());
  const Knowledge known = with_pairs(200);
  predicted_of(portfolio, known, 1, 400);
  // A seventh of 100, with a deviation of 3.5: no strategy has found anything yet.
  EXPECT_NEAR(predicted_of(portfolio, known, 401, 500), 14, 14);
}

TEST(PortfolioOfEverything, NeedsNoPredictions) {
  Portfolio portfolio = Portfolio::everything();
  EXPECT_EQ(predicted_of(portfolio, with_pairs(5), 1, 100), 0);
}

// --- In a loop ---

/// Every third proposal is a lesson.
class EveryThird final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "third"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override {
    Proposal proposal = by_rule(*this, {.kind = wire::RuleKind::kRandom, .seed = seed});
    proposal.is_lesson = ++proposed % 3 == 0;
    pairs_known.push_back(known.pairs.size());
    seeds.push_back(seed);
    return proposal;
  }
  void observe(const Proposal& proposal, const Observation&) override {
    observed.push_back(proposal.schedule.then.seed);
  }
  void offer(const std::vector<PredictedRun>& runs) override { offered += runs.size(); }

  std::uint64_t proposed = 0;
  std::size_t offered = 0;
  std::vector<std::size_t> pairs_known;
  std::vector<std::uint64_t> seeds;
  std::vector<std::uint64_t> observed;
};

TEST(HuntLoopWithLessons, ProposesOnAfterEachLessonAndMakesEveryRunOnce) {
  FakeHuntLoop fake({}, {.runs = 100});
  EveryThird strategy;
  HuntLoop loop(fake.pool, strategy, fake.learner, fake.audience, /*seed=*/9, {.runs = 100});

  EXPECT_EQ(*loop.run(), HuntLoop::End::kRuns);

  EXPECT_EQ(loop.explored().runs, 100u);
  EXPECT_EQ(fake.done.ordinals.size() + fake.learner.ordinals.size(), 100u);
  EXPECT_GE(fake.learner.ordinals.size(), 33u);
  EXPECT_EQ(strategy.observed, strategy.seeds) << "in the order of the proposals";
  // The first lesson is made before anything is proposed. The next one is the third proposal.
  EXPECT_EQ(std::vector(strategy.pairs_known.begin(), strategy.pairs_known.begin() + 6),
            (std::vector<std::size_t>{1, 1, 1, 2, 2, 2}));
}

TEST(HuntLoopWithLessons, TellsAFailureOfALesson) {
  Script script;
  script.plays = [](RunSummary& run, std::uint64_t ordinal) {
    if (ordinal == 6) run.outcome = Outcome::kFailed;
  };
  FakeHuntLoop fake(script, {.runs = 100});
  EveryThird strategy;
  HuntLoop loop(fake.pool, strategy, fake.learner, fake.audience, /*seed=*/9, {.runs = 100});

  EXPECT_EQ(*loop.run(), HuntLoop::End::kEnough);

  ASSERT_EQ(fake.audience.found_at.size(), 1u);
  EXPECT_EQ(fake.audience.found_at[0].second, 7u);
  EXPECT_EQ(fake.learner.ordinals, (std::vector<std::uint64_t>{0, 3, 6}));
}

}  // namespace
}  // namespace unravel
