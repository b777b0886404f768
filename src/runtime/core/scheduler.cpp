#include "runtime/core/scheduler.hpp"

namespace unravel {

using wire::ThreadState;

namespace {

// The same failed attempt this often in a row is a spin: two are a common "check and check again",
// and every further one is a wasted step. Chosen by hand.
constexpr std::uint32_t kSpinAttempts = 3;

}  // namespace

Scheduler::Scheduler(Switcher& switcher, Host& host, Arena& arena, wire::ThreadRecord* records,
                     VirtualTime time, Countdowns& countdowns, Recorder& recorder)
    : state_(host, recorder, time, arena, records),
      record_(state_),
      hooks_(state_, countdowns),
      deadlines_(state_, record_, hooks_),
      objects_(state_, deadlines_, arena),
      endings_(state_, objects_),
      progress_(state_, deadlines_, endings_),
      spins_(state_, objects_),
      outside_(state_, record_, deadlines_, objects_, endings_),
      turns_(state_, parts(switcher)),
      waiting_(state_, turns_, parts(switcher)),
      life_(state_, turns_, parts(switcher)) {}

void Scheduler::begin(const Plan& plan, const RunLimits& limits, wire::RunSlot& run) {
  state_.plan = plan;
  state_.plan.use(limits.points, limits.ticks, limits.decisions);
  Constraints& constraints = state_.plan.constraints();
  for (std::uint32_t i = 0; i < constraints.count(); ++i) {
    const wire::Constraint& one = constraints.at(i);
    constraints.resolve(i, state_.host.address_of(one.first.site),
                        state_.host.address_of(one.then.site));
  }
  constraints.tell(run);
  state_.limits = limits;
  outside_.begin();
  turns_.begin();
  deadlines_.begin();
  run.operations = state_.slot->operations;
  run.threads = state_.slot->threads;
  run.uncontrolled = state_.slot->uncontrolled;
  run.time = state_.time.now();
  state_.slot = &run;
  record_.decisions().begin(limits.decisions, run.ordinal);
  for (std::uint32_t slot = 0; slot < state_.threads.slots(); ++slot) {
    Thread& thread = state_.threads.at(slot);
    if (!thread.in_use) continue;
    state_.plan.thread_appeared(thread);
    // Earlier runs used the same records.
    *thread.record = {.thread = {.ordinal = thread.ordinal},
                      .clock = thread.clock,
                      .kernel_id = thread.kernel_id,
                      .state = ThreadState::kRunnable};
  }
  set_trace(limits.trace);
}

void Scheduler::record_start(wire::Start& start) const {
  start.clock = state_.runnable.running()->clock;
  start.time = state_.time.now();
}

void Scheduler::start_from(const wire::Start& start) {
  Thread& only = state_.threads.at(state_.runnable.running()->slot);
  state_.slot->operations += start.clock.operations - only.clock.operations;
  only.clock = start.clock;
  // Time never moves back: the program may have read it already.
  state_.time.advance_to(start.time);
}

void Scheduler::set_trace(wire::TraceLevel level) {
  state_.limits.trace = level;
  state_.recorder.set({.on = level == wire::TraceLevel::kMemory,
                       .values = state_.limits.values,
                       .calls = state_.limits.calls,
                       .plainly = state_.limits.points != wire::PointSet::kAuto});
  if (state_.recorder.on()) state_.recorder.turn(*state_.runnable.running());
  hooks_.watch();
}

void Scheduler::failed_attempt(Thread& self, const Op& op) {
  progress_.failed();
  FailedAttempts& attempts = self.attempts;
  if (attempts.site == op.site && attempts.object == op.object) {
    ++attempts.count;
    return;
  }
  attempts = {.site = op.site, .object = op.object, .count = 1};
}

void Scheduler::reach_attempt(Thread& self, const Op& op) {
  const FailedAttempts& attempts = self.attempts;
  const bool spins =
      attempts.count >= kSpinAttempts && attempts.site == op.site && attempts.object == op.object;
  reach(self, op, spins ? Leave::kSpins : Leave::kMayStay);
}

}  // namespace unravel
