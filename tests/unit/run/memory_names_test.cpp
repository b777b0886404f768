#include "run/memory_names.hpp"

#include <gtest/gtest.h>

#include "run/object_names.hpp"

namespace unravel {
namespace {

VariableName global(const char* expression) { return {.expression = expression, .type = "int"}; }
VariableName local(const char* expression, const char* type) {
  return {.expression = expression, .type = type, .is_local = true};
}

TEST(MemoryNames, AreTheOnesThatHoldEverywhereIfThereIsOne) {
  MemoryNames names;
  names.record(0x10, local("node->next", "Node.next"));
  names.record(0x10, global("head->next"));

  EXPECT_EQ(names.name(0x10), "head->next");
  EXPECT_EQ(names.name(0x18), "");
}

TEST(MemoryNames, AreThoseOfFramesOnlyIfAllAgree) {
  MemoryNames names;
  names.record(0x10, local("this->count_", "Queue.count_"));
  names.record(0x10, local("this->count_", "Queue.count_"));
  EXPECT_EQ(names.name(0x10), "this->count_");

  names.record(0x10, local("queue->count_", "Queue.count_"));
  EXPECT_EQ(names.name(0x10), "Queue.count_");
}

TEST(MemoryNames, AreNoneIfTheyContradictEachOther) {
  MemoryNames names;
  names.record(0x10, local("node->next", "Node.next"));
  names.record(0x10, local("queue->count_", "Queue.count_"));
  names.record(0x20, local("*a", "int"));
  names.record(0x20, local("*b", "int"));

  EXPECT_EQ(names.name(0x10), "") << "the memory was used again";
  EXPECT_EQ(names.name(0x20), "") << "every int is called so";
}

TEST(MemoryNames, TellTwoOfOneNameApart) {
  MemoryNames names;
  names.record(0x30, local("node->next", "Node.next"));
  names.record(0x10, local("node->next", "Node.next"));
  names.record(0x20, local("node->next", "Node.next"));

  EXPECT_EQ(names.name(0x30), "node->next");
  EXPECT_EQ(names.name(0x10), "node->next #2");
  EXPECT_EQ(names.name(0x20), "node->next #3");
}

TEST(MemoryNames, OfLocksAreThoseOfTheirVariables) {
  const std::pair<const char*, const char*> cases[] = {
      {"lock", "lock"},
      {"lock.__data.__lock", "lock"},
      {"account->lock._M_mutex.__data.__lock", "account->lock"},
      {"forks[2].__data.__lock in main()", "forks[2] in main()"},
      {"mutex->__data.__lock", "*mutex"},
      {"app::__private", "app::__private"},
  };
  for (const auto& [found, told] : cases) {
    EXPECT_EQ(without_reserved(global(found)).expression, told);
  }
}

TEST(ObjectNames, TakeWhatTheProgramCallsThem) {
  ObjectNames names;
  EXPECT_EQ(names.name(wire::Operation::kLock, 0x10), "mutex 1");
  names.record(wire::Operation::kUnlock, 0x20, global("queue.lock.__data.__lock"));
  names.record(wire::Operation::kLoad, 0x20, global("queue.lock.__data.__lock"));

  EXPECT_EQ(names.name(wire::Operation::kLock, 0x20), "queue.lock");
  EXPECT_EQ(names.name(wire::Operation::kStore, 0x20), "queue.lock.__data.__lock");
  EXPECT_EQ(names.name(wire::Operation::kLock, 0x10), "mutex 1");
  EXPECT_EQ(names.name(wire::Operation::kLock, 0x30), "mutex 2");
}

}  // namespace
}  // namespace unravel
