/// The scheduler: one thread has the turn, and at every point it is decided which one has it next.
///
/// It knows which threads can run and what each is blocked on, from the primitives' own memory
/// (Op::can) and from its notes, so it sees a deadlock as soon as it closes. All of its state
/// belongs to the thread that has the turn; there are no locks. It does not know pthreads:
/// interposers call it in three beats, reach() a point, make the real call, did().
///
/// This class is the front of its parts. Each part has its own fields and its own file; they share
/// a RunState.
#pragma once

#include <cstdint>

#include "runtime/core/deadlines.hpp"
#include "runtime/core/endings.hpp"
#include "runtime/core/hook_watch.hpp"
#include "runtime/core/outside_events.hpp"
#include "runtime/core/progress.hpp"
#include "runtime/core/run_record.hpp"
#include "runtime/core/run_state.hpp"
#include "runtime/core/shared_objects.hpp"
#include "runtime/core/spin_loops.hpp"
#include "runtime/core/thread_life.hpp"
#include "runtime/core/turns.hpp"
#include "runtime/core/waiting.hpp"

namespace unravel {

class Scheduler {
 public:
  Scheduler(Switcher& switcher, Host& host, Arena& arena, wire::ThreadRecord* records,
            VirtualTime time, Countdowns& countdowns, Recorder& recorder);
  // The parts refer to each other, so a scheduler is never copied.
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Begins a run with the threads that exist. `run` is kept up to date.
  void begin(const Plan& plan, const RunLimits& limits, wire::RunSlot& run);
  /// The state of the only thread before a run begins, and setting the same state in a replay.
  void record_start(wire::Start& start) const;
  void start_from(const wire::Start& start);
  /// Sets the trace level from here on.
  void set_trace(wire::TraceLevel level);

  // --- Points ---

  /// The point before `op`. Returns with the turn, when `op` can be made.
  void reach(Thread& self, const Op& op, Leave leave = Leave::kMayStay) {
    turns_.reach(self, op, leave);
  }
  /// `op` happened: counts it, records it, and passes the point after it if it has one.
  void did(Thread& self, const Op& op, wire::EventResult result = wire::EventResult::kDone,
           std::uint64_t value = 0) {
    turns_.did(self, op, result, value);
  }
  /// Counts something that only moves the clock: a clock read, an init, a destroy.
  void hook(Thread& self, wire::Operation operation = wire::Operation::kClockRead,
            const void* object = nullptr) {
    hooks_.count(self, operation, object);
  }
  /// The countdown ran out at a hook of `self`, which is about to make `op`. This is a point of the
  /// set, or the end of a slice. `marked`: the site is a point of the set `auto`. `spins`: the
  /// thread goes round in a loop, so others go first.
  void inspect_hook(Thread& self, const Op& op, bool marked, bool spins = false) {
    turns_.inspect_hook(self, op, marked, spins);
  }

  /// Reaches `op` and calls `attempt` until it returns something other than `busy`; 0 is success.
  /// Returns `timed_out` when the deadline comes first.
  template <class Attempt>
  int acquire(Thread& self, const Op& op, int busy, int timed_out, Attempt attempt);
  /// An attempt failed although it looked possible: a thread that we do not know has the object.
  void block(Thread& self) { turns_.block(self); }
  /// A failed attempt (a try-form that found the object taken). Several in a row are a spin, and
  /// reach_attempt() lets another thread go before the next.
  void failed_attempt(Thread& self, const Op& op);
  /// reach() for an operation that never blocks but may be tried in a loop.
  void reach_attempt(Thread& self, const Op& op);

  /// The run ends in `self`, by whatever: the last moment at which its threads can be told of.
  void tell_end(const Thread& self) {
    record_.decisions().end(state_.threads, self, state_.runnable.set(), state_.slot->steps);
  }
  /// Ends the run as unresolved: `why` is a limit of ours, not of the program's.
  [[noreturn]] void give_up(const Thread& self, const char* why) { endings_.give_up(self, why); }

  // --- Parts ---

  ThreadLife& life() { return life_; }
  Waiting& waiting() { return waiting_; }
  SharedObjects& objects() { return objects_; }
  Deadlines& deadlines() { return deadlines_; }
  OutsideEvents& outside() { return outside_; }
  HookWatch& hooks() { return hooks_; }
  PairMap& pairs() { return record_.pairs(); }
  DecisionRecord& decisions() { return record_.decisions(); }
  ThreadTable& threads() { return state_.threads; }
  VirtualTime& time() { return state_.time; }
  [[nodiscard]] wire::RunSlot& run() { return *state_.slot; }
  [[nodiscard]] const RunLimits& limits() const { return state_.limits; }

 private:
  Turns::Parts parts(Switcher& switcher) {
    return {switcher, record_, hooks_, deadlines_, objects_, endings_, progress_, spins_, outside_};
  }

  RunState state_;
  RunRecord record_;
  HookWatch hooks_;
  Deadlines deadlines_;
  SharedObjects objects_;
  Endings endings_;
  Progress progress_;
  SpinLoops spins_;
  OutsideEvents outside_;
  Turns turns_;
  Waiting waiting_;
  ThreadLife life_;
};

template <class Attempt>
int Scheduler::acquire(Thread& self, const Op& op, int busy, int timed_out, Attempt attempt) {
  reach(self, op);
  int error = self.timed_out ? timed_out : attempt();
  while (error == busy) {
    block(self);
    error = self.timed_out ? timed_out : attempt();
  }
  if (error == 0) objects_.acquired(self, op);
  did(self, op,
      self.timed_out ? wire::EventResult::kTimedOut
      : error        ? wire::EventResult::kFailed
                     : wire::EventResult::kDone,
      static_cast<std::uint64_t>(error));
  return error;
}

}  // namespace unravel
