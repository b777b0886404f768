/// What the scheduler knows of a thread and of the operation it is about to make.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wire/control.hpp"

namespace unravel {

/// What a call that has to put something right does if its thread is cancelled in it.
struct CancelUndo {
  void (*run)(CancelUndo& undo);
};

struct HandlerFrame;
struct Object;
struct Outside;
class StreamHold;
struct Thread;

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// An operation that a thread has reached.
struct Op {
  /// Whether it would succeed, or return at once, if `thread` made it now. Reads the
  /// primitive's own memory: that is the truth, our notes only explain.
  using Can = bool (*)(const Op& op, const Thread& thread);

  wire::Operation kind = wire::Operation::kNone;
  const void* object = nullptr;
  const void* site = nullptr;       // return address of the interposed call
  Can can = nullptr;                // none: it never blocks
  std::uint64_t deadline = kNever;  // virtual nanoseconds: then it gives up
  std::uint64_t due = kNever;       // when that happens; set when the operation is reached
  // Where it acts on something that has a number, not an address: a thread's ordinal, a
  // descriptor, a signal.
  std::uint64_t number = 0;
  bool interruptible = false;  // a signal handler ends it (EINTR)
  bool cancellable = false;    // a cancellation point: a thread that is cancelled goes on there

  /// What an event names.
  [[nodiscard]] std::uint64_t reported_object() const {
    return wire::acts_on_number(kind) ? number : reinterpret_cast<std::uint64_t>(object);
  }
};

/// Why the thread at a point may not simply go on.
enum class Leave : std::uint8_t { kMayStay, kYields, kSpins };

/// Where a thread is in an object's list: among the contenders, at the point before an operation on
/// it, or among the waiters queued there. It is in at most one list at a time. ObjectTable's own.
struct ListPlace {
  Object* object = nullptr;
  Thread* previous = nullptr;
  Thread* next = nullptr;
};

/// Where it is among the threads that can run and do not. RunQueue's own.
struct QueuePlace {
  Thread* previous = nullptr;
  Thread* next = nullptr;
  bool is_in = false;
};

/// Signals as the program sees them, one bit each (signal n is bit n-1).
struct ThreadSignals {
  std::uint64_t mask = 0;                  // that it blocks
  std::uint64_t pending = 0;               // sent to this thread and not yet handled
  std::uint64_t awaited = 0;               // by its sigwait(): taken there, not handled
  const HandlerFrame* handlers = nullptr;  // that are running on its stack, innermost first
  void* stack = nullptr;                   // that the program gave it for handlers
  std::size_t stack_size = 0;
  std::uint32_t handlers_run = 0;
  bool handled_quietly = false;  // no thread could run during the last handler that ended a wait
  bool interrupted = false;      // a handler ran that does not restart what it interrupted

  [[nodiscard]] bool has_deliverable() const { return pending & ~mask; }
};

/// A request to end the thread, and what the thread makes of such requests.
struct Cancellation {
  CancelUndo* undo = nullptr;  // what a call of ours has begun, if the thread is in one
  bool pending = false;
  bool disabled = false;
  bool asynchronous = false;
  bool exiting = false;  // it is on its way out: requests have no effect any more

  [[nodiscard]] bool is_due() const { return pending && !disabled && !exiting; }
  /// Whether a request ends it wherever it is.
  [[nodiscard]] bool can_come_anywhere() const { return asynchronous && !disabled && !exiting; }
};

/// Its last wait in a loop that only reads memory: see SpinLoops.
struct SpinLoop {
  std::uint64_t operations = ~std::uint64_t{0};  // its own, when it went on from there
  std::uint64_t step = 0;                        // of the run, at which it was found
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

/// Reads of the clock. VirtualTime's own.
struct ClockReads {
  std::uint32_t in_a_row = 0;    // with nothing done between
  std::uint64_t since_wait = 0;  // since it last waited for long
};

/// Constraints to whose site a thread came, a bit each.
struct ConstraintArrival {
  std::uint32_t came = 0;
  std::uint32_t meant = 0;  // it came as the one that the constraint names
};

/// What the rule and the constraints of a schedule know of it.
struct RuleState {
  std::uint64_t priority = 0;
  // Constraints whose first or second event its pending operation is, a bit each.
  std::uint32_t is_first = 0;
  std::uint32_t is_then = 0;
  ConstraintArrival at_first;
  ConstraintArrival at_then;
  bool starved = false;  // others come first, as long as any can run
  bool spun = false;     // when it was last asked: it only waits for others
};

/// How it is switched to. The Switcher's own: no other part reads or writes it.
struct SwitcherState {
  std::atomic<std::uint32_t> baton{0};             // the word that it sleeps on
  std::atomic<std::int32_t>* departing = nullptr;  // an id word that must be cleared first
};

/// What interposed functions keep for it.
struct InterposerState {
  int destructor_rounds = 0;
  void* lent_value = nullptr;  // of the thread-specific key that the program shares with us
  std::uint64_t affinity = 0;  // CPUs that it asked for, of the first 64; 0: never asked
  void (*once_routine)() = nullptr;
  const void* once_control = nullptr;
  StreamHold* held_streams = nullptr;  // in the middle of calls on them, innermost first
};

/// A thread of the program. What every part of the runtime asks of it comes first; then a part for
/// each owner.
struct Thread {
  // Who it is.
  std::uint32_t slot = 0;
  std::uint32_t ordinal = 0;
  wire::Clock clock;

  // What it is about to do, and whether it can.
  Op pending;
  wire::ThreadRecord* record = nullptr;
  bool in_use = false;  // its slot is taken
  bool ended = false;
  bool waiting = false;    // in a queue: only a wake or its deadline lets it go on
  bool timed_out = false;  // its deadline ended the wait
  bool retry = false;      // something happened after which another try makes sense
  bool detached = false;
  bool joined = false;
  std::uint32_t futex_bits = ~0u;
  std::uint64_t reached_step = 0;  // the step at which it came to what is pending
  std::uint64_t hook_points = 0;   // hooks of the point set since its last operation

  // What it waits for that only the kernel knows: descriptors, a child process.
  // `outside` is set only if what it waits for could come from outside this process.
  const Outside* wish = nullptr;
  const Outside* outside = nullptr;
  // What it waits for in memory that other processes may share: `outside`, once there are any.
  const Outside* shared = nullptr;
  const void* wanted = nullptr;  // what its Op::can needs beside the object
  /// Whether it waits for something that no thread of ours has to bring about. A signal from
  /// outside is another matter: it is delivered first, and then it is in our memory.
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

  // Who it is to others.
  unsigned long handle = 0;  // pthread_t
  int kernel_id = 0;
  InterposerState interposer;
};

}  // namespace unravel
