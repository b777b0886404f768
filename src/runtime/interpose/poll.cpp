/// poll and epoll, with timeouts in virtual time.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/waiting.hpp"
#include "runtime/os/descriptor_path.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

/// In a replay: blocks until all of `wanted` are ready.
void await_ready(Thread& self, const Op& op, const Outside& outside, Ready wanted) {
  while (wanted & ~look(self, outside.descriptors, outside.count)) {
    self.pending = op;
    self.pending.can = [](const Op&, const Thread& thread) { return thread.retry; };
    self.pending.deadline = kNever;  // in the recorded run, it came
    self.timed_out = false;
    self.retry = false;
    self.outside = &outside;
    scheduler().block(self);
  }
}

namespace {

/// Why the kernel would refuse to poll this many; 0: it would not.
int why_no_poll(const pollfd* descriptors, nfds_t count) {
  if (count == 0) return 0;
  if (!descriptors) return EFAULT;
  constexpr nfds_t kAlwaysAllowed = 256;
  if (count <= kAlwaysAllowed) return 0;
  rlimit most{};
  os::call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, os::as_argument(&most));
  return count > most.rlim_cur ? EINVAL : 0;
}

int poll_for(Thread& self, pollfd* wishes, nfds_t count, std::uint64_t length, const sigset_t* mask,
             const void* site) {
  if (const int error = why_no_poll(wishes, count)) {
    errno = error;
    return -1;
  }
  asm("" : "+r"(wishes));  // libc's header says that poll only writes there, and GCC relies on it
  for (nfds_t i = 0; i < count; ++i) wishes[i].revents = 0;
  return wait_for(
      self, wishes, count, count ? wishes[0].fd : -1, length, mask, site,
      [&](Ready ready) {
        if (runtime().inputs().serves()) return poll_now(self, wishes, count);
        const timespec at_once{};
        long result = os::call(SYS_ppoll, os::as_argument(wishes), static_cast<long>(count),
                               os::as_argument(&at_once), 0, 0);
        for (nfds_t i = 0; i < count; ++i) {
          if ((ready & ready_bit(i)) || !wishes[i].revents) continue;
          wishes[i].revents = 0;
          --result;
        }
        return result;
      },
      [&](long, auto use) { use(wishes, count * sizeof(pollfd)); });
}

/// Whether it is an epoll descriptor. Those that were made here are known; others are recognised by
/// name.
bool is_set(int descriptor) {
  if (runtime().outsiders().is_inside(descriptor)) return true;
  constexpr char kName[] = "anon_inode:[eventpoll]";
  char name[sizeof(kName)] = {};
  const os::DescriptorPath path(descriptor);
  const long size =
      os::call(SYS_readlink, os::as_argument(path.text()), os::as_argument(name), sizeof(name));
  bool same = size == sizeof(kName) - 1;
  for (std::size_t i = 0; same && i + 1 < sizeof(kName); ++i) same = name[i] == kName[i];
  return same;
}

int epoll_for(Thread& self, int set, epoll_event* events, int most, std::uint64_t length,
              const sigset_t* mask, const void* site) {
  // The kernel reports the error, without waiting.
  constexpr int kMostEvents = 0x7fffffff / sizeof(epoll_event);
  if (most <= 0 || most > kMostEvents || !is_set(set)) {
    ErrnoKeeper keeper;
    return static_cast<int>(
        keeper.answer(os::call(SYS_epoll_wait, set, os::as_argument(events), most, 0)));
  }
  // An epoll descriptor is itself readable when one of its descriptors is ready. Asking changes
  // nothing.
  pollfd wish{.fd = set, .events = POLLIN, .revents = 0};
  return wait_for(
      self, &wish, 1, set, length, mask, site,
      [&](Ready) { return epoll_now(self, set, events, most); },
      [&](long answer, auto use) {
        if (answer > 0) use(events, static_cast<std::size_t>(answer) * sizeof(epoll_event));
      });
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int poll(pollfd* descriptors, nfds_t count, int timeout) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::poll, descriptors, count, timeout);
  return poll_for(*self, descriptors, count, milliseconds(timeout), nullptr, UNRAVEL_SITE);
}
UNRAVEL_ALIAS(__poll, poll);

UNRAVEL_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* length,
                         const sigset_t* mask) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::ppoll, descriptors, count, length, mask);
  if (!is_length(length)) {
    errno = EINVAL;
    return -1;
  }
  return poll_for(*self, descriptors, count, length_of(length), mask, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int __poll_chk(pollfd* descriptors, nfds_t count, int timeout, std::size_t room) {
  if (room / sizeof(pollfd) < count) real::__chk_fail();
  return poll(descriptors, count, timeout);
}

UNRAVEL_EXPORT int __ppoll_chk(pollfd* descriptors, nfds_t count, const timespec* length,
                               const sigset_t* mask, std::size_t room) {
  if (room / sizeof(pollfd) < count) real::__chk_fail();
  return ppoll(descriptors, count, length, mask);
}

UNRAVEL_EXPORT int epoll_wait(int set, epoll_event* events, int most, int timeout) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::epoll_wait, set, events, most, timeout);
  return epoll_for(*self, set, events, most, milliseconds(timeout), nullptr, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int epoll_pwait(int set, epoll_event* events, int most, int timeout,
                               const sigset_t* mask) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::epoll_pwait, set, events, most, timeout, mask);
  return epoll_for(*self, set, events, most, milliseconds(timeout), mask, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int epoll_pwait2(int set, epoll_event* events, int most, const timespec* length,
                                const sigset_t* mask) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::epoll_pwait2, set, events, most, length, mask);
  if (!is_length(length)) {
    errno = EINVAL;
    return -1;
  }
  return epoll_for(*self, set, events, most, length_of(length), mask, UNRAVEL_SITE);
}

// An epoll descriptor counts as inside as long as everything in it does.
UNRAVEL_EXPORT int epoll_create1(int flags) noexcept {
  ErrnoKeeper keeper;
  const long set = os::call(SYS_epoll_create1, flags);
  if (set < 0) return keeper.fail(static_cast<int>(-set));
  if (controlled_thread()) runtime().outsiders().record_inside(static_cast<int>(set));
  return static_cast<int>(set);
}

UNRAVEL_EXPORT int epoll_create(int size) noexcept {
  if (size > 0) return epoll_create1(0);
  errno = EINVAL;
  return -1;
}

UNRAVEL_EXPORT int epoll_ctl(int set, int change, int descriptor, epoll_event* event) noexcept {
  ErrnoKeeper keeper;
  Thread* self = controlled_thread();
  const bool served = self && is_served(*self, descriptor);
  const long result =
      served ? change_served_set(*self, set, change, descriptor, event)
             : os::call(SYS_epoll_ctl, set, change, descriptor, os::as_argument(event));
  if (result < 0) return keeper.fail(static_cast<int>(-result));
  if (self) {
    Descriptions& known = runtime().outsiders().descriptions();
    if (change == EPOLL_CTL_ADD && !known.is_inside(descriptor)) known.forget(set);
    scheduler().outside().changed();
  }
  return 0;
}
