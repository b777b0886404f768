#include <gtest/gtest.h>

#include <vector>

#include "runtime/core/stops.hpp"

namespace unravel {
namespace {

class StopListTest : public testing::Test {
 protected:
  /// Whether the run stops where thread `ordinal` is at `clock`.
  bool take(std::uint32_t ordinal, wire::Clock clock) {
    thread_.ordinal = ordinal;
    thread_.clock = clock;
    return stops_.take_due(thread_);
  }
  void use(std::vector<wire::StopAt> list) {
    list_ = std::move(list);
    stops_.use(list_.data(), list_.size());
  }

  std::vector<wire::StopAt> list_;
  Thread thread_;
  Stops stops_;
};

TEST_F(StopListTest, IsEmptyWithoutAny) {
  EXPECT_FALSE(stops_.any());
  EXPECT_EQ(stops_.next(), nullptr);
  EXPECT_FALSE(take(0, {1, 1}));
}

TEST_F(StopListTest, WaitsForItsThreadAndItsClock) {
  use({{{.ordinal = 1}, {2, 1}}});

  EXPECT_FALSE(take(0, {2, 1}));
  EXPECT_FALSE(take(1, {2, 0}));
  EXPECT_TRUE(take(1, {2, 1}));
  EXPECT_EQ(stops_.next(), nullptr);
}

TEST_F(StopListTest, DropsPlacesThatTheThreadHasPassed) {
  use({{{.ordinal = 0}, {1, 1}}, {{.ordinal = 0}, {3, 0}}});

  EXPECT_FALSE(take(0, {2, 5})) << "the first cannot come any more";
  EXPECT_EQ(stops_.next()->clock.operations, 3u);
}

TEST_F(StopListTest, BeforeAnOperationIsNotWhereAThreadAlreadyWaits) {
  use({{{.ordinal = 0}, {1, wire::kBeforeNext}}});
  thread_.pending.kind = wire::Operation::kLock;
  thread_.waiting = true;
  EXPECT_FALSE(take(0, {1, 4})) << "a waiting thread's operation is already counted";

  thread_.waiting = false;

  EXPECT_TRUE(take(0, {1, 4}));
}

}  // namespace
}  // namespace unravel
