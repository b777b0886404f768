/// Notes beside the primitives, by address: which threads hold them, want them, or wait there.
///
/// They explain, and they say which threads may be able to run when a primitive changes; they never
/// decide which thread owns a lock. Notes on an object that no thread holds, wants or waits on may
/// be forgotten at any time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/thread.hpp"

namespace unravel {

/// Where the runtime's structures live: bump allocation from its reserved range.
class Arena {
 public:
  Arena() = default;
  Arena(void* begin, std::size_t size)
      : next_(static_cast<std::byte*>(begin)), end_(next_ + size) {}

  /// Zeroed, 16-byte aligned. Never returns null: running out ends the run as an error.
  void* take(std::size_t size);

  template <class T>
  T* take_array(std::size_t count) {
    return static_cast<T*>(take(sizeof(T) * count));
  }

 private:
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
};

/// A thread that holds an object, how and since where.
struct Holder {
  Thread* thread = nullptr;
  const void* site = nullptr;
  Holder* next = nullptr;
  std::uint32_t depth = 0;
  std::uint32_t ordinal = 0;  // the thread's: its place may be another's by now
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
  ThreadList contenders;      // at the before-point of an operation on it
  ThreadList waiters;         // queued until woken
  std::uint64_t rounds = 0;   // barriers: how often it let everybody through
  std::uint64_t arrived = 0;  // barriers: threads of this round so far
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
  /// Undoes one hold() of `thread`; without one, that of another thread, whose lock it released.
  void release(Object& object, const Thread& thread);
  /// Forgets its holders: it was initialised anew or destroyed.
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
