/// What C11's call_once needs of pthread's.
#pragma once

#include <pthread.h>

#include "runtime/core/thread.hpp"

namespace unravel {

int run_once(Thread& self, pthread_once_t* control, void (*routine)(), const void* site);

}  // namespace unravel
