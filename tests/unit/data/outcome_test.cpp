#include "data/outcome.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(Outcome, IsFoundByItsName) {
  for (int i = 0; i < 5; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(outcome_named(name(outcome)), outcome);
  }
  EXPECT_EQ(outcome_named("lucky"), std::nullopt);
}

TEST(FailureKind, IsFoundByItsName) {
  for (int i = 1; i < wire::kFailureKindCount; ++i) {
    const auto kind = static_cast<FailureKind>(i);
    EXPECT_EQ(failure_kind_named(name(kind)), kind);
  }
  EXPECT_EQ(name(FailureKind::kLostWakeup), "lost-wakeup");
  EXPECT_EQ(failure_kind_named("lucky"), std::nullopt);
}

TEST(FailureKind, IsAmongAllThatAreTold) {
  EXPECT_EQ(all_failure_kinds(),
            "assert, signal, exit, terminate, deadlock, lost-wakeup, livelock, timeout and oracle");
}

}  // namespace
}  // namespace unravel
