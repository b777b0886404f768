#include "runtime/core/object_table.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace unravel {
namespace {

using wire::Operation;

class ObjectTableTest : public testing::Test {
 protected:
  /// An address to note something about; nothing is read there.
  static const void* address(std::uint64_t number) {
    return reinterpret_cast<const void*>(0x1000 + 64 * number);
  }

  static std::size_t holders(const Object& object) {
    std::size_t count = 0;
    for (const Holder* holder = object.holders; holder; holder = holder->next) ++count;
    return count;
  }

  std::vector<std::uint64_t> memory_ = std::vector<std::uint64_t>(1 << 18);
  Arena arena_{memory_.data(), memory_.size() * sizeof(std::uint64_t)};
  ObjectTable table_{arena_};
  Thread one_;
  Thread other_;
};

TEST_F(ObjectTableTest, KnowsNothingAtFirst) { EXPECT_EQ(table_.find(address(1)), nullptr); }

TEST_F(ObjectTableTest, KeepsOneNotePerAddress) {
  Object& first = table_.at(address(1));
  Object& second = table_.at(address(2));

  EXPECT_NE(&first, &second);
  EXPECT_EQ(&table_.at(address(1)), &first);
  EXPECT_EQ(table_.find(address(2)), &second);
  EXPECT_EQ(table_.find(address(3)), nullptr);
}

TEST_F(ObjectTableTest, DropsIdleObjectsWhenItGrowsAndKeepsTheOthersInTheirPlace) {
  Object& held = table_.at(address(0));
  table_.hold(held, one_, Operation::kLock, nullptr);
  Object& entered = table_.at(address(1));
  entered.arrived = 1;
  Object& waited = table_.at(address(2));
  waited.waiters.push(one_, waited);
  Object& wanted = table_.at(address(3));
  wanted.contenders.push(other_, wanted);

  for (std::uint64_t i = 4; i < 600; ++i) table_.at(address(i));

  EXPECT_EQ(table_.find(address(0)), &held);
  EXPECT_EQ(table_.find(address(1)), &entered);
  EXPECT_EQ(table_.find(address(2)), &waited);
  EXPECT_EQ(table_.find(address(3)), &wanted);
  EXPECT_EQ(table_.find(address(4)), nullptr);
  EXPECT_NE(table_.find(address(599)), nullptr);
}

TEST_F(ObjectTableTest, NeedsNoMoreRoomForMillionsOfMutexesThatAreUsedOneAfterTheOther) {
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    Object& object = table_.at(address(i));
    table_.hold(object, one_, Operation::kLock, nullptr);
    table_.release(object, one_);
  }

  SUCCEED() << "two megabytes were enough";
}

TEST_F(ObjectTableTest, GrowsWhileManyAreHeld) {
  constexpr std::uint64_t kMany = 5'000;
  for (std::uint64_t i = 0; i < kMany; ++i) {
    table_.hold(table_.at(address(i)), one_, Operation::kLock, address(i));
  }

  for (std::uint64_t i = 0; i < kMany; ++i) {
    const Object* object = table_.find(address(i));
    ASSERT_NE(object, nullptr);
    ASSERT_EQ(object->address, address(i));
    ASSERT_EQ(object->holders->site, address(i));
  }
}

TEST_F(ObjectTableTest, NotesWhoHoldsAnObjectHowAndWhere) {
  Object& object = table_.at(address(1));

  table_.hold(object, one_, Operation::kWriteLock, address(9));

  ASSERT_EQ(holders(object), 1u);
  EXPECT_EQ(object.holders->thread, &one_);
  EXPECT_EQ(object.holders->operation, Operation::kWriteLock);
  EXPECT_EQ(object.holders->site, address(9));
}

TEST_F(ObjectTableTest, CountsHowOftenAThreadHoldsARecursiveLock) {
  Object& object = table_.at(address(1));
  table_.hold(object, one_, Operation::kLock, address(8));
  table_.hold(object, one_, Operation::kLock, address(9));

  EXPECT_EQ(object.holders->depth, 2u);
  EXPECT_EQ(object.holders->site, address(8)) << "where it was taken first";
  table_.release(object, one_);
  EXPECT_EQ(holders(object), 1u);
  table_.release(object, one_);
  EXPECT_TRUE(object.idle());
}

TEST_F(ObjectTableTest, NotesSeveralReaders) {
  Object& object = table_.at(address(1));
  table_.hold(object, one_, Operation::kReadLock, nullptr);
  table_.hold(object, other_, Operation::kTryReadLock, nullptr);

  EXPECT_EQ(holders(object), 2u);
  table_.release(object, one_);
  ASSERT_EQ(holders(object), 1u);
  EXPECT_EQ(object.holders->thread, &other_);
}

TEST_F(ObjectTableTest, DropsAStaleHolderWhenSomebodyElseTakesTheLock) {
  Object& object = table_.at(address(1));
  table_.hold(object, one_, Operation::kLock, nullptr);

  table_.hold(object, other_, Operation::kLock, nullptr);

  ASSERT_EQ(holders(object), 1u);
  EXPECT_EQ(object.holders->thread, &other_);
}

TEST_F(ObjectTableTest, DropsStaleReadersWhenSomebodyWrites) {
  Thread third;
  Object& object = table_.at(address(1));
  table_.hold(object, one_, Operation::kReadLock, nullptr);
  table_.hold(object, other_, Operation::kReadLock, nullptr);

  table_.hold(object, third, Operation::kWriteLock, nullptr);

  ASSERT_EQ(holders(object), 1u);
  EXPECT_EQ(object.holders->thread, &third);
}

TEST_F(ObjectTableTest, TakesAReleaseByAThreadThatHoldsNothingForItsHolders) {
  Object& object = table_.at(address(1));
  table_.hold(object, one_, Operation::kLock, nullptr);

  table_.release(object, other_);

  EXPECT_EQ(holders(object), 0u);
}

TEST_F(ObjectTableTest, ForgetsHoldersAndArrivalsOfAnObjectThatBeginsAnew) {
  Object& object = table_.at(address(1));
  table_.hold(object, one_, Operation::kReadLock, nullptr);
  table_.hold(object, other_, Operation::kReadLock, nullptr);
  object.arrived = 2;

  table_.forget_holders(address(1));
  table_.forget_holders(address(2));

  EXPECT_TRUE(object.idle());
}

TEST_F(ObjectTableTest, ListsThreadsInOrderOfArrivalWhoeverLeaves) {
  Thread third;
  Object& object = table_.at(address(1));
  ThreadList& list = object.waiters;
  list.push(one_, object);
  list.push(other_, object);
  list.push(third, object);

  list.remove(other_);
  EXPECT_EQ(list.first, &one_);
  EXPECT_EQ(one_.next, &third);
  EXPECT_EQ(other_.list.object, nullptr);

  list.remove(one_);
  list.push(other_, object);
  EXPECT_EQ(list.first, &third);
  EXPECT_EQ(list.last, &other_);
  EXPECT_EQ(list.size, 2u);
}

using ObjectTableDeathTest = ObjectTableTest;

TEST_F(ObjectTableDeathTest, RefusesAThreadThatIsInAList) {
  Object& object = table_.at(address(1));
  object.waiters.push(one_, object);

  EXPECT_DEATH(object.contenders.push(one_, object), "a thread is in two lists");
}

TEST_F(ObjectTableDeathTest, EndsTheRunWhenTheMemoryIsUsedUp) {
  EXPECT_DEATH(arena_.take(std::size_t{1} << 40), "the runtime's memory is used up");
}

}  // namespace
}  // namespace unravel
