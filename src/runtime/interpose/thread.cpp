/// Threads: creation, joining, detaching. Their end is thread_exit.cpp's.
#include "runtime/interpose/thread.hpp"

#include <errno.h>
#include <unistd.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/moment.hpp"
#include "runtime/os/real.hpp"
#include "runtime/process/fork_server.hpp"

namespace unravel {

namespace {

struct Start {
  Thread* thread;
  void* (*routine)(void*);
  void* argument;
};

void* thread_main(void* argument) {
  const Start start = *static_cast<Start*>(argument);  // the creator's frame stays until we rest
  Thread& self = *start.thread;
  hold_back_signals();  // its attributes may say otherwise
  self.kernel_id = gettid();
  self.record->kernel_id = self.kernel_id;
  current_thread = &self;
  call_stack = runtime().call_stack_of(self.slot);
  runtime().thread_exit().expect(self);
  give_signal_stack(runtime().signal_stack(self.slot));
  runtime().switcher().rest(self);

  scheduler().start_thread(self);
  void* result = start.routine(start.argument);
  self.exiting = true;
  return result;
}

bool is_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

/// The mask that attributes give a new thread; false: none.
bool has_mask(const pthread_attr_t* attributes, std::uint64_t* mask) {
  sigset_t set{};
  if (!attributes || pthread_attr_getsigmask_np(attributes, &set) != 0) return false;
  *mask = bits_of(set) & ~kNotOurs;
  return true;
}

/// The new thread's stack may have been another's. glibc keeps a thread's descriptor, which is what
/// its handle points to, at the upper end of its stack.
void note_stack(pthread_t handle, const pthread_attr_t* attributes) {
  pthread_attr_t usual;
  if (!attributes) {
    pthread_attr_init(&usual);
    attributes = &usual;
  }
  std::size_t size = 0;
  pthread_attr_getstacksize(attributes, &size);
  // Thread-local variables lie up there, too; what is below them need not be exact.
  constexpr std::size_t kRest = 16384;
  if (size <= kRest) return;
  size -= kRest;
  recorder.note(wire::Operation::kFresh, handle - size, 0, size, nullptr);
}

bool has_ended(const Op& op, const Thread&) { return static_cast<const Thread*>(op.object)->ended; }

/// What glibc would answer at once, or 0: it has to wait.
int join_error(const Thread& self, const Thread& target) {
  const bool joins_self =
      target.pending.kind == wire::Operation::kJoin && target.pending.object == &self;
  // Whoever of the two was cancelled does not wait for ever.
  if (joins_self && !target.cancel_pending && !self.is_cancelled()) return EDEADLK;
  const Object* object = scheduler().objects().find(&target);
  for (const Thread* other = object ? object->contenders.first : nullptr; other;
       other = other->next) {
    if (other->pending.kind == wire::Operation::kJoin) return EINVAL;  // somebody joins it already
  }
  return 0;
}

}  // namespace

int join_thread(Thread& self, pthread_t handle, void** result, std::uint64_t deadline,
                const void* site) {
  Thread* target = scheduler().thread_with_handle(handle);
  if (target == &self) cancellation_point(self);
  // Unknown, itself, or detached: libc answers at once.
  if (!target || target == &self || target->detached) return real::pthread_join(handle, result);
  if (const int error = join_error(self, *target)) return error;

  const Op op{.kind = wire::Operation::kJoin,
              .object = target,
              .site = site,
              .can = has_ended,
              .deadline = deadline,
              .number = target->ordinal,
              .cancellable = true};
  scheduler().reach(self, op);
  if (!target->ended && !self.timed_out) cancellation_point(self);
  const int error = self.timed_out ? ETIMEDOUT : real::pthread_join(handle, result);
  if (error == 0) scheduler().forget_thread(*target);
  did(self, op, error);
  return error;
}

namespace {

/// `moment` null: for ever. Like glibc it looks at the clock and the moment only if it has to wait.
int join_until(Thread& self, pthread_t handle, void** result, clockid_t clock,
               const timespec* moment, const void* site) {
  if (!moment) return join_thread(self, handle, result, kNever, site);
  const Thread* target = scheduler().thread_with_handle(handle);
  const bool waits = target && target != &self && !target->detached && !target->ended;
  const bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
  if (waits && (!known || !is_valid(*moment))) return EINVAL;
  return join_thread(self, handle, result, deadline_at(scheduler().time(), clock, *moment), site);
}

}  // namespace

int create_thread(Thread& self, pthread_t* handle, const pthread_attr_t* attributes,
                  void* (*routine)(void*), void* argument, const void* site) {
  const ErrnoKeeper keeper;
  if (runtime().control().mode.load() == wire::Mode::kNotYet) ForkServer(runtime()).serve();

  Op op{.kind = wire::Operation::kCreate, .site = site};
  scheduler().reach(self, op);
  Thread* created = scheduler().make_thread();
  if (!created) {
    did(self, op, EAGAIN);
    return EAGAIN;
  }
  op.number = created->ordinal;
  created->detached = is_detached(attributes);
  const Signals& signals = runtime().signals();
  const bool by_default = !attributes && signals.has_default_mask;
  created->signal_mask = by_default ? signals.default_mask : self.signal_mask;
  has_mask(attributes, &created->signal_mask);
  created->affinity = self.affinity;
  Start start{created, routine, argument};
  pthread_t made = 0;
  const int error = real::pthread_create(&made, attributes, thread_main, &start);
  if (error) {
    scheduler().drop_thread(*created);
    did(self, op, error);
    return error;
  }
  *handle = made;
  created->handle = made;
  runtime().switcher().await_rest(*created);
  runtime().control().thread_slots = scheduler().slots();
  scheduler().thread_is_ready(*created, reinterpret_cast<const void*>(routine));
  if (recorder.on()) note_stack(made, attributes);
  did(self, op, 0);
  return 0;
}

int detach_thread(Thread& self, pthread_t handle, const void* site) {
  Thread* target = scheduler().thread_with_handle(handle);
  if (!target) return real::pthread_detach(handle);
  const Op op{
      .kind = wire::Operation::kDetach, .object = target, .site = site, .number = target->ordinal};
  scheduler().reach(self, op);
  const int error = real::pthread_detach(handle);
  if (error == 0) {
    target->detached = true;
    if (target->ended) scheduler().forget_thread(*target);
  }
  did(self, op, error);
  return error;
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                  void* (*routine)(void*), void* argument) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_create(handle, attributes, routine, argument);
  return create_thread(*self, handle, attributes, routine, argument, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_setattr_default_np(const pthread_attr_t* attributes) noexcept {
  const int error = real::pthread_setattr_default_np(attributes);
  if (error || !controlled_thread()) return error;
  Signals& signals = runtime().signals();
  signals.has_default_mask = has_mask(attributes, &signals.default_mask);
  return 0;
}

UNRAVEL_EXPORT int pthread_join(pthread_t handle, void** result) {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_join(handle, result);
  return join_thread(*self, handle, result, kNever, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* moment) {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_timedjoin_np(handle, result, moment);
  return join_until(*self, handle, result, CLOCK_REALTIME, moment, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                        const timespec* moment) {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_clockjoin_np(handle, result, clock, moment);
  return join_until(*self, handle, result, clock, moment, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
  Thread* self = controlled_thread();
  Thread* target = self ? scheduler().thread_with_handle(handle) : nullptr;
  if (!target) return real::pthread_tryjoin_np(handle, result);
  const Op op{.kind = wire::Operation::kTryJoin,
              .object = target,
              .site = UNRAVEL_SITE,
              .number = target->ordinal};
  scheduler().reach_attempt(*self, op);
  const int error = target->ended ? real::pthread_join(handle, result) : EBUSY;
  if (error == 0) scheduler().forget_thread(*target);
  if (error == EBUSY) scheduler().failed_attempt(*self, op);
  did(*self, op, error);
  return error;
}

UNRAVEL_EXPORT int pthread_detach(pthread_t handle) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_detach(handle);
  return detach_thread(*self, handle, UNRAVEL_SITE);
}
