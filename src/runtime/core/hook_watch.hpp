/// Hooks that instrumented code makes: how many there were, and which one is inspected next.
#pragma once

#include "runtime/core/countdown.hpp"
#include "runtime/core/run_state.hpp"

namespace unravel {

class HookWatch {
 public:
  HookWatch(RunState& state, Countdowns& countdowns) : state_(state), countdowns_(countdowns) {}

  /// Adds the hooks that a thread made to its clock.
  void read_off(Thread& self) {
    const std::uint64_t hooks = countdowns_.hooks.take();
    const std::uint64_t calls = countdowns_.calls.take();
    const std::uint64_t marked = countdowns_.marked.take();
    self.clock.hooks += hooks;
    const wire::PointSet set = state_.limits.points;
    if (set == wire::PointSet::kSync) return;
    const std::uint64_t points = set == wire::PointSet::kCalls  ? calls
                                 : set == wire::PointSet::kAuto ? marked
                                                                : hooks;
    self.hook_points += points;
    state_.slot->steps += points;
  }

  /// Counts something that only moves the clock: a clock read, an init, a destroy.
  void count(Thread& self, wire::Operation operation, const void* object) {
    read_off(self);
    ++self.clock.hooks;
    if (state_.recorder.on()) state_.recorder.count(operation, object);
    aim(self);
  }

  /// Sets how many hooks `self` makes before the next one is inspected.
  void aim(const Thread& self) {
    if (state_.plan.inspects_hooks()) set_countdowns(self);
  }

  /// Inspects every hook, or only those that are due, as the run's trace and points need it.
  void watch() {
    countdowns_.hooks.inspect_every(state_.recorder.on() ||
                                    state_.limits.points == wire::PointSet::kAuto);
  }

  /// Whether the rule has drawn the hook just made. With the set `auto`, all hooks are inspected.
  [[nodiscard]] bool is_drawn() const {
    return state_.limits.points != wire::PointSet::kAuto || countdowns_.marked.is_due();
  }

  /// Whether `self`, about to make `op`, only repeats its recent reads. An exchange counts as a
  /// read: spin locks use it.
  bool goes_round(Thread& self, const Op& op) const;

 private:
  void set_countdowns(const Thread& self);

  RunState& state_;
  Countdowns& countdowns_;
};

}  // namespace unravel
