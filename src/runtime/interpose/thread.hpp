/// What C11's threads need of pthread's.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/core/thread.hpp"

namespace unravel {

// The pthread functions of these names under control, called from `site`.
int create_thread(Thread& self, pthread_t* handle, const pthread_attr_t* attributes,
                  void* (*routine)(void*), void* argument, const void* site);
int join_thread(Thread& self, pthread_t handle, void** result, std::uint64_t deadline,
                const void* site);
int detach_thread(Thread& self, pthread_t handle, const void* site);

}  // namespace unravel
