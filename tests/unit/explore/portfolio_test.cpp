/// How a portfolio shares its budget.
#include "explore/portfolio.hpp"

#include <gtest/gtest.h>

#include <map>

#include "explore/pair_strategy.hpp"
#include "wire/control.hpp"

namespace unravel {
namespace {

/// Always has something to propose, or never.
class Fake final : public Strategy {
 public:
  explicit Fake(std::string name, bool proposes = true)
      : name_(std::move(name)), proposes_(proposes) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  std::optional<Proposal> propose(const Knowledge&, std::uint64_t seed) override {
    if (!proposes_) return std::nullopt;
    return by_rule(*this, {.seed = seed});
  }

 private:
  std::string name_;
  bool proposes_;
};

std::vector<std::unique_ptr<Strategy>> three_fakes() {
  std::vector<std::unique_ptr<Strategy>> arms;
  for (const char* name : {"x", "y", "z"}) arms.push_back(std::make_unique<Fake>(name));
  return arms;
}

using Counts = std::map<std::string, int>;

/// What is proposed when only runs of `fruitful` show something new.
Counts share(Portfolio& portfolio, int proposals, const std::string& fruitful,
             std::uint32_t new_pairs = 0) {
  Counts counts;
  std::uint64_t done = 0;
  for (const Portfolio::Share& one : portfolio.shares()) done += one.runs;
  for (int i = 0; i < proposals; ++i) {
    const Proposal proposal = *portfolio.propose({}, wire::seed_of(1, done++));
    ++counts[proposal.strategy];
    Observation seen;
    seen.is_new_behaviour = proposal.strategy == fruitful;
    seen.run.new_pairs = proposal.strategy == fruitful ? new_pairs : 0;
    portfolio.observe(proposal, seen);
  }
  return counts;
}

TEST(Portfolio, TriesSinglePairsInThreeOfFourRunsAsLongAsThereAreAny) {
  std::vector<std::unique_ptr<Strategy>> arms = three_fakes();
  arms.push_back(std::make_unique<PairStrategy>());
  Portfolio portfolio(std::move(arms));
  Knowledge known;
  for (std::uint64_t i = 0; i < 10; ++i) {
    known.pairs.push_back({wire::Site::of(1, 2 * i + 1), wire::Site::of(1, 2 * i + 2)});
  }

  int others = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::string strategy = portfolio.propose(known, wire::seed_of(1, i))->strategy;
    const bool is_fourth = i % 4 == 3;
    EXPECT_TRUE(is_fourth || strategy == "pairs") << i;
    others += is_fourth && strategy != "pairs";
  }
  // Pairs have a quarter of these, too.
  EXPECT_GE(others, 2);

  // All twenty orders have been tried by the thirtieth: now the budget is shared by what they find.
  int pairs = 0;
  for (std::uint64_t i = 20; i < 30; ++i) portfolio.propose(known, wire::seed_of(1, i));
  for (std::uint64_t i = 30; i < 130; ++i) {
    pairs += portfolio.propose(known, wire::seed_of(1, i))->strategy == "pairs";
  }
  EXPECT_NEAR(pairs, 25, 22) << "five deviations of a quarter";
}

TEST(Portfolio, DoesNotTryPairsForEverBeforeTheOthers) {
  std::vector<std::unique_ptr<Strategy>> arms = three_fakes();
  arms.push_back(std::make_unique<PairStrategy>());
  Portfolio portfolio(std::move(arms));
  Knowledge known;
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    known.pairs.push_back({wire::Site::of(1, 2 * i + 1), wire::Site::of(1, 2 * i + 2)});
  }
  Counts late;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const std::string strategy = portfolio.propose(known, wire::seed_of(1, i))->strategy;
    if (i >= 200) ++late[strategy];
  }
  // A quarter of 400, with a deviation of 8.7.
  for (const auto& [strategy, runs] : late) EXPECT_NEAR(runs, 100, 44) << strategy;
  EXPECT_EQ(late.size(), 4u);
}

TEST(Portfolio, GivesMoreToWhoFindsWhatIsNew) {
  Portfolio portfolio(three_fakes());
  share(portfolio, 200, "y");

  const Counts counts = share(portfolio, 1'000, "y");
  EXPECT_GT(counts.at("y"), 700);
  // And takes it away again.
  share(portfolio, 500, "z");
  EXPECT_GT(share(portfolio, 1'000, "z").at("z"), 700);
}

TEST(Portfolio, StarvesNobody) {
  Portfolio portfolio(three_fakes());
  share(portfolio, 1'000, "y", /*new_pairs=*/5);

  // A third of 0.35 each at least, less what the others' chances add up to: 0.1 or so.
  const Counts counts = share(portfolio, 1'000, "y", /*new_pairs=*/5);
  EXPECT_GT(counts.at("x"), 60);
  EXPECT_GT(counts.at("z"), 60);
}

TEST(Portfolio, SharesEquallyWhereNobodyFindsAnything) {
  Portfolio portfolio(three_fakes());
  share(portfolio, 500, "nobody");
  // A third of 1,500, with a deviation of 18.
  for (const auto& [name, runs] : share(portfolio, 1'500, "nobody")) EXPECT_NEAR(runs, 500, 92);
}

TEST(Portfolio, HoldsPairsOfSitesThatNeverMetDearerThanAnotherOrder) {
  Portfolio one(three_fakes());
  Portfolio other(three_fakes());
  for (int i = 0; i < 600; ++i) {
    // Both find something new in every run, but one of them new pairs.
    for (Portfolio* portfolio : {&one, &other}) {
      const Proposal proposal = *portfolio->propose({}, wire::seed_of(3, static_cast<unsigned>(i)));
      Observation seen;
      seen.is_new_behaviour = proposal.strategy != "z";
      seen.run.new_pairs = portfolio == &one && proposal.strategy == "x" ? 1 : 0;
      portfolio->observe(proposal, seen);
    }
  }
  EXPECT_GT(one.shares()[0].runs, other.shares()[0].runs + 50);
}

TEST(Portfolio, AsksAnotherWhereOneHasNothing) {
  std::vector<std::unique_ptr<Strategy>> arms;
  arms.push_back(std::make_unique<Fake>("empty", false));
  arms.push_back(std::make_unique<Fake>("full"));
  Portfolio portfolio(std::move(arms));
  EXPECT_EQ(share(portfolio, 50, "full"), (Counts{{"full", 50}}));

  std::vector<std::unique_ptr<Strategy>> empty;
  empty.push_back(std::make_unique<Fake>("empty", false));
  EXPECT_FALSE(Portfolio(std::move(empty)).propose({}, 1));
}

TEST(Portfolio, TellsHowItsBudgetWasShared) {
  Portfolio portfolio(three_fakes());
  const Counts counts = share(portfolio, 100, "x");
  for (const Portfolio::Share& one : portfolio.shares()) {
    const int runs = counts.at(std::string(one.strategy));
    EXPECT_EQ(one.runs, static_cast<std::uint64_t>(runs));
    EXPECT_EQ(one.new_behaviours, one.strategy == "x" ? one.runs : 0);
  }
  EXPECT_EQ(portfolio.shares().size(), 3u);
}

}  // namespace
}  // namespace unravel
