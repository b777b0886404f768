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
  const auto at = [](std::uintptr_t site) { return reinterpret_cast<const void*>(site); };
  constexpr std::uint8_t kOne = Marks::tag_of(1);
  EXPECT_FALSE(marks_.skips(at(kCode + 0x11), kOne)) << "the first access there";
  marks_.visit(at(kCode + 0x11), kOne);
  EXPECT_TRUE(marks_.skips(at(kCode + 0x11), kOne));
  marks_.visit(at(kCode + 0x10), kOne);
  EXPECT_FALSE(marks_.skips(at(kCode + 0x10), kOne)) << "a point";
  EXPECT_TRUE(has(Operation::kLoad, kCode + 0x10)) << "also after it was seen";
  EXPECT_FALSE(marks_.skips(at(kCode + 0x100), kOne)) << "nothing is known of it";
  EXPECT_FALSE(Marks().skips(at(kCode), kOne));
}

TEST_F(MarksTest, KnowWhatIsNewInARun) {
  const void* const site = reinterpret_cast<const void*>(kCode + 0x11);
  constexpr std::uint8_t kOne = Marks::tag_of(1), kTwo = Marks::tag_of(2),
                         kThree = Marks::tag_of(3);
  EXPECT_EQ(marks_.visit(site, kOne), Marks::News::kFirst);
  EXPECT_EQ(marks_.visit(site, kOne), Marks::News::kNone);
  EXPECT_FALSE(marks_.skips(site, kTwo));
  EXPECT_EQ(marks_.visit(site, kTwo), Marks::News::kAnotherThread);
  for (const std::uint8_t tag : {kOne, kTwo, kThree}) {
    EXPECT_TRUE(marks_.skips(site, tag));
    EXPECT_EQ(marks_.visit(site, tag), Marks::News::kNone);
  }
  // Neighbours have different tags, and no tag is that of a point.
  for (std::uint32_t thread = 0; thread < 200; ++thread) {
    EXPECT_NE(Marks::tag_of(thread), Marks::tag_of(thread + 1));
    EXPECT_EQ(Marks::tag_of(thread) & 3, 0);
    EXPECT_NE(Marks::tag_of(thread), 0);
  }
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
