#include "investigate/hunt_journal.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "store/store.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

class HuntJournalTest : public testing::Test {
 protected:
  HuntJournalTest() {
    std::string name = (fs::temp_directory_path() / "unravel_journal_XXXXXX").string();
    home_ = ::mkdtemp(name.data());
    store_ = home_ / ".unravel";
    Store::open(store_, Store::Access::kWrite).value();
  }
  ~HuntJournalTest() override { fs::remove_all(home_); }

  static JournalEntry round_of(std::uint64_t first, std::size_t runs) {
    JournalEntry entry;
    for (std::size_t i = 0; i < runs; ++i) {
      RunSummary& run = entry.runs.emplace_back();
      run.schedule_hash = (first + i) * 0x9e3779b97f4a7c15;
      run.behaviour = (first + i) * 0xbf58476d1ce4e5b9;
    }
    return entry;
  }

  fs::path home_;
  fs::path store_;
  const HuntRow hunt_{.command = "./prog\n", .directory = "/d", .build = "b", .strategy = "s"};
};

TEST_F(HuntJournalTest, KeepsABoundedNumberOfBytesAndGivesBackRoundsAndTotals) {
  constexpr std::uint64_t kMost = 20'000;
  constexpr std::size_t kRuns = 100;
  std::uint64_t runs = 0;
  std::size_t rounds = 0;
  {
    HuntJournal journal = std::move(HuntJournal::begin(store_, hunt_, kMost).value());
    for (int i = 0; i < 200; ++i) {
      JournalEntry entry = round_of(runs, kRuns);
      runs += kRuns;
      if (journal.has_room()) {
        ++rounds;
      } else {
        entry = {};
        entry.totals.emplace();
        entry.totals->explored.runs = runs;
      }
      ASSERT_TRUE(journal.add(entry));
    }
    EXPECT_EQ(journal.hunt().runs, runs);
  }
  EXPECT_GT(rounds, 5u);
  EXPECT_LT(rounds, 20u) << "some 20 bytes a run";

  HuntJournal again = std::move(HuntJournal::resume(store_, hunt_, kMost).value());
  for (std::size_t i = 0; i < rounds; ++i) {
    const auto entry = again.next().value();
    ASSERT_TRUE(entry && !entry->totals);
    EXPECT_EQ(entry->runs.size(), kRuns);
    EXPECT_EQ(entry->runs[1].schedule_hash, (i * kRuns + 1) * 0x9e3779b97f4a7c15);
  }
  const auto totals = again.next().value();
  ASSERT_TRUE(totals && totals->totals);
  EXPECT_EQ(totals->totals->explored.runs, runs);
  EXPECT_EQ(again.hunt().runs, runs);
  EXPECT_FALSE(again.next().value());
  EXPECT_FALSE(again.has_room());
}

}  // namespace
}  // namespace unravel
