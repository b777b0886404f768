#include "runtime/interpose/futex.hpp"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/moment.hpp"

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

Answer futex(Thread& self, const long (&arguments)[6], const void* site) {
  const FutexCall call{.word = reinterpret_cast<std::uint32_t*>(arguments[0]),
                       .operation = static_cast<int>(arguments[1]),
                       .value = static_cast<std::uint32_t>(arguments[2]),
                       .timeout = reinterpret_cast<const timespec*>(arguments[3]),
                       .second = reinterpret_cast<std::uint32_t*>(arguments[4]),
                       .bits = static_cast<std::uint32_t>(arguments[5])};
  const int command = call.operation & FUTEX_CMD_MASK;
  switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: return wait(self, call, command, site);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return wake(self, call, command, site);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: return requeue(self, call, command, site);
    default: return {};  // priority inheritance and the like: see docs/limits.md
  }
}

}  // namespace unravel
