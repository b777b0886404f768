/// The scheduler's part in hooks: which of them it looks at, and where a run stands still.
#include "runtime/core/scheduler.hpp"

namespace unravel {

namespace {

// So many looks at the same few variables in a row, none of them new and with no store between,
// are a loop that waits for another thread. If it is not, a hand-over costs little; and one that
// goes on for long is left less often.
constexpr std::uint32_t kReadsOfLoop = 12;
constexpr std::uint32_t kReadsOfLongLoop = 1000;

}  // namespace

/// Whether `self` does nothing but look at what it has just looked at. An exchange counts as a
/// look: that is how locks are spun for.
bool Scheduler::goes_round(Thread& self, const Op& op) const {
  if (!plan_.may_call_it_spin()) return false;
  const wire::Effect effect = wire::traits(op.kind).effect;
  const bool reads = effect == wire::Effect::kRead || effect == wire::Effect::kUpdate;
  const std::uint64_t read = reinterpret_cast<std::uint64_t>(op.object) ^
                             wire::spread_site(reinterpret_cast<std::uint64_t>(op.site));
  bool again = false;
  for (std::uint64_t& known : self.reads.recent) {
    again = again || (reads && known == read);
    if (!reads) known = 0;
  }
  if (again) {
    const bool is_long = ++self.reads.repeated > kReadsOfLongLoop;
    return self.reads.repeated % (is_long ? kReadsOfLongLoop : kReadsOfLoop) == 0;
  }
  if (reads) self.reads.recent[self.reads.next++ % MemoryReads::kRecent] = read;
  self.reads.repeated = 0;
  return false;
}

void Scheduler::inspect_hook(Thread& self, const Op& op, bool marked, bool spins) {
  const bool drawn = limits_.points != wire::PointSet::kAuto || countdowns_.marked.is_due();
  read_off(self);
  // Which hooks are looked at depends on how the run is made: the clock must not.
  if (time_.is_first_model()) self.clock_reads.in_a_row = 0;
  self.pending = op;
  self.timed_out = false;
  bool is_point = plan_.is_point(op.kind, marked);
  if (!is_point && plan_.needs_point(self)) {
    is_point = true;
    ++self.hook_points;
    ++run_->steps;
  }
  if (is_point || plan_.following()) {
    spins = spins || plan_.is_spinning(self) ||
            (!marked && plan_.inspects_every_point() && goes_round(self, op));
    const Leave leave = spins ? Leave::kSpins : Leave::kMayStay;
    pass_point(self, leave, drawn && plan_.is_due());
    if (has_signal(self)) handle_signals(self);
  } else {
    stop_if_due(self);
  }
  self.pending = Op{};
  aim(self);
}

void Scheduler::set_countdowns(const Thread& self) {
  const Distance far = plan_.distance(self, run_->steps, alive_ > 1);
  countdowns_.hooks.set(far.hooks);
  countdowns_.calls.set(far.calls);
  countdowns_.marked.set(far.marked);
}

void Scheduler::watch_hooks() {
  countdowns_.hooks.inspect_every(recorder_.on() || limits_.points == wire::PointSet::kAuto);
}

void Scheduler::stop_if_due(const Thread& self) {
  // Whoever waits has done what it waits in.
  const bool before_next =
      !self.waiting && wire::traits(self.pending.kind).counts == wire::Counts::kOperation;
  bool due = false;
  // Hooks that were made before the run began, or that are no points, are passed by.
  for (const wire::StopAt* stop = plan_.next_stop(); stop; stop = plan_.next_stop()) {
    if (stop->thread.ordinal != self.ordinal) break;
    const bool here = stop->clock.operations == self.clock.operations;
    const bool reached = stop->clock.hooks == wire::kBeforeNext
                             ? before_next
                             : stop->clock.hooks <= self.clock.hooks;
    if (stop->clock.operations > self.clock.operations || (here && !reached)) break;
    due = due || here;
    plan_.stop_made();
  }
  if (!due) return;
  self.record->pending = self.pending.kind;
  self.record->object = self.pending.reported_object();
  host_.stop(wire::StopReason::kClock);
}

}  // namespace unravel
