#include "hostile_channel.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

using Way = HostileChannel::Way;

// The loop of ten thousand is bench/hostile.
constexpr std::uint64_t kAttacks = 2000, kAttacksOnAllWords = 300, kAttacksMeanwhile = 100;

TEST(HostileChannel, IsNoticedWhenEveryWordIsRandom) {
  HostileChannel channel;

  for (std::uint64_t seed = 0; seed < kAttacksOnAllWords; ++seed) {
    // The batch alone has 26 words that the driver compares with its own.
    ASSERT_NE(channel.attack(Way::kAllWords, seed), "") << seed;
  }
}

TEST(HostileChannel, IsGoodBeforeItIsOverwritten) {
  HostileChannel channel;

  EXPECT_EQ(channel.attack(Way::kNoWords, 0), "");
}

TEST(HostileChannel, DoesNoHarmWhenAFewWordsAreBad) {
  HostileChannel channel;
  std::uint64_t noticed = 0;

  for (std::uint64_t seed = 0; seed < kAttacks; ++seed) {
    noticed += channel.attack(Way::kFewWords, seed).empty() ? 0 : 1;
  }

  // Most words are numbers of which any is possible.
  EXPECT_GT(noticed, kAttacks / 20);
  EXPECT_LT(noticed, kAttacks);
}

TEST(HostileChannel, DoesNoHarmWhenItChangesWhileItIsRead) {
  HostileChannel channel;

  for (std::uint64_t seed = 0; seed < kAttacksMeanwhile; ++seed) {
    channel.attack(Way::kMeanwhile, seed);
  }
}

}  // namespace
}  // namespace unravel
