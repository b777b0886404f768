/// Waiting on several futexes at once. Such threads are in one queue of their own, and a wake on
/// any word searches it.
#include <errno.h>
#include <linux/futex.h>
#include <sys/uio.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/futex.hpp"
#include "runtime/os/system_call.hpp"
#include "wire/independence.hpp"

namespace unravel {

namespace {

constexpr std::uint32_t kMostWords = 128;  // the kernel's limit

/// The kernel's layout (struct futex_waitv).
struct Word {
  std::uint64_t value;
  std::uint64_t address;
  std::uint32_t flags;
  std::uint32_t reserved;
};

struct Words {
  Word all[kMostWords];
  std::uint32_t count = 0;
  std::uint32_t woken = 0;  // the index of the word that woke it

  /// Returns 0 or an error number.
  int copy(long from, std::uint32_t size) {
    count = size;
    const iovec here{.iov_base = all, .iov_len = count * sizeof(Word)};
    const iovec there{.iov_base = reinterpret_cast<void*>(from), .iov_len = here.iov_len};
    const long read = os::call(SYS_process_vm_readv, os::call(SYS_getpid), os::as_argument(&here),
                               1, os::as_argument(&there), 1, 0);
    if (read != static_cast<long>(here.iov_len)) return EFAULT;
    constexpr std::uint32_t kSize32 = 2;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t size_flag =
          all[i].flags & ~static_cast<std::uint32_t>(FUTEX_PRIVATE_FLAG);
      if (size_flag != kSize32 || all[i].reserved) return EINVAL;
      const int error = futex_word_error(reinterpret_cast<const std::uint32_t*>(all[i].address));
      if (error) return error;
    }
    return 0;
  }
  [[nodiscard]] bool are_as_expected() const {
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto* word = reinterpret_cast<const std::uint32_t*>(all[i].address);
      if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != static_cast<std::uint32_t>(all[i].value)) {
        return false;
      }
    }
    return true;
  }
  /// Returns its index, or `count`.
  [[nodiscard]] std::uint32_t find(const std::uint32_t* word) const {
    std::uint32_t i = 0;
    while (i < count && all[i].address != reinterpret_cast<std::uint64_t>(word)) ++i;
    return i;
  }
};

/// The object on which all of these threads are queued.
const void* queue() { return &scheduler(); }

/// Wakes threads that wait on this word among others.
std::uint32_t wake_among_many(Thread& self, const std::uint32_t* word, std::uint32_t most) {
  Object* object = scheduler().objects().find(queue());
  if (!object || !object->waiters.size || !most) return 0;
  constexpr std::uint32_t kMeant = 1;
  for (Thread* thread = object->waiters.first; thread; thread = thread->list.next) {
    auto& words = *static_cast<Words*>(const_cast<void*>(thread->wanted));
    const std::uint32_t index = words.find(word);
    thread->futex_bits = index < words.count ? kMeant : 0;
    if (index < words.count) words.woken = index;
  }
  return scheduler().waiting().wake(self, *object, most, kMeant);
}

}  // namespace

std::uint32_t wake_on_futex(Thread& self, const std::uint32_t* word, std::uint32_t most,
                            std::uint32_t bits) {
  Object* object = scheduler().objects().find(word);
  const std::uint32_t woken = object ? scheduler().waiting().wake(self, *object, most, bits) : 0;
  return woken + wake_among_many(self, word, most - woken);
}

Answer futex_waitv(Thread& self, const long (&arguments)[6], const void* site) {
  ErrnoKeeper keeper;
  const auto count = static_cast<std::uint32_t>(arguments[1]);
  const auto flags = static_cast<std::uint32_t>(arguments[2]);
  const auto* timeout = reinterpret_cast<const timespec*>(arguments[3]);
  const auto clock = static_cast<clockid_t>(arguments[4]);
  const bool known_clock = clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME;
  if (flags || count == 0 || count > kMostWords || !arguments[0]) return keeper.fail(EINVAL);
  if (timeout && (!known_clock || !is_valid(*timeout) || timeout->tv_sec < 0)) {
    return keeper.fail(EINVAL);
  }
  Words words;
  if (const int error = words.copy(arguments[0], count)) return keeper.fail(error);
  const Op op{.kind = wire::Operation::kFutexWait,
              .object = reinterpret_cast<const void*>(words.all[0].address),
              .site = site,
              .deadline = timeout ? deadline_at(scheduler().time(), clock, *timeout) : kNever,
              .also = wire::PendingOperation::kAnyMemory};
  scheduler().reach_attempt(self, op);
  if (!words.are_as_expected()) {
    scheduler().failed_attempt(self, op);
    did(self, op, EAGAIN);
    return keeper.fail(EAGAIN);
  }
  self.wanted = &words;
  const auto woken = scheduler().waiting().wait(self, scheduler().objects().at(queue()), op);
  self.futex_bits = ~0u;
  switch (woken) {
    case Waiting::Woken::kByWake: return words.woken;
    case Waiting::Woken::kByDeadline: return keeper.fail(ETIMEDOUT);
    case Waiting::Woken::kBySignal: return keeper.fail(EINTR);
  }
  __builtin_unreachable();
}

}  // namespace unravel
