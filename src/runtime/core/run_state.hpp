/// What all parts of the scheduler share: the run that is being made, its threads, its schedule.
///
/// A part has fields of its own, which nobody else touches, and a reference to this. All of it
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
  bool values = false;     // a trace of memory has values, too
  bool decisions = false;  // are recorded
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

  /// What comes from outside may be there earlier or later than it was: a schedule that is followed
  /// strictly says when it counts, not the kernel.
  [[nodiscard]] bool is_left_to_schedule(const Thread& thread) const {
    return plan.strict() && thread.asks_outside();
  }
  /// `thread` can run.
  void make_runnable(Thread& thread) {
    runnable.set(thread, true);
    thread.record->state = wire::ThreadState::kRunnable;
  }
};

/// Whether a request to cancel it lets the thread go on where it is.
inline bool goes_on_by_cancel(const Thread& thread) {
  return thread.cancel.is_due() && (thread.pending.cancellable || thread.cancel.asynchronous);
}

/// Whether the thread goes on only when its operation can be made.
inline bool waits(const Thread& thread) {
  return thread.pending.can && !thread.timed_out && !thread.signals.has_deliverable() &&
         !(thread.cancel.pending && goes_on_by_cancel(thread));
}

/// The same, and it cannot be made now.
inline bool blocks(const Thread& thread) {
  return waits(thread) && !thread.pending.can(thread.pending, thread);
}

}  // namespace unravel
