/// Which operations of two threads are independent: it does not matter which of them is made first.
///
/// This is about two operations that are pending in one state. If they are independent, then either
/// order leads to the same state with the same results, and neither makes the other possible or
/// impossible. A search that tries one order need not try the other. In doubt operations are
/// dependent.
///
/// Three things are not about two pending operations, and a search has to know them:
///   - A thread that was created or woken by an operation goes on after it, with another operation
///     than it had pending before.
///   - A deadline that comes moves the time: such an alternative depends on every other.
///   - A step is more than its operation. On the way to its next point a thread may access memory,
///     read a clock, end a pthread_once routine, leave robust mutexes behind as it ends, or reach a
///     write-lock for which new readers wait.
///
/// Two states count as the same if all that differs is where the stack of a later thread will be.
#pragma once

#include <cstdint>

#include "wire/operation.hpp"

namespace unravel::wire {

/// An operation that a thread is about to make, as decision records report it.
struct PendingOperation {
  /// As `also`: more memory than a record can name.
  static constexpr std::uint64_t kAnyMemory = ~std::uint64_t{0};

  Operation operation = Operation::kNone;
  std::uint64_t object = 0;  // an address or a number, see Op::reported_object()
  // Of an access: its size in bytes, 0 if it is not known. Of others: the address of a second
  // object, 0 if there is none. That is the mutex of a condition wait, the second word of a futex
  // operation, where a creation stores the handle and a join the thread's result, and the lock
  // itself if readers have to wait for waiting writers.
  std::uint64_t also = 0;
};

namespace independence {

/// Bytes of memory, from `begin` up to but not including `end`.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  static constexpr Range of(std::uint64_t begin, std::uint64_t size) {
    const std::uint64_t most = ~std::uint64_t{0} - begin;
    return {begin, begin + (size < most ? size : most)};
  }
  static constexpr Range from(std::uint64_t begin) { return {begin, ~std::uint64_t{0}}; }
  [[nodiscard]] constexpr bool overlaps(const Range& other) const {
    return begin < other.end && other.begin < end;
  }
};

constexpr Space space_of(const PendingOperation& one) {
  return traits(traits(one.operation).object).space;
}

/// The memory of its object.
constexpr Range object_of(const PendingOperation& one) {
  if (space_of(one) != Space::kMemory) return {};
  const ObjectKind kind = traits(one.operation).object;
  // The block that an allocation will get is not known yet.
  if (kind == ObjectKind::kBlock || one.also == PendingOperation::kAnyMemory) return Range::from(0);
  if (one.object == 0) return {};
  const std::uint64_t size = kind == ObjectKind::kMemory ? one.also : traits(kind).bytes;
  return size ? Range::of(one.object, size) : Range::from(one.object);
}

/// The memory of its second object.
constexpr Range second_of(const PendingOperation& one) {
  if (traits(one.operation).object == ObjectKind::kMemory) return {};
  if (one.also == PendingOperation::kAnyMemory) return Range::from(0);
  const bool is_wait = one.operation == Operation::kWait;
  if (one.also == 0) return is_wait ? Range::from(0) : Range{};
  // None is larger than a mutex.
  return Range::of(one.also, traits(ObjectKind::kMutex).bytes);
}

constexpr bool share_memory(const PendingOperation& a, const PendingOperation& b) {
  if (object_of(a).overlaps(object_of(b)) && !commute(a.operation, b.operation)) return true;
  return second_of(a).overlaps(object_of(b)) || second_of(b).overlaps(object_of(a)) ||
         second_of(a).overlaps(second_of(b));
}

/// A creation gives out the next number and may get the stack and the handle of a thread that is
/// gone.
constexpr bool share_thread(const PendingOperation& a, const PendingOperation& b) {
  if (space_of(a) != Space::kThreads || space_of(b) != Space::kThreads) return false;
  return a.object == b.object || has_effect(a.operation, Effect::kCreate) ||
         has_effect(b.operation, Effect::kCreate);
}

constexpr bool is_of_plain_memory(const PendingOperation& one) {
  const ObjectKind kind = traits(one.operation).object;
  return kind == ObjectKind::kMemory || kind == ObjectKind::kBlock;
}

/// Everything outside counts as one object: a pipe can have many numbers. The memory that such an
/// operation reads or writes is not recorded, so it may be any that is accessed.
constexpr bool share_outside(const PendingOperation& a, const PendingOperation& b) {
  const bool a_outside = space_of(a) == Space::kOutside;
  const bool b_outside = space_of(b) == Space::kOutside;
  return (a_outside && b_outside) || (a_outside && is_of_plain_memory(b)) ||
         (b_outside && is_of_plain_memory(a));
}

}  // namespace independence

/// Of operations of two different threads, see above.
constexpr bool independent(const PendingOperation& a, const PendingOperation& b) {
  const Influence of_a = traits(a.operation).influence;
  const Influence of_b = traits(b.operation).influence;
  if (of_a == Influence::kEverything || of_b == Influence::kEverything) return false;
  if (of_a == Influence::kNothing || of_b == Influence::kNothing) return true;
  return !independence::share_thread(a, b) && !independence::share_outside(a, b) &&
         !independence::share_memory(a, b);
}

}  // namespace unravel::wire
