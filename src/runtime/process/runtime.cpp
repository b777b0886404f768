#include "runtime/process/runtime.hpp"

#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

#include "runtime/core/check.hpp"
#include "runtime/os/hooked_code.hpp"
#include "runtime/os/registers.hpp"
#include "runtime/os/system_call.hpp"

extern "C" void unravel_spin_entry();

namespace unravel {

using wire::LastWords;
using wire::Layout;
using wire::Request;
using wire::State;
using wire::StopReason;

namespace {

// The last words tell it apart from an exit status of the program, not this number.
constexpr int kEndedByRuntime = 125;

constexpr std::uint64_t kSeedOfLibraries = 0x6c69'6272'6172'6965;
constexpr std::uint64_t kSeedOfNames = 0x6e61'6d65'735f'6f66;

}  // namespace

Runtime::Runtime(void* channel)
    : control_(*wire::at<wire::Control>(channel, Layout::kControl)),
      settings_(control_.settings),
      arena_(wire::at<void>(channel, Layout::kPrivate), Layout::kReserved - Layout::kPrivate),
      modules_(control_, wire::at<wire::Module>(channel, Layout::kModules)),
      back_end_(control_),
      scheduler_(
          back_end_, *this, arena_, wire::at<wire::ThreadRecord>(channel, Layout::kThreads),
          VirtualTime(settings_.start_monotonic, settings_.start_realtime, settings_.time_model),
          countdowns, recorder),
      signals_(scheduler_, arena_),
      timers_(scheduler_, signals_, arena_),
      outsiders_(scheduler_, signals_, arena_),
      // Constructors of libraries get other bytes than the program: otherwise both could draw the
      // same names.
      randomness_(kSeedOfLibraries),
      names_(kSeedOfNames),
      warnings_(control_, settings_),
      signal_stacks_(arena_.take(wire::kMostThreads * kSignalStackSize)),
      call_frames_(arena_.take_array<CallFrame>(wire::kMostThreads * CallStack::kFrames)) {
  recorder.use(*this, control_.trace, wire::at<std::uint64_t>(channel, Layout::kTrace));
  scheduler_.decisions().use(*this, control_.decisions,
                             wire::at<std::uint64_t>(channel, Layout::kDecisions));
}

void Runtime::adopt_main() {
  main_ = scheduler_.life().make();
  const bool known = back_end_.adopt(*main_);
  scheduler_.life().adopt(*main_);
  control_.thread_slots = scheduler_.threads().slots();
  UNRAVEL_CHECK(known, "this C library's thread descriptor is not the expected one");
}

/// Clocks and random bytes start here, whatever the constructors of libraries did. A new version of
/// a library must not move the addresses of a schedule, and older schedules, from before we
/// controlled these constructors, start here, too.
void Runtime::libraries_are_ready() {
  if (!is_starting_) return;  // a constructor has created a thread: the run began there
  scheduler_.life().count_from_here(*main_);
  randomness_ = Randomness();
}

Request Runtime::ask(State state) {
  control_.state.store(state, std::memory_order_release);
  control_.driver_bell.fetch_add(1, std::memory_order_release);
  os::futex_wake(control_.driver_bell, /*shared=*/true);
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

void Runtime::stop(StopReason why) {
  Thread& self = *scheduler_.threads().by_slot()[control_.current_slot];
  if (why == StopReason::kClock || why == StopReason::kRound)
    os::unravel_save_registers(&self.record->registers);
  control_.thread_slots = scheduler_.threads().slots();
  control_.stop_reason.store(why, std::memory_order_release);
  ask(State::kStopped);
  control_.stop_reason.store(StopReason::kNot, std::memory_order_release);
  // The driver switches the trace on and off while the run stands still.
  if (why == StopReason::kClock && control_.batch.trace != scheduler_.limits().trace) {
    scheduler_.set_trace(control_.batch.trace);
  }
}

bool Runtime::is_as_before(std::uint64_t state, bool first) {
  control_.round = {.state = state, .first = first ? 1u : 0u, .same = 0};
  stop(StopReason::kRound);
  return control_.round.same != 0 && !scheduler_.run().uncontrolled;
}

std::uint64_t Runtime::length_of_start_wait(std::uint64_t nanoseconds) {
  const std::uint32_t index = control_.start_wait_count;
  if (index == wire::kMostStartWaits) return nanoseconds;
  const bool known = index < settings_.start_wait_count;
  ++control_.start_wait_count;
  return control_.start_waits[index] = known ? settings_.start_waits[index] : nanoseconds;
}

void Runtime::peek(const volatile void* from, unsigned size, std::uint64_t* to) {
  const iovec here{.iov_base = to, .iov_len = size};
  const iovec there{.iov_base = const_cast<void*>(from), .iov_len = size};
  os::call(SYS_process_vm_readv, os::call(SYS_getpid), os::as_argument(&here), 1,
           os::as_argument(&there), 1, 0);
}

/// Makes a byte for each byte of the code that is loaded now.
void Runtime::lay_out_marks() {
  marks_points = control_.batch.points == wire::PointSet::kAuto;
  if (!marks_points) return;
  marks.clear();
  const auto* modules = wire::at<const wire::Module>(&control_, Layout::kModules);
  for (std::uint32_t i = 1; i < control_.modules; ++i) {
    if (!os::hooked_code.covers_any(modules[i].base, modules[i].end)) continue;
    const std::uint64_t size = modules[i].end - modules[i].base;
    marks.add(modules[i].base, size, arena_.take_array<std::uint8_t>(size));
  }
  const auto* sites = wire::at<const wire::Site>(&control_, Layout::kMarks);
  for (std::uint32_t i = 0; i < control_.batch.marks; ++i) {
    const std::uint32_t module = sites[i].module();
    if (module < control_.modules) marks.mark(modules[module].base + sites[i].offset());
  }
}

/// A copy: runs can overwrite the channel, and are to be led by what the driver wrote.
void Runtime::take_wrappers() {
  if (wrapper_code.count() == control_.batch.wrapper_rows) return;
  const std::uint32_t count = std::min(control_.batch.wrapper_rows, wire::kMostWrapperRows);
  auto* const rows = arena_.take_array<wire::WrapperRow>(count);
  std::memcpy(static_cast<void*>(rows), wire::at<const void>(&control_, Layout::kWrappers),
              count * sizeof(wire::WrapperRow));
  wrapper_code.use(rows, count);
}

void Runtime::wait_for_room() {
  ask(State::kFull);
  if (control_.batch.trace != scheduler_.limits().trace) scheduler_.set_trace(control_.batch.trace);
}

void Runtime::end() {
  Thread& self = *scheduler_.threads().by_slot()[control_.current_slot];
  os::unravel_save_registers(&self.record->registers);
  scheduler_.tell_end(self);
  const LastWords& words = control_.last_words;
  scheduler_.run().last_words = words.kind;
  scheduler_.run().failure = words.failure;
  if (control_.batch.wait_at_failure) {
    stop(words.kind == LastWords::Kind::kFailure ? StopReason::kFailure : StopReason::kDivergence);
  }
  os::exit_process(kEndedByRuntime);
}

void Runtime::record_failure(wire::FailureKind kind, int number, const char* text,
                             const wire::Registers* registers) {
  LastWords& words = control_.last_words;
  if (words.kind != LastWords::Kind::kNothing) return;
  Thread& self = current_thread ? *current_thread : *main_;
  scheduler_.hooks().read_off(self);
  scheduler_.tell_end(self);
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
  scheduler_.run().last_words = words.kind;
  scheduler_.run().failure = kind;
  if (control_.batch.wait_at_failure) stop(StopReason::kFailure);
}

void Runtime::warn_uncontrolled(const char* what) {
  scheduler_.run().uncontrolled = 1;
  warnings_.add_uncontrolled(what);
}

void Runtime::leave_spinners() { control_.spin_entry = 0; }

void Runtime::fault(const char* sentence) {
  LastWords& words = control_.last_words;
  words.kind = LastWords::Kind::kError;
  std::strncpy(words.text, sentence, sizeof(words.text) - 1);
  scheduler_.run().last_words = words.kind;
  os::exit_process(kEndedByRuntime);
}

void Runtime::begin_run(std::uint32_t index, const wire::ScheduleHeader* schedule) {
  const wire::Batch& batch = control_.batch;
  wire::RunSlot& run = runs()[index];
  is_starting_ = false;
  if (settings_.start.time) scheduler_.start_from(settings_.start);
  control_.start = scheduler_.start();
  control_.spin_entry = reinterpret_cast<std::uint64_t>(unravel_spin_entry);
  lay_out_marks();
  const auto map = [&](std::uint64_t offset) {
    return batch.pairs ? wire::at<std::uint64_t>(&control_, offset) : nullptr;
  };
  scheduler_.pairs().use(map(Layout::kPairs), map(Layout::kPreempted), map(Layout::kExecuted));
  Plan plan;
  if (schedule) {
    plan = Plan(schedule);
  } else {
    wire::Rule rule = batch.rule;
    rule.seed = run.seed;
    plan = Plan(rule);
  }
  scheduler_.begin(plan,
                   {.most_steps = batch.most_steps,
                    .timeouts = batch.timeouts,
                    .trace = batch.trace,
                    .points = batch.points,
                    .ticks = batch.ticks != 0,
                    .values = batch.values != 0,
                    .decisions = batch.decisions != 0},
                   run);
  if (!recorder.on()) return;
  // Maps all pages at once: that costs a tenth of a page fault each. Older kernels refuse it.
  constexpr int kPopulateWrite = 23;
  os::call(SYS_madvise, os::as_argument(wire::at<void>(&control_, Layout::kTrace)),
           Layout::kDecisions - Layout::kTrace, kPopulateWrite);
  allocations_.for_each([](const Allocation& block) {
    recorder.annotate(wire::Operation::kAllocated, block.address, 0, block.size, block.site);
  });
}

}  // namespace unravel
