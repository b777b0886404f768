/// Calls on descriptors that may block: what files of this kind share.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

/// Whether calls on it can block: pipes, sockets, terminals, eventfd and the like.
inline bool may_block(int descriptor) {
  struct stat status {};
  if (os::call(SYS_fstat, descriptor, os::as_argument(&status)) != 0) return false;
  return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISBLK(status.st_mode);
}

inline bool is_ready(const pollfd* descriptors, nfds_t count) {
  // poll() writes its answer; the wish must stay as it is.
  constexpr nfds_t kMost = 256;
  pollfd copies[kMost];
  const nfds_t used = count < kMost ? count : kMost;
  for (nfds_t i = 0; i < used; ++i) copies[i] = descriptors[i];
  const timespec at_once{};
  return os::call(SYS_ppoll, os::as_argument(copies), static_cast<long>(used),
                  os::as_argument(&at_once), 0, 0) != 0;
}

inline bool can_proceed(const Op&, const Thread& thread) {
  return is_ready(thread.wish->descriptors, thread.wish->count);
}

/// Makes a descriptor non-blocking for one call. Nobody of this process can look meanwhile.
class Unblocked {
 public:
  Unblocked(int descriptor, long flags) : descriptor_(descriptor), flags_(flags) {
    if (!(flags_ & O_NONBLOCK)) os::call(SYS_fcntl, descriptor_, F_SETFL, flags_ | O_NONBLOCK);
  }
  ~Unblocked() {
    if (!(flags_ & O_NONBLOCK)) os::call(SYS_fcntl, descriptor_, F_SETFL, flags_);
  }
  Unblocked(const Unblocked&) = delete;
  Unblocked& operator=(const Unblocked&) = delete;

 private:
  int descriptor_;
  long flags_;
};

/// Makes `attempt` on a descriptor until it would not block, as `kind`. `attempt` answers like a
/// system call: a negative error number on failure. Sets errno.
template <class Attempt>
long on_descriptor(Thread& self, wire::Operation kind, int descriptor, short events,
                   const void* site, Attempt attempt) {
  ErrnoKeeper keeper;
  const auto answer = [&keeper](long result) {
    return result < 0 ? static_cast<long>(keeper.fail(static_cast<int>(-result))) : result;
  };
  if (!may_block(descriptor)) return answer(attempt());

  const long flags = os::call(SYS_fcntl, descriptor, F_GETFL);
  const bool blocking = !(flags & O_NONBLOCK);
  pollfd wish{.fd = descriptor, .events = events, .revents = 0};
  const Outside outside{.descriptors = &wish, .count = 1};
  const Op op{.kind = kind,
              .object = scheduler().outside_object(),
              .site = site,
              .can = blocking ? can_proceed : nullptr,
              .number = static_cast<std::uint64_t>(descriptor),
              .interruptible = true};
  self.wish = &outside;
  self.outside = blocking && !runtime().outsiders().is_inside(descriptor) ? &outside : nullptr;
  if (blocking) {
    scheduler().reach(self, op);
  } else {
    scheduler().reach_attempt(self, op);
  }
  long result = 0;
  for (;;) {
    if (self.interrupted && blocking && !can_proceed(op, self)) {
      result = -EINTR;
      break;
    }
    {
      const Unblocked unblocked(descriptor, flags);
      result = attempt();
    }
    if (result != -EAGAIN || !blocking) break;
    scheduler().block(self);
  }
  self.wish = self.outside = nullptr;
  if (result == -EAGAIN) {
    scheduler().failed_attempt(self, op);
  } else {
    scheduler().outside_changed();
  }
  did(self, op, result < 0 ? static_cast<int>(-result) : 0);
  // The signal of a broken pipe comes before the call returns.
  if (result == -EPIPE && Scheduler::has_signal(self)) runtime().signals().handle(self);
  return answer(result);
}

}  // namespace unravel
