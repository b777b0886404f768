/// The part of pthread's mutexes that condition variables and C11's mutexes use.
#pragma once

#include <pthread.h>

#include "runtime/interpose/beats.hpp"

namespace unravel {

// Like the pthread functions, under control, called from `site`.
int lock_mutex(Thread& self, pthread_mutex_t* mutex, const void* site);
int lock_mutex_until(Thread& self, pthread_mutex_t* mutex, clockid_t clock, const timespec* until,
                     const void* site);
int try_lock_mutex(Thread& self, pthread_mutex_t* mutex, const void* site);
int unlock_mutex(Thread& self, pthread_mutex_t* mutex, const void* site);

/// Unlocks without a point of its own.
int release_mutex(Thread& self, pthread_mutex_t* mutex);

}  // namespace unravel
