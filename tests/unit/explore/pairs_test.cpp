/// What is known of pairs of sites, and in which order the strategies over pairs try them.
#include <gtest/gtest.h>

#include <set>

#include "explore/pair_strategy.hpp"
#include "explore/reads_from.hpp"

namespace unravel {
namespace {

wire::Site site(std::uint64_t offset) { return wire::Site::of(1, offset); }

SitePair pair(std::uint64_t first, std::uint64_t second, bool is_data = true,
              bool seen_first = false, bool seen_second = false) {
  return {site(first), site(second), is_data, seen_first, seen_second};
}

Knowledge knowing(std::vector<SitePair> pairs) {
  Knowledge known;
  known.length = 50;
  known.pairs = std::move(pairs);
  return known;
}

SitePair shared_pair(std::uint64_t first, std::uint64_t second) {
  SitePair shared = pair(first, second);
  shared.is_shared = true;
  return shared;
}

std::string text_of(const wire::EventPattern& pattern) {
  std::string text = std::to_string(pattern.site.offset());
  if (pattern.whose == wire::Whose::kArrival) text += "of" + std::to_string(pattern.thread);
  return text;
}

/// `10<20`: what a single constraint asks for; `10of2` is the second thread's.
std::string text_of(const Proposal& proposal) {
  std::string text;
  for (const wire::Constraint& one : proposal.schedule.constraints) {
    if (!text.empty()) text += ' ';
    text += text_of(one.first) + "<" + text_of(one.then);
  }
  return text;
}

// --- Knowledge ---

TEST(Knowledge, HasEveryPairOnceWhicheverWayItWasMet) {
  Knowledge known;
  EXPECT_EQ(known.add({pair(1, 2, true, true)}), 1u);
  EXPECT_EQ(known.add({pair(1, 2, true, true)}), 0u);
  EXPECT_EQ(known.add({pair(1, 3, true, true), pair(1, 3, true, true)}), 1u);
  EXPECT_EQ(known.pairs, (std::vector{pair(1, 2, true, true), pair(1, 3, true, true)}));

  EXPECT_EQ(known.add({pair(2, 1, true, true)}), 0u) << "the other way round";
  EXPECT_EQ(known.pairs[0], pair(1, 2, true, true, true));
}

TEST(Knowledge, IsOfTheLongestRunThatEndedByItself) {
  Knowledge known;
  known.add(RunSummary{.steps = 100, .threads = 3});
  known.add(RunSummary{.outcome = Outcome::kFailed, .steps = 20, .threads = 5});
  known.add(RunSummary{.outcome = Outcome::kUnresolved, .steps = 1'000'000, .threads = 9});
  EXPECT_EQ(known.length, 100u);
  EXPECT_EQ(known.threads, 5u);
}

// --- Pairs ---

TEST(Pairs, ProposesNothingWithoutAny) {
  PairStrategy pairs;
  EXPECT_FALSE(pairs.has_plain({}));
  EXPECT_FALSE(pairs.propose({}, 1));
  EXPECT_FALSE(ReadsFrom().propose({}, 1));
}

TEST(Pairs, TriesEverySingleOrderOnceBeforeAnyCombination) {
  const Knowledge known = knowing({pair(1, 2), pair(3, 4), pair(5, 6)});
  PairStrategy pairs;
  std::multiset<std::string> tried;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    EXPECT_TRUE(pairs.has_plain(known));
    tried.insert(text_of(*pairs.propose(known, seed)));
  }

  EXPECT_EQ(tried, (std::multiset<std::string>{"1<2", "2<1", "3<4", "4<3", "5<6", "6<5"}));
  EXPECT_FALSE(pairs.has_plain(known));
}

TEST(Pairs, TriesWhatNoRunHasHadFirstAndAccessesBeforeOperations) {
  const Knowledge known = knowing({pair(1, 2, /*is_data=*/false, /*seen_first=*/true),
                                   pair(3, 4, /*is_data=*/true, /*seen_first=*/true)});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PairStrategy pairs;
    std::string order;
    for (int i = 0; i < 4; ++i) order += text_of(*pairs.propose(known, seed)) + " ";
    EXPECT_EQ(order, "4<3 2<1 3<4 1<2 ");
  }
}

TEST(Pairs, TriesTheOrderOfASiteWithItselfOnce) {
  const Knowledge known = knowing({pair(7, 7)});
  PairStrategy pairs;
  EXPECT_EQ(text_of(*pairs.propose(known, 1)), "7<7");
  EXPECT_FALSE(pairs.has_plain(known));
}

std::multiset<std::string> singles_of(const Knowledge& known) {
  PairStrategy pairs;
  std::multiset<std::string> tried;
  while (pairs.has_plain(known) || pairs.has_named())
    tried.insert(text_of(*pairs.propose(known, 1)));
  return tried;
}

TEST(Pairs, NamesThreadsWhereSeveralComeToBothSites) {
  EXPECT_EQ(singles_of(knowing({shared_pair(1, 2)})),
            (std::multiset<std::string>{"1<2", "1of1<2of2", "1of2<2of1", "2<1", "2of1<1of2",
                                        "2of2<1of1"}));
  EXPECT_EQ(singles_of(knowing({shared_pair(7, 7)})),
            (std::multiset<std::string>{"7<7", "7of2<7of1"}));
}

TEST(Pairs, TriesOrdersOfAllThreadsBeforeThoseThatNameSome) {
  const Knowledge known = knowing({shared_pair(1, 2), shared_pair(3, 4)});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PairStrategy pairs;
    std::multiset<std::string> plain;
    for (int i = 0; i < 4; ++i) plain.insert(text_of(*pairs.propose(known, seed)));
    EXPECT_EQ(plain, (std::multiset<std::string>{"1<2", "2<1", "3<4", "4<3"}));
    EXPECT_FALSE(pairs.has_plain(known));
    EXPECT_TRUE(pairs.has_named());
  }
}

TEST(Pairs, CombinesOrdersThatAreKnownToBePossible) {
  const Knowledge known = knowing({pair(1, 2), pair(3, 4), pair(5, 6)});
  PairStrategy pairs;
  for (int i = 0; i < 6; ++i) {
    const Proposal single = *pairs.propose(known, 1);
    Observation seen;
    const std::string text = text_of(single);
    seen.run.kept = text == "1<2" || text == "6<5" ? 1 : 0;
    seen.run.given_up = 1 - seen.run.kept;
    pairs.observe(single, seen);
  }
  int possible = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::string text = text_of(*pairs.propose(known, seed));
    possible += text == "1<2" || text == "6<5" || text == "1<2 6<5" || text == "6<5 1<2";
  }
  // Three of four are made of them, and a few of the others by chance; the deviation is 9.
  EXPECT_GT(possible, 265);
  EXPECT_LT(possible, 365) << "others are tried, too: with other orders they may be possible";
}

TEST(Pairs, TriesWhatIsNewlyKnownNext) {
  Knowledge known = knowing({pair(1, 2), pair(3, 4)});
  PairStrategy pairs;
  pairs.propose(known, 1);
  known.pairs.push_back(pair(5, 6));

  std::set<std::string> next = {text_of(*pairs.propose(known, 2)),
                                text_of(*pairs.propose(known, 3))};
  EXPECT_EQ(next, (std::set<std::string>{"5<6", "6<5"}));
  EXPECT_TRUE(pairs.has_plain(known)) << "then what is left of the others";
}

TEST(Pairs, CombinesOneToThreeDifferentOnesInEitherOrder) {
  const Knowledge known = knowing({pair(1, 2), pair(3, 4), pair(5, 6), pair(7, 8)});
  PairStrategy pairs;
  for (std::uint64_t seed = 0; seed < 8; ++seed) pairs.propose(known, seed);
  std::array<int, 4> sizes{};
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Proposal proposal = *pairs.propose(known, seed);
    ++sizes.at(proposal.schedule.constraints.size());
    std::set<std::uint64_t> sites;
    for (const wire::Constraint& one : proposal.schedule.constraints) {
      sites.insert({one.first.site.offset(), one.then.site.offset()});
    }
    EXPECT_EQ(sites.size(), 2 * proposal.schedule.constraints.size()) << "no pair is there twice";
    if (proposal.schedule.constraints.size() == 1) orders.insert(text_of(proposal));
  }

  EXPECT_EQ(sizes[0], 0);
  // A third each, with a deviation of 8.
  for (int size = 1; size <= 3; ++size) EXPECT_NEAR(sizes[static_cast<std::size_t>(size)], 100, 41);
  EXPECT_EQ(orders.size(), 8u);
}

TEST(Pairs, LeaveWhatIsNotOrderedToPosAndGiveUpInTime) {
  const Proposal proposal = *PairStrategy().propose(knowing({pair(1, 2)}), 9);
  EXPECT_EQ(proposal.schedule.then.kind, wire::RuleKind::kPriority);
  EXPECT_EQ(proposal.schedule.then.redraws, 1);
  EXPECT_EQ(proposal.schedule.then.seed, 9u);
  EXPECT_EQ(proposal.following, wire::Following::kNothing);
  EXPECT_EQ(proposal.schedule.constraints[0].give_up, 300u) << "two runs of 50 steps and some";
}

// --- Reads-from ---

TEST(ReadsFrom, BuildsOnWhatShowedSomethingNew) {
  const Knowledge known = knowing({pair(1, 2), pair(3, 4)});
  ReadsFrom reads_from;
  std::size_t longest = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Proposal proposal = *reads_from.propose(known, seed);
    longest = std::max(longest, proposal.schedule.constraints.size());
    EXPECT_LE(proposal.schedule.constraints.size(), 8u) << "more contradict each other";
    Observation seen;
    seen.run.behaviour = seed;
    seen.is_new_behaviour = true;
    reads_from.observe(proposal, seen);
  }
  EXPECT_GE(longest, 5u);
}

TEST(ReadsFrom, DropsConstraintsThatWereGivenUp) {
  const Knowledge known = knowing({pair(1, 2), pair(3, 4)});
  ReadsFrom reads_from;
  std::size_t longest = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Proposal proposal = *reads_from.propose(known, seed);
    longest = std::max(longest, proposal.schedule.constraints.size());
    Observation seen;
    seen.run.behaviour = seed;
    seen.run.given_up = ~0u;
    seen.is_new_behaviour = true;
    reads_from.observe(proposal, seen);
  }
  EXPECT_LE(longest, 6u) << "nothing is kept, so each begins anew";
}

TEST(ReadsFrom, BeginsAnewAsLongAsNothingIsNew) {
  const Knowledge known = knowing({pair(1, 2), pair(3, 4)});
  ReadsFrom reads_from;
  std::array<int, 9> sizes{};
  for (std::uint64_t seed = 0; seed < 900; ++seed) {
    const Proposal proposal = *reads_from.propose(known, seed);
    ++sizes[proposal.schedule.constraints.size()];
    reads_from.observe(proposal, {});
  }
  // One change to nothing in two cases of three, with a deviation of 14; each more is rarer.
  EXPECT_GT(sizes[1], 530);
  EXPECT_LT(sizes[4] + sizes[5] + sizes[6] + sizes[7] + sizes[8], 30);
}

}  // namespace
}  // namespace unravel
