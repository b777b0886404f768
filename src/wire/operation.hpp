/// Every operation that a program can make: its name, whether it counts in the clock, and
/// whether there is a point after it. Every operation has a point before it.
///
/// To add one: append it to the list (stored schedules name operations by number), give it a
/// row, and interpose it. Bump kOperationTableVersion if others count otherwise from then on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unravel::wire {

enum class Operation : std::uint8_t {
  kNone,  // what is pending at an after-point
  kStart,
  kExit,
  kCreate,
  kJoin,
  kTryJoin,
  kDetach,
  kLock,
  kTryLock,
  kUnlock,
  kWait,  // release-and-wait; the lock that follows is a kLock of its own
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
  kSignalWait,  // sigwait and its kin
  kPause,       // pause, sigsuspend
  kRead,        // from a descriptor that may have nothing yet
  kWrite,
  kAccept,
  kConnect,
  kPoll,
  kFileLock,
  kWaitChild,
  kFork,
  kLoad,  // what instrumented code does; all of these only count in the clock
  kStore,
  kAtomicLoad,
  kAtomicStore,
  kAtomicUpdate,
  kFence,
  kEnter,     // a function
  kBackEdge,  // of a loop
  kAllocate,
  kFree,
  kAfterStore,  // nothing is about to be done: the point after an atomic store
  // What only a trace tells. None of these counts in the clock.
  kGiveUp,   // a wait unlocks its mutex
  kWoke,     // another thread was made to go on: the value is its ordinal
  kArrive,   // at a barrier
  kHandle,   // a signal's handler begins
  kPublish,  // whoever observes the object from now on comes after what was done before
  kObserve,
  kAllocated,  // memory that was allocated before the trace began
  kFresh,      // memory that has no history: a new thread's stack, a new mapping
  // Operations again: numbers stay what they are.
  kOpen,         // of a FIFO, which waits for its other end
  kSendMessage,  // to a message queue, POSIX or System V
  kReceiveMessage,
  kSemaphoreSet,  // semop
  kSpinLoop,  // a loop that only looks at memory: it goes on when another thread has done something
};

/// What the clock makes of an operation.
enum class Counts : std::uint8_t {
  kOperation,  // a synchronisation operation: adds one to Clock::operations
  kHook,       // no point; adds one to Clock::hooks
  kNothing,    // only a trace tells of it
};

struct OperationTraits {
  const char* name;
  Counts counts;
  bool after;  // has a point after it too: what it made possible may happen before the caller goes
               // on
};

inline constexpr OperationTraits kOperations[] = {
    /* kNone            */ {"go on", Counts::kHook, false},
    /* kStart           */ {"start", Counts::kOperation, true},
    /* kExit            */ {"exit", Counts::kOperation, false},
    /* kCreate          */ {"create", Counts::kOperation, true},
    /* kJoin            */ {"join", Counts::kOperation, false},
    /* kTryJoin         */ {"try join", Counts::kOperation, false},
    /* kDetach          */ {"detach", Counts::kOperation, false},
    /* kLock            */ {"lock", Counts::kOperation, false},
    /* kTryLock         */ {"try lock", Counts::kOperation, false},
    /* kUnlock          */ {"unlock", Counts::kOperation, true},
    /* kWait            */ {"wait", Counts::kOperation, true},
    /* kSignal          */ {"signal", Counts::kOperation, true},
    /* kBroadcast       */ {"broadcast", Counts::kOperation, true},
    /* kReadLock        */ {"read-lock", Counts::kOperation, false},
    /* kTryReadLock     */ {"try read-lock", Counts::kOperation, false},
    /* kWriteLock       */ {"write-lock", Counts::kOperation, false},
    /* kTryWriteLock    */ {"try write-lock", Counts::kOperation, false},
    /* kReadWriteUnlock */ {"rw-unlock", Counts::kOperation, true},
    /* kSemWait         */ {"sem wait", Counts::kOperation, false},
    /* kSemTryWait      */ {"sem try wait", Counts::kOperation, false},
    /* kSemPost         */ {"sem post", Counts::kOperation, true},
    /* kBarrierWait     */ {"barrier wait", Counts::kOperation, true},
    /* kOnce            */ {"once", Counts::kOperation, false},
    /* kSpinLock        */ {"spin lock", Counts::kOperation, false},
    /* kSpinTryLock     */ {"try spin lock", Counts::kOperation, false},
    /* kSpinUnlock      */ {"spin unlock", Counts::kOperation, true},
    /* kFutexWait       */ {"futex wait", Counts::kOperation, true},
    /* kFutexWake       */ {"futex wake", Counts::kOperation, true},
    /* kFutexRequeue    */ {"futex requeue", Counts::kOperation, true},
    /* kYield           */ {"yield", Counts::kOperation, false},
    /* kSleep           */ {"sleep", Counts::kOperation, false},
    /* kProcessExit     */ {"exit process", Counts::kOperation, false},
    /* kClockRead       */ {"read clock", Counts::kHook, false},
    /* kInit            */ {"init", Counts::kHook, false},
    /* kDestroy         */ {"destroy", Counts::kHook, false},
    /* kStreamLock      */ {"lock stream", Counts::kOperation, false},
    /* kStreamTryLock   */ {"try lock stream", Counts::kOperation, false},
    /* kStreamUnlock    */ {"unlock stream", Counts::kOperation, true},
    /* kCancel          */ {"cancel", Counts::kOperation, true},
    /* kTestCancel      */ {"test cancel", Counts::kOperation, false},
    /* kSendSignal      */ {"send signal", Counts::kOperation, true},
    /* kSignalWait      */ {"wait for signal", Counts::kOperation, false},
    /* kPause           */ {"pause", Counts::kOperation, false},
    /* kRead            */ {"read", Counts::kOperation, false},
    /* kWrite           */ {"write", Counts::kOperation, true},
    /* kAccept          */ {"accept", Counts::kOperation, false},
    /* kConnect         */ {"connect", Counts::kOperation, true},
    /* kPoll            */ {"poll", Counts::kOperation, false},
    /* kFileLock        */ {"lock file", Counts::kOperation, true},
    /* kWaitChild       */ {"wait for child", Counts::kOperation, false},
    /* kFork            */ {"fork", Counts::kOperation, true},
    /* kLoad            */ {"load", Counts::kHook, false},
    /* kStore           */ {"store", Counts::kHook, false},
    /* kAtomicLoad      */ {"atomic load", Counts::kHook, false},
    /* kAtomicStore     */ {"atomic store", Counts::kHook, false},
    /* kAtomicUpdate    */ {"atomic update", Counts::kHook, false},
    /* kFence           */ {"fence", Counts::kHook, false},
    /* kEnter           */ {"enter function", Counts::kHook, false},
    /* kBackEdge        */ {"loop", Counts::kHook, false},
    /* kAllocate        */ {"allocate", Counts::kHook, false},
    /* kFree            */ {"free", Counts::kHook, false},
    /* kAfterStore      */ {"go on", Counts::kHook, false},
    /* kGiveUp          */ {"unlock to wait", Counts::kNothing, false},
    /* kWoke            */ {"wake", Counts::kNothing, false},
    /* kArrive          */ {"arrive", Counts::kNothing, false},
    /* kHandle          */ {"handle signal", Counts::kNothing, false},
    /* kPublish         */ {"publish", Counts::kNothing, false},
    /* kObserve         */ {"observe", Counts::kNothing, false},
    /* kAllocated       */ {"allocated", Counts::kNothing, false},
    /* kFresh           */ {"fresh memory", Counts::kNothing, false},
    /* kOpen            */ {"open", Counts::kOperation, true},
    /* kSendMessage     */ {"send message", Counts::kOperation, true},
    /* kReceiveMessage  */ {"receive message", Counts::kOperation, true},
    /* kSemaphoreSet    */ {"sem op", Counts::kOperation, true},
    /* kSpinLoop        */ {"spin", Counts::kOperation, false},
};

inline constexpr std::size_t kOperationCount = sizeof(kOperations) / sizeof(kOperations[0]);
static_assert(kOperationCount == static_cast<std::size_t>(Operation::kSpinLoop) + 1,
              "every operation needs a row");

constexpr const OperationTraits& traits(Operation operation) {
  return kOperations[static_cast<std::size_t>(operation)];
}

/// Whether the kernel cannot be asked if it would block, so that a thread finds out by trying.
constexpr bool can_only_be_tried(Operation operation) {
  return operation == Operation::kFileLock || operation == Operation::kOpen ||
         operation == Operation::kSemaphoreSet || operation == Operation::kSendMessage ||
         operation == Operation::kReceiveMessage;
}

/// Whether instrumented code tells of it, by a hook that comes before it.
constexpr bool is_hook(Operation operation) {
  return operation >= Operation::kLoad && operation <= Operation::kAfterStore;
}

/// Whether that is something done to memory.
constexpr bool is_access(Operation operation) {
  return (is_hook(operation) && operation < Operation::kFence) || operation == Operation::kFree;
}

}  // namespace unravel::wire
