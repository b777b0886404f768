/// The columns of the table of operations (wire/operation.hpp). They describe what an operation
/// does; the runtime and all readers of events share them. No column is for one reader only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unravel::wire {

/// How the clock counts an operation.
enum class Counts : std::uint8_t {
  kOperation,  // a synchronisation operation: adds one to Clock::operations
  kHook,       // no point; adds one to Clock::hooks
  kNothing,    // only a trace contains it
};

/// The kind of thing that an operation acts on.
enum class ObjectKind : std::uint8_t {
  kNone,
  kSelf,    // the thread that performs it
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
  kBlock,     // newly allocated memory
  kAnything,  // for init and destroy, which do not tell the kind
};

/// How reports name the object.
enum class Naming : std::uint8_t {
  kNone,        // not at all
  kThread,      // T1
  kDescriptor,  // fd 3
  kSignal,      // SIGTERM
  kVariable,    // the variable at its address; if unknown, noun and number: mutex 1
};

/// Where objects are. Objects of different spaces are never the same thing.
enum class Space : std::uint8_t {
  kNone,
  kThreads,
  kMemory,
  kOutside,  // what the kernel keeps: two descriptors, or a stream and a descriptor, may be one
             // file
};

struct ObjectKindTraits {
  ObjectKind kind;
  const char* noun;  // empty: reports do not show the object
  bool is_number;    // events contain its number, not its address
  Naming naming;
  Space space;
  std::uint8_t bytes = 0;  // its size in memory with glibc on x86-64; 0: it differs
};

inline constexpr ObjectKindTraits kObjectKinds[] = {
    {ObjectKind::kNone, "", false, Naming::kNone, Space::kNone},
    {ObjectKind::kSelf, "", true, Naming::kNone, Space::kThreads},
    {ObjectKind::kThread, "thread", true, Naming::kThread, Space::kThreads},
    {ObjectKind::kMutex, "mutex", false, Naming::kVariable, Space::kMemory, 40},
    {ObjectKind::kCondition, "condition", false, Naming::kVariable, Space::kMemory, 48},
    {ObjectKind::kReadWriteLock, "rwlock", false, Naming::kVariable, Space::kMemory, 56},
    {ObjectKind::kSemaphore, "semaphore", false, Naming::kVariable, Space::kMemory, 32},
    {ObjectKind::kBarrier, "barrier", false, Naming::kVariable, Space::kMemory, 32},
    {ObjectKind::kOnce, "once", false, Naming::kVariable, Space::kMemory, 4},
    {ObjectKind::kSpinLock, "spin lock", false, Naming::kVariable, Space::kMemory, 4},
    {ObjectKind::kFutex, "futex", false, Naming::kVariable, Space::kMemory, 4},
    {ObjectKind::kStream, "stream", false, Naming::kVariable, Space::kOutside},
    {ObjectKind::kDescriptor, "fd", true, Naming::kDescriptor, Space::kOutside},
    {ObjectKind::kFifo, "", true, Naming::kNone, Space::kOutside},
    {ObjectKind::kQueue, "queue", true, Naming::kVariable, Space::kOutside},
    {ObjectKind::kSemaphoreSet, "semaphore set", true, Naming::kVariable, Space::kOutside},
    {ObjectKind::kSignal, "signal", true, Naming::kSignal, Space::kOutside},
    {ObjectKind::kProcess, "", true, Naming::kNone, Space::kOutside},
    {ObjectKind::kMemory, "memory", false, Naming::kVariable, Space::kMemory},
    {ObjectKind::kBlock, "", false, Naming::kNone, Space::kMemory},
    {ObjectKind::kAnything, "", false, Naming::kNone, Space::kMemory},
};

/// What an operation does if it succeeds, mainly to its object. Happens-before and the scheduler's
/// model of a thread are derived from it.
enum class Effect : std::uint8_t {
  kNone,
  // Locks of any kind.
  kAcquire,
  kAcquireShared,
  kRelease,
  kReleaseToWait,  // a condition wait releases its mutex; the lock after it acquires it again
  // Waiting on the object until another thread wakes the waiter.
  kWait,
  kMeet,    // barrier: the last thread to arrive wakes all others
  kArrive,  // at the barrier
  kWake,
  kRequeue,
  kWoke,  // woke one thread
  // Semaphores.
  kTakeUnit,
  kPost,
  // Everything before a publish happens before a later observe of the same object.
  kOnce,  // publishes if it ran the routine; otherwise observes
  kPublish,
  kObserve,
  kFence,
  // Communication with the outside of the process.
  kSend,
  kReceive,
  kSendSignal,
  kTakeSignal,
  kHandleSignal,
  kAwaitSignal,  // waits until a handler has run
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
  kFresh,  // memory without earlier accesses: a new stack, a new mapping
  kReuse,  // initialises or destroys the object: earlier knowledge about it is void
  // Only the thread itself is affected.
  kPassCode,   // enters a function or the next iteration of a loop
  kPassTime,   // yields or sleeps; this is no progress
  kBeginUnit,  // what follows is meant as one unit
  kEndUnit,
  kEnterFrame,  // of a function
  kLeaveFrame,
};

/// What other threads can notice of an operation. Contention and independence
/// (wire/independence.hpp) are derived from it.
enum class Influence : std::uint8_t {
  kNotSaid,     // no row may have this
  kNothing,     // it affects its own thread only
  kReads,       // reads its object
  kCounts,      // counts its object up or down: commutes with operations of the same effect
  kChanges,     // changes its object, or its result depends on it: commutes with nothing
  kEverything,  // may affect every operation of every thread
};

/// What is known of operations with an effect.
struct EffectTraits {
  Effect effect;
  Influence influence;
};

inline constexpr EffectTraits kEffects[] = {
    {Effect::kNone, Influence::kNotSaid},  // its row says it
    {Effect::kAcquire, Influence::kChanges},
    {Effect::kAcquireShared, Influence::kCounts},
    {Effect::kRelease, Influence::kCounts},  // only readers can hold a lock together
    {Effect::kReleaseToWait, Influence::kChanges},
    {Effect::kWait, Influence::kChanges},  // also releases a mutex
    {Effect::kMeet, Influence::kChanges},
    {Effect::kArrive, Influence::kChanges},
    {Effect::kWake, Influence::kChanges},
    {Effect::kRequeue, Influence::kChanges},
    {Effect::kWoke, Influence::kChanges},
    {Effect::kTakeUnit, Influence::kChanges},
    {Effect::kPost, Influence::kCounts},
    {Effect::kOnce, Influence::kChanges},
    {Effect::kPublish, Influence::kChanges},
    {Effect::kObserve, Influence::kChanges},
    {Effect::kFence, Influence::kNothing},  // all atomic operations are sequentially consistent
    {Effect::kSend, Influence::kChanges},
    {Effect::kReceive, Influence::kChanges},
    {Effect::kSendSignal, Influence::kEverything},  // a handler may run at any point
    {Effect::kTakeSignal, Influence::kChanges},
    {Effect::kHandleSignal, Influence::kEverything},
    {Effect::kAwaitSignal, Influence::kEverything},
    {Effect::kStart, Influence::kNothing},  // waits for nothing, and no thread waits for it
    {Effect::kEnd, Influence::kChanges},
    {Effect::kCreate, Influence::kChanges},
    {Effect::kJoin, Influence::kChanges},
    {Effect::kDetach, Influence::kChanges},
    {Effect::kRead, Influence::kReads},
    {Effect::kWrite, Influence::kChanges},
    {Effect::kUpdate, Influence::kChanges},
    {Effect::kAllocate, Influence::kChanges},  // the first thread gets the block that was freed
    {Effect::kFree, Influence::kChanges},
    {Effect::kFresh, Influence::kChanges},
    {Effect::kReuse, Influence::kChanges},
    {Effect::kPassCode, Influence::kNothing},
    {Effect::kPassTime, Influence::kNothing},  // its deadline has come already
    {Effect::kBeginUnit, Influence::kNothing},
    {Effect::kEndUnit, Influence::kNothing},
    {Effect::kEnterFrame, Influence::kNothing},
    {Effect::kLeaveFrame, Influence::kNothing},
};

constexpr Influence influence_of(Effect effect) {
  return kEffects[static_cast<std::size_t>(effect)].influence;
}

/// Whether an operation depends on something outside the process.
enum class Outside : std::uint8_t {
  kNever,
  kWaits,   // it may wait for another process
  kBrings,  // likewise, and its result is input that may change what the thread does next
};

/// One row of the table.
struct OperationTraits {
  std::uint8_t number = 0;  // of the operation; also the index of the row
  Counts counts = Counts::kOperation;
  // There is a point after it, too: threads that it made runnable may run before its own thread.
  bool after = false;
  ObjectKind object = ObjectKind::kNone;
  Effect effect = Effect::kNone;
  Influence influence = Influence::kNotSaid;
  Outside outside = Outside::kNever;
  bool is_hook = false;     // instrumented code calls a hook before it
  bool is_atomic = false;   // the hook has a memory order
  bool only_tried = false;  // poll() cannot tell whether it would block
  const char* name = "";
  const char* verb = nullptr;    // as in "T1 reads x"; null: the name
  const char* before = nullptr;  // where a thread is right before it; null: "before NAME"

  // Rows use these for what differs from most operations.
  [[nodiscard]] constexpr OperationTraits influences(Influence what) const {
    OperationTraits row = *this;
    row.influence = what;
    return row;
  }
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
