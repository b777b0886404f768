/// Waiting for several descriptors, with timeouts in virtual time.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/moment.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

using wire::Operation;

/// `length` in nanoseconds; kNever: for ever.
std::uint64_t deadline_in(std::uint64_t length) {
  const std::uint64_t now = scheduler().time().now();
  return length >= kNever - now ? kNever : now + length;
}

std::uint64_t milliseconds(int length) {
  return length < 0 ? kNever : static_cast<std::uint64_t>(length) * 1'000'000;
}

/// Which descriptors a wait was for that ended: one bit each, of the first ones.
using Ready = std::uint64_t;
constexpr nfds_t kMostNoted = 62;
constexpr Ready kNothing = 0;
constexpr Ready kAll = ~Ready{0};

Ready ready_bit(nfds_t index) { return Ready{1} << (index < kMostNoted ? index : kMostNoted); }

/// Which of `wishes` are ready now.
Ready look(const pollfd* wishes, nfds_t count) {
  Ready ready = kNothing;
  for (nfds_t i = 0; i < count; ++i) {
    if (wishes[i].fd >= 0 && is_ready(&wishes[i], 1)) ready |= ready_bit(i);
  }
  return ready;
}

/// In a run that repeats another: blocks until all of `wanted` are ready.
void await_ready(Thread& self, const Op& op, const Outside& outside, Ready wanted) {
  while (wanted & ~look(outside.descriptors, outside.count)) {
    self.pending = op;
    self.pending.can = [](const Op&, const Thread& thread) { return thread.retry; };
    self.pending.deadline = kNever;  // it did come then
    self.timed_out = false;
    self.retry = false;
    self.outside = &outside;
    scheduler().block(self);
  }
}

/// Blocks until one of `wishes` is ready, then asks `collect` for the answer, which is to name only
/// those of a set. A set of descriptors (epoll) is one wish, whatever is in it.
template <class Collect>
int wait_for(Thread& self, pollfd* wishes, nfds_t count, int shown, std::uint64_t length,
             const sigset_t* mask, const void* site, Collect collect) {
  ErrnoKeeper keeper;
  const Outside outside{.descriptors = wishes, .count = count, .never_restarts = true};
  bool inside = true;
  for (nfds_t i = 0; i < count; ++i) {
    inside = inside && (wishes[i].fd < 0 || runtime().outsiders().is_inside(wishes[i].fd));
  }
  const Op op{.kind = Operation::kPoll,
              .object = scheduler().outside_object(),
              .site = site,
              .can = length == 0 ? nullptr : can_proceed,
              .deadline = deadline_in(length),
              .number = static_cast<std::uint64_t>(shown),
              .interruptible = true,
              .cancellable = true};
  const std::uint64_t mask_before = self.signal_mask;
  if (mask) runtime().signals().set_mask(self, SIG_SETMASK, mask, nullptr);
  self.wish = &outside;
  self.outside = inside ? nullptr : &outside;
  if (length == 0) {
    scheduler().reach_attempt(self, op);
  } else {
    scheduler().reach(self, op);
  }
  self.signal_mask = mask_before;
  cancellation_point(self);

  const wire::Choice* recorded = inside ? nullptr : scheduler().recorded_answer(self);
  const bool interrupted = recorded ? recorded->value == static_cast<Ready>(-EINTR)
                                    : self.interrupted && !is_ready(wishes, count);
  Ready ready = kAll;
  if (recorded && !interrupted) {
    ready = recorded->value;
    await_ready(self, op, outside, ready);
  } else if (!inside) {
    ready = look(wishes, count);
  }
  self.wish = self.outside = nullptr;
  const long result = interrupted ? -EINTR : ready == kNothing ? 0 : collect(ready);
  if (!inside) {
    const Ready noted = result < 0 ? static_cast<Ready>(result) : result == 0 ? kNothing : ready;
    scheduler().answered(self, recorded, noted);
  }
  if (result == 0 && length == 0) scheduler().failed_attempt(self, op);
  scheduler().did(self, op,
                  result < 0    ? wire::EventResult::kFailed
                  : result == 0 ? wire::EventResult::kTimedOut
                                : wire::EventResult::kDone,
                  static_cast<std::uint64_t>(result));
  return result < 0 ? keeper.fail(static_cast<int>(-result)) : static_cast<int>(result);
}

int poll_for(Thread& self, pollfd* wishes, nfds_t count, std::uint64_t length, const sigset_t* mask,
             const void* site) {
  asm("" : "+r"(wishes));  // libc's header says that poll only writes there, and GCC believes it
  for (nfds_t i = 0; i < count; ++i) wishes[i].revents = 0;
  return wait_for(
      self, wishes, count, count ? wishes[0].fd : -1, length, mask, site, [&](Ready ready) {
        const timespec at_once{};
        long result = os::call(SYS_ppoll, os::as_argument(wishes), static_cast<long>(count),
                               os::as_argument(&at_once), 0, 0);
        for (nfds_t i = 0; i < count; ++i) {
          if ((ready & ready_bit(i)) || !wishes[i].revents) continue;
          wishes[i].revents = 0;
          --result;
        }
        return result;
      });
}

int select_for(Thread& self, int count, fd_set* read, fd_set* write, fd_set* except,
               std::uint64_t length, const sigset_t* mask, const void* site) {
  pollfd wishes[FD_SETSIZE] = {};
  nfds_t used = 0;
  for (int descriptor = 0; descriptor < count && descriptor < FD_SETSIZE; ++descriptor) {
    short events = 0;
    if (read && FD_ISSET(descriptor, read)) events |= POLLIN;
    if (write && FD_ISSET(descriptor, write)) events |= POLLOUT;
    if (except && FD_ISSET(descriptor, except)) events |= POLLPRI;
    if (events) wishes[used++] = {.fd = descriptor, .events = events, .revents = 0};
  }
  const auto clear = [&](int descriptor) {
    for (fd_set* set : {read, write, except}) {
      if (set) FD_CLR(descriptor, set);
    }
  };
  const int result =
      wait_for(self, wishes, used, used ? wishes[0].fd : -1, length, mask, site, [&](Ready ready) {
        for (nfds_t i = 0; i < used; ++i) {
          if (!(ready & ready_bit(i))) clear(wishes[i].fd);
        }
        const timespec at_once{};
        return os::call(SYS_pselect6, count, os::as_argument(read), os::as_argument(write),
                        os::as_argument(except), os::as_argument(&at_once), 0);
      });
  for (nfds_t i = 0; result == 0 && i < used; ++i) clear(wishes[i].fd);
  return result;
}

int epoll_for(Thread& self, int set, epoll_event* events, int most, std::uint64_t length,
              const sigset_t* mask, const void* site) {
  // A set of descriptors is readable itself when one of them is ready; asking takes nothing away.
  pollfd wish{.fd = set, .events = POLLIN, .revents = 0};
  return wait_for(self, &wish, 1, set, length, mask, site, [&](Ready) {
    return os::call(SYS_epoll_wait, set, os::as_argument(events), most, 0);
  });
}

std::uint64_t length_of(const timespec* length) { return length ? nanoseconds(*length) : kNever; }

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int poll(pollfd* descriptors, nfds_t count, int timeout) {
  Thread* self = controlled_thread();
  if (!self) return real::poll(descriptors, count, timeout);
  return poll_for(*self, descriptors, count, milliseconds(timeout), nullptr, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* length,
                         const sigset_t* mask) {
  Thread* self = controlled_thread();
  if (!self) return real::ppoll(descriptors, count, length, mask);
  return poll_for(*self, descriptors, count, length_of(length), mask, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* length) {
  Thread* self = controlled_thread();
  if (!self) return real::select(count, read, write, except, length);
  const std::uint64_t wait =
      length ? static_cast<std::uint64_t>(length->tv_sec) * kNanosecondsPerSecond +
                   static_cast<std::uint64_t>(length->tv_usec) * 1000
             : kNever;
  const std::uint64_t deadline = deadline_in(wait);
  const int result = select_for(*self, count, read, write, except, wait, nullptr, UNRAVEL_SITE);
  if (length) {  // Linux says how much was left
    const std::uint64_t now = scheduler().time().now();
    const timespec left = timespec_of(deadline > now ? deadline - now : 0);
    *length = {.tv_sec = left.tv_sec, .tv_usec = left.tv_nsec / 1000};
  }
  return result;
}

UNRAVEL_EXPORT int pselect(int count, fd_set* read, fd_set* write, fd_set* except,
                           const timespec* length, const sigset_t* mask) {
  Thread* self = controlled_thread();
  if (!self) return real::pselect(count, read, write, except, length, mask);
  return select_for(*self, count, read, write, except, length_of(length), mask, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int epoll_wait(int set, epoll_event* events, int most, int timeout) {
  Thread* self = controlled_thread();
  if (!self) return real::epoll_wait(set, events, most, timeout);
  return epoll_for(*self, set, events, most, milliseconds(timeout), nullptr, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int epoll_pwait(int set, epoll_event* events, int most, int timeout,
                               const sigset_t* mask) {
  Thread* self = controlled_thread();
  if (!self) return real::epoll_pwait(set, events, most, timeout, mask);
  return epoll_for(*self, set, events, most, milliseconds(timeout), mask, UNRAVEL_SITE);
}

// A set is known to be inside for as long as everything in it is.
UNRAVEL_EXPORT int epoll_create1(int flags) noexcept {
  ErrnoKeeper keeper;
  const long set = os::call(SYS_epoll_create1, flags);
  if (set < 0) return keeper.fail(static_cast<int>(-set));
  if (controlled_thread()) runtime().outsiders().note_inside(static_cast<int>(set));
  return static_cast<int>(set);
}

UNRAVEL_EXPORT int epoll_create(int size) noexcept {
  if (size > 0) return epoll_create1(0);
  errno = EINVAL;
  return -1;
}

UNRAVEL_EXPORT int epoll_ctl(int set, int change, int descriptor, epoll_event* event) noexcept {
  ErrnoKeeper keeper;
  const long result = os::call(SYS_epoll_ctl, set, change, descriptor, os::as_argument(event));
  if (result < 0) return keeper.fail(static_cast<int>(-result));
  if (controlled_thread()) {
    Outsiders& outsiders = runtime().outsiders();
    if (change == EPOLL_CTL_ADD && !outsiders.is_inside(descriptor)) outsiders.forget(set);
    scheduler().outside_changed();
  }
  return 0;
}
