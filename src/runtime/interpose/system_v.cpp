/// System V semaphore sets and message queues. The kernel cannot say whether a call would wait. So
/// the call is tried without waiting, and tried again when one of our threads has changed
/// something, or another process may have.
#include <errno.h>
#include <stdarg.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/uio.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/elsewhere.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

using wire::Operation;

struct IpcCall {
  Operation kind;
  bool blocking;
  long busy;  // the answer of an attempt that would have to wait
  std::uint64_t deadline = kNever;
  bool cancellable = false;
};

/// Whether other processes may use it.
bool has_others() { return !runtime().settings().sandboxed || runtime().outsiders().has_child(); }

/// Waits until another attempt makes sense. Returns 0, or the answer that ends the call.
long await_attempt(Thread& self, const Op& op) {
  const Elsewhere elsewhere(self, /*shared=*/true);
  const Outside anybody{.child = true, .never_restarts = true};
  if (!runtime().settings().sandboxed) self.outside = &anybody;
  self.wish = &anybody;
  self.pending = op;
  scheduler().waiting().await_change(self);
  if (self.signals.has_deliverable()) scheduler().waiting().pause(self, op);
  self.wish = nullptr;
  if (self.timed_out) return -EAGAIN;
  return self.signals.interrupted ? -EINTR : 0;
}

/// `attempt` never waits and answers like a system call.
template <class Attempt>
long on_ipc(Thread& self, const IpcCall& call, const void* site, Attempt attempt) {
  ErrnoKeeper keeper;
  // The operation has no number: the kernel's ids differ from run to run.
  const Op op{.kind = call.kind,
              .object = scheduler().outside().object(),
              .site = site,
              .deadline = call.deadline,
              .interruptible = true,
              .cancellable = call.cancellable};
  scheduler().reach(self, op);
  if (call.cancellable) cancellation_point(self);
  const bool external = has_others();
  const wire::Choice* recorded = external ? scheduler().outside().recorded_answer(self) : nullptr;
  const long wanted = recorded ? static_cast<long>(recorded->value) : 0;
  const bool comes = !recorded || (wanted != call.busy && wanted != -EINTR && wanted != -EAGAIN);
  long result = comes ? attempt() : wanted;
  bool waited = false;
  while (comes && call.blocking && result == call.busy) {
    waited = true;
    const long ended = await_attempt(self, op);
    if (call.cancellable) cancellation_point(self);
    if (ended && !recorded) {
      result = ended;
      break;
    }
    result = attempt();
  }
  // The id is no longer valid: a call that waited reports that it was removed.
  if (waited && result == -EINVAL) result = -EIDRM;
  if (external) scheduler().outside().answered(self, recorded, static_cast<std::uint64_t>(result));
  if (result == call.busy) {
    scheduler().failed_attempt(self, op);
  } else {
    scheduler().outside().changed();
  }
  did(self, op, result < 0 ? static_cast<int>(-result) : 0);
  return result < 0 ? keeper.fail(static_cast<int>(-result)) : result;
}

// The kernel's default limit for one call (SEMOPM).
constexpr std::size_t kMostOperations = 500;

/// A copy of the program's operations in which none waits.
struct Operations {
  sembuf all[kMostOperations];
  std::size_t count;

  /// Returns false if they cannot be read.
  bool copy(const sembuf* from) {
    const iovec here{.iov_base = all, .iov_len = count * sizeof(sembuf)};
    const iovec there{.iov_base = const_cast<sembuf*>(from), .iov_len = here.iov_len};
    const long size = os::call(SYS_process_vm_readv, os::call(SYS_getpid), os::as_argument(&here),
                               1, os::as_argument(&there), 1, 0);
    return size == static_cast<long>(here.iov_len);
  }

  /// Whether the first operation that cannot be made now is one that waits.
  [[nodiscard]] bool first_refused_waits(int set) const {
    for (std::size_t i = 0; i < count; ++i) {
      long value = os::call(SYS_semctl, set, all[i].sem_num, GETVAL, 0);
      for (std::size_t before = 0; before < i; ++before) {
        if (all[before].sem_num == all[i].sem_num) value += all[before].sem_op;
      }
      const bool refused = all[i].sem_op == 0 ? value != 0 : value + all[i].sem_op < 0;
      if (refused) return !(all[i].sem_flg & IPC_NOWAIT);
    }
    return true;
  }

  void never_wait() {
    for (std::size_t i = 0; i < count; ++i) {
      all[i].sem_flg = static_cast<short>(all[i].sem_flg | IPC_NOWAIT);
    }
  }
};

int operate(Thread& self, int set, sembuf* operations, std::size_t count, std::uint64_t deadline,
            const void* site) {
  Operations own{.count = count};
  if (count == 0 || count > kMostOperations || !own.copy(operations)) {
    return real::semop(set, operations, count);  // refused: EINVAL, E2BIG, EFAULT
  }
  bool some_wait = false;
  bool all_wait = true;
  for (std::size_t i = 0; i < count; ++i) {
    const bool waits = !(own.all[i].sem_flg & IPC_NOWAIT);
    some_wait = some_wait || waits;
    all_wait = all_wait && waits;
  }
  const bool blocking = all_wait || (some_wait && own.first_refused_waits(set));
  own.never_wait();
  const IpcCall call{.kind = Operation::kSemaphoreSet,
                     .blocking = blocking,
                     .busy = -EAGAIN,
                     .deadline = deadline};
  return static_cast<int>(on_ipc(self, call, site, [&] {
    return os::call(SYS_semop, set, os::as_argument(own.all), static_cast<long>(count));
  }));
}

/// Removing a set or setting values lets other threads go on.
template <class Change>
int change(Operation kind, const void* site, Change make) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(site, make);
  const Op op{.kind = kind, .object = scheduler().outside().object(), .site = site};
  scheduler().reach(*self, op);
  const int result = make();
  const ErrnoKeeper keeper;
  scheduler().outside().changed();
  did(*self, op, result < 0 ? errno : 0);
  return result;
}

ssize_t receive(int queue, void* message, std::size_t size, long type, int flags,
                const void* site) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(site, real::msgrcv, queue, message, size, type, flags);
  const IpcCall call{.kind = Operation::kReceiveMessage,
                     .blocking = !(flags & IPC_NOWAIT),
                     .busy = -ENOMSG,
                     .cancellable = true};
  return on_ipc(*self, call, site, [&] {
    return os::call(SYS_msgrcv, queue, os::as_argument(message), static_cast<long>(size), type,
                    flags | IPC_NOWAIT);
  });
}

int send(int queue, const void* message, std::size_t size, int flags, const void* site) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(site, real::msgsnd, queue, message, size, flags);
  const IpcCall call{.kind = Operation::kSendMessage,
                     .blocking = !(flags & IPC_NOWAIT),
                     .busy = -EAGAIN,
                     .cancellable = true};
  return static_cast<int>(on_ipc(*self, call, site, [&] {
    return os::call(SYS_msgsnd, queue, os::as_argument(message), static_cast<long>(size),
                    flags | IPC_NOWAIT);
  }));
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int semop(int set, sembuf* operations, std::size_t count) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::semop, set, operations, count);
  return operate(*self, set, operations, count, kNever, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int semtimedop(int set, sembuf* operations, std::size_t count,
                              const timespec* length) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::semtimedop, set, operations, count, length);
  if (!length) return operate(*self, set, operations, count, kNever, UNRAVEL_SITE);
  if (!is_valid(*length) || length->tv_sec < 0) {
    return real::semtimedop(set, operations, count, length);
  }
  return operate(*self, set, operations, count,
                 deadline_after(scheduler().time(), nanoseconds(*length)), UNRAVEL_SITE);
}

UNRAVEL_EXPORT int semctl(int set, int number, int command, ...) noexcept {
  // If the argument was not given, its value is arbitrary, and only commands that take it use it.
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  const auto call = [&] { return real::semctl(set, number, command, argument); };
  const bool changes = command == SETVAL || command == SETALL || command == IPC_RMID;
  return changes ? change(Operation::kSemaphoreSet, UNRAVEL_SITE, call) : call();
}

UNRAVEL_EXPORT int msgctl(int queue, int command, msqid_ds* description) noexcept {
  const auto call = [&] { return real::msgctl(queue, command, description); };
  const bool changes = command == IPC_SET || command == IPC_RMID;
  return changes ? change(Operation::kSendMessage, UNRAVEL_SITE, call) : call();
}

UNRAVEL_EXPORT int msgsnd(int queue, const void* message, std::size_t size, int flags) {
  return send(queue, message, size, flags, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int __libc_msgsnd(int queue, const void* message, std::size_t size, int flags) {
  return send(queue, message, size, flags, UNRAVEL_SITE);
}

UNRAVEL_EXPORT ssize_t msgrcv(int queue, void* message, std::size_t size, long type, int flags) {
  return receive(queue, message, size, type, flags, UNRAVEL_SITE);
}

UNRAVEL_EXPORT ssize_t __libc_msgrcv(int queue, void* message, std::size_t size, long type,
                                     int flags) {
  return receive(queue, message, size, type, flags, UNRAVEL_SITE);
}
