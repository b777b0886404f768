#include "runtime/core/pair_map.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace unravel {
namespace {

class PairMapTest : public testing::Test {
 protected:
  PairMapTest() : all_(wire::kSiteMapBits / 64) { begin(); }

  void begin() {
    map_ = std::make_unique<PairMap>();
    map_->use(all_.data(), nullptr);
    run_ = {};
  }
  void read(std::uint64_t site, std::uint32_t thread) { map_->note(1, site, thread, false, run_); }
  void write(std::uint64_t site, std::uint32_t thread) { map_->note(1, site, thread, true, run_); }

  std::vector<std::uint64_t> all_;
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
  map_->note(1, 10, 1, true, run_);
  map_->note(2, 20, 2, true, run_);
  EXPECT_EQ(run_.pairs, 0u);
}

}  // namespace
}  // namespace unravel
