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

struct Thread {
  std::uint32_t slot = 0;
  std::uint32_t ordinal = 0;
  wire::Clock clock;
  Op pending;
  wire::ThreadRecord* record = nullptr;

  bool in_use = false;  // its slot is taken
  bool ended = false;
  bool waiting = false;    // in a queue: only a wake or its deadline lets it go on
  bool timed_out = false;  // its deadline ended the wait
  bool detached = false;
  bool joined = false;

  // The list this thread is in: contenders of an object at the before-point of an operation on
  // it, or waiters queued there. In at most one at a time.
  Object* listed = nullptr;
  Thread* previous = nullptr;
  Thread* next = nullptr;
  std::uint32_t futex_bits = ~0u;

  // Signals as the program sees them, one bit each (signal n is bit n-1): what it blocks, and
  // what was sent to this thread and not yet handled.
  std::uint64_t signal_mask = 0;
  std::uint64_t signals = 0;
  std::uint64_t signal_wait = 0;  // what its sigwait() waits for: taken there, not handled
  std::uint32_t handlers_run = 0;
  bool handled_quietly = false;  // nobody could run while the last handler did that ended a wait
  bool interrupted = false;      // a handler ran that does not restart what it interrupted
  const HandlerFrame* handlers = nullptr;  // that are running on its stack, innermost first

  // Cancellation: asked for, held off, of the asynchronous type; and whether the thread is on its
  // way out already, when nothing more comes of it.
  bool cancel_pending = false;
  bool cancel_disabled = false;
  bool cancel_asynchronous = false;
  bool exiting = false;
  CancelUndo* undo = nullptr;  // what a call of ours has begun, if the thread is in one
  [[nodiscard]] bool is_cancelled() const { return cancel_pending && !cancel_disabled && !exiting; }
  /// Whether a request ends it wherever it is.
  [[nodiscard]] bool can_be_cancelled_anywhere() const {
    return cancel_asynchronous && !cancel_disabled && !exiting;
  }

  // What it waits for that only the kernel knows: descriptors, a child process.
  // `outside` is set only if what it waits for could come from outside this process.
  const Outside* wish = nullptr;
  const Outside* outside = nullptr;
  /// Whether it waits for something that no thread of ours has to bring about. A signal from
  /// outside is another matter: it is delivered first, and then it is in our memory.
  [[nodiscard]] bool asks_outside() const {
    const wire::Effect effect = wire::traits(pending.kind).effect;
    return outside && effect != wire::Effect::kTakeSignal && effect != wire::Effect::kAwaitSignal;
  }
  // What it waits for in memory that other processes may share: `outside`, once there are any.
  const Outside* shared = nullptr;
  const void* wanted = nullptr;  // what its Op::can needs beside the object
  /// Its last wait in a loop that only looks at memory.
  struct Spin {
    std::uint64_t operations = ~std::uint64_t{0};  // its own, when it went on from there
    std::uint64_t step = 0;                        // of the run, at which it was found
    std::uint64_t patience = 0;                    // points of others after which it looks again
  };
  Spin spin;

  bool retry = false;  // something happened after which another try makes sense

  // The same failing attempt over and over: see Scheduler::failed_attempt.
  const void* spin_site = nullptr;
  const void* spin_object = nullptr;
  std::uint32_t spin_count = 0;

  // Its place among those that can run and do not: see RunQueue.
  Thread* queue_previous = nullptr;
  Thread* queue_next = nullptr;
  bool queued = false;

  std::uint64_t priority = 0;
  bool starved = false;  // others come first, as long as any can run
  // Constraints whose first or second event its pending operation is, a bit each.
  std::uint32_t is_first = 0;
  std::uint32_t is_then = 0;
  bool spun = false;  // when it was last asked: it only waits for others
  // The same looks at memory over and over: see Scheduler::goes_round.
  static constexpr std::uint32_t kRecentReads = 4;
  std::uint64_t recent_reads[kRecentReads] = {};
  std::uint32_t repeated_reads = 0;
  std::uint32_t next_read = 0;
  std::uint64_t hook_points = 0;  // hooks of the point set since its last operation
  // Clock reads in a row with nothing done between, and since it last waited for long.
  std::uint32_t clock_reads = 0;
  std::uint64_t reads_since_wait = 0;
  std::uint64_t reached_step = 0;  // the step at which it came to what is pending

  // The switcher's own: the word this thread sleeps on, and the exiting thread's id word that
  // the kernel must have cleared before this one goes on.
  std::atomic<std::uint32_t> baton{0};
  std::atomic<std::int32_t>* departing = nullptr;

  // The interposer's own.
  unsigned long handle = 0;  // pthread_t
  const void* start_site = nullptr;
  int kernel_id = 0;
  void* signal_stack = nullptr;  // that the program gave it
  std::size_t signal_stack_size = 0;
  int destructor_rounds = 0;
  void* lent_value = nullptr;  // of the thread-specific key that the program shares with us
  std::uint64_t affinity = 0;  // CPUs that it asked for, of the first 64; 0: never asked
  void (*once_routine)() = nullptr;
  const void* once_control = nullptr;
  StreamHold* held_streams = nullptr;  // in the middle of calls on them, innermost first
};

}  // namespace unravel
