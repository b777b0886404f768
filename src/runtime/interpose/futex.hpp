/// SYS_futex, modelled whole: what static-local guards, std::atomic::wait, latches, semaphores,
/// barriers and futures of the C++ library end in.
#pragma once

#include <optional>

#include "runtime/core/thread.hpp"

namespace unravel {

/// The answer of the call, with errno set; nothing if it is one that the kernel has to make.
std::optional<long> futex(Thread& self, const long (&arguments)[6], const void* site);

}  // namespace unravel
