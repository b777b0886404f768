/// All threads of a run: by slot while they are alive, by ordinal for ever.
#pragma once

#include <cstdint>

#include "runtime/core/object_table.hpp"
#include "runtime/core/thread.hpp"
#include "runtime/core/thread_set.hpp"
#include "wire/control.hpp"

namespace unravel {

// The most threads that a run may create over its life. The table by ordinal is sparse memory.
inline constexpr std::uint32_t kMostThreadsEver = 1u << 20;

class ThreadTable {
 public:
  ThreadTable(Arena& arena, wire::ThreadRecord* records);

  /// Makes a thread that cannot run yet. Null: too many are alive.
  Thread* make();
  /// Drops the newest thread: its creation failed.
  void drop(Thread& thread);
  /// `thread` takes no more steps. It keeps its slot until it is forgotten.
  void end(Thread& thread) {
    --alive_;
    thread.ended = true;
  }
  /// Frees the slot of a thread that has ended and was joined or detached.
  void forget(Thread& thread);

  [[nodiscard]] Thread* with_handle(unsigned long handle) const;
  [[nodiscard]] Thread& at(std::uint32_t slot) const { return *by_slot_[slot]; }
  [[nodiscard]] Thread* const* by_slot() const { return by_slot_; }
  [[nodiscard]] const std::uint16_t* slot_of() const { return slot_of_; }  // by ordinal
  /// The number of slots that were ever used. Slots of forgotten threads are free.
  [[nodiscard]] std::uint32_t slots() const { return slots_; }
  [[nodiscard]] std::uint32_t alive() const { return alive_; }
  [[nodiscard]] std::uint32_t ever() const { return ever_; }

  /// Visits every thread that can still take a step, by slot.
  template <class Visit>
  void for_each_live(Visit visit) const {
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
      Thread& thread = *by_slot_[slot];
      if (thread.in_use && !thread.ended) visit(thread);
    }
  }

 private:
  Arena& arena_;
  wire::ThreadRecord* records_;
  Thread** by_slot_;
  std::uint16_t* slot_of_;
  std::uint32_t slots_ = 0;
  std::uint32_t alive_ = 0;
  std::uint32_t ever_ = 0;
};

}  // namespace unravel
