/// C11 threads. libc implements them with its own pthread functions and does not call ours, so each
/// is mapped to the interposed one here. Internally the types are those of pthread.
#include <errno.h>
#include <threads.h>

#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/cond.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/mutex.hpp"
#include "runtime/interpose/once.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/thread.hpp"
#include "runtime/interpose/time.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

int c11_result(int error) {
  switch (error) {
    case 0: return thrd_success;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    case EBUSY: return thrd_busy;
    default: return thrd_error;
  }
}

pthread_mutex_t* inside(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* inside(cnd_t* cond) { return reinterpret_cast<pthread_cond_t*>(cond); }
pthread_once_t* inside(once_flag* flag) { return reinterpret_cast<pthread_once_t*>(flag); }

}  // namespace

}  // namespace unravel

using namespace unravel;

// --- Threads -------------------------------------------------------------------------------------

UNRAVEL_EXPORT int thrd_create(thrd_t* handle, thrd_start_t routine, void* argument) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::thrd_create, handle, routine, argument);
  // An int is returned in the low half of the register in which a pointer is returned.
  const auto as_pthread = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(routine));
  return c11_result(create_thread(*self, handle, nullptr, as_pthread, argument, UNRAVEL_SITE));
}

UNRAVEL_EXPORT int thrd_join(thrd_t handle, int* result) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::thrd_join, handle, result);
  void* value = nullptr;
  const int error = join_thread(*self, handle, &value, kNever, UNRAVEL_SITE);
  if (result) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return c11_result(error);
}

UNRAVEL_EXPORT int thrd_detach(thrd_t handle) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::thrd_detach, handle);
  return c11_result(detach_thread(*self, handle, UNRAVEL_SITE));
}

UNRAVEL_EXPORT void thrd_exit(int result) {
  if (Thread* self = controlled_thread()) {
    runtime().thread_exit().load_unwinder();
    self->cancel.exiting = true;
  }
  real::thrd_exit(result);
  __builtin_unreachable();
}

UNRAVEL_EXPORT void thrd_yield() {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::thrd_yield);
  yield(*self, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int thrd_sleep(const timespec* length, timespec* left) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::thrd_sleep, length, left);
  constexpr int kInterrupted = -1;
  constexpr int kFailed = -2;
  if (!is_valid(*length) || length->tv_sec < 0) return kFailed;
  const std::uint64_t rest = sleep_for(*self, nanoseconds(*length), UNRAVEL_SITE);
  if (rest && left) *left = timespec_of(rest);
  return rest ? kInterrupted : 0;
}

// --- Mutexes -------------------------------------------------------------------------------------

UNRAVEL_EXPORT int mtx_init(mtx_t* mutex, int type) {
  forget(mutex);
  return real::mtx_init(mutex, type);
}

UNRAVEL_EXPORT void mtx_destroy(mtx_t* mutex) {
  forget(mutex);
  real::mtx_destroy(mutex);
}

UNRAVEL_EXPORT int mtx_lock(mtx_t* mutex) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::mtx_lock, mutex);
  return c11_result(lock_mutex(*self, inside(mutex), UNRAVEL_SITE));
}

UNRAVEL_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* until) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::mtx_timedlock, mutex, until);
  return c11_result(lock_mutex_until(*self, inside(mutex), CLOCK_REALTIME, until, UNRAVEL_SITE));
}

UNRAVEL_EXPORT int mtx_trylock(mtx_t* mutex) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::mtx_trylock, mutex);
  return c11_result(try_lock_mutex(*self, inside(mutex), UNRAVEL_SITE));
}

UNRAVEL_EXPORT int mtx_unlock(mtx_t* mutex) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::mtx_unlock, mutex);
  return c11_result(unlock_mutex(*self, inside(mutex), UNRAVEL_SITE));
}

// --- Condition variables -------------------------------------------------------------------------

UNRAVEL_EXPORT int cnd_init(cnd_t* cond) {
  forget(cond);
  return real::cnd_init(cond);
}

UNRAVEL_EXPORT void cnd_destroy(cnd_t* cond) {
  forget(cond);
  real::cnd_destroy(cond);
}

UNRAVEL_EXPORT int cnd_wait(cnd_t* cond, mtx_t* mutex) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::cnd_wait, cond, mutex);
  return c11_result(
      wait_on(*self, inside(cond), inside(mutex), CLOCK_REALTIME, nullptr, UNRAVEL_SITE));
}

UNRAVEL_EXPORT int cnd_timedwait(cnd_t* cond, mtx_t* mutex, const timespec* until) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::cnd_timedwait, cond, mutex, until);
  return c11_result(
      wait_on(*self, inside(cond), inside(mutex), CLOCK_REALTIME, until, UNRAVEL_SITE));
}

UNRAVEL_EXPORT int cnd_signal(cnd_t* cond) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::cnd_signal, cond);
  return c11_result(signal_one(*self, inside(cond), UNRAVEL_SITE));
}

UNRAVEL_EXPORT int cnd_broadcast(cnd_t* cond) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::cnd_broadcast, cond);
  return c11_result(signal_all(*self, inside(cond), UNRAVEL_SITE));
}

UNRAVEL_EXPORT void call_once(once_flag* flag, void (*routine)()) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::call_once, flag, routine);
  run_once(*self, inside(flag), routine, UNRAVEL_SITE);
}
