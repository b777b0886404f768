#include "runtime/process/runtime.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "runtime/core/check.hpp"
#include "runtime/os/hooked_code.hpp"
#include "runtime/os/system_call.hpp"

extern "C" void unravel_spin_entry();

namespace unravel {

using wire::Layout;

namespace {

constexpr std::uint64_t kSeedOfLibraries = 0x6c69'6272'6172'6965;
constexpr std::uint64_t kSeedOfNames = 0x6e61'6d65'735f'6f66;

}  // namespace

Runtime::Runtime(void* channel)
    : control_(*wire::at<wire::Control>(channel, Layout::kControl)),
      settings_(control_.settings),
      arena_(wire::at<void>(channel, Layout::kPrivate), Layout::kReserved - Layout::kPrivate),
      modules_(control_, wire::at<wire::Module>(channel, Layout::kModules)),
      back_end_(control_),
      host_(*this, control_),
      scheduler_(
          back_end_, host_, arena_, wire::at<wire::ThreadRecord>(channel, Layout::kThreads),
          VirtualTime(settings_.start_monotonic, settings_.start_realtime, settings_.time_model),
          countdowns, recorder),
      signals_(scheduler_, arena_),
      timers_(scheduler_, signals_, arena_),
      outsiders_(scheduler_, signals_, arena_, control_),
      streams_(arena_),
      served_(control_, settings_, arena_),
      served_sets_(arena_),
      inputs_(control_, settings_, scheduler_, host_, streams_),
      // Constructors of libraries get other bytes than the program: otherwise both could draw the
      // same names.
      randomness_(kSeedOfLibraries),
      names_(kSeedOfNames),
      warnings_(control_, settings_),
      signal_stacks_(arena_.take(wire::kMostThreads * kSignalStackSize)),
      call_frames_(arena_.take_array<CallFrame>(wire::kMostThreads * CallStack::kFrames)) {
  if (inputs_.serves()) {
    outsiders_.ignore();
    scheduler_.outside().watch_signals();
  }
  recorder.use(host_, control_.trace, wire::at<std::uint64_t>(channel, Layout::kTrace));
  scheduler_.decisions().use(host_, control_.decisions,
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

std::uint64_t Runtime::length_of_start_wait(std::uint64_t nanoseconds) {
  wire::Start& start = control_.start;
  const std::uint32_t index = start.wait_count;
  if (index == wire::kMostStartWaits) return nanoseconds;
  const bool known = index < settings_.start.wait_count;
  ++start.wait_count;
  return start.waits[index] = known ? settings_.start.waits[index] : nanoseconds;
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

/// A copy: runs can overwrite the channel, and are to be led by what the driver wrote. Runs share
/// it and cannot write to it: a fork would copy the page tables of private memory, and the C++
/// library alone has half a megabyte of rows.
void Runtime::take_wrappers() {
  if (wrapper_code.count() == control_.batch.wrapper_rows) return;
  const std::uint32_t count = std::min(control_.batch.wrapper_rows, wire::kMostWrapperRows);
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t bytes = (count * sizeof(wire::WrapperRow) + kPage - 1) / kPage * kPage;
  const auto taken = reinterpret_cast<std::uint64_t>(arena_.take_array<char>(bytes + kPage));
  const std::uint64_t place = (taken + kPage - 1) / kPage * kPage;
  auto* const rows = reinterpret_cast<wire::WrapperRow*>(place);
  const long mapped =
      os::call(SYS_mmap, static_cast<long>(place), static_cast<long>(bytes), PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  std::memcpy(static_cast<void*>(rows), wire::at<const void>(&control_, Layout::kWrappers),
              count * sizeof(wire::WrapperRow));
  // If it could not be mapped, the memory of the arena is still there.
  if (mapped == static_cast<long>(place)) {
    os::call(SYS_mprotect, mapped, static_cast<long>(bytes), PROT_READ);
  }
  wrapper_code.use(rows, count);
}

void Runtime::warn_uncontrolled(const char* what) {
  scheduler_.run().uncontrolled = 1;
  warnings_.add_uncontrolled(what);
}

/// A debugger watches the run: it says where the run stops, and can interrupt it.
void Runtime::watch_for_debugger(Plan& plan) {
  static_assert(offsetof(Countdown, left) == 0 && offsetof(Countdown, from) == 8,
                "the driver reads these two words");
  wire::DebuggerStop& place = control_.debugger_stop;
  const Countdown* points = control_.batch.points == wire::PointSet::kCalls    ? &countdowns.calls
                            : control_.batch.points == wire::PointSet::kAuto   ? &countdowns.marked
                            : control_.batch.points == wire::PointSet::kMemory ? &countdowns.hooks
                                                                               : nullptr;
  place.hooks = reinterpret_cast<std::uint64_t>(&countdowns.hooks);
  place.points = reinterpret_cast<std::uint64_t>(points);
  place.is_before_switch = 0;
  plan.debugger_stop().use(&place);
  signals_.let_debugger_interrupt();
}

void Runtime::begin_run(std::uint32_t index, const wire::ScheduleHeader* schedule) {
  const wire::Batch& batch = control_.batch;
  wire::RunSlot& run = runs()[index];
  is_starting_ = false;
  if (settings_.start.time) scheduler_.start_from(settings_.start);
  scheduler_.record_start(control_.start);
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
  if (batch.debugger) watch_for_debugger(plan);
  scheduler_.begin(plan,
                   {.most_steps = batch.most_steps,
                    .timeouts = batch.timeouts,
                    .trace = batch.trace,
                    .points = batch.points,
                    .ticks = batch.ticks != 0,
                    .values = batch.values != 0,
                    .calls = batch.calls != 0,
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
  const InterposerState& main = main_thread().interposer;
  for (std::uint32_t i = 0; i < main.atomic_regions; ++i) {
    recorder.annotate(wire::Operation::kAtomicBegin, 0, 0, 0, main.atomic_site);
  }
}

}  // namespace unravel
