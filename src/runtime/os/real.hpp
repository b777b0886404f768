/// The functions that we interpose.
///
/// They are looked up on first use: libraries that are loaded before us may call them in their
/// constructors.
#pragma once

#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <malloc.h>
#include <mqueue.h>
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
#include <stdio_ext.h>
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
#include <sys/sendfile.h>
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
#include <wchar.h>

// <cassert> declares it only where assertions are on.
extern "C" void __assert_fail(const char* expression, const char* file, unsigned line,
                              const char* function) noexcept;

// The variants that fortified programs call; headers declare them only for such programs.
extern "C" int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments);
extern "C" int __vsnprintf_chk(char* text, std::size_t room, int flag, std::size_t size,
                               const char* format, va_list arguments);
extern "C" int __vdprintf_chk(int descriptor, int flag, const char* format, va_list arguments);
extern "C" char* gets(char* text);
extern "C" char* __gets_chk(char* text, std::size_t room);
extern "C" void __chk_fail();
extern "C" void __longjmp_chk(jmp_buf, int);
// glibc 2.36 declares it for C only.
extern "C" int pidfd_open(pid_t process, unsigned flags) noexcept;
extern "C" int __open_2(const char* path, int flags);
extern "C" int __open64_2(const char* path, int flags);
extern "C" int __openat_2(int directory, const char* path, int flags);
extern "C" int __openat64_2(int directory, const char* path, int flags);

extern "C" wchar_t* __fgetws_chk(wchar_t* text, std::size_t room, int size, FILE* stream);
extern "C" wchar_t* __fgetws_unlocked_chk(wchar_t* text, std::size_t room, int size, FILE* stream);
extern "C" int __vfwprintf_chk(FILE* stream, int flag, const wchar_t* format, va_list arguments);
extern "C" int __mq_open_2(const char* name, int flags);
// The variants for other versions of the standard; headers map the plain names to them.
extern "C" int __isoc99_vfscanf(FILE* stream, const char* format, va_list arguments);
extern "C" int __isoc99_vfwscanf(FILE* stream, const wchar_t* format, va_list arguments);

// The internals of streams.
extern "C" int __underflow(FILE* stream);
extern "C" int _IO_switch_to_get_mode(FILE* stream);
extern "C" void _IO_doallocbuf(FILE* stream);
extern "C" void* _IO_iter_begin();
extern "C" void* _IO_iter_end();
extern "C" void* _IO_iter_next(void* at);
extern "C" FILE* _IO_iter_file(void* at);
extern "C" void _flushlbf();

namespace unravel::real {

/// `Name` distinguishes functions whose types differ only in attributes, such as noreturn.
template <class Function, class Name>
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

// A template argument drops attributes such as nonnull. That does no harm: they were checked where
// the program called us.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"

#define UNRAVEL_REAL(name) \
  inline constinit Real<decltype(&::name), struct NameOf_##name> name { #name }
#include "runtime/os/real_functions.inc"
#undef UNRAVEL_REAL
#pragma GCC diagnostic pop

/// Looks up all of them. Later, the loader's lock may be held by a thread that does not have the
/// turn.
inline void resolve_all() {
#define UNRAVEL_REAL(name) name.get()
#include "runtime/os/real_functions.inc"
#undef UNRAVEL_REAL
}

}  // namespace unravel::real
