/// When deadlines and timers come, and what moves the clock.
///
/// Virtual time moves when a clock is read, when no thread can run, when those that can run only
/// spin, and when threads have run for so long that a deadline must come. The last three are
/// choices of the schedule.
#pragma once

#include "runtime/core/hook_watch.hpp"
#include "runtime/core/run_record.hpp"
#include "runtime/core/run_state.hpp"

namespace unravel {

class Deadlines {
 public:
  Deadlines(RunState& state, RunRecord& record, HookWatch& hooks)
      : state_(state), record_(record), hooks_(hooks) {}

  void begin() { timer_step_ = 0; }

  /// Returns the time that `self` reads. Reading moves the clock; `clock` tells clocks apart.
  std::uint64_t read_clock(Thread& self, unsigned clock);
  /// Sets when the next timer is due; kNever: none.
  void set_timer(std::uint64_t deadline);
  [[nodiscard]] bool has_timer() const { return timer_ != kNever; }
  /// Moves time by what passed before the first thread was created; no choice records it.
  void pass(std::uint64_t nanoseconds);

  // --- Blocked threads with a deadline ---

  void add(const Thread& thread) { timed_.add(thread.slot); }
  void remove(const Thread& thread) { timed_.remove(thread.slot); }
  void set(const Thread& thread, bool is_timed) { timed_.set(thread.slot, is_timed); }
  [[nodiscard]] bool contains(const Thread& thread) const { return timed_.contains(thread.slot); }
  [[nodiscard]] Thread* earliest() const;
  /// When the next deadline or timer is due, including the kernel's timer slack.
  [[nodiscard]] std::uint64_t next_due() const;
  /// Whether the thread is blocked and its deadline may come by choice.
  [[nodiscard]] bool is_fireable(const Thread& thread) const;
  /// All such threads but `self`.
  const ThreadSet& fireable(const Thread& self);

  // --- Time goes on ---

  /// Moves time to the next timer or deadline.
  void pass_time();
  /// Moves time to `thread`'s deadline: every earlier deadline and timer comes, too.
  void fire(Thread& thread);
  /// Moves time by this much and records it as a choice.
  void go_on_by(Thread& self, wire::ChoiceKind kind, std::uint64_t nanoseconds);
  /// Moves time to the timer: threads that spin may wait for its signal.
  void jump_to_timer(Thread& self);
  /// All threads that can run only spin, and `self` has tried again in vain: moves time by as much
  /// as that took, at most to the next deadline.
  void pass_while_spinning(Thread& self);
  /// Moves time as the schedule says for this point.
  void follow_jumps(Thread& self);
  /// Moves time to deadlines that threads have waited for long enough, whatever the rule.
  void let_deadlines_come(Thread& self);
  /// The thread whose deadline has to come now; null: none.
  Thread* take_forced();

  /// Sends the signals of timers that are due, and makes threads runnable whose deadline has come.
  void pass_due_timers() {
    if (state_.time.now() >= timer_) state_.host.timer_due();
  }
  void pass_due() {
    if (!timed_.empty()) time_out_due();
  }

  /// The number of points of others after which a distant deadline may come.
  [[nodiscard]] std::uint64_t many_points() const;

 private:
  void time_out_due();
  void move_time_to(std::uint64_t time);
  void jump_to(Thread& self, std::uint64_t time);
  [[nodiscard]] bool has_waited_for(const Thread& thread, std::uint64_t points) const;

  RunState& state_;
  RunRecord& record_;
  HookWatch& hooks_;
  ThreadSet timed_;  // exactly the threads that are blocked with a deadline
  ThreadSet fireable_;
  std::uint64_t timer_ = kNever;
  std::uint64_t timer_step_ = 0;  // the step at which it was set
  bool must_fire_ = false;        // the earliest deadline comes now
};

}  // namespace unravel
