/// Hooks that instrumented code makes: how many there were, and which of them has to be inspected.
#pragma once

#include "runtime/core/countdown.hpp"
#include "runtime/core/run_state.hpp"

namespace unravel {

class HookWatch {
 public:
  HookWatch(RunState& state, Countdowns& countdowns) : state_(state), countdowns_(countdowns) {}

  /// Brings a thread's clock up to date with the hooks that it made.
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

  /// Something that only counts in the clock: a clock read, an init, a destroy.
  void count(Thread& self, wire::Operation operation, const void* object) {
    read_off(self);
    ++self.clock.hooks;
    if (state_.recorder.on()) state_.recorder.count(operation, object);
    aim(self);
  }

  /// Sets after how many hooks of `self` the next one is inspected.
  void aim(const Thread& self) {
    if (state_.plan.inspects_hooks()) set_countdowns(self);
  }

  /// Has every hook inspected, or only those that are due: as the run's trace and points want it.
  void watch() {
    countdowns_.hooks.inspect_every(state_.recorder.on() ||
                                    state_.limits.points == wire::PointSet::kAuto);
  }

  /// Whether the hook just made is one that the rule has drawn. Of the set `auto`, all are
  /// inspected.
  [[nodiscard]] bool is_drawn() const {
    return state_.limits.points != wire::PointSet::kAuto || countdowns_.marked.is_due();
  }

  /// Whether `self`, about to make `op`, does nothing but read what it has just read. An exchange
  /// counts as a read: that is how locks are spun for.
  bool goes_round(Thread& self, const Op& op) const;

 private:
  void set_countdowns(const Thread& self);

  RunState& state_;
  Countdowns& countdowns_;
};

}  // namespace unravel
