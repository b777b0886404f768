/// The threads of a trace: their clocks, and their slots in vector clocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "data/trace.hpp"
#include "predict/address_table.hpp"
#include "predict/held_locks.hpp"
#include "predict/vector_clock.hpp"

namespace unravel {

struct TracedThread {
  std::uint32_t ordinal = 0;
  Slot slot = 0;
  Epoch epoch = 1;    // of its current actions; `clock` has the same value in its slot
  VectorClock clock;  // what happened before its current actions
  bool ended = false;

  HeldLocks held;
  std::uint32_t lockset = 0;   // the held locks as a set, for comparisons
  VectorClock fence_released;  // what its last release fence passes to later stores
  VectorClock fence_acquires;  // what relaxed loads saw, for its next acquire fence

  // The last wait that it began, to know what it is woken from.
  wire::Operation waits_in = wire::Operation::kNone;
  std::uint64_t waits_for = 0;
};

/// Orders threads by creation and join. Code that knows other orders joins clocks and calls
/// advance() after each release.
///
/// A slot is reused for a new thread once its last owner has ended and its creator knows everything
/// that the owner did. So clocks are as long as the largest number of live threads. Epochs of a
/// slot keep growing: two owners never share one.
class Threads {
 public:
  /// The thread with this ordinal. A thread whose creation was not seen is ordered after nothing.
  TracedThread& get(std::uint32_t ordinal) {
    return last_ && last_->ordinal == ordinal ? *last_ : find_or_adopt(ordinal);
  }

  /// `creator` made a thread with this ordinal.
  void create(TracedThread& creator, std::uint32_t ordinal);

  void end(TracedThread& thread);

  /// `joiner` knows everything that the thread did. The thread is not needed again.
  void join(TracedThread& joiner, std::uint32_t ordinal);

  /// Call after a release: later actions of the thread are not part of what it released.
  void advance(TracedThread& thread);

  /// Which thread had this slot at this epoch.
  [[nodiscard]] std::uint32_t ordinal_of(Slot slot, Epoch epoch) const;

  /// What happened before everything that any thread will still do. It may be outdated, since it is
  /// computed only every few thousand calls of advance().
  const VectorClock& known_to_all();

  /// Calls visit(thread) for all threads that were not joined.
  template <class Visit>
  void for_each(Visit visit) {
    threads_.for_each(
        [&](std::uint64_t, std::unique_ptr<TracedThread>& thread) { visit(*thread); });
  }

  [[nodiscard]] std::size_t slots() const { return owners_.size(); }

  /// The most slots that a cell has room for.
  static constexpr Slot kMostSlots = (Slot{1} << 20) - 1;

 private:
  struct Ownership {
    Epoch since;
    std::uint32_t ordinal;
  };
  struct Retired {
    Slot slot;
    Epoch last;
  };

  TracedThread& find_or_adopt(std::uint32_t ordinal);
  TracedThread& add(std::uint32_t ordinal, const VectorClock& knows);

  AddressTable<std::unique_ptr<TracedThread>> threads_;  // by ordinal
  TracedThread* last_ = nullptr;                         // the last result of get()
  std::vector<std::vector<Ownership>> owners_;           // per slot, oldest first
  std::vector<Retired> retired_;                         // slots without an owner
  VectorClock known_to_all_;
  std::uint64_t advances_ = 0;
  std::uint64_t known_since_ = 0;  // when known_to_all_ was computed
};

}  // namespace unravel
