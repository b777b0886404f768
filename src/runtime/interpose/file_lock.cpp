/// Locks on files. The only way to find out whether one is free is to try.
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/descriptor_copies.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/trying.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

/// `attempt` answers like a system call.
template <class Attempt>
int lock_file(Thread& self, int descriptor, bool blocking, const void* site, Attempt attempt,
              bool cancellable) {
  ErrnoKeeper keeper;
  if (cancellable) cancellation_point(self);
  const Op op{.kind = wire::Operation::kFileLock,
              .object = scheduler().outside().object(),
              .site = site,
              .number = static_cast<std::uint64_t>(descriptor),
              .interruptible = true,
              .cancellable = cancellable};
  scheduler().reach(self, op);
  const long result = try_until_done(self, op, blocking, [&] {
    const long answer = attempt();
    return blocking && answer == -EACCES ? static_cast<long>(-EAGAIN) : answer;
  });
  scheduler().outside().changed();
  did(self, op, result < 0 ? static_cast<int>(-result) : 0);
  return static_cast<int>(keeper.answer(result));
}

int control_descriptor(int descriptor, int command, void* argument, const void* site) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(site, real::fcntl, descriptor, command, argument);
  switch (command) {
    case F_SETLK:
    case F_OFD_SETLK:
    case F_SETLKW:
    case F_OFD_SETLKW: {
      const bool blocking = command == F_SETLKW || command == F_OFD_SETLKW;
      const int without_waiting = command == F_SETLKW       ? F_SETLK
                                  : command == F_OFD_SETLKW ? F_OFD_SETLK
                                                            : command;
      return lock_file(
          *self, descriptor, blocking, site,
          [&] {
            return os::call(SYS_fcntl, descriptor, without_waiting, os::as_argument(argument));
          },
          blocking);
    }
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: {
      const int copy = real::fcntl(descriptor, command, argument);
      record_copy(descriptor, copy);
      return copy;
    }
    default: return real::fcntl(descriptor, command, argument);
  }
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int flock(int descriptor, int operation) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::flock, descriptor, operation);
  return lock_file(
      *self, descriptor, !(operation & LOCK_NB), UNRAVEL_SITE,
      [&] { return os::call(SYS_flock, descriptor, operation | LOCK_NB); }, false);
}

UNRAVEL_EXPORT int fcntl(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  void* argument = va_arg(list, void*);
  va_end(list);
  return control_descriptor(descriptor, command, argument, UNRAVEL_SITE);
}

UNRAVEL_ALIAS(fcntl64, fcntl);
UNRAVEL_ALIAS(__fcntl, fcntl);

// A lock from the current position on; libc implements it with fcntl(), too.
UNRAVEL_EXPORT int lockf(int descriptor, int command, off_t length) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::lockf, descriptor, command, length);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_CUR;
  lock.l_len = length;
  switch (command) {
    case F_LOCK: return control_descriptor(descriptor, F_SETLKW, &lock, UNRAVEL_SITE);
    case F_TLOCK: return control_descriptor(descriptor, F_SETLK, &lock, UNRAVEL_SITE);
    case F_ULOCK:
      lock.l_type = F_UNLCK;
      return control_descriptor(descriptor, F_SETLK, &lock, UNRAVEL_SITE);
    default: return real::lockf(descriptor, command, length);  // a test, or an error
  }
}
UNRAVEL_ALIAS(lockf64, lockf);
