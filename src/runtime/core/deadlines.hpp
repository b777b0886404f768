/// When deadlines and timers come, and what moves the clock.
///
/// Virtual time moves when a clock is read, when no thread can run, and when threads have run for
/// so long that a deadline must come. The last two are choices of the schedule.
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

  /// What `self` sees on a clock, which moves when it is read. `clock` tells clocks apart.
  std::uint64_t read_clock(Thread& self, unsigned clock);
  /// The time at which the next timer is due; kNever: none.
  void set_timer(std::uint64_t deadline);
  [[nodiscard]] bool has_timer() const { return timer_ != kNever; }
  /// So much time has passed before the first thread, whose schedule does not name it.
  void pass(std::uint64_t nanoseconds);

  // --- Blocked threads with a deadline ---

  void add(const Thread& thread) { timed_.add(thread.slot); }
  void remove(const Thread& thread) { timed_.remove(thread.slot); }
  void set(const Thread& thread, bool is_timed) { timed_.set(thread.slot, is_timed); }
  [[nodiscard]] bool contains(const Thread& thread) const { return timed_.contains(thread.slot); }
  [[nodiscard]] Thread* earliest() const;
  /// When the next deadline or timer comes, with the slack that the kernel adds.
  [[nodiscard]] std::uint64_t next_due() const;
  /// Whether it is blocked, and its deadline may come by choice.
  [[nodiscard]] bool is_fireable(const Thread& thread) const;
  /// All such threads but `self`.
  const ThreadSet& fireable(const Thread& self);

  // --- Time goes on ---

  /// To the next timer or deadline.
  void pass_time();
  /// To `thread`'s deadline, and with it to every earlier one and every timer.
  void fire(Thread& thread);
  /// By so much, which the schedule of this run names.
  void go_on_by(Thread& self, wire::ChoiceKind kind, std::uint64_t nanoseconds);
  /// To the timer, for which threads may wait that only spin.
  void jump_to_timer(Thread& self);
  /// As the schedule says at this point.
  void follow_jumps(Thread& self);
  /// To deadlines for which threads have waited long enough, whatever the rule.
  void let_deadlines_come(Thread& self);
  /// The thread whose deadline has to come now; null: none.
  Thread* take_forced();

  /// Timers that are due send their signals, and threads whose deadline has come can run.
  void pass_due_timers() {
    if (state_.time.now() >= timer_) state_.host.timer_due();
  }
  void pass_due() {
    if (!timed_.empty()) time_out_due();
  }

  /// So many points of others are many: beyond them a deadline may come that is not near.
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
  std::uint64_t timer_step_ = 0;  // at which it was set
  bool must_fire_ = false;        // the earliest deadline comes now
};

}  // namespace unravel
