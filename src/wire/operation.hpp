/// Every operation that a program can perform, with one row about what the runtime and the driver
/// know of it. No other file lists operations.
///
/// To add an operation: append it to the list (stored schedules refer to operations by number), add
/// a row that says what it does (wire/operation_traits.hpp), and interpose it. Bump
/// kOperationTableVersion if this changes how the clock counts existing operations.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/operation_traits.hpp"

namespace unravel::wire {

enum class Operation : std::uint8_t {
  kNone,  // pending at the point after an operation
  kStart,
  kExit,
  kCreate,
  kJoin,
  kTryJoin,
  kDetach,
  kLock,
  kTryLock,
  kUnlock,
  kWait,  // releases the mutex and waits; the lock afterwards is a separate kLock
  kSignal,
  kBroadcast,
  kReadLock,
  kTryReadLock,
  kWriteLock,
  kTryWriteLock,
  kReadWriteUnlock,
  kSemWait,
  kSemTryWait,
  kSemPost,
  kBarrierWait,
  kOnce,
  kSpinLock,
  kSpinTryLock,
  kSpinUnlock,
  kFutexWait,
  kFutexWake,
  kFutexRequeue,
  kYield,
  kSleep,
  kProcessExit,
  kClockRead,
  kInit,
  kDestroy,
  kStreamLock,  // flockfile
  kStreamTryLock,
  kStreamUnlock,
  kCancel,
  kTestCancel,
  kSendSignal,
  kSignalWait,  // sigwait and similar calls
  kPause,       // pause, sigsuspend
  kRead,        // from a descriptor that may have no data yet
  kWrite,
  kAccept,
  kConnect,
  kPoll,
  kFileLock,
  kWaitChild,
  kFork,
  kLoad,  // from here on hooks of instrumented code: they only count in the clock
  kStore,
  kAtomicLoad,
  kAtomicStore,
  kAtomicUpdate,
  kFence,
  kEnter,     // enters a function
  kBackEdge,  // starts the next iteration of a loop
  kAllocate,
  kFree,
  kAfterStore,  // the point after an atomic store
  // The following appear only in traces and do not count in the clock.
  kGiveUp,   // a wait unlocks its mutex
  kWoke,     // woke another thread; the value is its ordinal
  kArrive,   // arrives at a barrier
  kHandle,   // a signal handler starts
  kPublish,  // everything before it happens before any later kObserve of the object
  kObserve,
  kAllocated,  // memory that was allocated before the trace began
  kFresh,      // memory without earlier accesses: a new thread's stack, a new mapping
  // Operations again; they are appended because numbers must not change.
  kOpen,         // opens a FIFO and waits for its other end
  kSendMessage,  // to a message queue, POSIX or System V
  kReceiveMessage,
  kSemaphoreSet,  // semop
  kSpinLoop,      // a loop that only reads memory: it continues after another thread has run
  // Only in traces again, and not counted.
  kAtomicBegin,    // what the thread does from here on is meant as one unit
  kAtomicEnd,      // up to here; they nest
  kFunctionEntry,  // the object is the stack pointer. Only if Batch::calls asks for it
  kFunctionExit,   // likewise. Exceptions and jumps may leave a function without it
};

namespace rows {

constexpr OperationTraits row(Operation operation, const char* name, Counts counts,
                              ObjectKind object, Effect effect) {
  return {.number = static_cast<std::uint8_t>(operation),
          .counts = counts,
          .object = object,
          .effect = effect,
          .influence = influence_of(effect),
          .name = name};
}

/// A synchronisation operation. There is a point before it.
constexpr OperationTraits point_before(Operation operation, const char* name,
                                       ObjectKind object = ObjectKind::kNone,
                                       Effect effect = Effect::kNone) {
  return row(operation, name, Counts::kOperation, object, effect);
}

/// There is also a point after it: threads that it made runnable may run before its own thread.
constexpr OperationTraits points_around(Operation operation, const char* name,
                                        ObjectKind object = ObjectKind::kNone,
                                        Effect effect = Effect::kNone) {
  OperationTraits made = row(operation, name, Counts::kOperation, object, effect);
  made.after = true;
  return made;
}

/// No point; it only counts in the clock.
constexpr OperationTraits counted(Operation operation, const char* name,
                                  ObjectKind object = ObjectKind::kNone,
                                  Effect effect = Effect::kNone) {
  return row(operation, name, Counts::kHook, object, effect);
}

/// Likewise, and instrumented code calls a hook before it.
constexpr OperationTraits hook(Operation operation, const char* name, ObjectKind object,
                               Effect effect = Effect::kNone) {
  OperationTraits made = counted(operation, name, object, effect);
  made.is_hook = true;
  return made;
}

constexpr OperationTraits trace_only(Operation operation, const char* name, ObjectKind object,
                                     Effect effect) {
  return row(operation, name, Counts::kNothing, object, effect);
}

inline constexpr OperationTraits kOperations[] = {
    counted(Operation::kNone, "go on").influences(Influence::kNothing),
    points_around(Operation::kStart, "start", ObjectKind::kSelf, Effect::kStart),
    point_before(Operation::kExit, "exit", ObjectKind::kSelf, Effect::kEnd),
    points_around(Operation::kCreate, "create", ObjectKind::kThread, Effect::kCreate),
    point_before(Operation::kJoin, "join", ObjectKind::kThread, Effect::kJoin),
    point_before(Operation::kTryJoin, "try join", ObjectKind::kThread, Effect::kJoin),
    point_before(Operation::kDetach, "detach", ObjectKind::kThread, Effect::kDetach),
    point_before(Operation::kLock, "lock", ObjectKind::kMutex, Effect::kAcquire),
    point_before(Operation::kTryLock, "try lock", ObjectKind::kMutex, Effect::kAcquire),
    points_around(Operation::kUnlock, "unlock", ObjectKind::kMutex, Effect::kRelease),
    points_around(Operation::kWait, "wait", ObjectKind::kCondition, Effect::kWait),
    points_around(Operation::kSignal, "signal", ObjectKind::kCondition, Effect::kWake),
    points_around(Operation::kBroadcast, "broadcast", ObjectKind::kCondition, Effect::kWake),
    point_before(Operation::kReadLock, "read-lock", ObjectKind::kReadWriteLock,
                 Effect::kAcquireShared),
    point_before(Operation::kTryReadLock, "try read-lock", ObjectKind::kReadWriteLock,
                 Effect::kAcquireShared),
    point_before(Operation::kWriteLock, "write-lock", ObjectKind::kReadWriteLock, Effect::kAcquire),
    point_before(Operation::kTryWriteLock, "try write-lock", ObjectKind::kReadWriteLock,
                 Effect::kAcquire),
    points_around(Operation::kReadWriteUnlock, "rw-unlock", ObjectKind::kReadWriteLock,
                  Effect::kRelease),
    point_before(Operation::kSemWait, "sem wait", ObjectKind::kSemaphore, Effect::kTakeUnit),
    point_before(Operation::kSemTryWait, "sem try wait", ObjectKind::kSemaphore, Effect::kTakeUnit),
    points_around(Operation::kSemPost, "sem post", ObjectKind::kSemaphore, Effect::kPost),
    points_around(Operation::kBarrierWait, "barrier wait", ObjectKind::kBarrier, Effect::kMeet),
    point_before(Operation::kOnce, "once", ObjectKind::kOnce, Effect::kOnce),
    point_before(Operation::kSpinLock, "spin lock", ObjectKind::kSpinLock, Effect::kAcquire),
    point_before(Operation::kSpinTryLock, "try spin lock", ObjectKind::kSpinLock, Effect::kAcquire),
    points_around(Operation::kSpinUnlock, "spin unlock", ObjectKind::kSpinLock, Effect::kRelease),
    points_around(Operation::kFutexWait, "futex wait", ObjectKind::kFutex, Effect::kWait),
    points_around(Operation::kFutexWake, "futex wake", ObjectKind::kFutex, Effect::kWake),
    points_around(Operation::kFutexRequeue, "futex requeue", ObjectKind::kFutex, Effect::kRequeue),
    point_before(Operation::kYield, "yield", ObjectKind::kNone, Effect::kPassTime),
    point_before(Operation::kSleep, "sleep", ObjectKind::kNone, Effect::kPassTime),
    point_before(Operation::kProcessExit, "exit process").influences(Influence::kEverything),
    counted(Operation::kClockRead, "read clock").influences(Influence::kEverything),
    counted(Operation::kInit, "init", ObjectKind::kAnything, Effect::kReuse),
    counted(Operation::kDestroy, "destroy", ObjectKind::kAnything, Effect::kReuse),
    point_before(Operation::kStreamLock, "lock stream", ObjectKind::kStream, Effect::kAcquire),
    point_before(Operation::kStreamTryLock, "try lock stream", ObjectKind::kStream,
                 Effect::kAcquire),
    points_around(Operation::kStreamUnlock, "unlock stream", ObjectKind::kStream, Effect::kRelease),
    points_around(Operation::kCancel, "cancel", ObjectKind::kThread)
        .influences(Influence::kEverything),
    point_before(Operation::kTestCancel, "test cancel").influences(Influence::kNothing),
    points_around(Operation::kSendSignal, "send signal", ObjectKind::kSignal, Effect::kSendSignal),
    point_before(Operation::kSignalWait, "wait for signal", ObjectKind::kSignal,
                 Effect::kTakeSignal)
        .brings_input(),
    point_before(Operation::kPause, "pause", ObjectKind::kNone, Effect::kAwaitSignal)
        .waits_outside(),
    point_before(Operation::kRead, "read", ObjectKind::kDescriptor, Effect::kReceive)
        .brings_input(),
    points_around(Operation::kWrite, "write", ObjectKind::kDescriptor, Effect::kSend)
        .waits_outside(),
    point_before(Operation::kAccept, "accept", ObjectKind::kDescriptor, Effect::kReceive)
        .brings_input(),
    points_around(Operation::kConnect, "connect", ObjectKind::kDescriptor, Effect::kSend)
        .waits_outside(),
    point_before(Operation::kPoll, "poll", ObjectKind::kDescriptor, Effect::kReceive)
        .brings_input(),
    points_around(Operation::kFileLock, "lock file", ObjectKind::kDescriptor)
        .influences(Influence::kChanges)
        .waits_outside()
        .can_only_be_tried(),
    point_before(Operation::kWaitChild, "wait for child", ObjectKind::kProcess)
        .influences(Influence::kChanges)
        .brings_input(),
    points_around(Operation::kFork, "fork").influences(Influence::kEverything),
    hook(Operation::kLoad, "load", ObjectKind::kMemory, Effect::kRead).reads_as("reads"),
    hook(Operation::kStore, "store", ObjectKind::kMemory, Effect::kWrite).reads_as("writes"),
    hook(Operation::kAtomicLoad, "atomic load", ObjectKind::kMemory, Effect::kRead)
        .has_order()
        .reads_as("atomically reads"),
    hook(Operation::kAtomicStore, "atomic store", ObjectKind::kMemory, Effect::kWrite)
        .has_order()
        .reads_as("atomically writes"),
    hook(Operation::kAtomicUpdate, "atomic update", ObjectKind::kMemory, Effect::kUpdate)
        .has_order()
        .reads_as("atomically updates"),
    hook(Operation::kFence, "fence", ObjectKind::kNone, Effect::kFence).has_order(),
    hook(Operation::kEnter, "enter function", ObjectKind::kNone, Effect::kPassCode)
        .stands("at function entry"),
    hook(Operation::kBackEdge, "loop", ObjectKind::kNone, Effect::kPassCode)
        .stands("between rounds of a loop"),
    hook(Operation::kAllocate, "allocate", ObjectKind::kBlock, Effect::kAllocate),
    hook(Operation::kFree, "free", ObjectKind::kMemory, Effect::kFree).reads_as("frees"),
    hook(Operation::kAfterStore, "go on", ObjectKind::kMemory)
        .influences(Influence::kNothing)
        .stands("after atomic store"),
    trace_only(Operation::kGiveUp, "unlock to wait", ObjectKind::kAnything, Effect::kReleaseToWait),
    trace_only(Operation::kWoke, "wake", ObjectKind::kAnything, Effect::kWoke),
    trace_only(Operation::kArrive, "arrive", ObjectKind::kAnything, Effect::kArrive),
    trace_only(Operation::kHandle, "handle signal", ObjectKind::kAnything, Effect::kHandleSignal),
    trace_only(Operation::kPublish, "publish", ObjectKind::kAnything, Effect::kPublish),
    trace_only(Operation::kObserve, "observe", ObjectKind::kAnything, Effect::kObserve),
    trace_only(Operation::kAllocated, "allocated", ObjectKind::kBlock, Effect::kAllocate),
    trace_only(Operation::kFresh, "fresh memory", ObjectKind::kBlock, Effect::kFresh),
    points_around(Operation::kOpen, "open", ObjectKind::kFifo)
        .influences(Influence::kChanges)
        .waits_outside()
        .can_only_be_tried(),
    points_around(Operation::kSendMessage, "send message", ObjectKind::kQueue)
        .influences(Influence::kChanges)
        .waits_outside()
        .can_only_be_tried(),
    points_around(Operation::kReceiveMessage, "receive message", ObjectKind::kQueue)
        .influences(Influence::kChanges)
        .brings_input()
        .can_only_be_tried(),
    points_around(Operation::kSemaphoreSet, "sem op", ObjectKind::kSemaphoreSet)
        .influences(Influence::kChanges)
        .waits_outside()
        .can_only_be_tried(),
    point_before(Operation::kSpinLoop, "spin").influences(Influence::kEverything),
    trace_only(Operation::kAtomicBegin, "begin atomic region", ObjectKind::kNone,
               Effect::kBeginUnit),
    trace_only(Operation::kAtomicEnd, "end atomic region", ObjectKind::kNone, Effect::kEndUnit),
    trace_only(Operation::kFunctionEntry, "enter frame", ObjectKind::kNone, Effect::kEnterFrame),
    trace_only(Operation::kFunctionExit, "leave frame", ObjectKind::kNone, Effect::kLeaveFrame),
};

}  // namespace rows

using rows::kOperations;
inline constexpr std::size_t kOperationCount = sizeof(kOperations) / sizeof(kOperations[0]);
static_assert(kOperationCount == static_cast<std::size_t>(Operation::kFunctionExit) + 1,
              "every operation needs a row");

constexpr const OperationTraits& traits(Operation operation) {
  return kOperations[static_cast<std::size_t>(operation)];
}

constexpr const ObjectKindTraits& traits(ObjectKind kind) {
  return kObjectKinds[static_cast<std::size_t>(kind)];
}

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    if (kOperations[i].number != i) return false;
  }
  for (std::size_t i = 0; i < sizeof(kObjectKinds) / sizeof(kObjectKinds[0]); ++i) {
    if (static_cast<std::size_t>(kObjectKinds[i].kind) != i) return false;
  }
  for (std::size_t i = 0; i < sizeof(kEffects) / sizeof(kEffects[0]); ++i) {
    if (static_cast<std::size_t>(kEffects[i].effect) != i) return false;
  }
  return true;
}
static_assert(rows_are_in_order(), "the n-th row is that of the n-th operation");

constexpr bool rows_say_their_influence() {
  for (const OperationTraits& row : kOperations) {
    if (row.influence == Influence::kNotSaid) return false;
  }
  return true;
}
static_assert(rows_say_their_influence(),
              "an operation without an effect needs .influences(): a search relies on it");

/// Whether it is a synchronisation operation; these have a point before them.
constexpr bool is_synchronisation(Operation operation) {
  return traits(operation).counts == Counts::kOperation;
}

/// Whether instrumented code calls a hook before it.
constexpr bool is_hook(Operation operation) { return traits(operation).is_hook; }

/// Whether the object in its events is a number (thread, descriptor, signal), not an address.
constexpr bool acts_on_number(Operation operation) {
  return traits(traits(operation).object).is_number;
}

/// A noun for the kind of its object; empty if reports do not show the object.
constexpr const char* noun(Operation operation) { return traits(traits(operation).object).noun; }

constexpr bool has_effect(Operation operation, Effect effect) {
  return traits(operation).effect == effect;
}

/// Whether it reads, writes or frees memory.
constexpr bool is_access(Operation operation) {
  const Effect effect = traits(operation).effect;
  return effect == Effect::kRead || effect == Effect::kWrite || effect == Effect::kUpdate ||
         effect == Effect::kFree;
}

constexpr bool is_load(Operation operation) { return has_effect(operation, Effect::kRead); }

/// Whether it acquires any kind of lock, exclusive or shared.
constexpr bool acquires(Operation operation) {
  return has_effect(operation, Effect::kAcquire) || has_effect(operation, Effect::kAcquireShared);
}

/// Whether its thread waits until another thread wakes it.
constexpr bool waits_for_wake(Operation operation) { return has_effect(operation, Effect::kWait); }

/// Whether it signals a condition variable.
constexpr bool signals_condition(Operation operation) {
  return has_effect(operation, Effect::kWake) && traits(operation).object == ObjectKind::kCondition;
}

/// Whether it is about the life of a thread: start, end, create, join, detach.
constexpr bool is_of_thread_life(Operation operation) {
  const Effect effect = traits(operation).effect;
  return effect >= Effect::kStart && effect <= Effect::kDetach;
}

/// Whether two operations on the same object leave it in the same state in either order, and get
/// the same results.
constexpr bool commute(Operation one, Operation other) {
  const OperationTraits& a = traits(one);
  const OperationTraits& b = traits(other);
  if (a.influence == Influence::kNothing || b.influence == Influence::kNothing) return true;
  if (a.influence != b.influence) return false;
  return a.influence == Influence::kReads ||
         (a.influence == Influence::kCounts && a.effect == b.effect);
}

/// Whether threads contend for its object by it. They do not by a release, since the acquisition
/// before it is in the same order, nor by plain accesses to memory, which may conflict or race.
constexpr bool contends(Operation operation) {
  const OperationTraits& row = traits(operation);
  if (row.counts == Counts::kNothing || row.influence == Influence::kNothing ||
      row.influence == Influence::kEverything) {
    return false;
  }
  switch (row.effect) {
    case Effect::kRelease:
    case Effect::kAllocate:
    case Effect::kFree:
    case Effect::kReuse: return false;
    case Effect::kRead:
    case Effect::kWrite:
    case Effect::kUpdate: return row.is_atomic;
    default: return !acts_on_number(operation);
  }
}

}  // namespace unravel::wire
