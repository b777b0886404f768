/// Notes on primitives, by address: which threads hold them, want them, or wait there.
///
/// Notes explain, and they say which threads may be able to run when a primitive changes. They
/// never decide which thread owns a lock. Notes on an object that no thread holds, wants or waits
/// on may be forgotten at any time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/thread.hpp"

namespace unravel {

/// The memory of the runtime's structures: bump allocation from its reserved range.
class Arena {
 public:
  Arena() = default;
  Arena(void* begin, std::size_t size)
      : next_(static_cast<std::byte*>(begin)), end_(next_ + size) {}

  /// Returns zeroed, 16-byte aligned memory, never null: running out of memory ends the run as an
  /// error.
  void* take(std::size_t size);

  template <class T>
  T* take_array(std::size_t count) {
    return static_cast<T*>(take(sizeof(T) * count));
  }

 private:
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
};

/// A thread that holds an object, how it does, and since where.
struct Holder {
  Thread* thread = nullptr;
  const void* site = nullptr;
  Holder* next = nullptr;
  std::uint32_t depth = 0;
  std::uint32_t ordinal = 0;  // the thread's; its slot may belong to another one by now
  wire::Operation operation = wire::Operation::kNone;
};

/// A doubly linked list of threads, in order of arrival.
struct ThreadList {
  Thread* first = nullptr;
  Thread* last = nullptr;
  std::uint32_t size = 0;

  void push(Thread& thread, Object& owner);
  void remove(Thread& thread);
};

struct Object {
  const void* address = nullptr;
  Holder* holders = nullptr;
  ThreadList contenders;      // at the point before an operation on it
  ThreadList waiters;         // queued until woken
  std::uint64_t rounds = 0;   // barriers: rounds completed
  std::uint64_t arrived = 0;  // barriers: threads in this round so far
  Object* chain = nullptr;    // the table's own

  [[nodiscard]] bool idle() const {
    return !holders && !contenders.size && !waiters.size && !arrived;
  }
};

class ObjectTable {
 public:
  explicit ObjectTable(Arena& arena) : arena_(arena) {}

  /// The notes on this address, made if there are none.
  Object& at(const void* address);
  /// The notes, or null.
  Object* find(const void* address);

  void hold(Object& object, Thread& thread, wire::Operation operation, const void* site);
  /// Undoes one hold() of `thread`; if it has none, one of another thread, whose lock it released.
  void release(Object& object, const Thread& thread);
  /// Forgets the holders of an object that was initialised again or destroyed.
  void forget_holders(const void* address);

  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t i = 0; i < capacity_; ++i) {
      if (table_[i]) visit(*table_[i]);
    }
  }

 private:
  void grow();
  Object** place_of(const void* address) const;
  void drop_holder(Holder** link);

  Arena& arena_;
  Object** table_ = nullptr;
  std::size_t capacity_ = 0;  // a power of two
  std::size_t size_ = 0;
  Object* free_objects_ = nullptr;
  Holder* free_holders_ = nullptr;
};

}  // namespace unravel
