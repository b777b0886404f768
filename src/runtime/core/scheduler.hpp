/// The scheduler: one thread has the turn, and at every point it is decided who has it next.
///
/// It knows who can run and who is blocked on what, from the primitives' own memory (Op::can)
/// and from its notes; so a deadlock is seen as soon as it closes. All of its state belongs to
/// the thread that has the turn; there are no locks. It does not know pthreads: interposers
/// call it in three beats, reach() a point, make the real call, did().
#pragma once

#include <cstdint>

#include "runtime/core/check.hpp"
#include "runtime/core/countdown.hpp"
#include "runtime/core/decide.hpp"
#include "runtime/core/object_table.hpp"
#include "runtime/core/pair_map.hpp"
#include "runtime/core/recorder.hpp"
#include "runtime/core/run_queue.hpp"
#include "runtime/core/seams.hpp"
#include "runtime/core/thread_set.hpp"
#include "runtime/core/virtual_time.hpp"

namespace unravel {

// Threads that a run may start over its whole life: the table by ordinal is sparse memory.
inline constexpr std::uint32_t kMostThreadsEver = 1u << 20;

class Scheduler {
 public:
  struct Limits {
    std::uint64_t most_steps = 0;  // 0: none
    wire::Timeouts timeouts = wire::Timeouts::kNear;
    wire::TraceLevel trace = wire::TraceLevel::kSwitches;
    wire::PointSet points = wire::PointSet::kSync;
    bool ticks = false;   // in clock form: the driver's tick preempts
    bool values = false;  // a trace of memory has values, too
  };

  Scheduler(Switcher& switcher, Host& host, Arena& arena, wire::ThreadRecord* records,
            VirtualTime time, Countdowns& countdowns, Recorder& recorder);

  /// A run begins here, with whatever threads there are. `run` is kept up to date.
  void begin(const Plan& plan, const Limits& limits, wire::RunSlot& run);
  /// Where the only thread stands before a run begins, and the same place of a run that is
  /// repeated.
  [[nodiscard]] wire::Start start() const;
  void start_from(const wire::Start& start);

  // --- Threads ---

  /// A thread that cannot run yet. Null: too many are alive.
  Thread* make_thread();
  /// It never came to life after all.
  void drop_thread(Thread& thread);
  /// It has parked at the point before its start. `site` is where it was created.
  void thread_is_ready(Thread& thread, const void* site);
  /// Makes `thread` the one that has the turn, without anybody to take it from.
  void adopt(Thread& thread);
  /// The program begins: what its only thread did so far is not counted in its clock.
  void count_from_here(Thread& thread);
  /// The calling thread's last act: passes the turn on. False if nobody is left to take it.
  bool end_thread(Thread& self);
  /// Its slot may be used again: it has ended, and was joined or detached.
  void forget_thread(Thread& thread);
  Thread* thread_with_handle(unsigned long handle);

  // --- Points ---

  /// The point before `op`. Returns with the turn, when `op` can be made.
  void reach(Thread& self, const Op& op, Leave leave = Leave::kMayStay);

  /// `op` happened: counts it, notes it, and passes the point after it if it has one.
  void did(Thread& self, const Op& op, wire::EventResult result = wire::EventResult::kDone,
           std::uint64_t value = 0);

  /// Something that only counts in the clock: a clock read, an init, a destroy.
  void hook(Thread& self, wire::Operation operation = wire::Operation::kClockRead,
            const void* object = nullptr) {
    read_off(self);
    ++self.clock.hooks;
    if (recorder_.on()) recorder_.count(operation, object);
    aim(self);
  }

  /// The countdown has run out at a hook of `self`, which is about to make `op`: a point, if it is
  /// one of the set, or the end of a slice. `marked`: its site is a point of the set `auto`.
  /// `spins`: it goes round in a loop, and others go first.
  void inspect_hook(Thread& self, const Op& op, bool marked, bool spins = false);
  /// Whether `self`, about to make `op` at a marked site, does nothing but look at what it has just
  /// looked at.
  bool goes_round(Thread& self, const Op& op) const;
  /// Brings a thread's clock up to date with the hooks that it made.
  void read_off(Thread& self) {
    const std::uint64_t hooks = countdowns_.hooks.take();
    const std::uint64_t calls = countdowns_.calls.take();
    const std::uint64_t marked = countdowns_.marked.take();
    self.clock.hooks += hooks;
    if (limits_.points == wire::PointSet::kSync) return;
    const std::uint64_t points = limits_.points == wire::PointSet::kCalls  ? calls
                                 : limits_.points == wire::PointSet::kAuto ? marked
                                                                           : hooks;
    self.hook_points += points;
    run_->steps += points;
  }
  /// Every hook is to be looked at, or only those that are due: as the run's trace and points want
  /// it.
  void watch_hooks();

  /// Reaches `op` and calls `attempt` until it answers anything but `busy`: 0 is success. The
  /// deadline, if there is one, makes it `timed_out`.
  template <class Attempt>
  int acquire(Thread& self, const Op& op, int busy, int timed_out, Attempt attempt);

  /// An attempt failed although it looked possible: somebody whom we do not know has the thing.
  void block(Thread& self) {
    settle(self, false, Leave::kMayStay);
    if (self.cancel.pending) leave_if_cancelled(self);
  }

  /// A failing attempt (a try-form that found the thing taken). The same one several times in a
  /// row is a spin, and the next is left for another thread: see reach_attempt.
  void failed_attempt(Thread& self, const Op& op);
  /// reach() for an operation that never blocks but may be tried in a loop.
  void reach_attempt(Thread& self, const Op& op);

  // --- Waiting ---

  /// Queues `self` on `object` until somebody wakes it, its deadline comes, or a signal has been
  /// handled. `op` is counted here: what follows the wake is its after-point.
  enum class Woken : std::uint8_t { kByWake, kByDeadline, kBySignal };
  Woken wait(Thread& self, Object& object, const Op& op);
  /// Waits on after a signal: `op` has been counted before.
  Woken wait_again(Thread& self, Object& object, const Op& op);
  /// Wakes up to `most` of the waiters whose bits meet `bits`; how many.
  std::uint32_t wake(Thread& self, Object& object, std::uint32_t most, std::uint32_t bits = ~0u);
  /// Moves up to `most` waiters to another queue; how many.
  std::uint32_t requeue(Object& from, Object& to, std::uint32_t most);
  /// Blocks without an object until the deadline. False if a signal came first.
  bool sleep(Thread& self, const Op& op);

  // --- Signals and the outside ---

  /// Blocks until signals have been handled, whatever `op` says.
  void pause(Thread& self, const Op& op);
  /// Sends a signal to one thread; it handles it at its next step.
  void send_signal(Thread& target, int signal);
  static bool has_signal(const Thread& thread) {
    return thread.signals.pending & ~thread.signals.mask;
  }
  /// Asks `target` to end: blocked in a cancellation point it can go on, as after a signal, and of
  /// the asynchronous type wherever it is.
  void cancel(Thread& target);
  /// The time at which the next timer is due; kNever: none.
  void set_timer(std::uint64_t deadline);
  /// What `self` sees on a clock, which moves when it is read. `clock` tells clocks apart.
  std::uint64_t read_clock(Thread& self, unsigned clock);
  /// So much time has passed before the first thread, whose schedule does not name it.
  void pass(std::uint64_t nanoseconds);
  /// One of our own operations may have changed what others wait for outside.
  void outside_changed();
  /// Blocks until then, for what can only be tried, not asked.
  void await_change(Thread& self);
  /// `self` goes round in a loop that only another thread can end: it waits until one has done
  /// something, and then looks again.
  void spin(Thread& self, const void* site);
  /// What threads that wait for something outside contend for.
  const void* outside_object() const { return &timer_; }
  /// What a call of `self` on something outside answered when the run was recorded that this one
  /// repeats; null: nothing is known of it.
  const wire::Choice* recorded_answer(const Thread& self);
  /// What it answered now.
  void answered(const Thread& self, const wire::Choice* recorded, std::uint64_t value);

  /// Ends the run as unresolved: `why` is a limit of ours, not of the program's.
  [[noreturn]] void give_up(const Thread& self, const char* why);

  // --- Notes on objects ---

  ObjectTable& objects() { return objects_; }
  void acquired(Thread& self, const Op& op);
  void released(Thread& self, const void* address);
  /// `object` changed: who wants it may run now, or no more.
  void changed(Object& object);
  void changed_at(const void* address) {
    if (Object* object = objects_.find(address)) changed(*object);
  }

  PairMap& pairs() { return pairs_; }
  VirtualTime& time() { return time_; }
  [[nodiscard]] std::uint32_t alive() const { return alive_; }
  Thread* const* threads() const { return by_slot_; }
  [[nodiscard]] std::uint32_t slots() const { return slots_; }
  [[nodiscard]] wire::RunSlot& run() { return *run_; }
  [[nodiscard]] wire::TraceLevel trace() const { return limits_.trace; }
  /// From here on.
  void set_trace(wire::TraceLevel level);
  [[nodiscard]] wire::PointSet points() const { return limits_.points; }
  /// A created thread has the turn for the first time.
  void start_thread(Thread& self) {
    if (recorder_.on()) recorder_.turn(self);
    did(self, self.pending);
  }

 private:
  friend class Deadlock;

  /// Sets after how many hooks of `self` to look again.
  void aim(const Thread& self) {
    if (plan_.inspects_hooks()) set_countdowns(self);
  }
  void set_countdowns(const Thread& self);
  void count(Thread& self, const Op& op, wire::EventResult result, std::uint64_t value);
  void point(Thread& self, Leave leave);
  void pass_point(Thread& self, Leave leave, bool due = false);
  void handle_signals(Thread& self);
  Woken wait_at_point(Thread& self, Object& object, const Op& op);
  Thread& pick_next(Thread& self, Leave leave, bool due, wire::End* end);
  void pass_turn(Thread& self, Thread& next);
  void set_runnable(Thread& thread, bool can_run);
  void record_clock_switches(const Decision& decision);
  void await_turn_outside(Thread& self, Thread& next);
  void follow_outside(Thread& self);
  void follow_choice(Thread& self, const wire::Choice& choice);
  bool take_signals(Thread& self);
  void sample_outside(Thread& self);
  bool refresh_contenders();
  void retry_outside(const Thread* except = nullptr);
  void settle(Thread& self, bool can_go_on, Leave leave, bool due = false);
  Decision next_turn(Thread& self, Leave leave, bool due, wire::End* end);
  bool be_fair(const Thread& self, bool can_go_on, Leave leave, Decision* decision);
  void set_pending(Thread& self, const Op& op);
  void has_waited(Thread& self, std::uint64_t since) const;
  void end_slice(Thread& self, wire::End end);
  void record_pending(const Thread& self, wire::Site site);
  void idle(Thread& self);
  void wait_for_anybody(Thread& self);
  [[nodiscard]] std::uint64_t many_points() const;
  [[nodiscard]] std::uint64_t next_due() const;
  void move_time_to(std::uint64_t time);
  void go_on_by(Thread& self, wire::ChoiceKind kind, std::uint64_t nanoseconds);
  void jump_to(Thread& self, std::uint64_t time);
  void follow_jump(Thread& self);
  void let_deadlines_come(Thread& self);
  [[nodiscard]] bool has_waited_for(const Thread& thread, std::uint64_t points) const;
  [[nodiscard]] bool has_long_turn() const;
  void check_for_livelock(Thread& self, Leave leave);
  [[nodiscard]] std::uint64_t state_of_threads() const;
  void pass_time();
  void fire(Thread& thread);
  void pass_due();
  Thread* earliest_deadline() const;
  [[nodiscard]] bool is_fireable(const Thread& thread) const;
  const ThreadSet& fireable(const Thread& self);
  void refresh(Thread& thread);
  bool retry_spinners(const Thread* except, std::uint64_t enough);
  bool leave_spinners();
  void stop_if_due(const Thread& self);
  void progress() {
    fruitless_ = 0;
    rounds_.counted = false;
  }
  void record_choice(const Thread& thread, wire::ChoiceKind kind, std::uint64_t value);
  void mix(std::uint64_t value) {
    run_->schedule_hash = (run_->schedule_hash ^ value) * 0x9e3779b97f4a7c15;
    run_->schedule_hash ^= run_->schedule_hash >> 29;
  }
  /// Whether it goes on only when its operation can be made.
  static bool waits(const Thread& thread) {
    return thread.pending.can && !thread.timed_out && !has_signal(thread) &&
           !(thread.cancel.pending && goes_on_by_cancel(thread));
  }
  static bool goes_on_by_cancel(const Thread& thread) {
    return thread.cancel.is_due() && (thread.pending.cancellable || thread.cancel.asynchronous);
  }
  void leave_if_cancelled(Thread& self);
  static bool blocks(const Thread& thread) {
    return waits(thread) && !thread.pending.can(thread.pending, thread);
  }
  /// What comes from outside may be there earlier or later than it was: a schedule that is followed
  /// strictly says when it counts, not the kernel.
  [[nodiscard]] bool is_left_to_schedule(const Thread& thread) const {
    return plan_.strict() && thread.asks_outside();
  }

  /// Ends the run if threads wait for each other.
  void end_if_cycle();
  [[noreturn]] void stuck();
  [[noreturn]] void livelock(const Thread& self);
  [[noreturn]] void diverged(const Thread& self, const Decision& decision);
  [[noreturn]] void limit(const Thread& self, const char* text);
  [[noreturn]] void end_with(wire::LastWords::Kind kind, wire::FailureKind failure,
                             const Thread& thread, const char* text);

  Switcher& switcher_;
  Host& host_;
  Arena& arena_;
  ObjectTable objects_;
  wire::ThreadRecord* records_;
  VirtualTime time_;
  Countdowns& countdowns_;
  Recorder& recorder_;
  PairMap pairs_;
  Plan plan_;
  Limits limits_;
  wire::RunSlot start_up_;  // counts what happens before the first run
  wire::RunSlot* run_ = &start_up_;

  // Every live thread is in by_slot_; it is in runnable_ exactly if it could take a step, and
  // in timed_ exactly if it is blocked with a deadline.
  Thread** by_slot_;
  std::uint16_t* slot_of_;  // by ordinal
  ThreadSet runnable_;
  RunQueue queue_;  // all of runnable_ but who has the turn
  const Thread* running_ = nullptr;
  ThreadSet timed_;
  ThreadSet fireable_;
  std::uint32_t slots_ = 0;
  std::uint32_t alive_ = 0;
  std::uint32_t spinners_ = 0;  // threads that wait in spin()
  std::uint32_t threads_ever_ = 0;
  std::uint64_t timer_ = kNever;
  std::uint64_t timer_step_ = 0;   // at which it was set
  std::uint64_t turn_step_ = 0;    // at which whoever has the turn got it
  bool must_fire_ = false;         // the earliest deadline comes now
  std::uint64_t next_sample_ = 0;  // step at which to look at what came from outside
  std::uint64_t fruitless_ = 0;    // yields and failed attempts since the last progress

  // Rounds of fair round-robin without progress, counted by the turns of one thread.
  struct Rounds {
    bool counted = false;
    std::uint32_t thread = 0;  // its ordinal
    std::uint64_t turns = 0;
    std::uint64_t length = 0;  // after which the program is looked at again
  };
  Rounds rounds_;
};

template <class Attempt>
int Scheduler::acquire(Thread& self, const Op& op, int busy, int timed_out, Attempt attempt) {
  reach(self, op);
  int error = self.timed_out ? timed_out : attempt();
  while (error == busy) {
    block(self);
    error = self.timed_out ? timed_out : attempt();
  }
  if (error == 0) acquired(self, op);
  did(self, op,
      self.timed_out ? wire::EventResult::kTimedOut
      : error        ? wire::EventResult::kFailed
                     : wire::EventResult::kDone,
      static_cast<std::uint64_t>(error));
  return error;
}

}  // namespace unravel
