/// The scheduler's part in time: when deadlines come, and what moves the clock.
#include "runtime/core/scheduler.hpp"

namespace unravel {

using wire::ChoiceKind;

namespace {

// Points that others make before a deadline may come although they can go on, and ten times as many
// before it must. A sleep of a second must end beside threads that lock and unlock for ever; a
// timeout that is there for emergencies must not come in a run that is merely busy. In glib's own
// tests 1,357 waits with a deadline more than 100 ms away ended before it, after 26 points of
// others at the most; and 100,000 points without a switch take 0.04 s.
constexpr std::uint64_t kPointsPerDeadline = 10'000;
constexpr std::uint64_t kPatience = 10;

// Where every memory access or call is a point, there are more of them in the same time: a hook
// costs about a hundredth of a synchronisation call.
constexpr std::uint64_t kPointsAtHooks = 100;

// A jump that is shorter gets nobody nearer to anything.
constexpr std::uint64_t kShortestJump = 1'000'000;

}  // namespace

std::uint64_t Scheduler::many_points() const {
  const bool at_hooks =
      limits_.points == wire::PointSet::kMemory || limits_.points == wire::PointSet::kCalls;
  return at_hooks ? kPointsAtHooks * kPointsPerDeadline : kPointsPerDeadline;
}

std::uint64_t Scheduler::read_clock(Thread& self, unsigned clock) {
  hook(self);
  const std::uint64_t now = time_.read(self, clock, [this] { return next_due(); });
  host_.time_moved();
  return now;
}

Thread* Scheduler::earliest_deadline() const {
  Thread* earliest = nullptr;
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone;
       slot = timed_.first_from(slot + 1)) {
    Thread* thread = by_slot_[slot];
    if (!earliest || thread->pending.deadline < earliest->pending.deadline) earliest = thread;
  }
  return earliest;
}

std::uint64_t Scheduler::next_due() const {
  const Thread* next = earliest_deadline();
  const std::uint64_t deadline = next ? next->pending.deadline : kNever;
  return time_.due(deadline < timer_ ? deadline : timer_);
}

void Scheduler::move_time_to(std::uint64_t time) {
  time_.advance_to(time);
  host_.time_moved();
}

/// Time goes on to the next timer or deadline.
void Scheduler::pass_time() {
  Thread* next = earliest_deadline();
  if (next && next->pending.deadline < timer_) {
    fire(*next);
  } else if (timer_ != kNever) {
    move_time_to(time_.due(timer_));
    host_.timer_due();
  }
}

/// Time reaches `thread`'s deadline, and with it every earlier one and every timer.
void Scheduler::fire(Thread& thread) {
  move_time_to(thread.pending.due);
  if (time_.now() >= timer_ && !time_.is_first_model()) host_.timer_due();
  pass_due();
}

/// Whoever's deadline has come can run.
void Scheduler::pass_due() {
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone;
       slot = timed_.first_from(slot + 1)) {
    Thread& due = *by_slot_[slot];
    if (due.pending.due > time_.now()) continue;
    timed_.remove(slot);
    due.timed_out = true;
    set_runnable(due, true);
    due.record->state = wire::ThreadState::kRunnable;
    if (!due.waiting) continue;
    due.waiting = false;
    if (due.list.object) due.list.object->waiters.remove(due);
  }
}

/// Whether it is blocked, and its deadline may come by choice.
bool Scheduler::is_fireable(const Thread& thread) const {
  if (limits_.timeouts == wire::Timeouts::kIdle || !timed_.contains(thread.slot)) return false;
  const bool near = thread.pending.deadline <= time_.now() + wire::kNearNanoseconds;
  return near || limits_.timeouts == wire::Timeouts::kAny || has_waited_for(thread, many_points());
}

bool Scheduler::has_waited_for(const Thread& thread, std::uint64_t points) const {
  return !time_.is_first_model() && run_->steps - thread.reached_step >= points;
}

const ThreadSet& Scheduler::fireable(const Thread& self) {
  if (!fireable_.empty()) fireable_ = ThreadSet{};
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone;
       slot = timed_.first_from(slot + 1)) {
    if (is_fireable(*by_slot_[slot])) fireable_.add(slot);
  }
  fireable_.remove(self.slot);
  return fireable_;
}

// --- Deadlines that must come ------------------------------------------------------------------

void Scheduler::set_timer(std::uint64_t deadline) {
  if (deadline != timer_) timer_step_ = run_->steps;
  timer_ = deadline;
}

void Scheduler::pass(std::uint64_t nanoseconds) {
  const std::uint64_t most = kNever - 1 - time_.now();
  move_time_to(time_.now() + (nanoseconds < most ? nanoseconds : most));
}

/// Time goes on by so much, which the schedule of this run names.
void Scheduler::go_on_by(Thread& self, ChoiceKind kind, std::uint64_t nanoseconds) {
  record_choice(self, kind, nanoseconds);
  pass(nanoseconds);
  if (time_.now() >= timer_) host_.timer_due();
  pass_due();
}

void Scheduler::follow_jump(Thread& self) {
  while (const wire::Choice* jump = plan_.take(self, ChoiceKind::kTimeJump)) {
    go_on_by(self, ChoiceKind::kTimeJump, jump->value);
  }
}

/// Threads that can always go on must not keep time from coming: whoever has waited for long enough
/// gets its deadline, whatever the rule. Strictly followed schedules say when that was.
///
/// The earliest deadline may be a younger one, of a thread that sets it again and again and never
/// needs it. It is not made to come; but time goes half of the way there, so that its next one will
/// be later and the older ones have their turn.
void Scheduler::let_deadlines_come(Thread& self) {
  if (plan_.strict() || time_.is_first_model() || limits_.timeouts == wire::Timeouts::kIdle) return;
  const std::uint64_t points = kPatience * many_points();
  const Thread* earliest = earliest_deadline();
  const std::uint64_t deadline = earliest ? earliest->pending.deadline : kNever;
  bool timer_waited = timer_ != kNever && run_->steps - timer_step_ >= points;
  if (timer_ <= deadline) {
    if (timer_waited) jump_to(self, time_.due(timer_));
    if (timer_waited || !earliest) return;
  } else if (has_waited_for(*earliest, points)) {
    must_fire_ = true;
    return;
  }
  bool waited = timer_waited;
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone && !waited;
       slot = timed_.first_from(slot + 1)) {
    waited = has_waited_for(*by_slot_[slot], points);
  }
  if (!waited) return;
  const std::uint64_t next = next_due();
  const std::uint64_t half = (next - time_.now()) / 2;
  jump_to(self, half < kShortestJump ? next : time_.now() + half);
}

void Scheduler::jump_to(Thread& self, std::uint64_t time) {
  if (time <= time_.now()) return;
  go_on_by(self, ChoiceKind::kTimeJump, time - time_.now());
}

}  // namespace unravel
