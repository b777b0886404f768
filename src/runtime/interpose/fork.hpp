/// Children that the program makes by system call.
#pragma once

#include "runtime/interpose/futex.hpp"

namespace unravel {

/// SYS_fork, SYS_vfork, SYS_clone and SYS_clone3. If no answer is given, the kernel has to make the
/// call: the child is on a stack that is not ours.
Answer make_child(Thread& self, long number, const long (&arguments)[6], const void* site);

}  // namespace unravel
