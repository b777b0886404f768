/// The functions that we stand in front of.
///
/// Resolved on first use, because libraries that are loaded before us may call them in their
/// constructors.
#pragma once

#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

// <cassert> has it only where assertions are on.
extern "C" void __assert_fail(const char* expression, const char* file, unsigned line,
                              const char* function) noexcept;

// What fortified programs call; declared only while such a one is compiled.
extern "C" int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments);
extern "C" void __longjmp_chk(jmp_buf, int);
extern "C" int pidfd_open(pid_t process, unsigned flags) noexcept;  // glibc 2.36 has it for C only
extern "C" int __open_2(const char* path, int flags);
extern "C" int __open64_2(const char* path, int flags);
extern "C" int __openat_2(int directory, const char* path, int flags);
extern "C" int __openat64_2(int directory, const char* path, int flags);

namespace unravel::real {

template <class Function>
struct Real {
  const char* name;
  Function function = nullptr;

  Function get() {
    if (!function) function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    return function;
  }
  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return get()(arguments...);
  }
};

// A template argument drops attributes such as nonnull; nothing is lost, they were checked where
// the program called us.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"

#define UNRAVEL_REAL(name) \
  inline constinit Real<decltype(&::name)> name { #name }
#include "runtime/os/real_functions.inc"
#undef UNRAVEL_REAL
#pragma GCC diagnostic pop

/// Looks all of them up. Later the loader may be in the middle of something, with its lock held by
/// a thread that does not have the turn.
inline void resolve_all() {
#define UNRAVEL_REAL(name) name.get()
#include "runtime/os/real_functions.inc"
#undef UNRAVEL_REAL
}

}  // namespace unravel::real
