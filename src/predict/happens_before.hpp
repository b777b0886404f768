/// Happens-before over a trace: what orders threads, operation by operation.
///
/// The order of events in the trace alone orders nothing: unravel serialised the run. Two events
/// are ordered if one thread made both, or if synchronisation leads from one to the other.
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
  /// The thread of an event. Its clock is what happened before.
  TracedThread& thread(std::uint32_t ordinal) { return threads_.get(ordinal); }

  /// Takes any event that is not an access, and updates the threads' clocks.
  void take(TracedThread& thread, const TraceEvent& event);

  /// An atomic access has two halves, and the access to memory is between them. What it acquires
  /// happened before it, and it happened before any thread that acquires what it releases.
  void acquire_by_access(TracedThread& thread, const TraceEvent& event);
  void release_by_access(TracedThread& thread, const TraceEvent& event);

  /// Forgets the synchronisation objects in this memory.
  void forget(std::uint64_t address, std::uint64_t size);

  Threads& threads() { return threads_; }

 private:
  // Mutexes, spin locks and streams have no readers.
  struct Lock {
    VectorClock written;  // released by exclusive owners
    VectorClock read;     // released by readers
  };
  // Units that no thread posted order nothing and are taken first; the value says how many there
  // are.
  struct Semaphore {
    std::deque<VectorClock> posted;
  };
  struct Barrier {
    VectorClock arrived;  // in the current round
    VectorClock left;     // in the last complete round
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
  // The clock that an atomic object passes to a thread that acquires from it.
  AddressTable<VectorClock> locations_;
  // The clock of a once, a guard or an annotation, whatever is stored in the same memory later.
  AddressTable<VectorClock> published_;
  std::set<std::uint64_t> objects_;    // addresses of all of these, to find those in freed memory
  AddressTable<VectorClock> signals_;  // by number
  VectorClock written_;                // to any descriptor: which ends belong together is not known
};

}  // namespace unravel
