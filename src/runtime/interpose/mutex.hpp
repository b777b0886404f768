/// What condition variables need of mutexes.
#pragma once

#include <pthread.h>

#include "runtime/interpose/beats.hpp"

namespace unravel {

/// pthread_mutex_lock under control.
int lock_mutex(Thread& self, pthread_mutex_t* mutex, const void* site);
/// Unlocks without a point of its own.
int release_mutex(Thread& self, pthread_mutex_t* mutex);

}  // namespace unravel
