#include "investigate/snapshot.hpp"

#include "investigated.hpp"

namespace unravel {
namespace {

class SnapshotTest : public Investigated {
 protected:
  Result<Snapshot> take(const std::string& run, std::uint32_t thread, wire::Clock clock) {
    const NamedStop moment{.at = {.thread = {.ordinal = thread}, .clock = clock}, .points = {}};
    auto all = take_snapshots(run, store_.path(), {&moment, 1}, observer_);
    if (!all) return fail(all.error());
    return std::move(all->front());
  }

  /// Where a thread of a kept run was left last.
  wire::Clock last_clock(const std::string& run, std::uint32_t thread) {
    wire::Clock last;
    for (const wire::Slice& slice : store_.open().load(run)->run.schedule.slices) {
      if (slice.thread.ordinal == thread) last = slice.until;
    }
    return last;
  }
};

TEST_F(SnapshotTest, ShowsEveryThreadAtAClock) {
  const std::string id = keep_failure_of("account");

  const auto snapshot = take(id, 1, {.operations = 2});

  ASSERT_TRUE(snapshot) << snapshot.error().what;
  EXPECT_EQ(snapshot->thread, (wire::ThreadId{.ordinal = 1}));
  EXPECT_EQ(snapshot->clock.operations, 2u);
  ASSERT_GE(snapshot->threads.size(), 2u) << "main, too";
  bool is_in_deposit = false;
  for (const ThreadAtFailure& thread : snapshot->threads) {
    for (const Frame& frame : thread.stack) {
      is_in_deposit |= thread.thread == 1 && frame.function == "deposit";
    }
  }
  EXPECT_TRUE(is_in_deposit);
}

TEST_F(SnapshotTest, RefusesAClockThatWasNeverReached) {
  const std::string id = keep_failure_of("account");

  const auto late = take(id, 1, {.operations = 1000});
  const auto between = take(id, 1, {.operations = 1, .hooks = 50});

  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().what, "T1:1000 was never reached in run " + id);
  ASSERT_FALSE(between);
  EXPECT_EQ(between.error().what, "T1:1+50 was never reached in run " + id);
  EXPECT_NE(between.error().why.find("fewer hooks"), std::string::npos);
}

TEST_F(SnapshotTest, TakesManyInOneRunAndReturnsThemAsAsked) {
  const std::string id = keep_failure_of("account");
  const auto at = [](std::uint32_t thread, std::uint64_t operations) {
    return NamedStop{.at = {.thread = {.ordinal = thread}, .clock = {.operations = operations}},
                     .points = {}};
  };
  const NamedStop asked[] = {at(2, 2), at(1, 3), at(2, 1), at(1, 1)};

  const auto all = take_snapshots(id, store_.path(), asked, observer_);

  ASSERT_TRUE(all) << all.error().what;
  ASSERT_EQ(all->size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((*all)[i].thread, asked[i].at.thread);
    EXPECT_EQ((*all)[i].clock.operations, asked[i].at.clock.operations);
  }
}

TEST_F(SnapshotTest, FindsMomentsByTheirCount) {
  const std::string id = keep_failure_of("account");
  const auto clock = take(id, 1, {.operations = 2});
  ASSERT_TRUE(clock) << clock.error().what;
  const NamedStop asked{.at = {}, .points = clock->step};

  const auto all = take_snapshots(id, store_.path(), {&asked, 1}, observer_);

  ASSERT_TRUE(all) << all.error().what;
  EXPECT_EQ(all->front(), *clock);
}

TEST_F(SnapshotTest, RefusesTheClockAtWhichAThreadEnded) {
  const std::string id = keep_failure_of("account");

  const auto end = take(id, 1, last_clock(id, 1));

  ASSERT_FALSE(end);
  EXPECT_TRUE(end.error().why.ends_with(", where it ended")) << end.error().why;
}

TEST_F(SnapshotTest, RefusesAThreadThatWasNotThere) {
  const std::string id = keep_failure_of("account");

  const auto nobody = take(id, 9, {.operations = 1});

  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().what, "run " + id + " has no thread T9");
  EXPECT_EQ(nobody.error().why, "its last thread is T2");
}

TEST_F(SnapshotTest, RefusesAnotherBuildAndARunThatIsNotThere) {
  const std::string id = keep_failure_of("account");
  install("account_mended");

  EXPECT_FALSE(take(id, 1, {.operations = 1}));
  EXPECT_FALSE(take("ffffffffffff", 1, {.operations = 1}));
}

}  // namespace
}  // namespace unravel
