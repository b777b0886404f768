#include "predict/separated.hpp"

#include <gtest/gtest.h>

#include "unit/predict/trace_builder.hpp"

namespace unravel {
namespace {

constexpr std::uint64_t kX = 0x1000, kY = 0x2000;

/// Sites are the numbers that the builder is given.
class Separation : public testing::Test {
 protected:
  void load(std::uint32_t thread, std::uint64_t address, std::uint32_t site) {
    builder_.load(thread, address, site);
    count(thread);
  }
  void store(std::uint32_t thread, std::uint64_t address, std::uint32_t site) {
    builder_.store(thread, address, site);
    count(thread);
  }
  void lock(std::uint32_t thread, std::uint64_t mutex, std::uint32_t site) {
    TraceEvent& event = builder_.add(thread, Operation::kLock, mutex);
    event.site = site;
    event.clock = {++operations_[thread], 0};
    hooks_[thread] = 0;
  }
  /// The thread is left right before what it does next.
  void leave(std::uint32_t thread) {
    slices_.push_back({.thread = {.ordinal = thread},
                       .until = {operations_[thread], hooks_[thread] + 1},
                       .site = {}});
  }

  std::vector<Separated> separated() {
    Trace trace{.sites = {}, .events = builder_.events};
    for (std::uint32_t site = 0; site < 20; ++site) trace.sites.push_back(wire::Site::of(1, site));
    return separated_by(trace, slices_, 0);
  }

  static std::uint64_t site(const SeparatedEvent& event) { return event.site.offset(); }

 private:
  void count(std::uint32_t thread) {
    builder_.events.back().clock = {operations_[thread], ++hooks_[thread]};
  }

  TraceBuilder builder_;
  std::vector<wire::Slice> slices_;
  std::uint64_t operations_[3] = {};
  std::uint64_t hooks_[3] = {};
};

TEST_F(Separation, OfAReadAndAWriteByAnotherWriteIsFound) {
  load(1, kX, 1);
  leave(1);
  load(2, kX, 2);
  store(2, kX, 3);
  store(1, kX, 4);
  const auto found = separated();
  ASSERT_FALSE(found.empty());
  ASSERT_TRUE(found[0].before && found[0].after);
  EXPECT_EQ(site(*found[0].before), 1u);
  EXPECT_EQ(site(found[0].between), 3u);
  EXPECT_EQ(site(*found[0].after), 4u);
  EXPECT_EQ(found[0].after->before, (wire::Clock{0, 2}));
}

TEST_F(Separation, TakesTheNearestAndNotWhatOnlyReads) {
  store(1, kX, 1);
  load(1, kX, 2);
  load(1, kY, 3);
  leave(1);
  load(2, kY, 4);
  store(2, kX, 5);
  load(1, kY, 6);
  load(1, kX, 7);
  const auto found = separated();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(site(*found[0].before), 2u);
  EXPECT_EQ(site(found[0].between), 5u);
  EXPECT_EQ(site(*found[0].after), 7u);
}

TEST_F(Separation, MayBeWithoutOneOfTheTwo) {
  store(1, kY, 1);
  leave(1);
  load(2, kX, 2);
  store(1, kX, 3);
  const auto found = separated();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].before);
  EXPECT_EQ(site(found[0].between), 2u);
  EXPECT_EQ(site(*found[0].after), 3u);
}

TEST_F(Separation, IsAboutTheSameBytes) {
  load(1, kX, 1);
  leave(1);
  store(2, kX + 4, 2);
  store(1, kX, 3);
  EXPECT_TRUE(separated().empty());
}

TEST_F(Separation, EndsWhenTheThreadGoesOn) {
  load(1, kX, 1);
  leave(1);
  load(2, kX, 2);
  load(1, kX, 3);
  store(2, kX, 4);
  EXPECT_TRUE(separated().empty());
}

TEST_F(Separation, OfLocksCountsWhereThereIsNothingElse) {
  lock(1, kX, 1);
  leave(1);
  lock(2, kX, 2);
  lock(1, kX, 3);
  const auto found = separated();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(site(*found[0].before), 1u);
  EXPECT_EQ(found[0].before->before, (wire::Clock{0, wire::kBeforeNext}));
  EXPECT_EQ(site(found[0].between), 2u);
}

}  // namespace
}  // namespace unravel
