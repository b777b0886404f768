/// Thread-specific keys. One of libc's keys is ours, to notice the end of threads. When the program
/// has all the others, it gets that one too, and its values are kept separately.
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

ThreadExit& thread_exit() { return runtime().thread_exit(); }

bool is_shared(pthread_key_t key) { return current_thread && key == thread_exit().key(); }

/// Returns whether the key could be lent.
bool lend(pthread_key_t* key, ThreadExit::Destructor destructor) {
  if (!current_thread || thread_exit().is_lent()) return false;
  thread_exit().lend(destructor);
  *key = thread_exit().key();
  return true;
}

/// Returns false if the program does not have the key.
bool take_back() {
  if (!thread_exit().is_lent()) return false;
  thread_exit().take_back();
  for (std::uint32_t slot = 0; slot < scheduler().threads().slots(); ++slot) {
    scheduler().threads().by_slot()[slot]->interposer.lent_value = nullptr;
  }
  return true;
}

bool keep(const void* value) {
  if (!thread_exit().is_lent()) return false;
  current_thread->interposer.lent_value = const_cast<void*>(value);
  return true;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  const int error = real::pthread_key_create(key, destructor);
  return error == EAGAIN && lend(key, destructor) ? 0 : error;
}

UNRAVEL_EXPORT int __pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  return pthread_key_create(key, destructor);
}

UNRAVEL_EXPORT int pthread_key_delete(pthread_key_t key) noexcept {
  if (!is_shared(key)) return real::pthread_key_delete(key);
  return take_back() ? 0 : EINVAL;
}

UNRAVEL_EXPORT void* pthread_getspecific(pthread_key_t key) noexcept {
  return is_shared(key) ? current_thread->interposer.lent_value : real::pthread_getspecific(key);
}

UNRAVEL_EXPORT void* __pthread_getspecific(pthread_key_t key) noexcept {
  return pthread_getspecific(key);
}

UNRAVEL_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (!is_shared(key)) return real::pthread_setspecific(key, value);
  return keep(value) ? 0 : EINVAL;
}

UNRAVEL_EXPORT int __pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  return pthread_setspecific(key, value);
}

UNRAVEL_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  const int answer = real::tss_create(key, destructor);
  return answer != thrd_success && lend(key, destructor) ? thrd_success : answer;
}

UNRAVEL_EXPORT void tss_delete(tss_t key) {
  if (is_shared(key)) {
    take_back();
  } else {
    real::tss_delete(key);
  }
}

UNRAVEL_EXPORT void* tss_get(tss_t key) {
  return is_shared(key) ? current_thread->interposer.lent_value : real::tss_get(key);
}

UNRAVEL_EXPORT int tss_set(tss_t key, void* value) {
  if (!is_shared(key)) return real::tss_set(key, value);
  return keep(value) ? thrd_success : thrd_error;
}
