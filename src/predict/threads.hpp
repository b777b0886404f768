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
  Epoch epoch = 1;    // of what it does now; clock has the same in its slot
  VectorClock clock;  // what happened before what it does now
  bool ended = false;

  HeldLocks held;
  std::uint32_t lockset = 0;   // the same as a set, where sets are compared
  VectorClock fence_released;  // what its last release fence gave to stores after it
  VectorClock fence_acquires;  // what relaxed loads saw, for its next acquire fence

  // The wait that it began last, to tell what it is woken from.
  wire::Operation waits_in = wire::Operation::kNone;
  std::uint64_t waits_for = 0;
};

/// Orders threads by creation and join. Whoever knows of other orders joins clocks and calls
/// advance() after each release.
///
/// A slot is used again for a new thread once its last owner has ended and all that it did is known
/// to the creator, so that clocks are as long as the most threads at a time, not as all there were.
/// Epochs of a slot go on growing: two owners never share one.
class Threads {
 public:
  /// The thread with this ordinal. One that nobody was seen to create is ordered after nothing.
  TracedThread& get(std::uint32_t ordinal) {
    return last_ && last_->ordinal == ordinal ? *last_ : find_or_adopt(ordinal);
  }

  /// `creator` made a thread with this ordinal.
  void create(TracedThread& creator, std::uint32_t ordinal);

  void end(TracedThread& thread);

  /// `joiner` knows everything that the thread did, and nobody will ask for it again.
  void join(TracedThread& joiner, std::uint32_t ordinal);

  /// After a release: what the thread does from now on is not part of what it released.
  void advance(TracedThread& thread);

  /// Which thread had this slot at this epoch.
  [[nodiscard]] std::uint32_t ordinal_of(Slot slot, Epoch epoch) const;

  /// What happened before everything that any thread will do from now on; perhaps less than is
  /// known by now, since it is only worked out every few thousand calls of advance().
  const VectorClock& known_to_all();

  /// Calls visit(thread) for all that were not joined.
  template <class Visit>
  void for_each(Visit visit) {
    threads_.for_each(
        [&](std::uint64_t, std::unique_ptr<TracedThread>& thread) { visit(*thread); });
  }

  [[nodiscard]] std::size_t slots() const { return owners_.size(); }

  /// Cells have room for so many.
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
  TracedThread* last_ = nullptr;                         // the one that get() was asked for last
  std::vector<std::vector<Ownership>> owners_;           // per slot, oldest first
  std::vector<Retired> retired_;                         // slots without an owner
  VectorClock known_to_all_;
  std::uint64_t advances_ = 0;
  std::uint64_t known_since_ = 0;  // when known_to_all_ was worked out
};

}  // namespace unravel
