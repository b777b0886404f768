/// Creating, joining and detaching threads. thread_exit.cpp handles their end.
#include "runtime/interpose/thread.hpp"

#include <errno.h>
#include <unistd.h>

#include "runtime/interpose/affinity.hpp"
#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/fork_server.hpp"

namespace unravel {

namespace {

void prepare_thread(Thread& self) {
  current_thread = &self;
  call_stack = runtime().call_stack_of(self.slot);
  runtime().thread_exit().expect(self);
  give_signal_stack(runtime().signal_stack(self.slot));
}

void* run_thread(Thread& self, void* (*routine)(void*), void* argument) {
  scheduler().life().start(self);
  void* result = routine(argument);
  self.cancel.exiting = true;
  return result;
}

bool is_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

/// The defaults of pthread_setattr_default_np for threads without attributes. Only a signal mask
/// and the detached state matter to us.
class UsualAttributes {
 public:
  UsualAttributes() {
    if (pthread_getattr_default_np(&attributes_) != 0) return;
    sigset_t mask;
    matters_ = is_detached(&attributes_) || pthread_attr_getsigmask_np(&attributes_, &mask) == 0;
    has_ = true;
  }
  ~UsualAttributes() {
    if (has_) pthread_attr_destroy(&attributes_);
  }
  UsualAttributes(const UsualAttributes&) = delete;
  UsualAttributes& operator=(const UsualAttributes&) = delete;

  [[nodiscard]] const pthread_attr_t* or_null() const { return matters_ ? &attributes_ : nullptr; }

 private:
  pthread_attr_t attributes_{};
  bool has_ = false;
  bool matters_ = false;
};

/// The signal mask that attributes give a new thread. While this lives, the attributes have none:
/// the kernel's mask is the same in every thread.
class MaskOfAttributes {
 public:
  explicit MaskOfAttributes(const pthread_attr_t* attributes)
      : attributes_(const_cast<pthread_attr_t*>(attributes)) {
    is_set_ = attributes && pthread_attr_getsigmask_np(attributes, &set_) == 0;
    if (is_set_) pthread_attr_setsigmask_np(attributes_, nullptr);
  }
  ~MaskOfAttributes() {
    if (is_set_) pthread_attr_setsigmask_np(attributes_, &set_);
  }
  MaskOfAttributes(const MaskOfAttributes&) = delete;
  MaskOfAttributes& operator=(const MaskOfAttributes&) = delete;

  [[nodiscard]] bool is_set() const { return is_set_; }
  [[nodiscard]] std::uint64_t bits() const { return bits_of(set_) & ~kNotOurs; }

 private:
  pthread_attr_t* attributes_;
  sigset_t set_{};
  bool is_set_ = false;
};

/// The new thread's stack may have belonged to another thread. glibc keeps a thread's descriptor,
/// to which its handle points, at the upper end of its stack.
void annotate_stack(pthread_t handle, const pthread_attr_t* attributes) {
  pthread_attr_t usual;
  if (!attributes) {
    pthread_attr_init(&usual);
    attributes = &usual;
  }
  std::size_t size = 0;
  pthread_attr_getstacksize(attributes, &size);
  // Thread-local variables are up there, too. The boundary below them need not be exact. Chosen by
  // hand.
  constexpr std::size_t kRest = 16384;
  if (size <= kRest) return;
  size -= kRest;
  recorder.annotate(wire::Operation::kFresh, handle - size, 0, size, nullptr);
}

bool has_ended(const Op& op, const Thread&) { return static_cast<const Thread*>(op.object)->ended; }

/// The error that glibc returns at once; 0: the join has to wait.
int join_error(const Thread& self, const Thread& target) {
  const bool joins_us =
      target.pending.kind == wire::Operation::kJoin && target.pending.object == &self;
  // A cancelled thread leaves its join soon; libc does not check whether it may be cancelled.
  if (joins_us && !target.cancel.pending && !target.cancel.exiting && !self.cancel.is_due())
    return EDEADLK;
  const Object* object = scheduler().objects().find(&target);
  for (const Thread* other = object ? object->contenders.first : nullptr; other;
       other = other->list.next) {
    if (other->pending.kind == wire::Operation::kJoin) return EINVAL;  // it is being joined
  }
  return 0;
}

}  // namespace

int join_thread(Thread& self, pthread_t handle, void** result, std::uint64_t deadline,
                const void* site) {
  Thread* target = scheduler().threads().with_handle(handle);
  if (target == &self) cancellation_point(self);
  // Unknown, the caller itself, or detached: libc answers at once.
  if (!target || target == &self || target->detached)
    return pass_through(site, real::pthread_join, handle, result);
  if (const int error = join_error(self, *target)) return error;

  const Op op{.kind = wire::Operation::kJoin,
              .object = target,
              .site = site,
              .can = has_ended,
              .deadline = deadline,
              .number = target->ordinal,
              .also = reinterpret_cast<std::uint64_t>(result),
              .cancellable = true};
  scheduler().reach(self, op);
  if (!target->ended && !self.timed_out) cancellation_point(self);
  const int error = self.timed_out ? ETIMEDOUT : real::pthread_join(handle, result);
  if (error == 0) scheduler().threads().forget(*target);
  did(self, op, error);
  return error;
}

namespace {

/// `until` null: for ever. Like glibc, it checks the clock and `until` only if it has to wait.
int join_until(Thread& self, pthread_t handle, void** result, clockid_t clock,
               const timespec* until, const void* site) {
  if (!until) return join_thread(self, handle, result, kNever, site);
  const Thread* target = scheduler().threads().with_handle(handle);
  const bool waits = target && target != &self && !target->detached && !target->ended;
  const bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
  if (waits && (!known || !is_valid(*until))) return EINVAL;
  return join_thread(self, handle, result, deadline_at(scheduler().time(), clock, *until), site);
}

}  // namespace

int create_thread(Thread& self, pthread_t* handle, const pthread_attr_t* attributes,
                  void* (*routine)(void*), void* argument, const void* site) {
  const ErrnoKeeper keeper;
  if (runtime().control().mode.load() == wire::Mode::kNotYet) ForkServer(runtime()).serve();

  Op op{.kind = wire::Operation::kCreate,
        .site = site,
        .also = reinterpret_cast<std::uint64_t>(handle)};
  scheduler().reach(self, op);
  Thread* created = scheduler().life().make();
  if (!created) {
    scheduler().give_up(self,
                        "the program has more threads than unravel can control: 4,096 at one "
                        "time, or a million in one run");
  }
  op.number = created->ordinal;
  const UsualAttributes usual;
  if (!attributes) attributes = usual.or_null();
  created->detached = is_detached(attributes);
  created->signals.mask = self.signals.mask;
  const MaskOfAttributes own_mask(attributes);
  if (own_mask.is_set()) created->signals.mask = own_mask.bits();
  created->interposer.affinity = self.interposer.affinity;
  const AffinityOfAttributes cpus(attributes);
  int error = cpus.give_to(*created);
  if (!error) {
    error = runtime().back_end().create({.thread = *created,
                                         .attributes = attributes,
                                         .routine = routine,
                                         .argument = argument,
                                         .prepare = prepare_thread,
                                         .run = run_thread});
  }
  if (error) {
    scheduler().life().drop(*created);
    did(self, op, error);
    return error;
  }
  *handle = created->handle;
  runtime().control().thread_slots = scheduler().threads().slots();
  scheduler().life().ready(*created, reinterpret_cast<const void*>(routine));
  if (recorder.on()) annotate_stack(created->handle, attributes);
  did(self, op, 0);
  return 0;
}

int detach_thread(Thread& self, pthread_t handle, const void* site) {
  Thread* target = scheduler().threads().with_handle(handle);
  if (!target) return pass_through(site, real::pthread_detach, handle);
  const Op op{
      .kind = wire::Operation::kDetach, .object = target, .site = site, .number = target->ordinal};
  scheduler().reach(self, op);
  const int error = real::pthread_detach(handle);
  if (error == 0) {
    target->detached = true;
    if (target->ended) scheduler().threads().forget(*target);
  }
  did(self, op, error);
  return error;
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                  void* (*routine)(void*), void* argument) noexcept {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::pthread_create, handle, attributes, routine, argument);
  return create_thread(*self, handle, attributes, routine, argument, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_join(pthread_t handle, void** result) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_join, handle, result);
  return join_thread(*self, handle, result, kNever, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* until) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_timedjoin_np, handle, result, until);
  return join_until(*self, handle, result, CLOCK_REALTIME, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                        const timespec* until) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::pthread_clockjoin_np, handle, result, clock, until);
  return join_until(*self, handle, result, clock, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
  Thread* self = controlled_thread();
  Thread* target = self ? scheduler().threads().with_handle(handle) : nullptr;
  if (!target) return pass_through(UNRAVEL_SITE, real::pthread_tryjoin_np, handle, result);
  const Op op{.kind = wire::Operation::kTryJoin,
              .object = target,
              .site = UNRAVEL_SITE,
              .number = target->ordinal,
              .also = reinterpret_cast<std::uint64_t>(result)};
  scheduler().reach_attempt(*self, op);
  const int error = target->ended ? real::pthread_join(handle, result) : EBUSY;
  if (error == 0) scheduler().threads().forget(*target);
  if (error == EBUSY) scheduler().failed_attempt(*self, op);
  did(*self, op, error);
  return error;
}

UNRAVEL_EXPORT int pthread_detach(pthread_t handle) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_detach, handle);
  return detach_thread(*self, handle, UNRAVEL_SITE);
}
