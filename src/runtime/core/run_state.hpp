/// What all parts of the scheduler share: the current run, its threads and its schedule.
///
/// A part has fields of its own, which no other part touches, and a reference to this. All of it
/// belongs to the thread that has the turn; there are no locks.
#pragma once

#include <cstdint>

#include "runtime/core/decide.hpp"
#include "runtime/core/recorder.hpp"
#include "runtime/core/runnable.hpp"
#include "runtime/core/seams.hpp"
#include "runtime/core/thread_table.hpp"
#include "runtime/core/virtual_time.hpp"

namespace unravel {

struct RunLimits {
  std::uint64_t most_steps = 0;  // 0: none
  wire::Timeouts timeouts = wire::Timeouts::kNear;
  wire::TraceLevel trace = wire::TraceLevel::kSwitches;
  wire::PointSet points = wire::PointSet::kSync;
  bool ticks = false;      // in clock form: the driver's tick preempts
  bool values = false;     // a trace of memory includes values
  bool calls = false;      // it includes entries and exits of functions
  bool decisions = false;  // decisions are recorded
};

struct RunState {
  RunState(Host& run_host, Recorder& run_recorder, VirtualTime run_time, Arena& arena,
           wire::ThreadRecord* records)
      : host(run_host), recorder(run_recorder), time(run_time), threads(arena, records) {}

  Host& host;
  Recorder& recorder;
  VirtualTime time;
  RunLimits limits;
  wire::RunSlot start_up;           // counts what happens before the first run
  wire::RunSlot* slot = &start_up;  // counters that the driver reads
  ThreadTable threads;
  Runnable runnable;
  Plan plan;

  /// An outside event may come earlier or later than in the recorded run. A strictly followed
  /// schedule says when it takes effect, not the kernel.
  [[nodiscard]] bool is_left_to_schedule(const Thread& thread) const {
    return plan.strict() && thread.asks_outside();
  }
  /// Marks `thread` as able to run.
  void make_runnable(Thread& thread) {
    runnable.set(thread, true);
    thread.record->state = wire::ThreadState::kRunnable;
  }
};

/// Whether a cancellation request lets the thread go on from where it is.
inline bool goes_on_by_cancel(const Thread& thread) {
  return thread.cancel.is_due() && (thread.pending.cancellable || thread.cancel.asynchronous);
}

/// Whether the thread goes on only when its operation can be made.
inline bool waits(const Thread& thread) {
  return thread.pending.can && !thread.timed_out && !thread.signals.has_deliverable() &&
         !(thread.cancel.pending && goes_on_by_cancel(thread));
}

/// Whether the thread waits and its operation cannot be made now.
inline bool blocks(const Thread& thread) {
  return waits(thread) && !thread.pending.can(thread.pending, thread);
}

}  // namespace unravel
