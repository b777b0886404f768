#include "base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "property/property.hpp"

namespace unravel {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

TEST(Random, GivesThePublishedNumbersForASeed) {
  // Stored seeds must mean the same runs for ever, so these may not change. They are the
  // reference xoshiro256** started from the first four numbers of the reference splitmix64.
  Random random(0);

  EXPECT_EQ(random.next(), 11091344671253066420u);
  EXPECT_EQ(random.next(), 13793997310169335082u);
  EXPECT_EQ(random.next(), 1900383378846508768u);
}

TEST(Random, RepeatsItselfForTheSameSeedOnly) {
  Random one(42);
  Random same(42);
  Random other(43);

  const std::uint64_t first = one.next();

  EXPECT_EQ(first, same.next());
  EXPECT_NE(first, other.next());
}

PROPERTY(Random, StaysBelowItsBound, (std::uint64_t seed)) {
  const auto bound = *rc::gen::inRange<std::uint64_t>(1, kLargest);
  Random random(seed);

  RC_ASSERT(random.below(bound) < bound);
}

TEST(Random, DrawsEachNumberBelowABoundAboutEquallyOften) {
  Random random(7);
  std::array<int, 6> drawn{};

  for (int throws = 0; throws < 6000; ++throws) ++drawn[random.below(6)];

  // The seed is fixed; of all seeds, one in 10^10 has a count this far (7 deviations) off.
  for (const int count : drawn) EXPECT_NEAR(count, 1000, 200);
}

TEST(Random, IsNotBiasedByABoundThatDoesNotDivideItsRange) {
  // Taking the remainder alone would put half of the draws into the lowest third.
  Random random(7);
  const std::uint64_t bound = kLargest / 4 * 3;
  int low = 0;

  for (int draw = 0; draw < 3000; ++draw) low += random.below(bound) < bound / 3;

  EXPECT_NEAR(low, 1000, 180);
}

TEST(Random, ChanceIsNeverAtZeroAndAlwaysAtOne) {
  Random random(1);

  for (int draw = 0; draw < 1000; ++draw) {
    EXPECT_FALSE(random.chance(0));
    EXPECT_TRUE(random.chance(1));
  }
}

TEST(Random, ChanceOfAQuarterHappensAboutOnceInFour) {
  Random random(1);
  int happened = 0;

  for (int draw = 0; draw < 4000; ++draw) happened += random.chance(0.25);

  EXPECT_NEAR(happened, 1000, 190);
}

PROPERTY(Random, SamplesDistinctNumbersInOrderAndInRange, (std::uint64_t seed)) {
  const auto first = *rc::gen::inRange<std::uint64_t>(0, 50);
  const auto last = first + *rc::gen::inRange<std::uint64_t>(0, 50);
  const auto count = *rc::gen::inRange<std::uint64_t>(0, 60);

  const std::vector<std::uint64_t> sample = Random(seed).sample(count, first, last);

  RC_ASSERT(sample.size() == std::min(count, last - first + 1));
  RC_ASSERT(std::adjacent_find(sample.begin(), sample.end(), std::greater_equal<>()) ==
            sample.end());
  for (const std::uint64_t number : sample) RC_ASSERT((number >= first && number <= last));
}

TEST(Random, SamplesEveryPairEquallyOften) {
  Random random(3);
  std::array<int, 4> first_of_pair{};

  for (int draw = 0; draw < 6000; ++draw) ++first_of_pair[random.sample(2, 1, 4).front() - 1];

  // Of the six pairs of 1 to 4, three begin with 1, two with 2, one with 3 and none with 4.
  EXPECT_NEAR(first_of_pair[0], 3000, 270);
  EXPECT_NEAR(first_of_pair[1], 2000, 260);
  EXPECT_NEAR(first_of_pair[2], 1000, 200);
  EXPECT_EQ(first_of_pair[3], 0);
}

TEST(Random, SamplesAnEmptyRangeAsNothingAndTheWholeRangeWithoutOverflow) {
  Random random(3);

  EXPECT_TRUE(random.sample(3, 5, 4).empty());
  EXPECT_TRUE(random.sample(0, 0, 10).empty());
  EXPECT_EQ(random.sample(3, 0, kLargest).size(), 3u);
  EXPECT_EQ(random.sample(5, kLargest, kLargest), std::vector<std::uint64_t>{kLargest});
}

}  // namespace
}  // namespace unravel
