#include "runtime/core/allocations.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace unravel {
namespace {

class AllocationsTest : public testing::Test {
 protected:
  AllocationsTest() : memory_(8 << 20), arena_(memory_.data(), memory_.size()) {}

  std::vector<std::uint64_t> live() const {
    std::vector<std::uint64_t> addresses;
    allocations_.for_each([&](const Allocation& one) { addresses.push_back(one.address); });
    return addresses;
  }

  std::vector<std::byte> memory_;
  Arena arena_;
  Allocations allocations_{arena_};
};

TEST_F(AllocationsTest, AreKeptInOrderUntilTheyAreFreed) {
  for (const std::uint64_t address : {0x100, 0x300, 0x200}) {
    allocations_.add({.address = address, .size = 8});
  }
  allocations_.remove(0x300);
  allocations_.remove(0x999);
  EXPECT_EQ(live(), (std::vector<std::uint64_t>{0x100, 0x200}));
}

TEST_F(AllocationsTest, AtTheSamePlaceReplaceEachOther) {
  allocations_.add({.address = 0x100, .size = 8});
  allocations_.add({.address = 0x200, .size = 8});
  allocations_.add({.address = 0x100, .size = 16});
  EXPECT_EQ(live(), (std::vector<std::uint64_t>{0x200, 0x100}));
}

TEST_F(AllocationsTest, ComeAndGoInAnyNumber) {
  std::mt19937 random(7);
  std::vector<std::uint64_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t address = 16 * (1 + random() % 3000);
    std::erase(expected, address);
    if (random() % 3) {
      allocations_.add({.address = address, .size = 1});
      expected.push_back(address);
    } else {
      allocations_.remove(address);
    }
  }
  EXPECT_EQ(live(), expected);
}

}  // namespace
}  // namespace unravel
