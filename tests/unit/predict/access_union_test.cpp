/// Conflicts between accesses of different runs.
#include "predict/access_union.hpp"

#include <gtest/gtest.h>

#include "unit/predict/race_check.hpp"

namespace unravel {
namespace {

using enum Operation;
using Pairs = std::set<std::pair<std::uint64_t, std::uint64_t>>;

/// Numbers of sites in tests.
constexpr std::uint32_t kSites = 100;

class Runs {
 public:
  /// The conflicts that a further run brings, by the numbers of their sites.
  Pairs add(const TraceBuilder& trace) {
    RunAccesses accesses;
    ConflictFinder finder(&accesses);
    finder.take(trace.events);
    std::vector<wire::Site> sites(1);
    for (std::uint32_t site = 1; site < kSites; ++site) sites.push_back(wire::Site::of(1, site));
    Pairs found;
    for (const auto& [one, other] : union_.add(accesses, sites)) {
      found.insert(std::minmax(one.offset(), other.offset()));
    }
    return found;
  }

 private:
  AccessUnion union_;
};

TraceBuilder begun(std::uint32_t threads = 2) {
  TraceBuilder trace;
  trace.create_up_to(threads);
  return trace;
}

TEST(AccessUnion, FindsAccessesThatNeverWereInOneRun) {
  Runs runs;
  TraceBuilder first = begun();
  first.store(1, kX, 1);
  EXPECT_EQ(runs.add(first), Pairs{});

  TraceBuilder second = begun();
  second.load(2, kX, 2);
  EXPECT_EQ(runs.add(second), (Pairs{{1, 2}}));

  EXPECT_EQ(runs.add(second), Pairs{}) << "each conflict is told once";
}

TEST(AccessUnion, FindsWhatOneRunShows) {
  Runs runs;
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.store(2, kX, 2);

  EXPECT_EQ(runs.add(trace), (Pairs{{1, 2}}));
}

TEST(AccessUnion, LeavesOutReadsAndAccessesOfOneThread) {
  Runs runs;
  TraceBuilder first = begun();
  first.load(1, kX, 1);
  first.store(1, kOther, 2);
  runs.add(first);
  TraceBuilder second = begun();
  second.load(2, kX, 3);
  second.store(1, kOther, 4);

  EXPECT_EQ(runs.add(second), Pairs{});
}

TEST(AccessUnion, KnowsLocksByTheirPlace) {
  Runs runs;
  const auto access = [](std::uint32_t thread, std::uint64_t mutex, std::uint32_t site) {
    TraceBuilder trace = begun();
    trace.add(thread, kLock, mutex);
    trace.store(thread, kX, site);
    trace.add(thread, kUnlock, mutex);
    return trace;
  };
  runs.add(access(1, kMutex, 1));

  EXPECT_EQ(runs.add(access(2, kMutex, 2)), Pairs{});
  EXPECT_EQ(runs.add(access(2, kOther, 3)), (Pairs{{1, 3}}));
}

TEST(AccessUnion, KnowsWhoHadEndedOrNotBegun) {
  Runs runs;
  TraceBuilder first;
  first.store(0, kX, 1);  // before there is another thread
  first.add(0, kCreate, 1);
  first.add(1, kStart);
  first.add(1, kExit);
  first.add(0, kJoin, 1);
  first.store(0, kX, 2);  // when it has ended
  EXPECT_EQ(runs.add(first), Pairs{});

  TraceBuilder second;
  second.add(0, kCreate, 1);
  second.add(1, kStart);
  second.store(1, kX, 3);
  second.add(1, kExit);
  second.add(0, kJoin, 1);
  EXPECT_EQ(runs.add(second), Pairs{});

  TraceBuilder third;
  third.add(0, kCreate, 1);
  third.store(0, kX, 4);  // meanwhile
  EXPECT_EQ(runs.add(third), (Pairs{{3, 4}}));
}

TEST(AccessUnion, TakesThreadsThatNoOtherRunHadForConcurrent) {
  Runs runs;
  TraceBuilder first = begun(1);
  first.store(1, kX, 1);
  runs.add(first);
  TraceBuilder second = begun(5);
  second.store(5, kX, 2);

  EXPECT_EQ(runs.add(second), (Pairs{{1, 2}}));
}

TEST(AccessUnion, ClaimsNothingAboutMoreThreadsThanItKnows) {
  Runs runs;
  const auto handed_over = [] {  // main fills in what each thread reads
    TraceBuilder trace;
    for (std::uint32_t thread = 1; thread <= 100; ++thread) {
      trace.store(0, kX + 8 * thread, 1);
      trace.add(0, kCreate, thread);
      trace.add(thread, kStart);
      trace.load(thread, kX + 8 * thread, 2);
    }
    return trace;
  };
  EXPECT_EQ(runs.add(handed_over()), Pairs{});
  EXPECT_EQ(runs.add(handed_over()), Pairs{});
}

TEST(AccessUnion, FindsTheSameBlockAtAnotherAddress) {
  constexpr std::uint64_t kHere = 0x10'000;
  constexpr std::uint64_t kThere = 0x20'000;
  Runs runs;
  TraceBuilder first = begun();
  first.memory(0, kAllocate, kHere, 64, 9);
  first.store(1, kHere + 16, 1);
  runs.add(first);

  TraceBuilder second = begun();
  second.memory(0, kAllocate, kThere, 64, 9);
  second.store(2, kThere + 16, 2);
  EXPECT_EQ(runs.add(second), (Pairs{{1, 2}}));

  TraceBuilder third = begun();
  third.memory(0, kAllocate, kHere, 64, 9);
  third.memory(0, kAllocate, kThere, 64, 9);  // the second block of this site
  third.store(2, kThere + 16, 3);
  third.store(2, kHere + 32, 4);
  EXPECT_EQ(runs.add(third), Pairs{});
}

TEST(AccessUnion, TellsMemoryThatIsUsedAgainFromWhatWasThere) {
  constexpr std::uint64_t kHere = 0x10'000;
  Runs runs;
  TraceBuilder first = begun();
  first.memory(1, kAllocate, kHere, 64, 8);
  first.store(1, kHere, 1);
  first.memory(1, kFree, kHere, 0, 5);
  runs.add(first);

  TraceBuilder second = begun();
  second.memory(2, kAllocate, kHere, 64, 9);
  second.store(2, kHere, 2);
  EXPECT_EQ(runs.add(second), Pairs{});
}

TEST(AccessUnion, TakesAFreeForAWriteOfTheBlock) {
  constexpr std::uint64_t kHere = 0x10'000;
  Runs runs;
  TraceBuilder first = begun();
  first.memory(0, kAllocate, kHere, 64, 9);
  first.load(1, kHere, 1);
  first.memory(1, kFree, kHere, 0, 5);
  runs.add(first);

  TraceBuilder second = begun();
  second.memory(0, kAllocate, kHere, 64, 9);
  second.load(2, kHere, 2);
  EXPECT_EQ(runs.add(second), (Pairs{{2, 5}}));
}

}  // namespace
}  // namespace unravel
