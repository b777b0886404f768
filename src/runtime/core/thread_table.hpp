/// All threads of a run: by slot while they live, by ordinal for ever.
#pragma once

#include <cstdint>

#include "runtime/core/object_table.hpp"
#include "runtime/core/thread.hpp"
#include "runtime/core/thread_set.hpp"
#include "wire/control.hpp"

namespace unravel {

// Threads that a run may start over its whole life: the table by ordinal is sparse memory.
inline constexpr std::uint32_t kMostThreadsEver = 1u << 20;

class ThreadTable {
 public:
  ThreadTable(Arena& arena, wire::ThreadRecord* records);

  /// A thread that cannot run yet. Null: too many are alive.
  Thread* make();
  /// The newest thread never came to life.
  void drop(Thread& thread);
  /// It takes no more steps; it keeps its slot until it is forgotten.
  void end(Thread& thread) {
    --alive_;
    thread.ended = true;
  }
  /// Its slot may be used again: it has ended, and was joined or detached.
  void forget(Thread& thread);

  [[nodiscard]] Thread* with_handle(unsigned long handle) const;
  [[nodiscard]] Thread& at(std::uint32_t slot) const { return *by_slot_[slot]; }
  [[nodiscard]] Thread* const* by_slot() const { return by_slot_; }
  [[nodiscard]] const std::uint16_t* slot_of() const { return slot_of_; }  // by ordinal
  /// Slots that were ever used; those of threads that were forgotten are free.
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
