#include "runtime/os/code_ranges.hpp"

#include <gtest/gtest.h>

#include <set>

#include "property/property.hpp"

namespace unravel::os {
namespace {

TEST(CodeRanges, CoverNothingAtFirst) {
  const CodeRanges ranges;

  EXPECT_TRUE(ranges.empty());
  EXPECT_FALSE(ranges.covers(0));
  EXPECT_FALSE(ranges.covers(~std::uint64_t{0}));
}

TEST(CodeRanges, ARangeHasItsFirstAddressAndNotItsEnd) {
  CodeRanges ranges;

  EXPECT_TRUE(ranges.add({100, 200}));

  EXPECT_FALSE(ranges.empty());
  EXPECT_FALSE(ranges.covers(99));
  EXPECT_TRUE(ranges.covers(100));
  EXPECT_TRUE(ranges.covers(199));
  EXPECT_FALSE(ranges.covers(200));
}

TEST(CodeRanges, NeighboursAndGapsAreToldApartInAnyOrder) {
  CodeRanges ranges;

  for (const std::uint64_t begin : {500, 100, 300, 200}) ranges.add({begin, begin + 100});

  EXPECT_EQ(ranges.count(), 4u);
  EXPECT_TRUE(ranges.covers(100));
  EXPECT_TRUE(ranges.covers(299));
  EXPECT_TRUE(ranges.covers(300));
  EXPECT_FALSE(ranges.covers(400));
  EXPECT_TRUE(ranges.covers(500));
  EXPECT_FALSE(ranges.covers(600));
}

TEST(CodeRanges, AnEmptyRangeAddsNothing) {
  CodeRanges ranges;

  EXPECT_TRUE(ranges.add({100, 100}));
  EXPECT_TRUE(ranges.add({200, 100}));

  EXPECT_TRUE(ranges.empty());
}

TEST(CodeRanges, WhatIsMappedNowReplacesWhatLayThereBefore) {
  CodeRanges ranges;
  ranges.add({100, 200});
  ranges.add({300, 400});

  ranges.add({150, 310});

  EXPECT_EQ(ranges.count(), 1u);
  EXPECT_FALSE(ranges.covers(120));
  EXPECT_TRUE(ranges.covers(305));
  EXPECT_FALSE(ranges.covers(350));
}

TEST(CodeRanges, RemovedOnesAreNoLongerCovered) {
  CodeRanges ranges;
  for (const std::uint64_t begin : {100, 300, 500}) ranges.add({begin, begin + 100});

  ranges.remove_if([](const CodeRanges::Range& range) { return range.begin == 300; });

  EXPECT_EQ(ranges.count(), 2u);
  EXPECT_TRUE(ranges.covers(150));
  EXPECT_FALSE(ranges.covers(350));
  EXPECT_TRUE(ranges.covers(550));
}

TEST(CodeRanges, OneTooManyIsRefusedAndTheOthersStay) {
  CodeRanges ranges;
  for (std::uint64_t i = 0; i < CodeRanges::kMost; ++i) {
    ASSERT_TRUE(ranges.add({i * 10, i * 10 + 5}));
  }

  EXPECT_FALSE(ranges.add({1'000'000, 1'000'001}));
  EXPECT_TRUE(ranges.add({0, 7})) << "it takes the place of one";

  EXPECT_FALSE(ranges.covers(1'000'000));
  EXPECT_TRUE(ranges.covers(6));
  EXPECT_TRUE(ranges.covers((CodeRanges::kMost - 1) * 10));
}

PROPERTY(CodeRanges, AnswerLikeASetOfAddresses, ()) {
  CodeRanges ranges;
  std::set<std::uint64_t> addresses;
  const auto steps = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint8_t>>>(
      rc::gen::arbitrary<std::pair<std::uint8_t, std::uint8_t>>());
  std::vector<CodeRanges::Range> known;

  for (const auto& [begin, size] : steps) {
    const CodeRanges::Range added{begin, std::uint64_t{begin} + size};
    ranges.add(added);
    if (size == 0) continue;
    std::erase_if(known, [&](const CodeRanges::Range& range) {
      return range.begin < added.end && added.begin < range.end;
    });
    known.push_back(added);
  }
  for (const CodeRanges::Range& range : known) {
    for (std::uint64_t at = range.begin; at < range.end; ++at) addresses.insert(at);
  }

  for (std::uint64_t at = 0; at < 512; ++at) RC_ASSERT(ranges.covers(at) == addresses.contains(at));
}

}  // namespace
}  // namespace unravel::os
