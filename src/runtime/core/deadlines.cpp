#include "runtime/core/deadlines.hpp"

namespace unravel {

using wire::ChoiceKind;

namespace {

// After this many points of others, a deadline may come although they can go on; after ten times as
// many it must. A sleep of a second must end beside threads that lock and unlock for ever; an
// emergency timeout must not come in a run that is merely busy. Measured: in glib's own tests 1,357
// waits with a deadline more than 100 ms away ended before it, after at most 26 points of others;
// 100,000 points without a switch take 0.04 s.
constexpr std::uint64_t kPointsPerDeadline = 10'000;
constexpr std::uint64_t kPatience = 10;

// Where every memory access or call is a point, the same time has more points: a hook costs about a
// hundredth of a synchronisation call (bench/README.md: 2 ns for a hook).
constexpr std::uint64_t kPointsAtHooks = 100;

// Nanoseconds. What the driver needs at least to find a thread in its loop
// (run/program_process_watch.cpp, kBetweenLooks): natively the thread would spin for as long.
constexpr std::uint64_t kSpinNanoseconds = 20'000'000;

// Nanoseconds. Shorter jumps are not made: they bring no thread closer to its deadline. Chosen by
// hand.
constexpr std::uint64_t kShortestJump = 1'000'000;

}  // namespace

std::uint64_t Deadlines::many_points() const {
  const bool at_hooks = state_.limits.points == wire::PointSet::kMemory ||
                        state_.limits.points == wire::PointSet::kCalls;
  return at_hooks ? kPointsAtHooks * kPointsPerDeadline : kPointsPerDeadline;
}

std::uint64_t Deadlines::read_clock(Thread& self, unsigned clock) {
  hooks_.count(self, wire::Operation::kClockRead, nullptr);
  const std::uint64_t now = state_.time.read(self, clock, [this] { return next_due(); });
  state_.slot->time = now;
  state_.host.time_moved();
  return now;
}

Thread* Deadlines::earliest() const {
  Thread* first = nullptr;
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone;
       slot = timed_.first_from(slot + 1)) {
    Thread* thread = &state_.threads.at(slot);
    if (!first || thread->pending.deadline < first->pending.deadline) first = thread;
  }
  return first;
}

std::uint64_t Deadlines::next_due() const {
  const Thread* next = earliest();
  const std::uint64_t deadline = next ? next->pending.deadline : kNever;
  return state_.time.due(deadline < timer_ ? deadline : timer_);
}

void Deadlines::move_time_to(std::uint64_t time) {
  state_.time.advance_to(time);
  state_.slot->time = state_.time.now();
  state_.host.time_moved();
}

void Deadlines::pass_time() {
  Thread* next = earliest();
  if (next && next->pending.deadline < timer_) {
    fire(*next);
  } else if (timer_ != kNever) {
    move_time_to(state_.time.due(timer_));
    state_.host.timer_due();
  }
}

void Deadlines::fire(Thread& thread) {
  move_time_to(thread.pending.due);
  if (state_.time.now() >= timer_ && !state_.time.is_first_model()) state_.host.timer_due();
  pass_due();
}

void Deadlines::time_out_due() {
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone;
       slot = timed_.first_from(slot + 1)) {
    Thread& due = state_.threads.at(slot);
    if (due.pending.due > state_.time.now()) continue;
    timed_.remove(slot);
    due.timed_out = true;
    state_.make_runnable(due);
    if (!due.waiting) continue;
    due.waiting = false;
    if (due.list.object) due.list.object->waiters.remove(due);
  }
}

bool Deadlines::is_fireable(const Thread& thread) const {
  if (state_.limits.timeouts == wire::Timeouts::kIdle || !timed_.contains(thread.slot))
    return false;
  const bool near = thread.pending.deadline <= state_.time.now() + wire::kNearNanoseconds;
  if (near || state_.limits.timeouts == wire::Timeouts::kAny) return true;
  // While a child runs, the program would sleep until then in real time, and the child may be what
  // the thread waits for.
  return !state_.time.is_paced() && has_waited_for(thread, many_points());
}

bool Deadlines::has_waited_for(const Thread& thread, std::uint64_t points) const {
  return !state_.time.is_first_model() && state_.slot->steps - thread.reached_step >= points;
}

const ThreadSet& Deadlines::fireable(const Thread& self) {
  if (!fireable_.empty()) fireable_ = ThreadSet{};
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone;
       slot = timed_.first_from(slot + 1)) {
    if (is_fireable(state_.threads.at(slot))) fireable_.add(slot);
  }
  fireable_.remove(self.slot);
  return fireable_;
}

// --- Deadlines that must come ------------------------------------------------------------------

void Deadlines::set_timer(std::uint64_t deadline) {
  if (deadline != timer_) timer_step_ = state_.slot->steps;
  timer_ = deadline;
}

void Deadlines::pass(std::uint64_t nanoseconds) {
  const std::uint64_t most = kNever - 1 - state_.time.now();
  move_time_to(state_.time.now() + (nanoseconds < most ? nanoseconds : most));
}

void Deadlines::go_on_by(Thread& self, ChoiceKind kind, std::uint64_t nanoseconds) {
  record_.choice(self, kind, nanoseconds);
  pass(nanoseconds);
  pass_due_timers();
  pass_due();
}

void Deadlines::follow_jumps(Thread& self) {
  while (const wire::Choice* jump = state_.plan.take(self, ChoiceKind::kTimeJump)) {
    go_on_by(self, ChoiceKind::kTimeJump, jump->value);
  }
}

// Threads that can always go on must not keep time from passing: a thread that has waited long
// enough gets its deadline. A strictly followed schedule says when that happened.
//
// The earliest deadline may be a younger one, of a thread that sets it again and again and never
// needs it. That deadline is not forced. Instead time moves half of the way there: the thread's
// next deadline is later, until the older one is the earliest.
void Deadlines::let_deadlines_come(Thread& self) {
  if (state_.plan.strict() || state_.time.is_first_model() ||
      state_.limits.timeouts == wire::Timeouts::kIdle)
    return;
  const std::uint64_t points = kPatience * many_points();
  const Thread* sleeper = earliest();
  const std::uint64_t deadline = sleeper ? sleeper->pending.deadline : kNever;
  bool timer_waited = timer_ != kNever && state_.slot->steps - timer_step_ >= points;
  if (timer_ <= deadline) {
    if (timer_waited) jump_to(self, state_.time.due(timer_));
    if (timer_waited || !sleeper) return;
  } else if (has_waited_for(*sleeper, points)) {
    must_fire_ = true;
    return;
  }
  bool waited = timer_waited;
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone && !waited;
       slot = timed_.first_from(slot + 1)) {
    waited = has_waited_for(state_.threads.at(slot), points);
  }
  if (!waited) return;
  const std::uint64_t next = next_due();
  const std::uint64_t half = (next - state_.time.now()) / 2;
  jump_to(self, half < kShortestJump ? next : state_.time.now() + half);
}

void Deadlines::jump_to(Thread& self, std::uint64_t time) {
  if (time <= state_.time.now()) return;
  go_on_by(self, ChoiceKind::kTimeJump, time - state_.time.now());
}

void Deadlines::jump_to_timer(Thread& self) {
  if (timer_ == kNever) return;
  if (state_.time.is_first_model()) {
    state_.time.advance_to(timer_);
    state_.slot->time = state_.time.now();
  } else if (!state_.plan.strict()) {
    jump_to(self, state_.time.due(timer_));
  }
}

// Two threads that spin let each other try again for ever. A third that sleeps meanwhile may be the
// one that ends their loops.
void Deadlines::pass_while_spinning(Thread& self) {
  if (state_.plan.strict() || state_.time.is_first_model() || state_.runnable.count() > 1) return;
  const std::uint64_t now = state_.time.now();
  const std::uint64_t due = next_due();
  if (due == kNever) return;
  jump_to(self, due > now && due - now < kSpinNanoseconds ? due : now + kSpinNanoseconds);
}

Thread* Deadlines::take_forced() {
  if (!must_fire_) return nullptr;
  must_fire_ = false;
  return earliest();
}

}  // namespace unravel
