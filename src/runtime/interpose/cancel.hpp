/// Cancellation points.
#pragma once

#include "runtime/core/thread.hpp"

namespace unravel {

/// Ends the calling thread, which has the turn, if that was asked for and is not held off: its
/// clean-up handlers run and its result is PTHREAD_CANCELED. No frame of ours above this one is
/// returned to, so whatever must be undone must be undone before.
void cancellation_point(Thread& self);

}  // namespace unravel
