/// Calls on descriptors that may block: what files of this kind share.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"
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
  // poll() writes its answer; the wish must stay as it is. In portions: a thread's stack is small.
  constexpr nfds_t kMost = 128;
  pollfd copies[kMost];
  while (count > 0) {
    const nfds_t used = count < kMost ? count : kMost;
    for (nfds_t i = 0; i < used; ++i) copies[i] = descriptors[i];
    const timespec at_once{};
    if (os::call(SYS_ppoll, os::as_argument(copies), static_cast<long>(used),
                 os::as_argument(&at_once), 0, 0) != 0) {
      return true;
    }
    descriptors += used;
    count -= used;
  }
  return false;
}

inline bool can_proceed(const Op&, const Thread& thread) {
  return is_ready(thread.wish->descriptors, thread.wish->count);
}

/// read() from a descriptor of signalfd().
long read_signals(Thread& self, int descriptor, void* bytes, std::size_t size, const void* site);

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

/// Which bytes of a call's buffer an attempt is about: all of them, but when a recorded answer is
/// brought about again.
struct Part {
  std::size_t skip = 0;
  std::size_t most = ~std::size_t{0};  // behind that

  [[nodiscard]] long size_of(std::size_t size) const {
    return static_cast<long>(size - skip < most ? size - skip : most);
  }
};

/// Whether the answer is a number of bytes; others are descriptors, or nothing.
constexpr bool is_counted(wire::Operation kind) {
  return kind == wire::Operation::kRead || kind == wire::Operation::kWrite;
}

/// Whether nobody will read what is written there: a write would fail. Writes nothing.
bool has_lost_reader(int descriptor);

/// Makes `attempt` until it answers what it answered in the run that this one repeats; what comes
/// from outside may come in other portions now.
template <class Attempt>
long repeat_answer(Thread& self, const Op& op, const Outside& outside, long wanted,
                   Attempt attempt) {
  if (wanted == -EAGAIN || wanted == -EINTR) return wanted;
  const bool counts = is_counted(op.kind);
  if (op.kind == wire::Operation::kWrite) {
    const int descriptor = outside.descriptors[0].fd;
    // Who would have read it has ended earlier than it had then: its end, too, is recorded.
    if (wanted > 0 && has_lost_reader(descriptor)) return wanted;
    // Or will end later: a write before that would not fail.
    while ((wanted == -EPIPE || wanted == -ECONNRESET) && !has_lost_reader(descriptor)) {
      self.pending = op;
      self.pending.can = [](const Op&, const Thread& thread) {
        return has_lost_reader(thread.wish->descriptors[0].fd);
      };
      self.wish = self.outside = &outside;
      scheduler().block(self);
    }
    // Told once, and only to a write that was under way when the reader went.
    if (wanted == -ECONNRESET) return wanted;
  }
  Part part;
  if (counts && wanted > 0) part.most = static_cast<std::size_t>(wanted);
  for (;;) {
    const long result = attempt(part);
    if (result == -EAGAIN) {
      self.pending = op;
      self.pending.can = can_proceed;
      self.wish = self.outside = &outside;
      scheduler().block(self);
      continue;
    }
    if (result == -ECONNRESET && wanted == -EPIPE) continue;  // this is told from now on
    if (!counts || result <= 0) return part.skip ? static_cast<long>(part.skip) : result;
    part.skip += static_cast<std::size_t>(result);
    part.most -= static_cast<std::size_t>(result);
    if (part.most == 0 || wanted <= 0) return static_cast<long>(part.skip);
  }
}

/// Makes `attempt` on a descriptor until it would not block, as `kind`. `attempt` answers like a
/// system call: a negative error number on failure. Sets errno. `waits`: unless the call said
/// otherwise, whatever the descriptor says.
template <class Attempt>
long on_descriptor(Thread& self, wire::Operation kind, int descriptor, short events,
                   const void* site, Attempt attempt, bool waits = true) {
  ErrnoKeeper keeper;
  const auto answer = [&keeper](long result) {
    return result < 0 ? static_cast<long>(keeper.fail(static_cast<int>(-result))) : result;
  };
  if (!may_block(descriptor)) return answer(attempt(Part{}));

  const long flags = os::call(SYS_fcntl, descriptor, F_GETFL);
  const bool blocking = waits && !(flags & O_NONBLOCK);
  const bool inside = runtime().outsiders().is_inside(descriptor);
  pollfd wish{.fd = descriptor, .events = events, .revents = 0};
  const Outside outside{.descriptors = &wish, .count = 1};
  const Op op{.kind = kind,
              .object = scheduler().outside_object(),
              .site = site,
              .can = blocking ? can_proceed : nullptr,
              .number = static_cast<std::uint64_t>(descriptor),
              .interruptible = true,
              .cancellable = true};
  self.wish = &outside;
  self.outside = blocking && !inside ? &outside : nullptr;
  if (blocking) {
    scheduler().reach(self, op);
  } else {
    scheduler().reach_attempt(self, op);
  }
  cancellation_point(self);
  const auto try_it = [&](const Part& part) {
    const Unblocked unblocked(descriptor, flags);
    return attempt(part);
  };
  const wire::Choice* recorded = inside ? nullptr : scheduler().recorded_answer(self);
  long result = 0;
  if (recorded) {
    result = repeat_answer(self, op, outside, static_cast<long>(recorded->value), try_it);
  } else {
    for (;;) {
      if (self.interrupted && blocking && !can_proceed(op, self)) {
        result = -EINTR;
        break;
      }
      result = try_it(Part{});
      if (result != -EAGAIN || !blocking) break;
      scheduler().block(self);
      cancellation_point(self);
    }
  }
  self.wish = self.outside = nullptr;
  if (!inside) {
    const long noted = result < 0 || is_counted(kind) ? result : 0;
    scheduler().answered(self, recorded, static_cast<std::uint64_t>(noted));
  }
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
