#include "runtime/core/pair_map.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace unravel {
namespace {

class PairMapTest : public testing::Test {
 protected:
  PairMapTest() : all_(wire::kSiteMapBits / 64) { begin(); }

  void begin() {
    map_ = std::make_unique<PairMap>();
    map_->use(all_.data(), nullptr, executed_.data());
    run_ = {};
  }
  void read(std::uint64_t site, std::uint32_t thread) {
    map_->record(1, site, thread, false, run_);
  }
  void write(std::uint64_t site, std::uint32_t thread) {
    map_->record(1, site, thread, true, run_);
  }

  std::vector<std::uint64_t> all_;
  std::vector<std::uint64_t> executed_ = std::vector<std::uint64_t>(wire::kSiteMapBits / 64);
  std::unique_ptr<PairMap> map_;
  wire::RunSlot run_;
};

TEST_F(PairMapTest, HasNothingOfOneThreadThatOnlyWrites) {
  for (int i = 0; i < 3; ++i) write(10, 1);
  EXPECT_EQ(run_.pairs, 0u);
}

TEST_F(PairMapTest, HasWhoReadWhatWasWrittenWhere) {
  write(10, 1);
  read(20, 1);
  EXPECT_EQ(run_.pairs, 1u);
  read(20, 1);
  EXPECT_EQ(run_.pairs, 1u) << "once is enough";
}

TEST_F(PairMapTest, HasWhoCameAfterWhomInAnotherThread) {
  read(10, 1);
  write(20, 2);
  EXPECT_EQ(run_.pairs, 1u);
}

TEST_F(PairMapTest, TellsWhatNoRunBeforeHadDone) {
  write(10, 1);
  write(20, 2);
  EXPECT_EQ(run_.new_pairs, 1u);

  begin();
  write(10, 1);
  write(20, 2);
  EXPECT_EQ(run_.pairs, 1u);
  EXPECT_EQ(run_.new_pairs, 0u);

  begin();
  write(20, 2);
  write(10, 1);
  EXPECT_EQ(run_.new_pairs, 1u) << "the other way round is another pair";
}

TEST_F(PairMapTest, KeepsObjectsApart) {
  map_->record(1, 10, 1, true, run_);
  map_->record(2, 20, 2, true, run_);
  EXPECT_EQ(run_.pairs, 0u);
}

TEST_F(PairMapTest, TellsWhereAThreadWasPreempted) {
  std::vector<std::uint64_t> interrupted(wire::kSiteMapBits / 64);
  map_->use(all_.data(), interrupted.data(), nullptr);
  map_->record_preempted(10);
  map_->record_preempted(0);  // not before anything

  const std::uint64_t bit = wire::preempted_bit(wire::spread_site(10));
  std::vector<std::uint64_t> expected(interrupted.size());
  expected[bit / 64] = std::uint64_t{1} << bit % 64;
  EXPECT_EQ(interrupted, expected);
}

TEST_F(PairMapTest, TellsWhatIsExecutedForTheFirstTime) {
  map_->record_executed(10, 0, run_);
  map_->record_executed(10, 0, run_);
  EXPECT_EQ(run_.new_sites, 1u);
  map_->record_executed(10, 2, run_);
  map_->record_executed(11, 0, run_);
  EXPECT_EQ(run_.new_sites, 3u) << "another result, another site";
  begin();
  map_->record_executed(11, 0, run_);
  EXPECT_EQ(run_.new_sites, 0u) << "a run before had it";
}

// --- Behaviour ---

/// One access of a run: `w11` is a write of thread 1 to object 1.
std::uint64_t behaviour_of(const std::vector<std::string>& accesses) {
  const auto map = std::make_unique<PairMap>();
  std::vector<std::uint64_t> all(wire::kSiteMapBits / 64);
  map->use(all.data(), nullptr, nullptr);
  wire::RunSlot run;
  for (const std::string& one : accesses) {
    const auto thread = static_cast<std::uint32_t>(one[1] - '0');
    const auto object = static_cast<std::uint64_t>(one[2] - '0');
    // Threads are at sites of their own, and a read is at another one than a write.
    map->record(0x1000 * object, 16 * thread + (one[0] == 'w'), thread, one[0] == 'w', run);
  }
  return run.behaviour;
}

TEST(Behaviour, IsTheSameHoweverWhatDoesNotMatterIsMixed) {
  const std::uint64_t behaviour = behaviour_of({"w11", "w11", "w22", "r31"});
  EXPECT_EQ(behaviour_of({"w22", "w11", "w11", "r31"}), behaviour) << "another object's turn";
  EXPECT_EQ(behaviour_of({"w11", "r21", "r31", "w11"}), behaviour_of({"w11", "r31", "r21", "w11"}))
      << "reads of the same write";
}

TEST(Behaviour, DiffersByTheOrderOfWritesAndByWhatIsReadWhen) {
  EXPECT_NE(behaviour_of({"w11", "w21"}), behaviour_of({"w21", "w11"}));
  EXPECT_NE(behaviour_of({"w11", "r21", "w11"}), behaviour_of({"w11", "w11", "r21"}));
  EXPECT_NE(behaviour_of({"w11", "r21"}), behaviour_of({"r21", "w11"}));
  EXPECT_NE(behaviour_of({"w11", "r21"}), behaviour_of({"w11", "r31"}));
  EXPECT_NE(behaviour_of({"w11"}), behaviour_of({"w12"}));
  EXPECT_NE(behaviour_of({"w11"}), behaviour_of({}));
}

}  // namespace
}  // namespace unravel
