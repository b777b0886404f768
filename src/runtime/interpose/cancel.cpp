/// Cancellation. A request is a flag of ours, never a signal. The thread acts on it when it has the
/// turn, at a cancellation point that we interpose. It ends like pthread_exit(PTHREAD_CANCELED);
/// libc does the same.
#include "runtime/interpose/cancel.hpp"

#include <errno.h>
#include <pthread.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/stream.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

void cancellation_point(Thread& self) {
  if (!self.cancel.is_due()) return;
  if (CancelUndo* undo = self.cancel.undo) {
    self.cancel.undo = nullptr;
    self.cancel.exiting = true;  // the thread is ending: it cannot be cancelled again
    undo->run(*undo);
  }
  StreamHold::release_all(self);
  runtime().thread_exit().leave_cancelled(self);
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_cancel(pthread_t handle) {
  Thread* self = controlled_thread();
  Thread* target = self ? scheduler().threads().with_handle(handle) : nullptr;
  if (!target) return pass_through(UNRAVEL_SITE, real::pthread_cancel, handle);
  const Op op{.kind = wire::Operation::kCancel,
              .object = target,
              .site = UNRAVEL_SITE,
              .number = target->ordinal};
  scheduler().reach(*self, op);
  // The thread may have ended while we waited for the turn.
  if (target->in_use && target->handle == handle) scheduler().waiting().cancel(*target);
  did(*self, op, 0);
  if (self->cancel.asynchronous) cancellation_point(*self);
  return 0;
}

UNRAVEL_EXPORT void pthread_testcancel() {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_testcancel);
  const Op op{.kind = wire::Operation::kTestCancel, .site = UNRAVEL_SITE};
  scheduler().reach(*self, op);
  did(*self, op, 0);
  cancellation_point(*self);
}

UNRAVEL_EXPORT int pthread_setcancelstate(int state, int* old) {
  const int error = real::pthread_setcancelstate(state, old);
  Thread* self = controlled_thread();
  if (!self || error) return error;
  self->cancel.disabled = state == PTHREAD_CANCEL_DISABLE;
  if (self->cancel.asynchronous) cancellation_point(*self);
  return 0;
}

UNRAVEL_EXPORT int pthread_setcanceltype(int type, int* old) {
  const int error = real::pthread_setcanceltype(type, old);
  Thread* self = controlled_thread();
  if (!self || error) return error;
  self->cancel.asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (self->cancel.asynchronous) cancellation_point(*self);
  return 0;
}

/// A thread that exits by itself is not cancelled on its way out.
UNRAVEL_EXPORT void pthread_exit(void* result) {
  if (Thread* self = controlled_thread()) {
    runtime().thread_exit().load_unwinder();
    self->cancel.exiting = true;
    self->signals.handlers = nullptr;  // their frames are unwound with the others
  }
  real::pthread_exit(result);
  __builtin_unreachable();
}
