#include "runtime/core/scheduler.hpp"

#include "runtime/core/deadlock.hpp"

namespace unravel {

using wire::ChoiceKind;
using wire::End;
using wire::EventResult;
using wire::FailureKind;
using wire::LastWords;
using wire::Operation;
using wire::ThreadState;

namespace {

// The same attempt this often, with nothing else between, is a spin: two are a common "check
// and check again", and every further one is a wasted step.
constexpr std::uint32_t kSpinAttempts = 3;

// Yields and failed attempts in a row, per thread, before scheduling turns fair: a rule may let
// two spinners play with each other while the thread that both wait for never runs. Long enough
// for a rule to find it by itself first.
constexpr std::uint64_t kFairAfter = 20;

// Points between two looks at what came from outside while threads can run.
constexpr std::uint64_t kSampleEvery = 1000;

bool is_progress(Operation operation) {
  return !wire::has_effect(operation, wire::Effect::kPassTime);
}

}  // namespace

Scheduler::Scheduler(Switcher& switcher, Host& host, Arena& arena, wire::ThreadRecord* records,
                     VirtualTime time, Countdowns& countdowns, Recorder& recorder)
    : switcher_(switcher),
      host_(host),
      arena_(arena),
      objects_(arena),
      records_(records),
      time_(time),
      countdowns_(countdowns),
      recorder_(recorder),
      by_slot_(arena.take_array<Thread*>(wire::kMostThreads)),
      slot_of_(arena.take_array<std::uint16_t>(kMostThreadsEver)) {}

void Scheduler::begin(const Plan& plan, const Limits& limits, wire::RunSlot& run) {
  plan_ = plan;
  plan_.use(limits.points, limits.ticks);
  Constraints& constraints = plan_.constraints();
  for (std::uint32_t i = 0; i < constraints.count(); ++i) {
    const wire::Constraint& one = constraints.at(i);
    constraints.resolve(i, host_.address_of(one.first.site), host_.address_of(one.then.site));
  }
  limits_ = limits;
  next_sample_ = kSampleEvery;
  turn_step_ = timer_step_ = 0;
  run.operations = run_->operations;
  run.threads = run_->threads;
  run.uncontrolled = run_->uncontrolled;
  run_ = &run;
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    Thread* thread = by_slot_[slot];
    if (!thread->in_use) continue;
    plan_.thread_appeared(*thread);
    // The records are shared with runs before this one.
    *thread->record = {.thread = {.ordinal = thread->ordinal},
                       .clock = thread->clock,
                       .kernel_id = thread->kernel_id,
                       .state = ThreadState::kRunnable};
  }
  set_trace(limits.trace);
}

void Scheduler::set_trace(wire::TraceLevel level) {
  limits_.trace = level;
  recorder_.set(level == wire::TraceLevel::kMemory, limits_.values,
                limits_.points != wire::PointSet::kAuto);
  if (recorder_.on()) recorder_.turn(*running_);
  watch_hooks();
}

// --- Points ------------------------------------------------------------------------------------

void Scheduler::reach(Thread& self, const Op& op, Leave leave) {
  read_off(self);
  ++self.clock.hooks;
  if (time_.is_first_model()) self.clock_reads.in_a_row = 0;
  self.signals.interrupted = false;
  set_pending(self, op);
  point(self, leave);
}

/// What `self` is about to do. A deadline that is over already is not waited for.
void Scheduler::set_pending(Thread& self, const Op& op) {
  self.pending = op;
  self.pending.due = op.deadline <= time_.now() ? 0 : time_.due(op.deadline);
  self.reached_step = run_->steps;
  self.timed_out = false;
}

void Scheduler::did(Thread& self, const Op& op, EventResult result, std::uint64_t value) {
  const bool after =
      wire::traits(op.kind).after;  // `op` may be the pending one, which count() clears
  count(self, op, result, value);
  if (after) point(self, Leave::kMayStay);
}

void Scheduler::count(Thread& self, const Op& op, EventResult result, std::uint64_t value) {
  read_off(self);
  ++self.clock.operations;
  self.clock.hooks = 0;
  self.hook_points = 0;
  self.reads.repeated = 0;
  ++run_->operations;
  if (result == EventResult::kDone && is_progress(op.kind)) {
    progress();
    self.attempts.count = 0;
    if (!time_.is_first_model()) self.clock_reads.in_a_row = 0;
  }
  if (limits_.trace >= wire::TraceLevel::kSync) {
    host_.event({.thread = {.ordinal = self.ordinal},
                 .clock = self.clock,
                 .site = host_.site_of(op.site),
                 .object = op.reported_object(),
                 .value = value,
                 .operation = op.kind,
                 .result = result});
  }
  if (recorder_.on()) recorder_.operation(op, result, value);
  if (result == EventResult::kDone) pairs_.record(op, self.ordinal, *run_);
  self.pending = Op{};
  aim(self);
}

void Scheduler::failed_attempt(Thread& self, const Op& op) {
  ++fruitless_;
  if (self.attempts.site == op.site && self.attempts.object == op.object) {
    ++self.attempts.count;
    return;
  }
  self.attempts.site = op.site;
  self.attempts.object = op.object;
  self.attempts.count = 1;
}

void Scheduler::reach_attempt(Thread& self, const Op& op) {
  const bool spins = self.attempts.count >= kSpinAttempts && self.attempts.site == op.site &&
                     self.attempts.object == op.object;
  reach(self, op, spins ? Leave::kSpins : Leave::kMayStay);
}

// Handlers run where the thread has the turn anyway; what they did may have taken away what it
// was about to take.
void Scheduler::point(Thread& self, Leave leave) {
  ++run_->steps;
  if (spinners_) [[unlikely]]
    retry_spinners(&self, 0);
  pass_point(self, leave);
  while (has_signal(self) && !self.waiting) {
    handle_signals(self);
    if (self.signals.interrupted && self.pending.interruptible) return;
    if (!(self.asks_outside() ? waits(self) : blocks(self))) continue;
    // Another point: what comes from outside there must not be mistaken for what came before.
    ++self.clock.hooks;
    ++run_->steps;
    pass_point(self, Leave::kMayStay);
  }
}

void Scheduler::handle_signals(Thread& self) {
  // A handler may synchronise: what the thread was about to do waits meanwhile.
  const Op pending = self.pending;
  const bool timed_out = self.timed_out;
  self.pending = Op{};
  aim(self);
  if (recorder_.on()) recorder_.turn(self);
  host_.handle_signals(self);
  read_off(self);
  if (recorder_.on()) recorder_.turn(self);
  self.pending = pending;
  self.timed_out = timed_out;
}

void Scheduler::pass_point(Thread& self, Leave leave, bool due) {
  self.record->clock = self.clock;
  if (leave == Leave::kYields) ++fruitless_;
  if (plan_.strict()) follow_jump(self);
  // Whoever spins may wait for a timer's signal, and nobody else moves the clock.
  const bool fruitless_round = fruitless_ > kFairAfter * alive_ && fruitless_ % (2 * alive_) == 0 &&
                               leave != Leave::kMayStay;
  if (fruitless_round && timer_ != kNever) {
    if (time_.is_first_model()) {
      time_.advance_to(timer_);
    } else if (!plan_.strict()) {
      jump_to(self, time_.due(timer_));
    }
  }
  if (time_.now() >= timer_) host_.timer_due();
  if (run_->steps >= next_sample_) {
    next_sample_ = run_->steps - run_->steps % kSampleEvery + kSampleEvery;
    sample_outside(self);
    let_deadlines_come(self);
  }
  if (limits_.most_steps && run_->steps > limits_.most_steps) limit(self, "step limit reached");
  stop_if_due(self);
  pass_due();
  bool can_go_on =
      !(is_left_to_schedule(self) ? waits(self) && plan_.waits_here(self) : blocks(self));
  if (!can_go_on && self.pending.due <= time_.now()) {
    self.timed_out = true;
    can_go_on = true;
  }
  if (!can_go_on || alive_ > 1 || leave != Leave::kMayStay || plan_.following() ||
      plan_.constrained()) {
    settle(self, can_go_on, leave, due);
  }
  if (self.cancel.pending) leave_if_cancelled(self);
  aim(self);
}

void Scheduler::settle(Thread& self, bool can_go_on, Leave leave, bool due) {
  runnable_.set(self.slot, can_go_on);
  if (!can_go_on) {
    if (self.pending.deadline != kNever) {
      // Whoever tries again has set it anew.
      if (self.pending.due == kNever) self.pending.due = time_.due(self.pending.deadline);
      timed_.add(self.slot);
    } else if (!self.waiting && (timer_ == kNever || !host_.will_run_handler()) &&
               Deadlock(*this, Deadlock::For::kGood).closed_by(self)) {
      end_with(LastWords::Kind::kFailure, FailureKind::kDeadlock, self, "");
    }
  }

  End end = End::kPreempted;
  const std::uint64_t before = time_.now();
  Thread& next = pick_next(self, leave, due, &end);
  timed_.set(self.slot, timed_.contains(self.slot) && &next != &self);
  if (&next == &self) {
    if (!can_go_on) has_waited(self, before);
    return;
  }

  end_slice(self, end);
  if (!self.waiting && self.pending.can) {
    Object& object = objects_.at(self.pending.object);  // once: a second look-up may grow the table
    object.contenders.push(self, object);
  }
  next.record->state = ThreadState::kRunnable;
  pass_turn(self, next);
  switcher_.hand_over(self, next);
  if (recorder_.on()) recorder_.turn(self);

  if (self.list.object && !self.waiting) self.list.object->contenders.remove(self);
  timed_.remove(self.slot);
  if (!can_go_on) has_waited(self, before);
}

/// Whoever waited did something else than read clocks.
void Scheduler::has_waited(Thread& self, std::uint64_t since) const {
  if (time_.is_first_model()) return;
  self.clock_reads.in_a_row = 0;
  if (time_.now() - since >= VirtualTime::kLongWait) self.clock_reads.since_wait = 0;
}

/// Who has the turn next; returns when that thread can run.
Thread& Scheduler::pick_next(Thread& self, Leave leave, bool due, End* end) {
  if (!runnable_.contains(self.slot)) {
    if (plan_.strict()) follow_outside(self);
    if (runnable_.empty()) {
      record_pending(self, host_.site_of(self.pending.site));
      idle(self);
    }
  }
  Decision decision = next_turn(self, leave, due, end);
  if (decision.next == ThreadSet::kNone) {  // the schedule has ended
    idle(self);
    decision = next_turn(self, leave, due, end);
  }
  UNRAVEL_CHECK(decision.next != ThreadSet::kNone, "nobody was chosen though somebody can run");
  Thread& next = *by_slot_[decision.next];
  if (decision.fires_timeout) {
    record_choice(next, ChoiceKind::kTimeout, 0);
    fire(next);
  }
  if (!runnable_.contains(next.slot)) await_turn_outside(self, next);
  return next;
}

Decision Scheduler::next_turn(Thread& self, Leave leave, bool due, End* end) {
  const bool can_go_on = runnable_.contains(self.slot);
  // Slices and clock form say themselves who is left, but they call it the same.
  const bool may_stay = can_go_on && leave == Leave::kMayStay;
  const bool long_turn = may_stay && has_long_turn();
  if (long_turn && plan_.may_call_it_spin()) leave = Leave::kSpins;
  if (!self.ended) {
    *end = !can_go_on                            ? End::kBlocked
           : leave == Leave::kYields             ? End::kYielded
           : long_turn || leave == Leave::kSpins ? End::kSpin
                                                 : End::kPreempted;
  }
  check_for_livelock(self, leave);

  const View view{.current = &self,
                  .can_go_on = can_go_on,
                  .leave = leave,
                  .due = due,
                  .tick = plan_.ticks() && host_.take_tick(),
                  .runnable = &runnable_,
                  .fireable = &fireable(self),
                  .current_fireable = is_fireable(self),
                  .by_slot = by_slot_,
                  .slots = slots_,
                  .queue = &queue_,
                  .slot_of = slot_of_,
                  .threads_ever = threads_ever_,
                  .step = run_->steps};
  const std::uint32_t usual = may_stay ? self.slot : usual_next(view);
  Decision decision;
  const bool fair = !plan_.strict() && be_fair(self, can_go_on, leave, &decision);
  if (!fair) decision = plan_.decide(view);
  if (fair) plan_.was_not_asked(self, *by_slot_[decision.next]);
  if (decision.divergence) diverged(self, decision);
  if (fair && can_go_on) *end = End::kFairness;
  if (decision.followed) *end = decision.followed->end;  // its reason, not what we would call it
  if (decision.switch_count || decision.next != usual) record_clock_switches(decision);
  return decision;
}

/// What clock form would have to name for this decision.
void Scheduler::record_clock_switches(const Decision& decision) {
  const auto slice = static_cast<std::uint32_t>(run_->slices);
  for (std::uint32_t i = 0; i < decision.switch_count; ++i) {
    wire::ClockSwitch one = decision.switches[i];
    one.slice = slice;
    host_.clock_switch(one);
  }
  if (decision.switch_count || decision.next == ThreadSet::kNone) return;
  host_.clock_switch({.count = run_->steps,
                      .receiver = {.ordinal = by_slot_[decision.next]->ordinal},
                      .has_receiver = 1,
                      .slice = slice});
}

void Scheduler::set_runnable(Thread& thread, bool can_run) {
  runnable_.set(thread.slot, can_run);
  if (&thread == running_) return;
  can_run ? queue_.push(thread) : queue_.remove(thread);
}

void Scheduler::pass_turn(Thread& self, Thread& next) {
  queue_.remove(next);
  if (runnable_.contains(self.slot)) queue_.push(self);
  running_ = &next;
  turn_step_ = run_->steps;
}

/// Whether whoever has the turn has had it for so long that it may only wait for another thread, by
/// locking and looking.
bool Scheduler::has_long_turn() const {
  return !time_.is_first_model() && run_->steps - turn_step_ >= many_points() &&
         runnable_.count() > 1;
}

// Nobody has got anywhere for a while. Then everybody gets a turn, sleepers too: the spinners
// may be waiting for one of them.
bool Scheduler::be_fair(const Thread& self, bool can_go_on, Leave leave, Decision* decision) {
  if (must_fire_) {
    must_fire_ = false;
    if (const Thread* sleeper = earliest_deadline()) {
      *decision = Decision{.next = sleeper->slot, .fires_timeout = true};
      return true;
    }
  }
  if (leave == Leave::kMayStay && can_go_on) return false;
  if (fruitless_ <= kFairAfter * alive_) return false;
  Thread* sleeper = earliest_deadline();
  if (sleeper && leave != Leave::kMayStay && fruitless_ % (2 * alive_) == 0) {
    *decision = Decision{.next = sleeper->slot, .fires_timeout = true};
  } else {
    *decision = Decision{.next = runnable_.next_after(self.slot)};
  }
  return true;
}

void Scheduler::end_slice(Thread& self, End end) {
  const wire::Slice slice{.thread = {.ordinal = self.ordinal},
                          .until = self.clock,
                          .site = host_.site_of(self.pending.site),
                          .end = end,
                          .pending = self.pending.kind};
  host_.slice(slice);
  ++run_->slices;
  ++run_->switches;
  if (!wire::forced(end, slice.pending)) {
    ++run_->preemptions;
    pairs_.record_preempted(reinterpret_cast<std::uint64_t>(self.pending.site));
  }
  mix(self.ordinal);
  mix(self.clock.operations);
  mix(self.clock.hooks);

  record_pending(self, slice.site);
}

/// The driver sees what a thread waits for, also of one that idles with the turn in hand.
void Scheduler::record_pending(const Thread& self, wire::Site site) {
  if (self.ended) return;
  wire::ThreadRecord& record = *self.record;
  record.state = runnable_.contains(self.slot) ? ThreadState::kRunnable : ThreadState::kBlocked;
  record.pending = self.pending.kind;
  record.object = self.pending.reported_object();
  record.site = site;
  record.has_deadline = self.pending.deadline != kNever;
}

// --- Choices ---------------------------------------------------------------------------------

void Scheduler::record_choice(const Thread& thread, ChoiceKind kind, std::uint64_t value) {
  host_.choice(
      {.thread = {.ordinal = thread.ordinal}, .clock = thread.clock, .value = value, .kind = kind});
  mix(static_cast<std::uint64_t>(kind) + 1);
  mix(thread.ordinal);
  mix(value);
}

}  // namespace unravel
