/// SYS_futex, fully modelled. The C++ library uses it for static-local guards, std::atomic::wait,
/// latches, semaphores, barriers and futures.
#pragma once

#include <time.h>

#include "runtime/core/thread.hpp"

namespace unravel {

/// The result of a system call by number, with errno set. Without a result, the kernel has to make
/// the call.
struct Answer {
  bool is_given = false;
  long value = 0;

  Answer() = default;
  Answer(long answer) : is_given(true), value(answer) {}
};

Answer futex(Thread& self, const long (&arguments)[6], const void* site);
/// SYS_futex_waitv: waits on several futexes at once.
Answer futex_waitv(Thread& self, const long (&arguments)[6], const void* site);

/// The arguments of SYS_futex.
struct FutexCall {
  std::uint32_t* word;
  int operation;
  std::uint32_t value;
  const timespec* timeout;  // or a second count
  std::uint32_t* second;
  std::uint32_t bits;

  [[nodiscard]] int command() const;
  /// Whether other processes may use the word, too.
  [[nodiscard]] bool is_shared() const;
  [[nodiscard]] std::uint32_t second_count() const {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(timeout));
  }
};

/// The commands whose words hold their owner's thread id: FUTEX_LOCK_PI and the like.
Answer inheriting_futex(Thread& self, const FutexCall& call, const void* site);
/// Returns 0 or an error number.
int lock_inheriting(Thread& self, std::uint32_t* word, std::uint64_t deadline, const void* site);

/// 0, or why the kernel would refuse such a word: EFAULT for an address that can never be mapped.
int futex_word_error(const std::uint32_t* word);

/// Wakes up to `most` threads that wait on this word, alone or among others. Also wakes other
/// processes if they may wait on it. Returns how many threads were woken.
std::uint32_t wake_on_futex(Thread& self, const std::uint32_t* word, std::uint32_t most,
                            std::uint32_t bits);
void wake_on_futex_elsewhere(const FutexCall& call, const std::uint32_t* word, std::uint32_t most);

}  // namespace unravel
