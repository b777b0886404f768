/// Children that go on in the program's own code: fork and the like. They are not controlled from
/// their start, and only their parent cares how they end.
#include "runtime/interpose/fork.hpp"

#include <errno.h>
#include <pty.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/interpose/make_process.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

struct Begin {
  int (*function)(void*);
  void* argument;
  int flags;
};

int run_forked(void* argument) {
  const Begin begin = *static_cast<const Begin*>(argument);
  leave_as_child((begin.flags & CLONE_FILES) != 0);
  return begin.function(begin.argument);
}

int run_lent(void* argument) {
  const Begin begin = *static_cast<const Begin*>(argument);
  lend_to_child((begin.flags & CLONE_FILES) != 0, (begin.flags & CLONE_SIGHAND) != 0);
  return begin.function(begin.argument);
}

/// The arguments of clone() after the first four. If the program did not give one, its value is
/// arbitrary, and it is not used without its flag.
struct Rest {
  pid_t* parent_id;
  void* storage;
  pid_t* child_id;
};

int make_by_clone(Thread& self, void* stack, Begin begin, const Rest& rest, const void* site) {
  const auto clone_with = [&](int (*first)(void*), int flags) {
    return real::clone(first, stack, flags, static_cast<void*>(&begin), rest.parent_id,
                       rest.storage, rest.child_id);
  };
  if (!begin.function || !stack) return clone_with(begin.function, begin.flags);  // EINVAL
  if (!(begin.flags & CLONE_VM)) {
    return make_process(self, site, [&] { return clone_with(run_forked, begin.flags); });
  }
  if (!(begin.flags & CLONE_VFORK)) {
    runtime().warn_uncontrolled("a process made by clone() that shares the program's memory");
  }
  // The child would take this thread for its own, which is wrong while both run. So the child runs
  // first.
  return make_process(self, site, [&] {
    const int child = clone_with(run_lent, begin.flags | CLONE_VFORK);
    take_back_from_child();
    return child;
  });
}

/// The first fields of struct clone_args, which say what kind of child it is.
struct CloneArguments {
  std::uint64_t flags, pidfd, child_id, parent_id, exit_signal, stack;
};

}  // namespace

Answer make_child(Thread& self, long number, const long (&arguments)[6], const void* site) {
  std::uint64_t flags = 0;
  bool has_stack = false;
  if (number == SYS_clone) {
    flags = static_cast<std::uint64_t>(arguments[0]);
    has_stack = arguments[1] != 0;
  } else if (number == SYS_clone3) {
    CloneArguments given{};
    runtime().host().peek(reinterpret_cast<const void*>(arguments[0]), sizeof(given), &given.flags);
    flags = given.flags;
    has_stack = given.stack != 0;
  }
  if ((flags & (CLONE_THREAD | CLONE_VM)) || has_stack) {
    runtime().warn_uncontrolled(flags & CLONE_THREAD
                                    ? "a thread made by the system call clone"
                                    : "a process made by the system call clone on its own stack");
    return {};
  }
  // A child of vfork would return through our frames before its parent does, so it is a fork.
  const long made_by = number == SYS_vfork ? SYS_fork : number;
  long error = 0;
  const pid_t child = make_process(self, site, [&] {
    const long result = os::call(made_by, arguments[0], arguments[1], arguments[2], arguments[3],
                                 arguments[4], arguments[5]);
    if (result == 0) leave_as_child((flags & CLONE_FILES) != 0);
    if (result < 0) error = -result;
    return static_cast<pid_t>(result);
  });
  if (!error) return child;
  errno = static_cast<int>(error);
  return -1;
}

// --- vfork: see vfork.S --------------------------------------------------------------------------

extern "C" bool unravel_before_vfork(const void* site) {
  Thread* self = controlled_thread();
  if (!self) return false;
  scheduler().reach(*self, {.kind = wire::Operation::kFork, .site = site});
  runtime().outsiders().expect_child();
  return true;
}

extern "C" long unravel_after_vfork(long result, const void* site) {
  if (result == 0) {
    lend_to_child(/*shares_files=*/false, /*shares_handlers=*/false);
    return 0;
  }
  take_back_from_child();
  const Op op{.kind = wire::Operation::kFork, .site = site};
  made_process(*current_thread, op, static_cast<pid_t>(result));
  if (result > 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}

extern "C" void* unravel_real_vfork() { return reinterpret_cast<void*>(real::vfork.get()); }

}  // namespace unravel

using namespace unravel;

// This runs the handlers of pthread_atfork. Ours lets the child go.
UNRAVEL_EXPORT pid_t fork() noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::fork);
  return make_process(*self, UNRAVEL_SITE, [] { return real::fork(); });
}

UNRAVEL_EXPORT pid_t forkpty(int* master, char* name, const termios* settings,
                             const winsize* size) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::forkpty, master, name, settings, size);
  return make_process(*self, UNRAVEL_SITE,
                      [&] { return real::forkpty(master, name, settings, size); });
}

UNRAVEL_EXPORT pid_t _Fork() noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::_Fork);
  return make_process(*self, UNRAVEL_SITE, [] {
    const pid_t child = real::_Fork();
    if (child == 0) leave_as_child(/*shares_files=*/false);
    return child;
  });
}

UNRAVEL_EXPORT int clone(int (*function)(void*), void* stack, int flags, void* argument,
                         ...) noexcept {
  va_list list;
  va_start(list, argument);
  auto* parent_id = va_arg(list, pid_t*);
  void* storage = va_arg(list, void*);
  auto* child_id = va_arg(list, pid_t*);
  va_end(list);
  Thread* self = controlled_thread();
  if (self && !(flags & CLONE_THREAD)) {
    return make_by_clone(*self, stack, {function, argument, flags}, {parent_id, storage, child_id},
                         UNRAVEL_SITE);
  }
  if (self) runtime().warn_uncontrolled("a thread made by clone()");
  return real::clone(function, stack, flags, argument, parent_id, storage, child_id);
}
