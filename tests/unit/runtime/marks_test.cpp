#include "runtime/core/marks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace unravel {
namespace {

using wire::Operation;

class MarksTest : public testing::Test {
 protected:
  MarksTest() : bytes_(0x100) {
    marks_.add(kCode, bytes_.size(), bytes_.data());
    marks_.mark(kCode + 0x10);
  }
  bool has(Operation operation, std::uintptr_t site) const {
    return marks_.has(operation, reinterpret_cast<const void*>(site));
  }

  static constexpr std::uintptr_t kCode = 0x400000;
  std::vector<std::uint8_t> bytes_;
  Marks marks_;
};

TEST_F(MarksTest, AreAtTheirSitesAndNowhereElse) {
  EXPECT_TRUE(has(Operation::kLoad, kCode + 0x10));
  EXPECT_TRUE(has(Operation::kFree, kCode + 0x10));
  EXPECT_FALSE(has(Operation::kLoad, kCode + 0x11));
  EXPECT_FALSE(has(Operation::kStore, kCode));
}

TEST_F(MarksTest, AreNotWhereAnAccessIsSkipped) {
  const auto skips = [&](std::uintptr_t site) {
    return marks_.skips(reinterpret_cast<const void*>(site));
  };
  EXPECT_FALSE(skips(kCode + 0x11)) << "the first access there";
  EXPECT_TRUE(marks_.is_first(reinterpret_cast<const void*>(kCode + 0x11)));
  EXPECT_FALSE(marks_.is_first(reinterpret_cast<const void*>(kCode + 0x11)));
  EXPECT_TRUE(skips(kCode + 0x11));
  EXPECT_TRUE(marks_.is_first(reinterpret_cast<const void*>(kCode + 0x10)));
  EXPECT_FALSE(skips(kCode + 0x10)) << "a point";
  EXPECT_TRUE(has(Operation::kLoad, kCode + 0x10)) << "also after it was seen";
  EXPECT_FALSE(skips(kCode + 0x100)) << "nothing is known of it";
  EXPECT_FALSE(Marks().skips(reinterpret_cast<const void*>(kCode)));
}

TEST_F(MarksTest, AreAtEveryAtomicOperation) {
  EXPECT_TRUE(has(Operation::kAtomicLoad, kCode));
  EXPECT_TRUE(has(Operation::kAfterStore, kCode));
}

TEST_F(MarksTest, AreAtNoFunctionEntryOrLoop) {
  EXPECT_FALSE(has(Operation::kEnter, kCode + 0x10));
  EXPECT_FALSE(has(Operation::kBackEdge, kCode + 0x10));
}

TEST_F(MarksTest, AreEverywhereInCodeThatNobodyKnowsYet) {
  EXPECT_TRUE(has(Operation::kLoad, kCode + 0x100));
  EXPECT_TRUE(has(Operation::kLoad, kCode - 1));
}

}  // namespace
}  // namespace unravel
