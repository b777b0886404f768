/// The columns of the table of operations (wire/operation.hpp): what an operation does, in terms
/// that the runtime and every reader of its events share. No column says what a single reader makes
/// of it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unravel::wire {

/// What the clock makes of an operation.
enum class Counts : std::uint8_t {
  kOperation,  // a synchronisation operation: adds one to Clock::operations
  kHook,       // no point; adds one to Clock::hooks
  kNothing,    // only a trace contains it
};

/// The kind of thing that an operation acts on.
enum class ObjectKind : std::uint8_t {
  kNone,
  kSelf,    // the thread that makes it
  kThread,  // another thread
  kMutex,
  kCondition,
  kReadWriteLock,
  kSemaphore,
  kBarrier,
  kOnce,
  kSpinLock,
  kFutex,
  kStream,
  kDescriptor,
  kFifo,
  kQueue,
  kSemaphoreSet,
  kSignal,
  kProcess,
  kMemory,
  kBlock,     // memory that is new
  kAnything,  // of init and destroy: its kind is known only when it is used
};

/// How a person is told which object it was.
enum class Naming : std::uint8_t {
  kNone,        // not at all
  kThread,      // T1
  kDescriptor,  // fd 3
  kSignal,      // SIGTERM
  kVariable,    // by the variable at its address; without one by its noun and a number: mutex 1
};

struct ObjectKindTraits {
  ObjectKind kind;
  const char* noun;  // empty: events of it are shown without an object
  bool is_number;    // events have its number, not its address
  Naming naming;
};

inline constexpr ObjectKindTraits kObjectKinds[] = {
    {ObjectKind::kNone, "", false, Naming::kNone},
    {ObjectKind::kSelf, "", true, Naming::kNone},
    {ObjectKind::kThread, "thread", true, Naming::kThread},
    {ObjectKind::kMutex, "mutex", false, Naming::kVariable},
    {ObjectKind::kCondition, "condition", false, Naming::kVariable},
    {ObjectKind::kReadWriteLock, "rwlock", false, Naming::kVariable},
    {ObjectKind::kSemaphore, "semaphore", false, Naming::kVariable},
    {ObjectKind::kBarrier, "barrier", false, Naming::kVariable},
    {ObjectKind::kOnce, "once", false, Naming::kVariable},
    {ObjectKind::kSpinLock, "spin lock", false, Naming::kVariable},
    {ObjectKind::kFutex, "futex", false, Naming::kVariable},
    {ObjectKind::kStream, "stream", false, Naming::kVariable},
    {ObjectKind::kDescriptor, "fd", true, Naming::kDescriptor},
    {ObjectKind::kFifo, "", true, Naming::kNone},
    {ObjectKind::kQueue, "queue", true, Naming::kVariable},
    {ObjectKind::kSemaphoreSet, "semaphore set", true, Naming::kVariable},
    {ObjectKind::kSignal, "signal", true, Naming::kSignal},
    {ObjectKind::kProcess, "", true, Naming::kNone},
    {ObjectKind::kMemory, "memory", false, Naming::kVariable},
    {ObjectKind::kBlock, "", false, Naming::kNone},
    {ObjectKind::kAnything, "", false, Naming::kNone},
};

/// What an operation that succeeds does, to its object above all. Happens-before, contention and
/// the scheduler's own view of a thread follow from it.
enum class Effect : std::uint8_t {
  kNone,
  // A lock of any kind.
  kAcquire,
  kAcquireShared,
  kRelease,
  kReleaseToWait,  // the mutex of a condition variable; the lock after the wait takes it back
  // Threads that are queued on the object until another thread lets them go on.
  kWait,
  kMeet,    // at a barrier: the last thread to arrive lets all others go on
  kArrive,  // there
  kWake,
  kRequeue,
  kWoke,  // a single thread
  // A semaphore.
  kTakeUnit,
  kPost,
  // What was done before it is published to every thread that observes the object later.
  kOnce,  // publishes if it ran the routine, else observes
  kPublish,
  kObserve,
  kFence,
  // Something that leaves the process, or comes into it.
  kSend,
  kReceive,
  kSendSignal,
  kTakeSignal,
  kHandleSignal,
  kAwaitSignal,  // until a handler has run
  // A thread's life.
  kStart,
  kEnd,
  kCreate,
  kJoin,
  kDetach,
  // Memory.
  kRead,
  kWrite,
  kUpdate,  // reads and writes
  kAllocate,
  kFree,
  kFresh,  // memory without a history: a new stack, a new mapping
  kReuse,  // the object is initialised or destroyed: what was known of it is outdated
  // What only concerns the thread itself.
  kPassCode,  // enters a function, or begins the next round of a loop
  kPassTime,  // yields or sleeps: no thread gets any further by it
};

/// What an operation does to an object for which threads contend. They do if one of them changes
/// it.
enum class Contention : std::uint8_t { kNone, kReads, kChanges };

/// Whether what an operation waits for may come from outside the process.
enum class Outside : std::uint8_t {
  kNever,
  kWaits,   // it may have to wait for another process
  kBrings,  // and what it gets may decide what the thread does next
};

/// One row of the table.
struct OperationTraits {
  std::uint8_t number = 0;  // of the operation: rows are in its order
  Counts counts = Counts::kOperation;
  // There is a point after it, too: what it made possible may happen before its thread goes on.
  bool after = false;
  ObjectKind object = ObjectKind::kNone;
  Effect effect = Effect::kNone;
  Outside outside = Outside::kNever;
  bool is_hook = false;     // instrumented code calls a hook before it
  bool is_atomic = false;   // and the hook has a memory order
  bool only_tried = false;  // the kernel cannot be asked whether it would block
  const char* name = "";
  const char* verb = nullptr;    // "T1 reads x"; null: its name
  const char* before = nullptr;  // where a thread is that comes to it; null: "before NAME"

  // How a row says what is not the same for most operations.
  [[nodiscard]] constexpr OperationTraits waits_outside() const {
    OperationTraits row = *this;
    row.outside = Outside::kWaits;
    return row;
  }
  [[nodiscard]] constexpr OperationTraits brings_input() const {
    OperationTraits row = *this;
    row.outside = Outside::kBrings;
    return row;
  }
  [[nodiscard]] constexpr OperationTraits can_only_be_tried() const {
    OperationTraits row = *this;
    row.only_tried = true;
    return row;
  }
  [[nodiscard]] constexpr OperationTraits has_order() const {
    OperationTraits row = *this;
    row.is_atomic = true;
    return row;
  }
  [[nodiscard]] constexpr OperationTraits reads_as(const char* text) const {
    OperationTraits row = *this;
    row.verb = text;
    return row;
  }
  [[nodiscard]] constexpr OperationTraits stands(const char* text) const {
    OperationTraits row = *this;
    row.before = text;
    return row;
  }
};

}  // namespace unravel::wire
