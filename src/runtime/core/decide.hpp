/// Decides which thread takes the next step. No other code does.
///
/// decide() is a function of a View of the run and of a Plan: what the schedule names, and the rule
/// for what it does not. No system calls and no globals, so the runtime and the simulated programs
/// of the tests use the same code.
#pragma once

#include <cstdint>

#include "runtime/core/constraints.hpp"
#include "runtime/core/countdown.hpp"
#include "runtime/core/debugger_stop.hpp"
#include "runtime/core/run_queue.hpp"
#include "runtime/core/stops.hpp"
#include "runtime/core/thread.hpp"
#include "runtime/core/thread_set.hpp"
#include "wire/control.hpp"

namespace unravel {

/// The state of a run that a decision depends on. `current` is the thread that is at a point.
struct View {
  const Thread* current = nullptr;
  bool can_go_on = false;  // its pending operation would succeed
  Leave leave = Leave::kMayStay;
  bool due = false;                     // the rule has drawn that it may switch here
  bool tick = false;                    // clock form: it is time for another thread
  const ThreadSet* runnable = nullptr;  // contains `current` exactly if it can go on
  const ThreadSet* fireable = nullptr;  // blocked, but may time out now by choice
  bool current_fireable = false;        // the same for `current`, which is not in `fireable`
  Thread* const* by_slot = nullptr;
  std::uint32_t slots = 0;                 // the size of by_slot
  RunQueue* queue = nullptr;               // the other threads that can run
  const std::uint16_t* slot_of = nullptr;  // by ordinal; kNoSlot: not alive
  std::uint32_t threads_ever = 0;
  std::uint64_t step = 0;
};

struct Decision {
  std::uint32_t next = ThreadSet::kNone;  // slot
  bool fires_timeout = false;             // `next` is blocked; fire its deadline first
  const char* divergence = nullptr;       // why the schedule cannot be followed
  wire::DivergenceKind kind = wire::DivergenceKind::kThread;  // of the divergence
  const wire::Slice* expected = nullptr;                      // the slice that the schedule named
  bool at_end = false;                          // the schedule names nothing after this
  const wire::Slice* followed = nullptr;        // strict: the slice that ends here
  const wire::ClockSwitch* switches = nullptr;  // in clock form: the switches made here
  std::uint32_t switch_count = 0;
};

/// The next thread where clock form names no switch: `current` if it may stay, else the head of the
/// queue. kNone: no thread can run.
std::uint32_t usual_next(const View& view);

/// splitmix64: small, seedable, and the same on every machine.
class RuleRandom {
 public:
  explicit RuleRandom(std::uint64_t seed = 0) : state_(seed) {}
  std::uint64_t next();
  std::uint32_t below(std::uint32_t bound);

 private:
  std::uint64_t state_;
};

/// A schedule being followed, and the state of its rule.
class Plan {
 public:
  Plan() = default;

  /// No schedule: only the rule decides.
  explicit Plan(const wire::Rule& rule);
  /// The schedule at `header`, followed by its arrays. It must live as long as the plan.
  explicit Plan(const wire::ScheduleHeader* header);

  /// Sets where rules may switch, whether the driver's tick preempts, and whether the plan decides
  /// at every point because decisions are recorded. Call it before the first decision.
  void use(wire::PointSet points, bool ticks, bool is_asked_always = false);

  Decision decide(const View& view);

  /// Whether a constraint may still make a thread wait.
  [[nodiscard]] bool constrained() const { return constraints_.active(); }
  Constraints& constraints() { return constraints_; }
  /// `next` goes on after a point of `current` without a decision of the plan. Constraints still
  /// count it.
  void was_not_asked(Thread& current, const Thread& next) {
    if (!constraints_.active()) return;
    constraints_.reached(current);
    constraints_.passes(next);
  }

  /// Whether every point is inspected, not only those at which the rule may switch.
  [[nodiscard]] bool inspects_every_point() const {
    return is_asked_always_ || rule_.watches || constraints_.active() ||
           (rule_.kind == wire::RuleKind::kPriority && rule_.redraws != 0);
  }

  /// Whether a spinning thread may be switched away from by our own judgement: slices and clock
  /// form name those switches.
  [[nodiscard]] bool may_call_it_spin() const {
    if (following_ == wire::Following::kNothing) return true;
    if (following_ == wire::Following::kLenient && rule_.watches) return true;
    return following_ != wire::Following::kClockForm && slice_ == slice_count_ && !complete_;
  }

  /// Whether any hook could matter.
  [[nodiscard]] bool inspects_hooks() const {
    return points_ != wire::PointSet::kSync || following_ != wire::Following::kNothing ||
           stops_.any() || debugger_stop_.is_watched();
  }
  /// How many hooks `thread`, which has the turn, may make before one is inspected.
  Distance distance(const Thread& thread, std::uint64_t step, bool has_others);
  /// Whether the rule may switch at the hook at which that distance ends.
  [[nodiscard]] bool is_due() const { return due_; }
  /// Whether rules may switch at this kind of hook.
  [[nodiscard]] bool is_point(wire::Operation hook, bool marked) const;
  /// Whether this hook of `thread` is a point only because the thread made many hooks that are
  /// none: a loop may have no marked site at all.
  [[nodiscard]] bool needs_point(const Thread& thread) const;
  /// Whether `thread` has made so many hooks without an operation that others go first.
  [[nodiscard]] bool is_spinning(const Thread& thread) const;

  /// Which of `waiters` (in order of arrival) an operation of `waker` wakes. Returns the index, or
  /// a negative number if a strict schedule names a thread that is not there.
  int choose_waiter(const Thread& waker, const Thread* first, std::uint32_t count);

  /// The choice of this kind that the schedule has for `thread` at its current clock; null: none.
  const wire::Choice* recorded(const Thread& thread, wire::ChoiceKind kind) const;
  /// Like recorded(), and marks the choice as taken.
  const wire::Choice* take(const Thread& thread, wire::ChoiceKind kind);

  /// Whether `thread` did not go on at once at this point when the schedule was recorded.
  [[nodiscard]] bool waits_here(const Thread& thread) const;

  /// Whether the recorded run ended with `thread` blocked here. Only of complete schedules: the
  /// others say nothing about what came next.
  [[nodiscard]] bool ends_here(const Thread& thread) const;

  /// Draws the thread's state of the rule.
  void thread_appeared(Thread& thread);

  /// Whether only recorded slice ends are followed, and no heuristic of ours.
  [[nodiscard]] bool strict() const {
    return following_ == wire::Following::kStrict && slice_ < slice_count_;
  }
  [[nodiscard]] bool following() const {
    return following_ != wire::Following::kNothing && (complete_ || slice_ < slice_count_);
  }
  [[nodiscard]] bool ticks() const { return ticks_; }

  Stops& stops() { return stops_; }
  DebuggerStop& debugger_stop() { return debugger_stop_; }

 private:
  Decision follow_strictly(const View& view);
  Decision follow_leniently(const View& view);
  Decision follow_clock_form(const View& view);
  void make_switch(const wire::ClockSwitch& one, const View& view, Decision& decision);
  Decision by_rule(const View& view);
  Decision under_constraints(const View& view);
  Decision by_rule_alone(const View& view);
  int waiter_by_rule(const Thread* first, std::uint32_t count);
  Decision stay(const View& view) const;
  Decision random(const View& view);
  Decision priority(const View& view);
  [[nodiscard]] bool acts(const Thread& thread) const;
  void redraw(Thread& thread);
  void redraw_rivals(const View& view, const Thread& next);
  void start_rule();
  void draw_change_points();
  std::uint64_t points_by_rule(const Thread& thread, std::uint64_t step);
  std::uint64_t points_in_clock_form(const Thread& thread, std::uint64_t step);
  [[nodiscard]] std::uint64_t spin_points() const;
  [[nodiscard]] std::uint64_t points_to_spin(const Thread& thread) const;
  [[nodiscard]] std::uint64_t waiting_points(const Thread& thread) const;

  wire::Following following_ = wire::Following::kNothing;
  bool complete_ = false;
  const wire::Slice* slices_ = nullptr;
  std::uint64_t slice_count_ = 0;
  std::uint64_t slice_ = 0;
  const wire::Choice* choices_ = nullptr;
  std::uint64_t choice_count_ = 0;
  std::uint64_t choice_ = 0;  // all before it were taken
  std::uint64_t taken_ = 0;   // the index of the last one taken, plus one
  const wire::ClockSwitch* switches_ = nullptr;
  std::uint64_t switch_count_ = 0;
  std::uint64_t switch_ = 0;
  Stops stops_;
  DebuggerStop debugger_stop_;

  Constraints constraints_;
  wire::Rule rule_;
  RuleRandom random_;
  RuleRandom priorities_;
  std::uint32_t probability_ = wire::kCertain;
  std::uint32_t timeout_probability_ = 0;
  std::uint32_t change_point_ = 0;
  wire::PointSet points_ = wire::PointSet::kSync;
  bool ticks_ = false;
  bool is_asked_always_ = false;
  bool due_ = false;
  std::uint64_t lowest_priority_ = 0;
};

}  // namespace unravel
