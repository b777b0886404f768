#include "predict/essential_orders.hpp"

#include <gtest/gtest.h>

#include "trace_builder.hpp"

namespace unravel {
namespace {

// Numbers of sites, which are given to the builder.
constexpr std::uint32_t kLoadSite = 1;
constexpr std::uint32_t kStoreSite = 2;
constexpr std::uint32_t kOtherSite = 3;

constexpr std::uint64_t kCounter = 0x1000;
constexpr std::uint64_t kElsewhere = 0x2000;

wire::Site site(std::uint32_t number) { return wire::Site::of(1, 16 * number); }

Trace trace_of(const TraceBuilder& builder) {
  Trace trace;
  for (std::uint32_t i = 0; i <= 4; ++i) trace.sites.push_back(i == 0 ? wire::Site{} : site(i));
  trace.events = builder.events;
  return trace;
}

/// `thread` was left before the event that comes next in the trace.
wire::Slice preempted(std::uint32_t thread, const TraceBuilder& builder,
                      Operation pending = Operation::kStore, std::uint32_t number = kStoreSite) {
  wire::Slice slice;
  slice.thread.ordinal = thread;
  slice.until.operations = builder.events.size();
  slice.pending = pending;
  slice.site = site(number);
  return slice;
}

TEST(EssentialOrders, OfALostUpdateHaveBothLoadsBeforeAnyStore) {
  TraceBuilder builder;
  builder.load(1, kCounter, kLoadSite);
  const wire::Slice left = preempted(1, builder);
  builder.load(2, kCounter, kLoadSite);
  builder.store(2, kCounter, kStoreSite);
  builder.store(1, kCounter, kStoreSite);

  const auto orders = essential_orders(trace_of(builder), {{left}});

  // By site alone the two stores come in any case one after the other.
  const EssentialOrder both = {{site(kLoadSite), Operation::kLoad, 2},
                               {site(kStoreSite), Operation::kStore, 1}};
  const EssentialOrder own = {{site(kLoadSite), Operation::kLoad, 1},
                              {site(kStoreSite), Operation::kStore, 1}};
  EXPECT_EQ(orders, (std::vector<EssentialOrder>{both, own}));
}

TEST(EssentialOrders, CountOccurrencesOverAllThreads) {
  TraceBuilder builder;
  builder.load(2, kCounter, kLoadSite);
  builder.store(2, kCounter, kStoreSite);
  const wire::Slice left = preempted(1, builder, Operation::kStore, kOtherSite);
  builder.load(2, kCounter, kLoadSite);
  builder.store(1, kCounter, kOtherSite);

  const auto orders = essential_orders(trace_of(builder), {{left}});

  ASSERT_EQ(orders.size(), 2u);
  EXPECT_EQ(orders[0].first, (OrderedEvent{site(kLoadSite), Operation::kLoad, 2}));
  EXPECT_EQ(orders[0].then, (OrderedEvent{site(kOtherSite), Operation::kStore, 1}));
  EXPECT_EQ(orders[1].first, (OrderedEvent{site(kStoreSite), Operation::kStore, 1}));
}

TEST(EssentialOrders, AreNoneOfASwitchThatBroughtNoConflictAbout) {
  TraceBuilder builder;
  builder.load(1, kCounter, kLoadSite);
  const wire::Slice left = preempted(1, builder);
  builder.store(2, kElsewhere, kOtherSite);
  builder.store(1, kCounter, kStoreSite);

  EXPECT_TRUE(essential_orders(trace_of(builder), {{left}}).empty());
}

TEST(EssentialOrders, AreNoneOfASwitchThatWasForced) {
  TraceBuilder builder;
  builder.load(1, kCounter, kLoadSite);
  wire::Slice left = preempted(1, builder);
  left.end = wire::End::kBlocked;
  builder.store(2, kCounter, kOtherSite);
  builder.store(1, kCounter, kStoreSite);

  EXPECT_TRUE(essential_orders(trace_of(builder), {{left}}).empty());
}

TEST(EssentialOrders, OfLocksAreAboutTheSameLock) {
  TraceBuilder builder;
  builder.add(1, Operation::kLock, kCounter).site = kLoadSite;
  const wire::Slice left = preempted(1, builder, Operation::kLock, kStoreSite);
  builder.add(2, Operation::kLock, kElsewhere).site = kOtherSite;

  const auto orders = essential_orders(trace_of(builder), {{left}});

  // The first thread never got its second lock.
  ASSERT_EQ(orders.size(), 1u);
  EXPECT_EQ(orders[0].first, (OrderedEvent{site(kOtherSite), Operation::kLock, 1}));
  EXPECT_EQ(orders[0].then, (OrderedEvent{site(kStoreSite), Operation::kLock, 1}));
}

TEST(EssentialOrders, KnowOfAThreadThatBeganLate) {
  TraceBuilder builder;
  builder.add(0, Operation::kCreate, 1);
  builder.store(0, kCounter, kStoreSite);
  builder.add(1, Operation::kStart);
  builder.load(1, kCounter, kLoadSite);

  const auto orders = essential_orders(trace_of(builder), {});

  ASSERT_EQ(orders.size(), 1u);
  EXPECT_EQ(orders[0].first, (OrderedEvent{site(kStoreSite), Operation::kStore, 1}));
  EXPECT_EQ(orders[0].then, (OrderedEvent{site(kLoadSite), Operation::kLoad, 1}));
}

TEST(EssentialOrders, AreNotMoreThanARunCanHave) {
  TraceBuilder builder;
  std::vector<wire::Slice> slices;
  for (int i = 0; i < 100; ++i) {
    builder.load(1, kCounter, kLoadSite);
    slices.push_back(preempted(1, builder));
    builder.store(2, kCounter, kOtherSite);
    builder.store(1, kCounter, kStoreSite);
  }

  EXPECT_EQ(essential_orders(trace_of(builder), slices).size(), kMostEssentialOrders);
}

}  // namespace
}  // namespace unravel
