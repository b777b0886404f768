/// The part of pthread's threads that C11's use.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/core/thread.hpp"

namespace unravel {

// Like the pthread functions, under control, called from `site`.
int create_thread(Thread& self, pthread_t* handle, const pthread_attr_t* attributes,
                  void* (*routine)(void*), void* argument, const void* site);
int join_thread(Thread& self, pthread_t handle, void** result, std::uint64_t deadline,
                const void* site);
int detach_thread(Thread& self, pthread_t handle, const void* site);

/// Copies the attributes of a thread that calls a function later: the caller's own may be gone by
/// then.
inline void copy_attributes(const pthread_attr_t* from, pthread_attr_t* to) {
  pthread_attr_init(to);
  pthread_attr_setdetachstate(to, PTHREAD_CREATE_DETACHED);
  std::size_t size = 0;
  if (!from) return;
  if (pthread_attr_getstacksize(from, &size) == 0) pthread_attr_setstacksize(to, size);
  if (pthread_attr_getguardsize(from, &size) == 0) pthread_attr_setguardsize(to, size);
}

}  // namespace unravel
