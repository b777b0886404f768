/// Children by system calls of the program's own.
#pragma once

#include "runtime/interpose/futex.hpp"

namespace unravel {

/// SYS_fork, SYS_vfork, SYS_clone and SYS_clone3. Not given: the kernel has to make it, on a stack
/// that is not ours.
Answer make_child(Thread& self, long number, const long (&arguments)[6], const void* site);

}  // namespace unravel
