/// Rules, asked directly: who is next where no schedule says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "runtime/core/decide.hpp"

namespace unravel {
namespace {

using wire::RuleKind;

/// Four threads at a point of one of them.
class RulesTest : public testing::Test {
 protected:
  RulesTest() {
    for (std::uint32_t i = 0; i < 4; ++i) {
      threads_[i].slot = threads_[i].ordinal = i;
      by_slot_[i] = &threads_[i];
      slot_of_[i] = static_cast<std::uint16_t>(i);
      runnable_.add(i);
    }
  }

  View at(std::uint32_t current, Leave leave = Leave::kMayStay) {
    return {.current = &threads_[current],
            .can_go_on = runnable_.contains(current),
            .leave = leave,
            .runnable = &runnable_,
            .fireable = &fireable_,
            .by_slot = by_slot_.data(),
            .slot_of = slot_of_.data(),
            .threads_ever = 4,
            .step = ++steps_};
  }

  static Plan random(std::uint64_t seed, std::uint32_t probability) {
    return Plan(
        wire::Rule{.kind = RuleKind::kRandom, .switch_probability = probability, .seed = seed});
  }

  Plan priority(std::initializer_list<std::uint64_t> change_points = {}) {
    wire::Rule rule{.kind = RuleKind::kPriority,
                    .change_point_count = static_cast<std::uint8_t>(change_points.size())};
    std::copy(change_points.begin(), change_points.end(), rule.change_points);
    Plan plan(rule);
    for (std::uint32_t i = 0; i < 4; ++i) {
      plan.thread_appeared(threads_[i]);
      threads_[i].rule.priority = (std::uint64_t{1} << 63) + i;  // the last is the highest
    }
    return plan;
  }

  std::array<Thread, 4> threads_;
  std::array<Thread*, 4> by_slot_{};
  std::array<std::uint16_t, 4> slot_of_{};
  ThreadSet runnable_;
  ThreadSet fireable_;
  std::uint64_t steps_ = 0;
};

// --- Random numbers ---

TEST(RuleRandom, DrawsTheSameNumbersForEver) {
  // Stored seeds mean runs: these are splitmix64's own, and may never change.
  RuleRandom zero(0);
  EXPECT_EQ(zero.next(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(zero.next(), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(zero.next(), 0x06c45d188009454fu);

  RuleRandom forty_two(42);
  EXPECT_EQ(forty_two.next(), 0xbdd732262feb6e95u);
  EXPECT_EQ(forty_two.next(), 0x28efe333b266f103u);
}

TEST(RuleRandom, DrawsBelowABoundTheSameForEver) {
  RuleRandom random(7);
  std::array<std::uint32_t, 12> drawn{};
  for (std::uint32_t& number : drawn) number = random.below(10);

  EXPECT_EQ(drawn, (std::array<std::uint32_t, 12>{3, 0, 9, 5, 4, 2, 4, 3, 1, 4, 1, 9}));
}

TEST(RuleRandom, DrawsEvenly) {
  RuleRandom random(1);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60'000; ++i) ++counts[random.below(6)];

  // Each is binomial with mean 10,000 and deviation 91; five of them are missed by one of six
  // once in 290,000 seeds.
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 460);
}

TEST(RuleRandom, SeedsOfRunsAreTheSameForEver) {
  EXPECT_EQ(wire::seed_of(0, 0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(wire::seed_of(0, 1), 0x6e789e6aa1b965f4u);
  EXPECT_NE(wire::seed_of(1, 0), wire::seed_of(0, 0));
}

// --- Stay ---

TEST_F(RulesTest, StayRunsOnWhileItCan) {
  Plan plan(wire::Rule{});

  EXPECT_EQ(plan.decide(at(2)).next, 2u);
}

TEST_F(RulesTest, StayGoesRoundWhenTheThreadCannotRun) {
  Plan plan(wire::Rule{});
  runnable_.remove(3);
  runnable_.remove(1);

  EXPECT_EQ(plan.decide(at(1)).next, 2u);
  EXPECT_EQ(plan.decide(at(3)).next, 0u);
}

TEST_F(RulesTest, StayLeavesAThreadThatYieldsOrSpins) {
  Plan plan(wire::Rule{});

  EXPECT_EQ(plan.decide(at(2, Leave::kYields)).next, 3u);
  EXPECT_EQ(plan.decide(at(3, Leave::kSpins)).next, 0u);
}

TEST_F(RulesTest, StayStaysWithAYielderThatIsAlone) {
  Plan plan(wire::Rule{});
  for (const std::uint32_t other : {0u, 1u, 3u}) runnable_.remove(other);

  EXPECT_EQ(plan.decide(at(2, Leave::kYields)).next, 2u);
}

TEST_F(RulesTest, StayNeverLetsAThreadTimeOut) {
  Plan plan(wire::Rule{});
  runnable_.remove(1);
  fireable_.add(1);

  for (int i = 0; i < 1'000; ++i) {
    EXPECT_FALSE(plan.decide(at(0, Leave::kYields)).fires_timeout);
  }
}

// --- Random ---

TEST_F(RulesTest, RandomChoosesEvenlyAmongAllThatCanRun) {
  Plan plan = random(3, wire::kCertain);
  runnable_.remove(1);
  std::map<std::uint32_t, int> counts;

  for (int i = 0; i < 30'000; ++i) ++counts[plan.decide(at(0)).next];

  // Binomial with mean 10,000 and deviation 82: off by five deviations once in 580,000 seeds.
  EXPECT_EQ(counts.size(), 3u);
  for (const std::uint32_t slot : {0u, 2u, 3u}) EXPECT_NEAR(counts[slot], 10'000, 410);
}

TEST_F(RulesTest, RandomChoosesEvenlyAmongTheOthersWhenAThreadYields) {
  for (const Leave leave : {Leave::kYields, Leave::kSpins}) {
    for (std::uint32_t current = 0; current < 4; ++current) {
      Plan plan = random(5, wire::kCertain);
      std::map<std::uint32_t, int> counts;

      for (int i = 0; i < 30'000; ++i) ++counts[plan.decide(at(current, leave)).next];

      // As above, eight times: once in 24,000 seeds.
      EXPECT_EQ(counts.size(), 3u);
      EXPECT_EQ(counts.count(current), 0u);
      for (const auto& [slot, count] : counts) EXPECT_NEAR(count, 10'000, 410);
    }
  }
}

TEST_F(RulesTest, RandomStaysWithAYielderThatIsAlone) {
  Plan plan = random(5, wire::kCertain);
  for (const std::uint32_t other : {0u, 1u, 3u}) runnable_.remove(other);

  EXPECT_EQ(plan.decide(at(2, Leave::kYields)).next, 2u);
}

TEST_F(RulesTest, RandomSeldomSwitchesAtALowProbability) {
  Plan plan = random(9, wire::kCertain / 32);
  int switches = 0;

  for (int i = 0; i < 32'000; ++i) switches += plan.decide(at(0)).next != 0;

  // One point in 32, and then another thread in 3 cases of 4: mean 750, deviation 27.
  EXPECT_NEAR(switches, 750, 135);
}

TEST_F(RulesTest, RandomLeavesAYielderWhateverTheProbability) {
  Plan plan = random(9, 1);

  for (int i = 0; i < 1'000; ++i) EXPECT_NE(plan.decide(at(2, Leave::kYields)).next, 2u);
}

TEST_F(RulesTest, RandomDrawsItsProbabilityFromTheSeedWhenNoneIsGiven) {
  std::map<int, int> restlessness;  // switches in 3,200 points, in hundreds
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Plan plan = random(seed, 0);
    int switches = 0;
    for (int i = 0; i < 3'200; ++i) switches += plan.decide(at(0)).next != 0;
    const int nearest = switches > 1'800 ? 2'400
                        : switches > 800 ? 1'200
                        : switches > 237 ? 400
                                         : 75;
    ++restlessness[nearest];
    // Deviations are below 30 and the four means hundreds apart.
    EXPECT_NEAR(switches, nearest, 160) << seed;
  }

  // Each of the four has 50 seeds, with a deviation of 6.
  EXPECT_EQ(restlessness.size(), 4u);
  for (const auto& [switches, seeds] : restlessness) EXPECT_NEAR(seeds, 50, 30) << switches;
}

TEST_F(RulesTest, RandomLetsThreadsTimeOutUnderSomeSeedsOnly) {
  runnable_.remove(1);
  fireable_.add(1);
  std::map<int, int> impatience;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Plan plan = random(seed, wire::kCertain);
    int fired = 0;
    for (int i = 0; i < 1'600; ++i) {
      const Decision decision = plan.decide(at(0));
      if (!decision.fires_timeout) continue;
      ++fired;
      EXPECT_EQ(decision.next, 1u);
    }
    ++impatience[fired == 0 ? 0 : fired < 300 ? 16 : 3];
  }

  // Never, one point in 16, one in 3: 100 seeds each, with a deviation of 8.
  EXPECT_EQ(impatience.size(), 3u);
  for (const auto& [kind, seeds] : impatience) EXPECT_NEAR(seeds, 100, 42) << kind;
}

TEST_F(RulesTest, RandomDecidesTheSameForTheSameSeed) {
  Plan one = random(11, 0);
  Plan other = random(11, 0);

  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(one.decide(at(1)).next, other.decide(at(1)).next);
}

// --- Priority ---

TEST_F(RulesTest, PriorityRunsTheHighestThatCanRun) {
  Plan plan = priority();

  EXPECT_EQ(plan.decide(at(0)).next, 3u);
  runnable_.remove(3);
  EXPECT_EQ(plan.decide(at(3)).next, 2u);
}

TEST_F(RulesTest, PriorityLowersTheRunningThreadAtAChangePointAndNowhereElse) {
  Plan plan = priority({3});

  EXPECT_EQ(plan.decide(at(3)).next, 3u);
  EXPECT_EQ(plan.decide(at(3)).next, 3u);
  EXPECT_EQ(plan.decide(at(3)).next, 2u);
  EXPECT_EQ(plan.decide(at(2)).next, 2u);
}

TEST_F(RulesTest, PriorityPutsALaterChangePointBelowAnEarlierOne) {
  Plan plan = priority({1, 2, 3, 4});

  EXPECT_EQ(plan.decide(at(3)).next, 2u);
  EXPECT_EQ(plan.decide(at(2)).next, 1u);
  EXPECT_EQ(plan.decide(at(1)).next, 0u);
  EXPECT_EQ(plan.decide(at(0)).next, 3u) << "the first that was lowered is above those after it";
}

TEST_F(RulesTest, PriorityDropsAThreadThatYieldsBelowAllOthersWithoutAChangePoint) {
  Plan plan = priority({3});

  EXPECT_EQ(plan.decide(at(3, Leave::kYields)).next, 2u);
  EXPECT_EQ(plan.decide(at(2, Leave::kSpins)).next, 1u);
  EXPECT_EQ(plan.decide(at(1)).next, 0u) << "the change point is still there";
}

TEST_F(RulesTest, PriorityGivesNewThreadsARandomPriorityAboveTheLoweredOnes) {
  int above = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    Plan plan(wire::Rule{.kind = RuleKind::kPriority, .seed = seed});
    plan.thread_appeared(threads_[0]);
    plan.thread_appeared(threads_[1]);
    EXPECT_GE(threads_[0].rule.priority, std::uint64_t{1} << 63);
    above += threads_[0].rule.priority > threads_[1].rule.priority;
  }

  // Mean 500, deviation 16.
  EXPECT_NEAR(above, 500, 80);
}

}  // namespace
}  // namespace unravel
