#include "runtime/os/early_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace unravel::os {
namespace {

TEST(EarlyMemory, BlocksAreZeroAlignedAndApart) {
  EarlyMemory memory;

  auto* one = static_cast<char*>(memory.allocate(33));
  auto* other = static_cast<char*>(memory.allocate(1));

  ASSERT_TRUE(one && other);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(other) % alignof(std::max_align_t), 0u);
  EXPECT_GE(other, one + 33);
  for (int i = 0; i < 33; ++i) EXPECT_EQ(one[i], 0);
}

TEST(EarlyMemory, BlocksOfNoBytesHaveAddressesOfTheirOwn) {
  EarlyMemory memory;

  EXPECT_NE(memory.allocate(0), memory.allocate(0));
}

TEST(EarlyMemory, KnowsItsOwnBlocks) {
  EarlyMemory memory;
  const int other = 0;

  const auto* block = static_cast<const char*>(memory.allocate(100));

  EXPECT_TRUE(memory.has(block));
  EXPECT_GE(memory.room_from(block), 100u);
  EXPECT_EQ(memory.room_from(block + 10), memory.room_from(block) - 10);
  EXPECT_FALSE(memory.has(&other));
  EXPECT_FALSE(memory.has(nullptr));
  EXPECT_EQ(memory.room_from(nullptr), 0u);
}

TEST(EarlyMemory, EndsWithNullAndNeverBehindItsEnd) {
  EarlyMemory memory;
  std::size_t given = 0;

  while (void* block = memory.allocate(100)) {
    ASSERT_GE(memory.room_from(block), 100u);
    std::memset(block, 1, 100);
    given += 100;
  }

  EXPECT_GT(given, EarlyMemory::kSize / 2);
  EXPECT_EQ(memory.allocate(EarlyMemory::kSize), nullptr);
  EXPECT_EQ(memory.allocate(~std::size_t{0}), nullptr);
}

}  // namespace
}  // namespace unravel::os
