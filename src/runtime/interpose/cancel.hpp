/// Cancellation points.
#pragma once

#include "runtime/core/thread.hpp"

namespace unravel {

/// Ends the calling thread, which has the turn, if it was cancelled and has not disabled that: its
/// clean-up handlers run and its result is PTHREAD_CANCELED. Our frames above this one are not
/// returned to, so everything must be undone before.
void cancellation_point(Thread& self);

}  // namespace unravel
