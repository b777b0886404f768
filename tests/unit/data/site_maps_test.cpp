#include "data/site_maps.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

constexpr std::uint64_t kBase = 0x5555'0000'0000;

wire::Site site(std::uint64_t offset) { return wire::Site::of(1, offset); }

/// As the runtime notes it: by the address at which code was.
std::uint64_t spread(std::uint64_t offset) { return wire::spread_site(kBase + offset); }

void set(std::vector<std::uint64_t>& map, std::uint64_t bit) {
  map.resize(wire::kSiteMapBits / 64);
  map[bit / 64] |= std::uint64_t{1} << bit % 64;
}

SiteMaps with_meeting(std::uint64_t earlier, std::uint64_t later) {
  SiteMaps maps;
  maps.bases = {0, kBase};
  set(maps.met, wire::met_bit(spread(earlier), spread(later)));
  return maps;
}

TEST(SiteMaps, TellWhoMetInWhichOrder) {
  const SiteMaps maps = with_meeting(0x10, 0x20);
  EXPECT_TRUE(maps.has_met(site(0x10), site(0x20)));
  EXPECT_FALSE(maps.has_met(site(0x20), site(0x10)));
  EXPECT_FALSE(maps.has_met(site(0x10), site(0x30)));
  EXPECT_FALSE(maps.has_met(wire::Site::of(0, 0x10), wire::Site::of(0, 0x20)))
      << "code of another module";
}

TEST(SiteMaps, TellWhereThreadsWerePreempted) {
  SiteMaps maps;
  maps.bases = {0, kBase};
  set(maps.preempted, wire::preempted_bit(spread(0x40)));
  EXPECT_TRUE(maps.was_preempted(site(0x40)));
  EXPECT_FALSE(maps.was_preempted(site(0x44)));
  EXPECT_EQ(maps.pairs(), 0u);
}

TEST(SiteMaps, OfNoRunHaveNothing) {
  const SiteMaps maps;
  EXPECT_EQ(maps.pairs(), 0u);
  EXPECT_FALSE(maps.has_met(site(1), site(2)));
  EXPECT_FALSE(maps.was_preempted(site(1)));
}

TEST(SiteMaps, AddWhatOthersSawAndTellHowMuchWasNew) {
  SiteMaps all;
  EXPECT_EQ(all.add(with_meeting(0x10, 0x20)), 1u);
  EXPECT_EQ(all.add(with_meeting(0x10, 0x20)), 0u);
  EXPECT_EQ(all.add(with_meeting(0x20, 0x10)), 1u);
  EXPECT_EQ(all.pairs(), 2u);
  EXPECT_TRUE(all.has_met(site(0x10), site(0x20)));
  EXPECT_TRUE(all.has_met(site(0x20), site(0x10)));
  EXPECT_EQ(all.bases, (std::vector<std::uint64_t>{0, kBase}));

  SiteMaps loaded_less;
  loaded_less.bases = {0};
  all.add(loaded_less);
  EXPECT_EQ(all.bases.size(), 2u) << "modules are never forgotten";
}

TEST(SiteMaps, HaveABitOfItsOwnForEveryKindOfPair) {
  EXPECT_NE(wire::met_bit(spread(1), spread(2)), wire::met_bit(spread(2), spread(1)));
  EXPECT_NE(wire::met_bit(spread(1), spread(2)), wire::read_bit(spread(1), spread(2)));
  // In a small file addresses of different pairs have the same sums. A thousand pairs have almost
  // as many bits: about 1000 * 999 / 2 / 65536 = 8 fall together.
  std::vector<bool> taken(wire::kSiteMapBits);
  int together = 0;
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const std::uint64_t bit = wire::met_bit(spread(16 * i), spread(16 * (i * 7 % 1'000)));
    together += taken[bit];
    taken[bit] = true;
  }
  EXPECT_LT(together, 25);
}

}  // namespace
}  // namespace unravel
