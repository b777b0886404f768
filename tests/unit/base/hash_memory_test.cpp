#include "base/hash_memory.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace unravel {
namespace {

TEST(HashMemory, TellsWhatIsNew) {
  HashMemory memory;
  Random random(1);
  std::vector<std::uint64_t> hashes = {0, 1, 2, ~std::uint64_t{0}};
  for (int i = 0; i < 100'000; ++i) hashes.push_back(random.next());

  for (const std::uint64_t hash : hashes) EXPECT_TRUE(memory.add(hash)) << hash;
  for (const std::uint64_t hash : hashes) EXPECT_FALSE(memory.add(hash)) << hash;
  EXPECT_EQ(memory.size(), hashes.size());
}

TEST(HashMemory, StaysBelowSixteenMebibytesWhateverComes) {
  HashMemory memory;
  Random random(2);
  for (std::size_t i = 0; i < 2 * HashMemory::kMost; ++i) memory.add(random.next());

  EXPECT_EQ(memory.size(), HashMemory::kMost);
  EXPECT_LE(memory.bytes(), std::size_t{16} << 20);
  EXPECT_FALSE(memory.add(Random(2).next())) << "the first is remembered";
  const std::uint64_t late = random.next();
  EXPECT_TRUE(memory.add(late));
  EXPECT_TRUE(memory.add(late)) << "what does not fit stays new";
}

}  // namespace
}  // namespace unravel
