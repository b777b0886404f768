/// Priority-inheriting futexes: locks whose word holds the owner's thread id. Only one thread runs
/// at a time, so there is no priority to inherit. We know which threads wait, and the scheduler
/// chooses which of them gets the lock next.
#include <errno.h>
#include <linux/futex.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/futex.hpp"

namespace unravel {

namespace {

std::uint32_t value_at(const void* word) {
  return __atomic_load_n(static_cast<const std::uint32_t*>(word), __ATOMIC_SEQ_CST);
}

std::uint32_t id_of(const Thread& thread) {
  return static_cast<std::uint32_t>(shown_process(thread.kernel_id));
}

bool is_free(const Op& op, const Thread&) { return !(value_at(op.object) & FUTEX_TID_MASK); }

bool others_wait(const void* word) {
  const Object* object = scheduler().objects().find(word);
  return object && object->contenders.size > 0;
}

/// Whether the owner is a live thread of ours.
bool is_owner_known(std::uint32_t word) {
  for (std::uint32_t slot = 0; slot < scheduler().threads().slots(); ++slot) {
    const Thread* thread = scheduler().threads().by_slot()[slot];
    if (thread->in_use && !thread->ended && id_of(*thread) == (word & FUTEX_TID_MASK)) return true;
  }
  return false;
}

/// EAGAIN: another thread owns it.
int attempt(const Thread& self, std::uint32_t* word) {
  const std::uint32_t value = value_at(word);
  const std::uint32_t owner = value & FUTEX_TID_MASK;
  if (owner == id_of(self)) return EDEADLK;
  if (owner) return EAGAIN;
  const std::uint32_t waiters = others_wait(word) ? FUTEX_WAITERS : 0;
  __atomic_store_n(word, id_of(self) | (value & FUTEX_OWNER_DIED) | waiters, __ATOMIC_SEQ_CST);
  return 0;
}

int try_lock(Thread& self, std::uint32_t* word, const void* site) {
  const Op op{.kind = wire::Operation::kTryLock, .object = word, .site = site};
  return try_once(self, op, EAGAIN, [&] { return attempt(self, word); });
}

int unlock(Thread& self, std::uint32_t* word, const void* site) {
  const Op op{.kind = wire::Operation::kUnlock, .object = word, .site = site};
  scheduler().reach(self, op);
  const bool owns = (value_at(word) & FUTEX_TID_MASK) == id_of(self);
  if (owns) {
    // While the flag is set, user code cannot take the lock without calling us.
    __atomic_store_n(word, others_wait(word) ? FUTEX_WAITERS : 0, __ATOMIC_SEQ_CST);
    scheduler().objects().released(self, word);
  }
  did(self, op, owns ? 0 : EPERM);
  return owns ? 0 : EPERM;
}

std::uint64_t deadline_of(const FutexCall& call) {
  if (!call.timeout) return kNever;
  const bool realtime = call.command() == FUTEX_LOCK_PI || (call.operation & FUTEX_CLOCK_REALTIME);
  return deadline_at(scheduler().time(), realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                     *call.timeout);
}

/// Waits on the first word, then takes the second.
int wait_and_lock(Thread& self, const FutexCall& call, const void* site) {
  if (call.second == call.word) return EINVAL;
  const std::uint64_t deadline = deadline_of(call);
  const Op op{
      .kind = wire::Operation::kFutexWait, .object = call.word, .site = site, .deadline = deadline};
  scheduler().reach_attempt(self, op);
  if (value_at(call.word) != call.value) {
    scheduler().failed_attempt(self, op);
    did(self, op, EAGAIN);
    return EAGAIN;
  }
  switch (scheduler().waiting().wait(self, scheduler().objects().at(call.word), op)) {
    case Waiting::Woken::kByWake: return lock_inheriting(self, call.second, deadline, site);
    case Waiting::Woken::kByDeadline: return ETIMEDOUT;
    case Waiting::Woken::kBySignal: return EAGAIN;  // the caller checks the word again
  }
  __builtin_unreachable();
}

/// Each woken thread takes the second word by itself.
long wake_to_lock(Thread& self, const FutexCall& call, const void* site) {
  ErrnoKeeper keeper;
  const auto most = static_cast<std::int32_t>(call.second_count());
  if (call.value != 1 || most < 0 || call.second == call.word) return keeper.fail(EINVAL);
  const Op op{.kind = wire::Operation::kFutexRequeue, .object = call.word, .site = site};
  scheduler().reach(self, op);
  if (value_at(call.word) != call.bits) {
    did(self, op, EAGAIN);
    return keeper.fail(EAGAIN);
  }
  const std::uint32_t woken =
      wake_on_futex(self, call.word, 1 + call.second_count(), FUTEX_BITSET_MATCH_ANY);
  scheduler().did(self, op, wire::EventResult::kDone, woken);
  return woken;
}

}  // namespace

int lock_inheriting(Thread& self, std::uint32_t* word, std::uint64_t deadline, const void* site) {
  const Op op{.kind = wire::Operation::kLock,
              .object = word,
              .site = site,
              .can = is_free,
              .deadline = deadline};
  const std::uint32_t value = value_at(word);
  if ((value & FUTEX_TID_MASK) == id_of(self)) return EDEADLK;
  if ((value & FUTEX_TID_MASK) && !is_owner_known(value)) return ESRCH;
  // With the flag set, the owner cannot release the lock without calling us.
  if (value & FUTEX_TID_MASK) __atomic_fetch_or(word, FUTEX_WAITERS, __ATOMIC_SEQ_CST);
  return scheduler().acquire(self, op, EAGAIN, ETIMEDOUT, [&] {
    const int error = attempt(self, word);
    if (error == EAGAIN) __atomic_fetch_or(word, FUTEX_WAITERS, __ATOMIC_SEQ_CST);
    return error;
  });
}

Answer inheriting_futex(Thread& self, const FutexCall& call, const void* site) {
  ErrnoKeeper keeper;
  const auto answer = [&](int error) { return error ? keeper.fail(error) : 0; };
  const int command = call.command();
  const bool waits =
      command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2 || command == FUTEX_WAIT_REQUEUE_PI;
  if (waits && call.timeout && (!is_valid(*call.timeout) || call.timeout->tv_sec < 0)) {
    return answer(EINVAL);
  }
  switch (command) {
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2: return answer(lock_inheriting(self, call.word, deadline_of(call), site));
    case FUTEX_TRYLOCK_PI: return answer(try_lock(self, call.word, site));
    case FUTEX_UNLOCK_PI: return answer(unlock(self, call.word, site));
    case FUTEX_WAIT_REQUEUE_PI:
      if (const int error = futex_word_error(call.second)) return answer(error);
      return answer(wait_and_lock(self, call, site));
    case FUTEX_CMP_REQUEUE_PI:
      if (const int error = futex_word_error(call.second)) return answer(error);
      return wake_to_lock(self, call, site);
    default: return {};  // the kernel does not know it
  }
}

}  // namespace unravel
