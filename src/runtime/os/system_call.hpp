/// System calls without libc: libc's wrappers are what we interpose, and they write errno.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstdint>

namespace unravel::os {

/// Returns the kernel's answer: a negative error number on failure. Leaves errno alone.
inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                 long f = 0) {
  long result = number;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

template <class T>
long as_argument(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

/// Sleeps while `word` is `expected`. `shared`: several processes share the word, or the kernel
/// wakes its waiters when a thread ends.
template <class T>
void futex_wait(std::atomic<T>& word, T expected, bool shared) {
  static_assert(sizeof(T) == 4);
  call(SYS_futex, as_argument(&word), FUTEX_WAIT | (shared ? 0 : FUTEX_PRIVATE_FLAG),
       static_cast<long>(expected), 0);
}

template <class T>
void futex_wake(std::atomic<T>& word, bool shared) {
  static_assert(sizeof(T) == 4);
  call(SYS_futex, as_argument(&word), FUTEX_WAKE | (shared ? 0 : FUTEX_PRIVATE_FLAG), 1);
}

[[noreturn]] inline void exit_process(int status) {
  for (;;) call(SYS_exit_group, status);
}

}  // namespace unravel::os
