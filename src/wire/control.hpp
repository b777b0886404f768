/// The channel: one shared mapping through which the driver and the runtime communicate.
///
/// The driver creates it (a sparse memfd) and passes it as descriptor kChannelDescriptor. The
/// runtime always maps it at kChannelAddress: the program's address space must not depend on what
/// the driver asks for. A runner has one channel. One process at a time writes the runtime's side:
/// the program until it serves as fork server, then the child that runs.
///
/// How the two sides wait for each other:
///   runtime: sets `state`, rings `driver_bell`, sleeps on `request` while it is kNone;
///   driver:  sets `request`, wakes the runtime, sleeps on `driver_bell`.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wire/divergence.hpp"
#include "wire/event.hpp"
#include "wire/failure.hpp"
#include "wire/ids.hpp"
#include "wire/input.hpp"
#include "wire/operation.hpp"
#include "wire/schedule.hpp"
#include "wire/site_map.hpp"
#include "wire/version.hpp"
#include "wire/wrapper.hpp"

namespace unravel::wire {

inline constexpr std::uint64_t kMagic = 0x316c'6576'6172'6e75;  // "unravel1"
inline constexpr int kChannelDescriptor = 1000;
inline constexpr std::uintptr_t kChannelAddress = 0x6e00'0000'0000;
// These capacities were chosen by hand; `Layout` has room for them.
inline constexpr std::uint32_t kMostThreads = 4096;  // alive at one time
inline constexpr std::uint32_t kMostModules = 1024;
inline constexpr std::uint32_t kMostRunsInBatch = 4096;
inline constexpr std::uint32_t kMostCycle = 64;

// --- Written by the driver --------------------------------------------------------------------

/// Set before the program starts; the same for all runs of the process.
struct Settings {
  std::uint64_t start_realtime = 0;   // virtual time at load, in nanoseconds since the epoch
  std::uint64_t start_monotonic = 0;  // for CLOCK_MONOTONIC and similar clocks
  std::uint32_t cpu_count = 0;        // as reported to the program
  std::uint8_t fork_server = 1;       // 0: every run starts a new process
  std::uint8_t sandboxed = 0;         // the driver discards files that the program writes
  std::uint8_t own_processes = 0;     // the program is alone in its process namespace
  TimeModel time_model = TimeModel::kThird;
  InputMode inputs = InputMode::kOff;
  CatchCalls catch_calls = CatchCalls::kNo;
  std::uint8_t client_signal = 0;  // what the run gets when its client has ended; 0: nothing
  std::uint8_t reserved[5] = {};
  std::uint64_t input_words = 0;   // kReplay: the recorded inputs, at Layout::kRecordedInputs
  std::uint64_t most_content = 0;  // kRecord: bytes of a file; larger ones are not copied
  Start start;                     // for a replay
};

/// The next runs. The channel contains the schedules one after another, each a ScheduleHeader
/// followed by its arrays. If `schedules` is 0, every run uses `rule` with the seed of its ordinal.
struct Batch {
  std::uint64_t first_ordinal = 0;
  std::uint32_t count = 0;
  std::uint32_t schedules = 0;
  std::uint64_t master_seed = 0;
  Rule rule;
  std::uint64_t most_steps = 0;  // 0: no limit
  std::uint8_t stop_at_failure = 1;
  std::uint8_t wait_at_failure = 1;
  TraceLevel trace = TraceLevel::kSwitches;
  Timeouts timeouts = Timeouts::kNear;
  std::uint8_t livelock_is_failure = 1;
  PointSet points = PointSet::kSync;
  std::uint8_t ticks = 0;          // in clock form: Control::tick causes preemptions
  std::uint8_t values = 0;         // the trace contains the values of memory accesses
  std::uint32_t marks = 0;         // points `auto`: number of sites in the table of marks
  std::uint8_t pairs = 1;          // maintain the pair map
  std::uint8_t decisions = 0;      // record them
  std::uint8_t calls = 0;          // the trace contains entries and exits of functions
  std::uint8_t debugger = 0;       // a debugger watches the run: see DebuggerStop
  std::uint32_t wrapper_rows = 0;  // in the table of wrappers
  std::uint32_t reserved_too = 0;
};

/// The seed of one run of a batch: splitmix64 of the master seed and the ordinal.
constexpr std::uint64_t seed_of(std::uint64_t master, std::uint64_t ordinal) {
  std::uint64_t z = master + 0x9e3779b97f4a7c15 * (ordinal + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// A position at which a run stops for the driver.
struct StopAt {
  ThreadId thread;
  Clock clock;
};
static_assert(sizeof(StopAt) == 24);

/// Where a run that a debugger watches stops next. The driver writes it while the run stands still.
struct DebuggerStop {
  enum class Kind : std::uint32_t {
    kNowhere,
    kStep,      // the first point at which at least `count` points were passed
    kClock,     // the first point of the thread `at` that is not before its clock
    kSwitch,    // before the switch of this `count`, or a later one
    kSwitchAt,  // before that thread gives the turn away, at this clock or later
  };

  Kind kind = Kind::kNowhere;  // the runtime clears it when it stops
  // Set by the runtime while it stands right before a switch.
  std::uint32_t is_before_switch = 0;
  std::uint64_t count = 0;
  StopAt at;
  ThreadId next;  // the thread that gets the turn then
  // Addresses of two words each: how many more hooks the runtime lets pass uninspected, and how
  // many these were when it last counted. For all hooks, and for those that are points; 0: none.
  std::uint64_t hooks = 0;
  std::uint64_t points = 0;
  std::uint64_t held = 0;  // entries at Layout::kHeld, while the run stands still
};

/// A lock that a thread holds.
struct HeldObject {
  std::uint64_t object = 0;
  ThreadId thread;
};
inline constexpr std::uint64_t kMostHeld = 4096;  // chosen by hand

struct ScheduleHeader {
  std::uint64_t bytes = 0;  // size of header and arrays; a multiple of 8
  std::uint64_t slices = 0;
  std::uint64_t choices = 0;
  std::uint64_t constraints = 0;
  std::uint64_t clock_switches = 0;
  std::uint64_t stops = 0;
  Rule then;
  Following following = Following::kNothing;
  std::uint8_t complete = 0;  // the run must end with the last slice
  std::uint8_t reserved[6] = {};
  // Slice[], Choice[], Constraint[], ClockSwitch[], StopAt[] follow in this order.
};
static_assert(sizeof(ScheduleHeader) % 8 == 0);

enum class Request : std::uint32_t {
  kNone,
  kRun,       // run the batch; in state kServing
  kContinue,  // in state kStopped or kFull
  kEnd,       // end the process now; in any state in which the runtime waits
};

// --- Written by the runtime ----------------------------------------------------------------

enum class State : std::uint32_t {
  kStarting,  // the program runs with one thread, outside any batch
  kServing,   // waiting for a batch
  kRunning,
  kStopped,  // waiting for the driver; `stop_reason` says why
  kFull,     // a stream is full; the driver must drain it
};

enum class StopReason : std::uint32_t {
  kNot,
  kFailure,
  kDivergence,
  kClock,
  kError,
  kRound,  // no thread makes progress: `round` asks whether the program's state has changed
  kDebugger,
};

/// A question to the driver while the run is stopped: is the program in exactly the same state as
/// at the previous question? If so, it is in a livelock.
struct Round {
  std::uint64_t state = 0;  // hash of the state that the runtime knows
  std::uint32_t first = 0;  // this is the first question: there is nothing to compare with
  std::uint32_t same = 0;   // the driver's answer
};

/// How the runtime executes runs: see Control::mode.
enum class Mode : std::uint32_t {
  kNotYet,  // the program has not created a thread yet
  kServer,  // each run is a forked child
  kDirect,  // this process is the one run
};

/// The client: a process that the driver starts beside each run. It is not controlled.
enum class Client : std::uint32_t {
  kNone,      // the run has no client
  kExpected,  // it is started when the run asks for it
  kWanted,    // the run asks for it
  kRunning,
  kOver,      // it has ended, or nothing more comes from it; what it sends was sent before
  kRecorded,  // the recorded run had one; what came from it is among the recorded inputs
};

/// One edge of a deadlock: `thread` holds `held` and waits for `wanted`.
struct CycleEdge {
  ThreadId thread;
  std::uint64_t wanted = 0;
  std::uint64_t held = 0;
  Site held_site;    // where `thread` acquired `held`, for which its predecessor in the cycle waits
  Site wanted_site;  // where `thread` waits
  Operation wanted_operation = Operation::kNone;
  Operation held_operation = Operation::kNone;
  std::uint8_t reserved[6] = {};
};
static_assert(sizeof(CycleEdge) == 48);

/// What the runtime recorded before the run ended: a failure of the program, a divergence from the
/// schedule, a limit, or an internal error. Only the first record counts.
struct LastWords {
  enum class Kind : std::uint32_t { kNothing, kFailure, kDivergence, kUnresolved, kError };

  Kind kind = Kind::kNothing;
  FailureKind failure = FailureKind::kNone;
  std::uint8_t has_expected = 0;
  DivergenceKind divergence = DivergenceKind::kNone;
  Operation pending = Operation::kNone;  // of the thread
  ThreadId thread;
  Clock clock;
  Site site;
  Slice expected;           // after a divergence: what the schedule required
  std::int32_t number = 0;  // signal number or exit status
  std::uint32_t cycle_length = 0;
  CycleEdge cycle[kMostCycle];
  char text[1024] = {};  // assertion text, mangled exception type or description of the divergence
};

/// The callee-saved registers of a parked thread; all registers (`full`) after a fatal signal.
struct Registers {
  std::uint64_t rip = 0, rsp = 0, rbp = 0, rbx = 0, r12 = 0, r13 = 0, r14 = 0, r15 = 0;
  std::uint64_t rax = 0, rcx = 0, rdx = 0, rsi = 0, rdi = 0, r8 = 0, r9 = 0, r10 = 0, r11 = 0;
  std::uint64_t full = 0;
};

enum class ThreadState : std::uint8_t { kFree, kRunnable, kBlocked, kEnded };

inline constexpr std::uint64_t kNoDeadline = ~std::uint64_t{0};

/// One live thread. Its slot is reused after the thread has ended.
struct ThreadRecord {
  ThreadId thread;
  Clock clock;
  Registers registers;
  std::uint64_t object = 0;  // of the pending operation
  Site site;
  std::uint64_t deadline = kNoDeadline;  // of the pending operation; compare with RunSlot::time
  std::int32_t kernel_id = 0;
  ThreadState state = ThreadState::kFree;
  Operation pending = Operation::kNone;
  std::uint8_t reserved[2] = {};
};
static_assert(sizeof(ThreadRecord) == 200);

struct Module {
  std::uint64_t base = 0;  // where its first byte is mapped
  std::uint64_t end = 0;
  std::uint8_t build_id[32] = {};
  std::uint32_t build_id_size = 0;
  char path[460] = {};
};
static_assert(sizeof(Module) == 512);

/// One run of a batch. The runtime updates it during the run, so it is valid whenever the run ends.
struct RunSlot {
  std::uint64_t ordinal = 0;
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;  // points passed; the watchdog expects it to grow
  std::uint64_t switches = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t operations = 0;
  std::uint64_t schedule_hash = 0;
  std::uint64_t behaviour = 0;  // hash of the order of the operations on each object
  std::uint64_t slices = 0;
  std::uint32_t pairs = 0;             // pairs of sites that acted on the same object
  std::uint32_t new_pairs = 0;         // those that no earlier run of this process had
  std::uint64_t nanoseconds = 0;       // real time from fork to the end
  std::uint64_t output_begin[2] = {};  // offsets of standard output and error in the capture files
  std::uint64_t output_end[2] = {};
  std::uint32_t threads = 0;
  std::int32_t wait_status = 0;
  LastWords::Kind last_words = LastWords::Kind::kNothing;  // what kind was recorded
  FailureKind failure = FailureKind::kNone;
  std::uint8_t ended = 0;
  std::uint8_t uncontrolled = 0;  // an uncontrolled thread was seen
  std::uint8_t reserved = 0;
  std::uint64_t processor_nanoseconds = 0;  // of the run and of the children it waited for
  std::uint32_t children = 0;               // processes that the program created
  // The constraints of its schedule, a bit each. One that is in neither was never met.
  std::uint32_t kept = 0;      // `first` was made while `then` was not
  std::uint32_t given_up = 0;  // `then` was made, or had to be allowed, without `first`
  // Accesses at sites of the set `auto`, and results of operations, that no run before had.
  std::uint32_t new_sites = 0;
  std::uint64_t time = 0;  // the program's virtual time, in nanoseconds; moves as in core/deadlines
};
static_assert(sizeof(RunSlot) == 168);

/// Whether a run failed as far as its process shows. An oracle may judge differently.
inline bool went_wrong(const RunSlot& run) {
  return run.last_words != LastWords::Kind::kNothing || run.wait_status != 0;
}

/// A buffer with back-pressure. The runtime appends to it. When it is full, the runtime waits in
/// state kFull until the driver has read everything and set `count` to 0.
struct Stream {
  std::uint64_t offset = 0;    // from the start of the channel
  std::uint64_t capacity = 0;  // entries
  std::uint64_t count = 0;     // entries written since the last drain
};

struct Control {
  std::uint64_t magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t size = 0;  // sizeof(Control)

  Settings settings;
  Batch batch;
  std::atomic<Request> request{Request::kNone};

  std::atomic<State> state{State::kStarting};
  std::atomic<std::uint32_t> driver_bell{0};
  std::atomic<Mode> mode{Mode::kNotYet};
  std::atomic<StopReason> stop_reason{StopReason::kNot};
  std::atomic<std::int32_t> program_process{0};  // the first process that loaded the runtime
  std::atomic<std::int32_t> run_process{0};      // the run's process id until it is reaped
  // The runtime saw the program exit. If it is 0 at the end, exec had replaced the program.
  std::atomic<std::uint32_t> exit_seen{0};
  std::atomic<std::uint32_t> runs_ended{0};   // in this batch
  std::atomic<std::uint32_t> tick{0};         // set by the driver: preempt the current thread
  std::atomic<Client> client{Client::kNone};  // both sides write it
  std::uint32_t thread_slots = 0;             // all records in use have a lower index
  std::uint32_t current_slot = 0;             // the thread that has the turn
  std::uint32_t modules = 1;                  // entries in the table; entry 0 means "unknown"
  std::uint32_t wrote = 0;  // the batch ended because its last run left something behind
  std::atomic<std::uint32_t> children{0};  // processes that the program created since its start
  Start start;                             // as measured
  // The driver redirects a spinning thread to this address. The code there returns to the address
  // stored 136 bytes below the thread's stack pointer at the redirection. 0: not available.
  std::uint64_t spin_entry = 0;
  Round round;
  DebuggerStop debugger_stop;
  char uncontrolled[512] = {};  // lines: what is not controlled, and in which files
  char why_direct[128] = {};    // mode kDirect: why runs cannot be forked
  Stream slices;
  Stream choices;
  Stream clock_switches;
  Stream events;
  Stream trace;                    // words; see wire/trace.hpp
  Stream decisions;                // words, of all runs of a batch; see wire/decision.hpp
  Stream inputs;                   // words, since the program was loaded; see wire/input.hpp
  std::uint64_t inputs_taken = 0;  // words of recorded inputs, before the first thread
  LastWords last_words;
};

// --- Layout of the channel -------------------------------------------------------------------

inline constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

struct Layout {
  static constexpr std::uint64_t kControl = 0;
  static constexpr std::uint64_t kThreads = 64 * kKiB;
  static constexpr std::uint64_t kHeld = 896 * kKiB;
  static constexpr std::uint64_t kModules = 1 * kMiB;
  static constexpr std::uint64_t kRuns = 2 * kMiB;
  static constexpr std::uint64_t kSlices = 4 * kMiB;
  static constexpr std::uint64_t kChoices = 20 * kMiB;
  static constexpr std::uint64_t kClockSwitches = 22 * kMiB;
  static constexpr std::uint64_t kEvents = 24 * kMiB;
  static constexpr std::uint64_t kPairs = 45 * kMiB;
  static constexpr std::uint64_t kPreempted = kPairs + 64 * kKiB;
  static constexpr std::uint64_t kExecuted = kPreempted + 64 * kKiB;
  static constexpr std::uint64_t kMarks = 46 * kMiB;
  static constexpr std::uint64_t kTrace = 48 * kMiB;
  static constexpr std::uint64_t kDecisions = 64 * kMiB;
  static constexpr std::uint64_t kInputs = 72 * kMiB;
  static constexpr std::uint64_t kSchedules = 80 * kMiB;
  static constexpr std::uint64_t kRecordedInputs = 696 * kMiB;
  static constexpr std::uint64_t kWrappers = 1016 * kMiB;
  static constexpr std::uint64_t kShared = 1 * kGiB;    // end of the shared mapping
  static constexpr std::uint64_t kPrivate = kShared;    // the runtime's own memory
  static constexpr std::uint64_t kReserved = 2 * kGiB;  // end of the reserved range
};
static_assert(sizeof(Control) <= Layout::kThreads);
static_assert(Layout::kThreads + sizeof(ThreadRecord) * kMostThreads <= Layout::kHeld);
static_assert(Layout::kHeld + sizeof(HeldObject) * kMostHeld <= Layout::kModules);
static_assert(Layout::kModules + sizeof(Module) * kMostModules <= Layout::kRuns);
static_assert(Layout::kRuns + sizeof(RunSlot) * kMostRunsInBatch <= Layout::kSlices);
static_assert(Layout::kPairs + kSiteMapBytes <= Layout::kPreempted);
static_assert(Layout::kPreempted + kSiteMapBytes <= Layout::kExecuted);
static_assert(Layout::kExecuted + kSiteMapBytes <= Layout::kMarks);

/// The capacity of the table of marks.
inline constexpr std::uint32_t kMostMarks = (Layout::kTrace - Layout::kMarks) / sizeof(Site);

/// The most words of recorded inputs that a replay can take.
inline constexpr std::uint64_t kMostInputWords =
    (Layout::kWrappers - Layout::kRecordedInputs) / sizeof(std::uint64_t);

/// As many rows of wrappers as there is room for.
inline constexpr std::uint32_t kMostWrapperRows =
    (Layout::kShared - Layout::kWrappers) / sizeof(WrapperRow);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

template <class T>
T* at(void* channel, std::uint64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(channel) + offset);
}

}  // namespace unravel::wire
