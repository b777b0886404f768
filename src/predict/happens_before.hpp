/// Happens-before over a trace: what orders threads, operation by operation.
///
/// That one event follows another in the trace orders nothing: the run was serialised by us. Two
/// events are ordered if one thread made both, or if synchronisation leads from one to the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>

#include "data/trace.hpp"
#include "predict/address_table.hpp"
#include "predict/threads.hpp"
#include "predict/vector_clock.hpp"

namespace unravel {

class HappensBefore {
 public:
  /// The thread that makes an event. Its clock is what happened before.
  TracedThread& thread(std::uint32_t ordinal) { return threads_.get(ordinal); }

  /// Every event but accesses: afterwards the threads' clocks are as they are after it.
  void take(TracedThread& thread, const TraceEvent& event);

  /// An atomic access is two halves, and the access to memory comes between them: what it acquires
  /// happened before it, and it happened before whoever acquires what it releases.
  void acquire_by_access(TracedThread& thread, const TraceEvent& event);
  void release_by_access(TracedThread& thread, const TraceEvent& event);

  /// Whatever synchronised by objects in this memory is gone.
  void forget(std::uint64_t address, std::uint64_t size);

  Threads& threads() { return threads_; }

 private:
  // Of mutexes, spin locks and streams nobody is ever a reader.
  struct Lock {
    VectorClock written;  // released by those who held it alone
    VectorClock read;     // released by readers
  };
  // The units that nobody posted carry nothing and go first; the value says how many there are.
  struct Semaphore {
    std::deque<VectorClock> posted;
  };
  struct Barrier {
    VectorClock arrived;  // in the round that is not complete
    VectorClock left;     // in the one that was completed last
    bool completing = false;
    std::uint32_t completer = 0;
  };

  void take_lock(TracedThread& thread, const TraceEvent& event, LockMode mode);
  void take_unlock(TracedThread& thread, std::uint64_t object);
  void release_lock(TracedThread& thread, std::uint64_t object, LockMode mode);
  void take_give_up(TracedThread& thread, std::uint64_t object);
  void take_wait(TracedThread& thread, const TraceEvent& event);
  void take_woke(TracedThread& waker, const TraceEvent& event);
  void take_post(TracedThread& thread, const TraceEvent& event);
  void take_unit(TracedThread& thread, const TraceEvent& event);
  static std::uint64_t correct(Semaphore& semaphore, std::uint64_t before);
  void take_fence(TracedThread& thread, wire::MemoryOrder order);
  void forget(std::uint64_t object);

  void release_into(VectorClock& clock, TracedThread& thread);
  void observe(TracedThread& thread, std::uint64_t object);
  static void acquire_from(const VectorClock* clock, TracedThread& thread);

  template <class Object>
  Object& at(AddressTable<Object>& table, std::uint64_t object);

  Threads threads_;
  AddressTable<Lock> locks_;
  AddressTable<Semaphore> semaphores_;
  AddressTable<Barrier> barriers_;
  // What an atomic object gives to whoever acquires from it. None: nothing.
  AddressTable<VectorClock> locations_;
  // What a once, a guard or an annotation gives, whatever is stored in the same memory later.
  AddressTable<VectorClock> published_;
  std::set<std::uint64_t> objects_;    // addresses of all these, to find those in freed memory
  AddressTable<VectorClock> signals_;  // by number
  VectorClock written_;                // to any descriptor: which ends meet is not known
};

}  // namespace unravel
