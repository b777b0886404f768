/// FIFOs: opening one waits for its other end.
#pragma once

#include <sys/types.h>

#include "runtime/core/thread.hpp"

namespace unravel {

/// It is no FIFO, or the call would not wait, so the real function can be used. It is no error
/// number.
inline constexpr long kNoFifo = -1'000'000;

/// Opens a FIFO once its other end is open. Answers like a system call, or kNoFifo.
long open_fifo(Thread& self, int directory, const char* path, int flags, mode_t mode,
               const void* site);

/// The flags of open() for a stream of this mode.
int flags_of_mode(const char* mode);

}  // namespace unravel
