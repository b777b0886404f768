#include "runtime/core/thread_set.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "property/property.hpp"

namespace unravel {
namespace {

constexpr std::uint32_t kLast = wire::kMostThreads - 1;

ThreadSet set_of(std::initializer_list<std::uint32_t> slots) {
  ThreadSet set;
  for (const std::uint32_t slot : slots) set.add(slot);
  return set;
}

TEST(ThreadSet, IsEmptyAtFirst) {
  const ThreadSet set;

  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.count(), 0u);
  EXPECT_EQ(set.first_from(0), ThreadSet::kNone);
  EXPECT_EQ(set.next_after(0), ThreadSet::kNone);
  EXPECT_EQ(set.nth(0), ThreadSet::kNone);
}

TEST(ThreadSet, HoldsWhatWasAddedUntilItIsRemoved) {
  ThreadSet set = set_of({0, 63, 64, 200, kLast});

  EXPECT_EQ(set.count(), 5u);
  EXPECT_TRUE(set.contains(64));
  EXPECT_FALSE(set.contains(65));

  set.remove(64);
  set.set(65, true);
  set.set(0, false);

  EXPECT_FALSE(set.contains(64));
  EXPECT_TRUE(set.contains(65));
  EXPECT_FALSE(set.contains(0));
  EXPECT_EQ(set.count(), 4u);
}

TEST(ThreadSet, IsEmptyAgainWhenAllAreRemoved) {
  ThreadSet set = set_of({3, 130});

  set.remove(3);
  set.remove(130);

  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.next_after(5), ThreadSet::kNone);
}

TEST(ThreadSet, NumbersItsMembersInTheOrderOfSlotsAcrossWords) {
  const ThreadSet set = set_of({200, 5, 63, 64, kLast});

  EXPECT_EQ(set.nth(0), 5u);
  EXPECT_EQ(set.nth(1), 63u);
  EXPECT_EQ(set.nth(2), 64u);
  EXPECT_EQ(set.nth(3), 200u);
  EXPECT_EQ(set.nth(4), kLast);
  EXPECT_EQ(set.nth(5), ThreadSet::kNone);
}

TEST(ThreadSet, GoesRoundAndReturnsToTheSameSlotLast) {
  const ThreadSet set = set_of({5, 64, 200});

  EXPECT_EQ(set.next_after(5), 64u);
  EXPECT_EQ(set.next_after(64), 200u);
  EXPECT_EQ(set.next_after(200), 5u);
  EXPECT_EQ(set.next_after(kLast), 5u);
  EXPECT_EQ(set_of({64}).next_after(64), 64u);
}

PROPERTY(ThreadSet, AgreesWithAnOrderedSet, (std::vector<std::pair<bool, std::uint16_t>> acts)) {
  ThreadSet set;
  std::set<std::uint32_t> model;
  for (const auto& [adds, number] : acts) {
    const std::uint32_t slot = number % wire::kMostThreads;
    set.set(slot, adds);
    adds ? (void)model.insert(slot) : (void)model.erase(slot);
  }

  RC_ASSERT(set.count() == model.size());
  RC_ASSERT(set.empty() == model.empty());
  std::uint32_t n = 0;
  for (const std::uint32_t slot : model) {
    RC_ASSERT(set.nth(n++) == slot);
    const auto after = model.upper_bound(slot);
    RC_ASSERT(set.next_after(slot) == (after == model.end() ? *model.begin() : *after));
    RC_ASSERT(set.first_from(slot) == slot);
  }
}

}  // namespace
}  // namespace unravel
