#include "simplify/rejoin.hpp"

#include <gtest/gtest.h>

#include "sim/sim_laboratory.hpp"
#include "simplify/attempts.hpp"

namespace unravel {
namespace {

constexpr wire::Site kLoop{1}, kStore{2}, kOther{3};

/// A thread that is left before a store at `site`, when it has done so many operations.
wire::Slice left_before(std::uint32_t thread, std::uint64_t operations, wire::Site site) {
  return {.thread = {.ordinal = thread},
          .until = {operations, 1},
          .site = site,
          .end = wire::End::kPreempted,
          .pending = wire::Operation::kLock};
}

Act act(std::uint32_t thread, std::uint64_t before, wire::Site site) {
  return {.thread = {.ordinal = thread},
          .before = {before, 1},
          .after = wire::Clock{before + 1, 0},
          .site = site,
          .operation = wire::Operation::kLock};
}

const Slices kAsked = {left_before(1, 4, kStore), left_before(2, 3, kOther),
                       left_before(1, 7, kOther), left_before(2, 5, kOther)};

TEST(Rejoin, TellsWhoCameToAnotherPlace) {
  EXPECT_EQ(first_astray(kAsked, kAsked), std::nullopt);
  Slices made = kAsked;
  made[2].site = kLoop;
  EXPECT_EQ(first_astray(kAsked, made), 2u);
  // Whoever did not come as far is not astray, but was blocked.
  made[2].until = {6, 1};
  EXPECT_EQ(first_astray(kAsked, made), std::nullopt);
}

TEST(Rejoin, PutsOffWhatFollows) {
  const std::vector<Act> acts = {act(1, 4, kLoop), act(1, 6, kStore), act(2, 3, kStore)};
  const auto rejoined = rejoin(kAsked, 0, acts);
  ASSERT_TRUE(rejoined);
  EXPECT_EQ((*rejoined)[0].until, (wire::Clock{6, 1}));
  EXPECT_EQ((*rejoined)[1].until, kAsked[1].until);  // of another thread
  EXPECT_EQ((*rejoined)[2].until, (wire::Clock{9, 1}));
  EXPECT_EQ((*rejoined)[3].until, kAsked[3].until);
}

TEST(Rejoin, TakesTheNearestPlaceAlsoIfItCameBefore) {
  const std::vector<Act> acts = {act(1, 1, kStore), act(1, 3, kStore), act(1, 9, kStore)};
  const auto rejoined = rejoin(kAsked, 0, acts);
  ASSERT_TRUE(rejoined);
  EXPECT_EQ((*rejoined)[0].until, (wire::Clock{3, 1}));
  EXPECT_EQ((*rejoined)[2].until, (wire::Clock{6, 1}));
}

TEST(Rejoin, GivesUpIfTheThreadDoesNotComeThere) {
  EXPECT_EQ(rejoin(kAsked, 0, {act(1, 4, kLoop), act(2, 4, kStore)}), std::nullopt);
}

/// A counts under a lock, once more if B has begun; then it reads x, and writes what it has read.
/// B adds to x.
const sim::SimProgram kPaths{
    .threads = {{"A",
                 {"read begun", "if $result == 1", "lock m", "unlock m", "end", "read x",
                  "$seen = $result", "write x $seen + 1"}},
                {"B", {"write begun 1", "read x", "$seen = $result", "write x $seen + 1"}}},
    .fails_if = "x != 2"};

/// Up to right before the operation after the n-th.
wire::Slice up_to(std::uint32_t thread, std::uint64_t operations) {
  return {.thread = {.ordinal = thread}, .until = {operations, 1}, .site = {}};
}

TEST(Rejoin, LetsAnEditSucceedWhoseThreadTakesAnotherPath) {
  // B begins, A takes the lock, reads and is left; B adds; A writes what is old.
  sim::SimSchedule schedule;
  schedule.slices = {up_to(1, 2), up_to(0, 4), up_to(1, 9), up_to(0, 9)};
  const sim::SimRun failing = sim::run(kPaths, schedule, wire::Following::kLenient);
  ASSERT_TRUE(failing.failed());

  // Without B's first slice A takes no lock: when it has done as much as before, it has written.
  for (const bool rejoins : {false, true}) {
    sim::SimLaboratory laboratory(kPaths, sim::key_of(failing));
    Attempts attempts(laboratory, sim::whole(failing), [](auto, const auto&) { return true; });
    const std::size_t first = attempts.slices()[0].thread.ordinal == 1 ? 0 : 1;
    const bool better = attempts.is_better({.kind = Edit::Kind::kConsolidateDown,
                                            .slices = without(attempts.slices(), first),
                                            .rejoins = rejoins});
    EXPECT_EQ(better, rejoins);
  }
}

}  // namespace
}  // namespace unravel
