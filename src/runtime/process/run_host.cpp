#include "runtime/process/run_host.hpp"

#include <sys/uio.h>

#include <cstring>

#include "runtime/os/registers.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

using wire::LastWords;
using wire::Request;
using wire::State;
using wire::StopReason;

namespace {

// The last words tell it apart from an exit status of the program, not this number.
constexpr int kEndedByRuntime = 125;

}  // namespace

// --- What the run produces ---

template <class T>
void RunHost::append(wire::Stream& stream, const T& entry) {
  if (stream.count == stream.capacity) make_room();
  wire::at<T>(&control_, stream.offset)[stream.count++] = entry;
}

wire::Site RunHost::site_of(const void* address) { return runtime_.modules().site_of(address); }
const void* RunHost::address_of(wire::Site site) { return runtime_.modules().address_of(site); }
void RunHost::slice(const wire::Slice& slice) { append(control_.slices, slice); }
void RunHost::choice(const wire::Choice& choice) { append(control_.choices, choice); }
void RunHost::event(const wire::Event& event) { append(control_.events, event); }
void RunHost::clock_switch(const wire::ClockSwitch& one) { append(control_.clock_switches, one); }

void RunHost::make_room() {
  ask(State::kFull);
  Scheduler& scheduler = runtime_.scheduler();
  if (control_.batch.trace != scheduler.limits().trace) scheduler.set_trace(control_.batch.trace);
}

void RunHost::peek(const volatile void* from, unsigned size, std::uint64_t* to) {
  const iovec here{.iov_base = to, .iov_len = size};
  const iovec there{.iov_base = const_cast<void*>(from), .iov_len = size};
  os::call(SYS_process_vm_readv, os::call(SYS_getpid), os::as_argument(&here), 1,
           os::as_argument(&there), 1, 0);
}

// --- Signals, timers and the outside ---

bool RunHost::take_tick() { return control_.tick.exchange(0, std::memory_order_relaxed) != 0; }
void RunHost::handle_signals(Thread& self) { runtime_.signals().handle(self); }
void RunHost::leave_cancelled(Thread& self) { ThreadExit::leave_cancelled(self); }
bool RunHost::will_run_handler() { return runtime_.timers().will_run_handler(); }
void RunHost::timer_due() { runtime_.timers().due(); }
bool RunHost::has_outside() { return runtime_.outsiders().exist(); }

bool RunHost::wait_outside(std::uint64_t deadline) {
  // If nothing else can happen, the next recorded signal comes.
  if (runtime_.inputs().serves()) return deadline == kNever && runtime_.signals().hurry();
  if (deadline == kNever || runtime_.outsiders().awaits_descriptor()) call_client();
  return runtime_.outsiders().wait(deadline);
}

bool RunHost::lacks_input(const Thread* thread) {
  if (!runtime_.inputs().serves()) return false;
  if (!thread) return runtime_.served().has_lacked();
  if (thread->shared && runtime_.outsiders().made_any()) return true;
  if (thread->pending.kind == wire::Operation::kWaitChild) return true;
  // A thread that waits for signals must not hide a deadlock of the others.
  if (thread->outside && thread->outside->signals) return !runtime_.outsiders().is_any_stuck();
  return thread->wish && runtime_.outsiders().waits_outside(*thread->wish);
}

void RunHost::looked_outside() {
  if (runtime_.outsiders().awaits_descriptor()) call_client();
}

void RunHost::call_client() {
  if (control_.client.load(std::memory_order_relaxed) != wire::Client::kExpected) return;
  runtime_.outsiders().expect_child();
  control_.client.store(wire::Client::kWanted, std::memory_order_release);
  ring();
}

void RunHost::time_moved() { runtime_.outsiders().keep_pace(); }
int RunHost::arrived_signal() { return runtime_.signals().arrived(); }
void RunHost::deliver_signal(int signal) { runtime_.signals().deliver(signal); }

std::uint64_t RunHost::take_waited() {
  return runtime_.is_starting() ? 0 : runtime_.outsiders().take_waited();
}

bool RunHost::is_starting() const { return runtime_.is_starting(); }

// --- Stops ---

void RunHost::ring() {
  control_.driver_bell.fetch_add(1, std::memory_order_release);
  os::futex_wake(control_.driver_bell, /*shared=*/true);
}

Request RunHost::ask(State state) {
  control_.state.store(state, std::memory_order_release);
  ring();
  Request request = control_.request.load(std::memory_order_acquire);
  while (request == Request::kNone) {
    os::futex_wait(control_.request, Request::kNone, /*shared=*/true);
    request = control_.request.load(std::memory_order_acquire);
  }
  control_.request.store(Request::kNone, std::memory_order_release);
  if (request == Request::kEnd) os::exit_process(kEndedByRuntime);
  control_.state.store(State::kRunning, std::memory_order_release);
  return request;
}

/// A debugger that is attached stops the process here: it has a breakpoint on this function.
extern "C" [[gnu::visibility("default"), gnu::noinline]] void unravel_stopped() {
  asm volatile("" ::: "memory");
}

/// Which locks the threads hold. The driver cannot read that: it is in our own memory.
void RunHost::tell_debugger() {
  auto* held = wire::at<wire::HeldObject>(&control_, wire::Layout::kHeld);
  std::uint64_t count = 0;
  runtime_.scheduler().objects().for_each([&](Object& object) {
    for (const Holder* holder = object.holders; holder && count < wire::kMostHeld;
         holder = holder->next) {
      held[count++] = {.object = reinterpret_cast<std::uint64_t>(object.address),
                       .thread = {.ordinal = holder->ordinal}};
    }
  });
  control_.debugger_stop.held = count;
}

void RunHost::stop(StopReason why) {
  Thread& self = *runtime_.scheduler().threads().by_slot()[control_.current_slot];
  if (why == StopReason::kClock || why == StopReason::kRound || why == StopReason::kDebugger)
    os::unravel_save_registers(&self.record->registers);
  control_.thread_slots = runtime_.scheduler().threads().slots();
  const bool is_debugged = control_.batch.debugger && why != StopReason::kRound;
  if (is_debugged) tell_debugger();
  control_.stop_reason.store(why, std::memory_order_release);
  ask(State::kStopped);
  control_.stop_reason.store(StopReason::kNot, std::memory_order_release);
  // The driver switches the trace on and off while the run stands still.
  if (why == StopReason::kClock && control_.batch.trace != runtime_.scheduler().limits().trace) {
    runtime_.scheduler().set_trace(control_.batch.trace);
  }
  if (is_debugged) unravel_stopped();
}

bool RunHost::is_as_before(std::uint64_t state, bool first) {
  control_.round = {.state = state, .first = first ? 1u : 0u, .same = 0};
  stop(StopReason::kRound);
  return control_.round.same != 0 && !runtime_.scheduler().run().uncontrolled;
}

void RunHost::leave_spinners() { control_.spin_entry = 0; }

// --- The end ---

void RunHost::end() {
  Thread& self = *runtime_.scheduler().threads().by_slot()[control_.current_slot];
  os::unravel_save_registers(&self.record->registers);
  runtime_.scheduler().tell_end(self);
  const LastWords& words = control_.last_words;
  runtime_.scheduler().run().last_words = words.kind;
  runtime_.scheduler().run().failure = words.failure;
  if (control_.batch.wait_at_failure) {
    stop(words.kind == LastWords::Kind::kFailure ? StopReason::kFailure : StopReason::kDivergence);
  }
  os::exit_process(kEndedByRuntime);
}

void RunHost::record_failure(wire::FailureKind kind, int number, const char* text,
                             const wire::Registers* registers) {
  LastWords& words = control_.last_words;
  if (words.kind != LastWords::Kind::kNothing) return;
  Thread& self = current_thread ? *current_thread : runtime_.main_thread();
  runtime_.scheduler().hooks().read_off(self);
  runtime_.scheduler().tell_end(self);
  if (registers) {
    self.record->registers = *registers;
  } else {
    os::unravel_save_registers(&self.record->registers);
  }
  self.record->state = wire::ThreadState::kRunnable;
  self.record->clock = self.clock;
  words.kind = LastWords::Kind::kFailure;
  words.failure = kind;
  words.thread = {.ordinal = self.ordinal};
  words.clock = self.clock;
  words.number = number;
  if (text) std::strncpy(words.text, text, sizeof(words.text) - 1);
  runtime_.scheduler().run().last_words = words.kind;
  runtime_.scheduler().run().failure = kind;
  if (control_.batch.wait_at_failure) stop(StopReason::kFailure);
}

void RunHost::fault(const char* sentence) {
  LastWords& words = control_.last_words;
  words.kind = LastWords::Kind::kError;
  std::strncpy(words.text, sentence, sizeof(words.text) - 1);
  runtime_.scheduler().run().last_words = words.kind;
  os::exit_process(kEndedByRuntime);
}

}  // namespace unravel
