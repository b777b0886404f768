/// The part of pthread's condition variables that C11's use.
#pragma once

#include <pthread.h>

#include "runtime/interpose/beats.hpp"

namespace unravel {

/// Waits until the time `until` of `clock`; null: for ever.
int wait_on(Thread& self, pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
            const timespec* until, const void* site);
int signal_one(Thread& self, pthread_cond_t* cond, const void* site);
int signal_all(Thread& self, pthread_cond_t* cond, const void* site);

}  // namespace unravel
