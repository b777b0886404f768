/// The part of pthread_once that C11's call_once uses.
#pragma once

#include <pthread.h>

#include "runtime/core/thread.hpp"

namespace unravel {

int run_once(Thread& self, pthread_once_t* control, void (*routine)(), const void* site);

}  // namespace unravel
