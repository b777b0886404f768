/// SYS_futex, modelled whole: what static-local guards, std::atomic::wait, latches, semaphores,
/// barriers and futures of the C++ library end in.
#pragma once

#include "runtime/core/thread.hpp"

namespace unravel {

/// Of a system call by number, with errno set; or the kernel has to make it.
struct Answer {
  bool is_given = false;
  long value = 0;

  Answer() = default;
  Answer(long answer) : is_given(true), value(answer) {}
};

Answer futex(Thread& self, const long (&arguments)[6], const void* site);

}  // namespace unravel
