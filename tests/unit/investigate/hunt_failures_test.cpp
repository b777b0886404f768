#include "investigate/hunt_failures.hpp"

#include <gtest/gtest.h>

#include "fake_runner.hpp"
#include "recording_observer.hpp"
#include "temporary_store.hpp"

namespace unravel {
namespace {

class HuntFailuresTest : public testing::Test {
 protected:
  HuntFailures failures(Pool& pool, Store& store, bool goes_on = false, bool explains = false) {
    return HuntFailures({.pool = pool,
                         .store = store,
                         .known = known_,
                         .settings = {},
                         .input = {},
                         .observer = observer_,
                         .goes_on = goes_on,
                         .explains = explains,
                         .deadline = {}});
  }

  TemporaryStore temporary_;
  KnownFailures known_;
  RecordingObserver observer_;
  FakePool repeats_{[](const RunRequest&) { return failed_run(); }};
};

TEST_F(HuntFailuresTest, ThatComeBackAreKeptAndTold) {
  Store store = temporary_.open();
  HuntFailures failures = this->failures(repeats_.pool, store);

  const auto goes_on = failures.found(failed_run(), 17);

  ASSERT_TRUE(goes_on);
  EXPECT_FALSE(*goes_on) << "one is enough";
  ASSERT_EQ(observer_.findings.size(), 1u);
  ASSERT_EQ(failures.found_so_far().size(), 1u);
  const FoundFailure& found = failures.found_so_far()[0];
  EXPECT_TRUE(found.verified());
  EXPECT_EQ(found.found_at_run, 17u);
  EXPECT_FALSE(found.explained) << "nobody asked for it";
  EXPECT_EQ(observer_.findings[0].runs.found, found.run.id);
  EXPECT_EQ(observer_.findings[0].key, failed_run().failure->key);
  EXPECT_EQ(store.load(found.run.id)->run.failure->key, failed_run().failure->key);
}

TEST_F(HuntFailuresTest, ThatAreKnownAreNeitherKeptNorTold) {
  known_ = KnownFailures::parse("assert: main *", "known").value();
  Store store = temporary_.open();
  HuntFailures failures = this->failures(repeats_.pool, store);

  const auto goes_on = failures.found(failed_run(), 1);

  ASSERT_TRUE(goes_on);
  EXPECT_TRUE(*goes_on);
  EXPECT_TRUE(observer_.findings.empty());
  EXPECT_TRUE(temporary_.runs().empty());
}

TEST_F(HuntFailuresTest, AreFollowedByOthersWhereTheHuntGoesOn) {
  Store store = temporary_.open();
  HuntFailures failures = this->failures(repeats_.pool, store, /*goes_on=*/true);

  const auto goes_on = failures.found(failed_run(), 1);

  ASSERT_TRUE(goes_on);
  EXPECT_TRUE(*goes_on);
}

TEST_F(HuntFailuresTest, ThatDoNotComeBackAreToldAsUnverified) {
  FakePool passes([](const RunRequest&) { return passed_run(); });
  Store store = temporary_.open();
  HuntFailures failures = this->failures(passes.pool, store, false, /*explains=*/true);

  ASSERT_TRUE(failures.found(failed_run(), 1));

  ASSERT_EQ(observer_.findings.size(), 1u);
  const FoundFailure& found = failures.found_so_far().at(0);
  EXPECT_FALSE(found.verified());
  EXPECT_FALSE(found.explained) << "there is nothing to explain";
  EXPECT_TRUE(store.load(found.run.id)->run.unverified);
}

TEST_F(HuntFailuresTest, AreKeptAndToldThoughTheirReplayBroke) {
  FakePool broken(
      [](const RunRequest&) -> Result<unravel::Run> { return user_error("out of memory"); });
  Store store = temporary_.open();
  HuntFailures failures = this->failures(broken.pool, store);

  const auto goes_on = failures.found(failed_run(), 1);

  ASSERT_FALSE(goes_on);
  EXPECT_EQ(goes_on.error().what, "out of memory");
  EXPECT_EQ(observer_.findings.size(), 1u);
  EXPECT_EQ(temporary_.runs().size(), 1u);
  EXPECT_FALSE(failures.found_so_far().at(0).verification);
}

TEST_F(HuntFailuresTest, ThatTheStoreDoesNotTakeAreToldAndEndTheHunt) {
  Store store = temporary_.open();
  std::filesystem::remove_all(temporary_.path());
  HuntFailures failures = this->failures(repeats_.pool, store, /*goes_on=*/true);

  const auto goes_on = failures.found(failed_run(), 1);

  ASSERT_TRUE(goes_on);
  EXPECT_FALSE(*goes_on) << "others would not be kept either";
  ASSERT_EQ(observer_.findings.size(), 1u);
  EXPECT_EQ(observer_.findings[0].runs.found, "");
  EXPECT_TRUE(failures.found_so_far().at(0).unkept);
}

TEST_F(HuntFailuresTest, ThatComeInEveryOrderAreExplainedBySayingSo) {
  Store store = temporary_.open();
  HuntFailures failures = this->failures(repeats_.pool, store, false, /*explains=*/true);

  ASSERT_TRUE(failures.found(failed_run(), 1));

  const auto& explained = failures.found_so_far().at(0).explained;
  ASSERT_TRUE(explained);
  EXPECT_FALSE(explained->order.depends);
  EXPECT_EQ(explained->order.schedules, 20u);
  EXPECT_EQ(explained->runs, 20u);
  EXPECT_FALSE(explained->simplified);
  EXPECT_FALSE(explained->stopped);
}

TEST_F(HuntFailuresTest, AreToldWithoutAnExplanationIfItBroke) {
  int runs = 0;
  FakePool breaks([&](const RunRequest&) -> Result<unravel::Run> {
    if (++runs > kReplays + 1) return user_error("out of memory");
    return failed_run();
  });
  Store store = temporary_.open();
  HuntFailures failures = this->failures(breaks.pool, store, false, /*explains=*/true);

  const auto goes_on = failures.found(failed_run(), 1);

  ASSERT_FALSE(goes_on);
  EXPECT_EQ(goes_on.error().what, "out of memory");
  ASSERT_EQ(observer_.findings.size(), 1u);
  EXPECT_TRUE(failures.found_so_far().at(0).verified());
  EXPECT_FALSE(failures.found_so_far().at(0).explained);
}

TEST_F(HuntFailuresTest, PassProgressOn) {
  Store store = temporary_.open();
  HuntFailures failures = this->failures(repeats_.pool, store);
  Explored explored;
  explored.runs = 30;

  failures.progress(explored);

  EXPECT_EQ(observer_.explored_runs, (std::vector<std::uint64_t>{30}));
}

}  // namespace
}  // namespace unravel
