#include "runtime/interpose/futex.hpp"

#include <errno.h>
#include <linux/futex.h>
#include <sys/uio.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/elsewhere.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

int FutexCall::command() const { return operation & FUTEX_CMD_MASK; }
bool FutexCall::is_shared() const { return !(operation & FUTEX_PRIVATE_FLAG); }

int futex_word_error(const std::uint32_t* word) {
  if (reinterpret_cast<std::uintptr_t>(word) % sizeof(*word)) return EINVAL;
  // The first word was already read. For a second one, addresses that can never be mapped are
  // refused.
  constexpr std::uintptr_t kLowestMapped = 0x10000;
  constexpr std::uintptr_t kHighest = std::uintptr_t{1} << 47;
  const auto address = reinterpret_cast<std::uintptr_t>(word);
  return address < kLowestMapped || address >= kHighest ? EFAULT : 0;
}

namespace {

std::uint32_t value_at(const std::uint32_t* word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

/// Waits until it is woken, or until another process has changed the word.
Waiting::Woken wait_on_word(Thread& self, const FutexCall& call, const Op& op) {
  const Elsewhere elsewhere(self, call.is_shared());
  auto woken = scheduler().waiting().wait(self, scheduler().objects().at(call.word), op);
  while (woken == Waiting::Woken::kBySignal && self.outside && self.retry) {
    if (value_at(call.word) != call.value) return Waiting::Woken::kByWake;
    woken = scheduler().waiting().wait_again(self, scheduler().objects().at(call.word), op);
  }
  return woken;
}

long wait(Thread& self, const FutexCall& call, const void* site) {
  ErrnoKeeper keeper;
  const bool relative = call.command() == FUTEX_WAIT;
  if (!relative && call.bits == 0) return keeper.fail(EINVAL);
  Op op{.kind = wire::Operation::kFutexWait, .object = call.word, .site = site};
  if (call.timeout) {
    if (!is_valid(*call.timeout) || call.timeout->tv_sec < 0) return keeper.fail(EINVAL);
    const VirtualTime& time = scheduler().time();
    const bool realtime = call.operation & FUTEX_CLOCK_REALTIME;
    op.deadline =
        relative ? deadline_after(time, nanoseconds(*call.timeout))
                 : deadline_at(time, realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, *call.timeout);
  }
  scheduler().reach_attempt(self, op);
  if (value_at(call.word) != call.value) {
    scheduler().failed_attempt(self, op);
    did(self, op, EAGAIN);
    return keeper.fail(EAGAIN);
  }
  self.futex_bits = relative ? FUTEX_BITSET_MATCH_ANY : call.bits;
  const auto woken = wait_on_word(self, call, op);
  self.futex_bits = ~0u;
  switch (woken) {
    case Waiting::Woken::kByWake: return 0;
    case Waiting::Woken::kByDeadline: return keeper.fail(ETIMEDOUT);
    case Waiting::Woken::kBySignal: return keeper.fail(EINTR);
  }
  __builtin_unreachable();
}

/// The kernel wakes one waiter even if it is asked for none.
std::uint32_t at_least_one(std::uint32_t most) {
  return static_cast<std::int32_t>(most) <= 0 ? 1 : most;
}

long wake(Thread& self, const FutexCall& call, const void* site) {
  ErrnoKeeper keeper;
  const bool any = call.command() == FUTEX_WAKE;
  if (!any && call.bits == 0) return keeper.fail(EINVAL);
  const Op op{.kind = wire::Operation::kFutexWake, .object = call.word, .site = site};
  scheduler().reach(self, op);
  const std::uint32_t most = at_least_one(call.value);
  const std::uint32_t woken =
      wake_on_futex(self, call.word, most, any ? FUTEX_BITSET_MATCH_ANY : call.bits);
  wake_on_futex_elsewhere(call, call.word, most - woken);
  scheduler().did(self, op, wire::EventResult::kDone, woken);
  return woken;
}

long requeue(Thread& self, const FutexCall& call, const void* site) {
  ErrnoKeeper keeper;
  const bool compares = call.command() == FUTEX_CMP_REQUEUE;
  const auto count = static_cast<std::int32_t>(call.value);
  const auto most = static_cast<std::int32_t>(call.second_count());
  if (count < 0 || most < 0) return keeper.fail(EINVAL);
  if (const int error = futex_word_error(call.second)) return keeper.fail(error);
  const Op op{.kind = wire::Operation::kFutexRequeue,
              .object = call.word,
              .site = site,
              .also = reinterpret_cast<std::uint64_t>(call.second)};
  scheduler().reach(self, op);
  if (compares && value_at(call.word) != call.bits) {
    did(self, op, EAGAIN);
    return keeper.fail(EAGAIN);
  }
  std::uint32_t woken = 0;
  std::uint32_t moved = 0;
  if (Object* from = scheduler().objects().find(call.word)) {
    woken = scheduler().waiting().wake(self, *from, call.value);
    // `from` stays valid: at() may grow the table, but objects never move.
    moved = call.second == call.word
                ? 0
                : scheduler().waiting().requeue(*from, scheduler().objects().at(call.second),
                                                call.second_count());
  }
  wake_on_futex_elsewhere(call, call.word, call.value);
  scheduler().did(self, op, wire::EventResult::kDone, woken + moved);
  return compares ? woken + moved : woken;
}

/// What FUTEX_WAKE_OP does to its second word and when it wakes there, decoded from one number.
struct WordChange {
  explicit WordChange(std::uint32_t code)
      : operation(code >> 28 & 7),
        comparison(code >> 24 & 15),
        operand(static_cast<std::int32_t>(code << 8) >> 20),
        compared(static_cast<std::int32_t>(code << 20) >> 20) {
    if (code >> 28 & FUTEX_OP_OPARG_SHIFT) operand = std::int32_t{1} << (operand & 31);
  }

  [[nodiscard]] bool is_known() const {
    return operation <= FUTEX_OP_XOR && comparison <= FUTEX_OP_CMP_GE;
  }
  [[nodiscard]] std::int32_t applied_to(std::int32_t old) const {
    switch (operation) {
      case FUTEX_OP_SET: return operand;
      case FUTEX_OP_ADD:
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(old) +
                                         static_cast<std::uint32_t>(operand));
      case FUTEX_OP_OR: return old | operand;
      case FUTEX_OP_ANDN: return old & ~operand;
      default: return old ^ operand;
    }
  }
  [[nodiscard]] bool wakes(std::int32_t old) const {
    switch (comparison) {
      case FUTEX_OP_CMP_EQ: return old == compared;
      case FUTEX_OP_CMP_NE: return old != compared;
      case FUTEX_OP_CMP_LT: return old < compared;
      case FUTEX_OP_CMP_LE: return old <= compared;
      case FUTEX_OP_CMP_GT: return old > compared;
      default: return old >= compared;
    }
  }

  unsigned operation;
  unsigned comparison;
  std::int32_t operand;
  std::int32_t compared;
};

long change_and_wake(Thread& self, const FutexCall& call, const void* site) {
  ErrnoKeeper keeper;
  if (const int error = futex_word_error(call.second)) return keeper.fail(error);
  const WordChange change(call.bits);
  if (!change.is_known()) return keeper.fail(ENOSYS);
  const Op op{.kind = wire::Operation::kFutexWake,
              .object = call.word,
              .site = site,
              .also = reinterpret_cast<std::uint64_t>(call.second)};
  scheduler().reach(self, op);
  std::uint32_t old = value_at(call.second);
  while (!__atomic_compare_exchange_n(
      call.second, &old,
      static_cast<std::uint32_t>(change.applied_to(static_cast<std::int32_t>(old))), false,
      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  const std::uint32_t most = at_least_one(call.value);
  std::uint32_t woken = wake_on_futex(self, call.word, most, FUTEX_BITSET_MATCH_ANY);
  wake_on_futex_elsewhere(call, call.word, most - woken);
  if (change.wakes(static_cast<std::int32_t>(old))) {
    const std::uint32_t more = at_least_one(call.second_count());
    const std::uint32_t there = wake_on_futex(self, call.second, more, FUTEX_BITSET_MATCH_ANY);
    wake_on_futex_elsewhere(call, call.second, more - there);
    woken += there;
  }
  scheduler().did(self, op, wire::EventResult::kDone, woken);
  return woken;
}

}  // namespace

void wake_on_futex_elsewhere(const FutexCall& call, const std::uint32_t* word, std::uint32_t most) {
  if (!call.is_shared() || !most || !runtime().outsiders().has_child()) return;
  os::call(SYS_futex, os::as_argument(word), FUTEX_WAKE, most, 0, 0, 0);
}

Answer futex(Thread& self, const long (&arguments)[6], const void* site) {
  const FutexCall call{.word = reinterpret_cast<std::uint32_t*>(arguments[0]),
                       .operation = static_cast<int>(arguments[1]),
                       .value = static_cast<std::uint32_t>(arguments[2]),
                       .timeout = reinterpret_cast<const timespec*>(arguments[3]),
                       .second = reinterpret_cast<std::uint32_t*>(arguments[4]),
                       .bits = static_cast<std::uint32_t>(arguments[5])};
  const int command = call.command();
  const bool has_clock =
      command == FUTEX_WAIT_BITSET || command == FUTEX_WAIT_REQUEUE_PI || command == FUTEX_LOCK_PI2;
  const bool wrong_clock = (call.operation & FUTEX_CLOCK_REALTIME) && !has_clock;
  if (wrong_clock || futex_word_error(call.word)) return {};  // the kernel reports the error
  switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: return wait(self, call, site);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return wake(self, call, site);
    case FUTEX_WAKE_OP: return change_and_wake(self, call, site);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: return requeue(self, call, site);
    default: return inheriting_futex(self, call, site);
  }
}

}  // namespace unravel
