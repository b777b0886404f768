/// select and pselect, with timeouts in virtual time.
#include <sys/mman.h>
#include <sys/select.h>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/waiting.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

using Word = unsigned long;
constexpr int kWordBits = 8 * sizeof(Word);

/// One of the three sets of a call. It may have more bits than an fd_set.
class Set {
 public:
  explicit Set(fd_set* set) : words_(reinterpret_cast<Word*>(set)) {}
  [[nodiscard]] bool has(int bit) const {
    return words_ && (words_[bit / kWordBits] >> (bit % kWordBits) & 1);
  }
  void clear(int bit) {
    if (words_) words_[bit / kWordBits] &= ~(Word{1} << (bit % kWordBits));
  }

 private:
  Word* words_;
};

/// The wishes of a call. A few are kept on the stack, which may be small; for more, memory is
/// mapped.
class Wishes {
 public:
  explicit Wishes(std::size_t count) : size_(count * sizeof(pollfd)) {
    if (count <= kFew) return;
    const long mapped = os::call(SYS_mmap, 0, static_cast<long>(size_), PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    begin_ = mapped < 0 && mapped > -4096 ? nullptr : reinterpret_cast<pollfd*>(mapped);
  }
  ~Wishes() {
    if (begin_ && begin_ != few_) {
      os::call(SYS_munmap, os::as_argument(begin_), static_cast<long>(size_));
    }
  }
  Wishes(const Wishes&) = delete;
  Wishes& operator=(const Wishes&) = delete;
  /// Null: out of memory.
  [[nodiscard]] pollfd* begin() const { return begin_; }

 private:
  static constexpr std::size_t kFew = 32;
  std::size_t size_;
  pollfd few_[kFew] = {};
  pollfd* begin_ = few_;
};

/// Leaves in the sets what is ready. Returns how many bits that are.
long keep_ready(const Thread& self, Set (&sets)[3], pollfd* wishes, nfds_t count) {
  constexpr int kReadable = POLLIN | POLLHUP | POLLERR;
  constexpr int kEvents[] = {kReadable, POLLOUT | POLLERR, POLLPRI};
  poll_now(self, wishes, count);
  long bits = 0;
  for (nfds_t i = 0; i < count; ++i) {
    if (wishes[i].revents & POLLNVAL) return -EBADF;
    for (int set = 0; set < 3; ++set) {
      if (!sets[set].has(wishes[i].fd)) continue;
      if (wishes[i].revents & kEvents[set]) {
        ++bits;
      } else {
        sets[set].clear(wishes[i].fd);
      }
    }
  }
  return bits;
}

int select_for(Thread& self, int count, fd_set* read, fd_set* write, fd_set* except,
               std::uint64_t length, const sigset_t* mask, const void* site) {
  if (count < 0) {
    errno = EINVAL;
    return -1;
  }
  Set sets[] = {Set(read), Set(write), Set(except)};
  constexpr short kEvents[] = {POLLIN, POLLOUT, POLLPRI};
  const auto wished = [&](int descriptor) {
    short events = 0;
    for (int i = 0; i < 3; ++i) {
      if (sets[i].has(descriptor)) events = static_cast<short>(events | kEvents[i]);
    }
    return events;
  };
  std::size_t used = 0;
  for (int descriptor = 0; descriptor < count; ++descriptor) used += wished(descriptor) != 0;
  const Wishes memory(used);
  pollfd* wishes = memory.begin();
  if (!wishes) {
    errno = ENOMEM;
    return -1;
  }
  used = 0;
  for (int descriptor = 0; descriptor < count; ++descriptor) {
    const short events = wished(descriptor);
    if (events) wishes[used++] = {.fd = descriptor, .events = events, .revents = 0};
  }
  const auto clear = [&](int descriptor) {
    for (Set& set : sets) set.clear(descriptor);
  };
  const int result = wait_for(
      self, wishes, used, used ? wishes[0].fd : -1, length, mask, site,
      [&](Ready ready) {
        for (nfds_t i = 0; i < used; ++i) {
          if (!(ready & ready_bit(i))) clear(wishes[i].fd);
        }
        if (runtime().inputs().serves()) return keep_ready(self, sets, wishes, used);
        const timespec at_once{};
        return os::call(SYS_pselect6, count, os::as_argument(read), os::as_argument(write),
                        os::as_argument(except), os::as_argument(&at_once), 0);
      },
      [&](long, auto use) {
        const std::size_t words = (static_cast<std::size_t>(count) + kWordBits - 1) / kWordBits;
        for (fd_set* set : {read, write, except}) {
          if (set) use(set, words * sizeof(Word));
        }
      });
  for (nfds_t i = 0; result == 0 && i < used; ++i) clear(wishes[i].fd);
  return result;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* length) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::select, count, read, write, except, length);
  if (length && (length->tv_sec < 0 || length->tv_usec < 0)) {
    errno = EINVAL;
    return -1;
  }
  constexpr std::uint64_t kLongest = kNever / kNanosecondsPerSecond / 2;
  const bool for_ever = !length || static_cast<std::uint64_t>(length->tv_sec) > kLongest;
  const std::uint64_t wait =
      for_ever ? kNever
               : static_cast<std::uint64_t>(length->tv_sec) * kNanosecondsPerSecond +
                     static_cast<std::uint64_t>(length->tv_usec) * 1000;
  const std::uint64_t deadline = deadline_in(wait);
  const int result = select_for(*self, count, read, write, except, wait, nullptr, UNRAVEL_SITE);
  if (length && !for_ever) {  // Linux returns the time that was left
    const std::uint64_t now = scheduler().time().now();
    const timespec left = timespec_of(deadline > now ? deadline - now : 0);
    *length = {.tv_sec = left.tv_sec, .tv_usec = left.tv_nsec / 1000};
  }
  return result;
}
UNRAVEL_ALIAS(__select, select);

UNRAVEL_EXPORT int pselect(int count, fd_set* read, fd_set* write, fd_set* except,
                           const timespec* length, const sigset_t* mask) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::pselect, count, read, write, except, length, mask);
  if (!is_length(length)) {
    errno = EINVAL;
    return -1;
  }
  return select_for(*self, count, read, write, except, length_of(length), mask, UNRAVEL_SITE);
}
