/// What the scheduler knows of a thread and of its next operation.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wire/control.hpp"

namespace unravel {

/// What an interposed call has to undo if its thread is cancelled inside it.
struct CancelUndo {
  void (*run)(CancelUndo& undo);
};

struct HandlerFrame;
struct Object;
struct Outside;
class StreamHold;
struct Thread;

inline constexpr std::uint64_t kNever = wire::kNoDeadline;

/// An operation that a thread has reached.
struct Op {
  /// Whether `thread` could make it now, so that it succeeds or returns at once. This reads the
  /// primitive's own memory, which is the truth; our notes only explain.
  using Can = bool (*)(const Op& op, const Thread& thread);

  wire::Operation kind = wire::Operation::kNone;
  const void* object = nullptr;
  const void* site = nullptr;       // return address of the interposed call
  Can can = nullptr;                // null: it never blocks
  std::uint64_t deadline = kNever;  // virtual nanoseconds after which it gives up
  std::uint64_t due = kNever;       // the deadline with timer slack; set when it is reached
  // For operations on something that has a number instead of an address: a thread's ordinal, a
  // descriptor, a signal.
  std::uint64_t number = 0;
  std::uint64_t also = 0;      // what else it acts on: see wire::PendingOperation
  bool interruptible = false;  // a signal handler ends it (EINTR)
  bool cancellable = false;    // a cancellation point: a cancelled thread goes on there

  /// The object that an event names.
  [[nodiscard]] std::uint64_t reported_object() const {
    return wire::acts_on_number(kind) ? number : reinterpret_cast<std::uint64_t>(object);
  }
};

/// Why the thread at a point may not simply go on.
enum class Leave : std::uint8_t { kMayStay, kYields, kSpins };

/// The thread's place in an object's list: among the contenders, who stand before an operation on
/// it, or among the waiters queued there. A thread is in at most one list. Only ObjectTable uses
/// this.
struct ListPlace {
  Object* object = nullptr;
  Thread* previous = nullptr;
  Thread* next = nullptr;
};

/// The thread's place in the run queue. Only RunQueue uses this.
struct QueuePlace {
  Thread* previous = nullptr;
  Thread* next = nullptr;
  bool is_in = false;
};

/// Signals as the program sees them, one bit each (signal n is bit n-1).
struct ThreadSignals {
  std::uint64_t mask = 0;                  // the signals that it blocks
  std::uint64_t pending = 0;               // sent to this thread and not yet handled
  std::uint64_t awaited = 0;               // the signals that its sigwait() takes without a handler
  const HandlerFrame* handlers = nullptr;  // running on its stack, innermost first
  void* stack = nullptr;                   // the stack that the program gave it for handlers
  std::size_t stack_size = 0;
  std::uint32_t handlers_run = 0;
  bool handled_quietly = false;  // no thread could run during the last handler that ended a wait
  bool interrupted = false;      // a handler without SA_RESTART ran

  [[nodiscard]] bool has_deliverable() const { return pending & ~mask; }
};

/// A request to end the thread, and the thread's cancellation state.
struct Cancellation {
  CancelUndo* undo = nullptr;  // of the interposed call that the thread is in, if any
  bool pending = false;
  bool disabled = false;
  bool asynchronous = false;
  bool exiting = false;  // the thread is ending: requests have no effect any more

  [[nodiscard]] bool is_due() const { return pending && !disabled && !exiting; }
  /// Whether a request ends the thread wherever it is.
  [[nodiscard]] bool can_come_anywhere() const { return asynchronous && !disabled && !exiting; }
};

/// The last wait in a loop that only reads memory: see SpinLoops.
struct SpinLoop {
  std::uint64_t operations = ~std::uint64_t{0};  // its operation count when it left the loop
  std::uint64_t step = 0;                        // the step of the run at which the loop was found
  std::uint64_t patience = 0;                    // points of others after which it tries again
};

/// The same failing attempt over and over: see Scheduler::failed_attempt.
struct FailedAttempts {
  const void* site = nullptr;
  const void* object = nullptr;
  std::uint32_t count = 0;
};

/// The same reads of memory over and over: see HookWatch::goes_round.
struct MemoryReads {
  static constexpr std::uint32_t kRecent = 4;
  std::uint64_t recent[kRecent] = {};
  std::uint32_t repeated = 0;
  std::uint32_t next = 0;
};

/// Reads of the clock. Only VirtualTime uses this.
struct ClockReads {
  std::uint32_t in_a_row = 0;    // with nothing else between them
  std::uint64_t since_wait = 0;  // since its last long wait
};

/// The constraints whose site a thread has reached, one bit each.
struct ConstraintArrival {
  std::uint32_t came = 0;
  std::uint32_t meant = 0;  // it is the thread that the constraint names
};

/// The thread's state of the rule and of the constraints.
struct RuleState {
  std::uint64_t priority = 0;
  // The constraints whose first or second event the pending operation is, one bit each.
  std::uint32_t is_first = 0;
  std::uint32_t is_then = 0;
  ConstraintArrival at_first;
  ConstraintArrival at_then;
  bool starved = false;  // others go first as long as any can run
  bool spun = false;     // it only waited for others at its last decision
};

/// How to switch to the thread. Only the Switcher uses this.
struct SwitcherState {
  std::atomic<std::uint32_t> baton{0};             // the word that it sleeps on
  std::atomic<std::int32_t>* departing = nullptr;  // an id word that must be cleared first
};

/// What interposed functions keep for the thread.
struct InterposerState {
  int destructor_rounds = 0;
  void* lent_value = nullptr;  // of the thread-specific key that the program shares with us
  std::uint64_t affinity = 0;  // the CPUs that it asked for, of the first 64; 0: it never asked
  void (*once_routine)() = nullptr;
  const void* once_control = nullptr;
  StreamHold* held_streams = nullptr;  // of the stream calls that it is in, innermost first
  std::uint32_t atomic_regions = 0;    // that it has begun and not ended
  const void* atomic_site = nullptr;   // where it began the outermost of them
};

/// A thread of the program. First come the fields that every part of the runtime uses, then a
/// struct for each owner.
struct Thread {
  // Identity.
  std::uint32_t slot = 0;
  std::uint32_t ordinal = 0;
  wire::Clock clock;

  // The pending operation, and whether the thread can make it.
  Op pending;
  wire::ThreadRecord* record = nullptr;
  bool in_use = false;  // its slot is taken
  bool ended = false;
  bool waiting = false;    // in a queue: only a wake or its deadline lets it go on
  bool timed_out = false;  // its deadline ended the wait
  bool retry = false;      // another attempt makes sense
  bool detached = false;
  bool joined = false;
  std::uint32_t futex_bits = ~0u;
  std::uint64_t reached_step = 0;  // the step at which it reached the pending operation
  std::uint64_t hook_points = 0;   // points at hooks since its last operation

  // What the thread waits for that only the kernel knows: descriptors, a child process. `outside`
  // is set only if it could come from outside this process.
  const Outside* wish = nullptr;
  const Outside* outside = nullptr;
  // What it waits for in memory that other processes may share. Becomes `outside` once there are
  // such processes.
  const Outside* shared = nullptr;
  const void* wanted = nullptr;  // what Op::can needs besides the object
  /// Whether it waits for something that none of our threads has to cause. A signal from outside
  /// does not count: once it is delivered, it is in our memory.
  [[nodiscard]] bool asks_outside() const {
    const wire::Effect effect = wire::traits(pending.kind).effect;
    return outside && effect != wire::Effect::kTakeSignal && effect != wire::Effect::kAwaitSignal;
  }

  ListPlace list;
  QueuePlace queue;
  ThreadSignals signals;
  Cancellation cancel;
  FailedAttempts attempts;
  MemoryReads reads;
  ClockReads clock_reads;
  RuleState rule;
  SpinLoop spin;
  SwitcherState switcher;

  // How others know the thread.
  unsigned long handle = 0;  // pthread_t
  int kernel_id = 0;
  InterposerState interposer;
};

}  // namespace unravel
