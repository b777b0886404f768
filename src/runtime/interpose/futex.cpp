/// syscall(SYS_futex), modelled whole: what static-local guards, std::atomic::wait, latches,
/// semaphores, barriers and futures of the C++ library end in. Random bytes are the same in every
/// run; other system calls go through.
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/moment.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

struct FutexCall {
  std::uint32_t* word;
  int operation;
  std::uint32_t value;
  const timespec* timeout;  // or a second count, for requeue
  std::uint32_t* second;
  std::uint32_t bits;
};

long wait(Thread& self, const FutexCall& call, int command, const void* site) {
  ErrnoKeeper keeper;
  Op op{.kind = wire::Operation::kFutexWait, .object = call.word, .site = site};
  if (call.timeout) {
    if (!is_valid(*call.timeout)) return keeper.fail(EINVAL);
    const VirtualTime& time = scheduler().time();
    const bool realtime = call.operation & FUTEX_CLOCK_REALTIME;
    op.deadline =
        command == FUTEX_WAIT
            ? time.now() + nanoseconds(*call.timeout)
            : deadline_at(time, realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, *call.timeout);
  }
  scheduler().reach_attempt(self, op);
  if (__atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.value) {
    scheduler().failed_attempt(self, op);
    did(self, op, EAGAIN);
    return keeper.fail(EAGAIN);
  }
  self.futex_bits = command == FUTEX_WAIT ? FUTEX_BITSET_MATCH_ANY : call.bits;
  const auto woken = scheduler().wait(self, scheduler().objects().at(call.word), op);
  self.futex_bits = ~0u;
  switch (woken) {
    case Scheduler::Woken::kByWake: return 0;
    case Scheduler::Woken::kByDeadline: return keeper.fail(ETIMEDOUT);
    case Scheduler::Woken::kBySignal: return keeper.fail(EINTR);
  }
  __builtin_unreachable();
}

long wake(Thread& self, const FutexCall& call, int command, const void* site) {
  const ErrnoKeeper keeper;
  const Op op{.kind = wire::Operation::kFutexWake, .object = call.word, .site = site};
  scheduler().reach(self, op);
  const std::uint32_t bits = command == FUTEX_WAKE ? FUTEX_BITSET_MATCH_ANY : call.bits;
  Object* object = scheduler().objects().find(call.word);
  const std::uint32_t woken = object ? scheduler().wake(self, *object, call.value, bits) : 0;
  scheduler().did(self, op, wire::EventResult::kDone, woken);
  return woken;
}

long requeue(Thread& self, const FutexCall& call, int command, const void* site) {
  ErrnoKeeper keeper;
  const Op op{.kind = wire::Operation::kFutexRequeue, .object = call.word, .site = site};
  scheduler().reach(self, op);
  if (command == FUTEX_CMP_REQUEUE && __atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.bits) {
    did(self, op, EAGAIN);
    return keeper.fail(EAGAIN);
  }
  std::uint32_t woken = 0;
  std::uint32_t moved = 0;
  if (Object* from = scheduler().objects().find(call.word)) {
    woken = scheduler().wake(self, *from, call.value);
    const auto most = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(call.timeout));
    // at() may move nothing: objects stay where they are, only the table grows.
    moved = scheduler().requeue(*from, scheduler().objects().at(call.second), most);
  }
  scheduler().did(self, op, wire::EventResult::kDone, woken + moved);
  return command == FUTEX_CMP_REQUEUE ? woken + moved : woken;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);

  Thread* self = controlled_thread();
  if (number == SYS_futex && self) {
    const FutexCall call{.word = reinterpret_cast<std::uint32_t*>(arguments[0]),
                         .operation = static_cast<int>(arguments[1]),
                         .value = static_cast<std::uint32_t>(arguments[2]),
                         .timeout = reinterpret_cast<const timespec*>(arguments[3]),
                         .second = reinterpret_cast<std::uint32_t*>(arguments[4]),
                         .bits = static_cast<std::uint32_t>(arguments[5])};
    const int command = call.operation & FUTEX_CMD_MASK;
    switch (command) {
      case FUTEX_WAIT:
      case FUTEX_WAIT_BITSET: return wait(*self, call, command, UNRAVEL_SITE);
      case FUTEX_WAKE:
      case FUTEX_WAKE_BITSET: return wake(*self, call, command, UNRAVEL_SITE);
      case FUTEX_REQUEUE:
      case FUTEX_CMP_REQUEUE: return requeue(*self, call, command, UNRAVEL_SITE);
      default: break;  // priority inheritance and the like: see docs/limits.md
    }
  }
  if (number == SYS_getrandom && self) {
    scheduler().hook(*self);
    const auto size = static_cast<std::size_t>(arguments[1]);
    runtime().randomness().fill(reinterpret_cast<void*>(arguments[0]), size);
    return arguments[1];
  }
  const long result = os::call(number, arguments[0], arguments[1], arguments[2], arguments[3],
                               arguments[4], arguments[5]);
  if (number == SYS_io_uring_setup && result >= 0 && self) {
    runtime().note_uncontrolled("io_uring, by the system call");
  }
  constexpr long kHighestError = 4095;
  if (result < 0 && result >= -kHighestError) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}
