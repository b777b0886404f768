/// What the calls on descriptors that may block have in common.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/serving.hpp"
#include "runtime/interpose/traffic.hpp"
#include "runtime/interpose/unblocked.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

/// Whether what `thread` waits for comes from recorded inputs: then the schedule says when, and
/// the kernel is not asked.
inline bool comes_from_record(const Thread& thread) {
  return runtime().inputs().replays() && thread.outside;
}

/// Whether a wait without a deadline ends in the recorded run. A run that ended at its time limit
/// leaves threads waiting.
inline bool ends_in_record(const Thread& thread) {
  return !runtime().inputs().answer_of(thread).is_over;
}

/// Whether the recorded wait ended because something came, not at its deadline or by a signal.
inline bool came_in_record(const Op& op, const Thread& thread) {
  if (op.deadline == kNever) return ends_in_record(thread);
  const RecordedAnswer answer = runtime().inputs().answer_of(thread);
  if (!answer.is_known || answer.result == -EINTR || answer.result == -EAGAIN) return false;
  return op.kind != wire::Operation::kPoll || answer.result != 0;
}

inline bool can_proceed(const Op& op, const Thread& thread) {
  if (comes_from_record(thread)) return came_in_record(op, thread);
  return is_ready_now(thread, thread.wish->descriptors, thread.wish->count);
}

inline bool can_try_again(const Op&, const Thread& thread) {
  return thread.retry || (comes_from_record(thread) && ends_in_record(thread));
}

/// read() from a descriptor of signalfd().
long read_signals(Thread& self, int descriptor, void* bytes, std::size_t size, const void* site);

/// Whether the result is a number of bytes; other calls return a descriptor or nothing.
constexpr bool is_counted(wire::Operation kind) {
  return kind == wire::Operation::kRead || kind == wire::Operation::kWrite;
}

/// Whether the reader is gone, so that a write would fail. Writes nothing.
bool has_lost_reader(int descriptor);

/// Answers like a system call. A write without a reader also sends a signal: the kernel's own is
/// blocked and taken back.
long with_broken_pipe(Thread& self, long result);

/// One step of reading. Answers like a system call.
long read_step(Thread& self, int descriptor, void* bytes, std::size_t size, const void* site);

/// Writes everything if the description blocks, in as many steps as it takes. Answers like a system
/// call.
long write_all(Thread& self, int descriptor, const void* bytes, std::size_t size, const void* site);

/// When a call gives up. Sockets have timeouts of their own, which count from the first step of a
/// call.
struct Patience {
  bool is_known = false;
  std::uint64_t deadline = kNever;

  /// Reads the socket's timeout, unless the deadline is already known.
  void learn(int descriptor, wire::Operation kind);
};

/// How a call differs from the usual one.
struct Manner {
  bool waits = true;             // false: the call does not wait, whatever the descriptor's flags
  Patience* patience = nullptr;  // shared by the steps of a call
  bool asks_socket = false;      // the call is for sockets only
  bool at_once = false;          // never waits: the kernel has an answer
  bool is_queue = false;         // a message queue, which the kernel calls a regular file
  bool is_ours = false;          // what it gives comes from us, such as the signals of a signalfd
  const Traffic* traffic = nullptr;  // its buffers; null: the answer is all that there is
};

/// Repeats `attempt` until it gives the recorded answer; what comes from outside may come in other
/// portions now.
template <class Attempt>
long repeat_answer(Thread& self, const Op& op, const Outside& outside, long wanted,
                   Attempt attempt) {
  if (wanted == -EAGAIN || wanted == -EINTR) return wanted;
  const bool counts = is_counted(op.kind);
  if (op.kind == wire::Operation::kWrite) {
    const int descriptor = outside.descriptors[0].fd;
    // The reader has ended earlier than in the recorded run. Its end is recorded, too.
    if (wanted > 0 && has_lost_reader(descriptor)) return wanted;
    // The reader will end later than it did: a write before that would not fail.
    while ((wanted == -EPIPE || wanted == -ECONNRESET) && !has_lost_reader(descriptor)) {
      self.pending = op;
      self.pending.can = [](const Op&, const Thread& thread) {
        return has_lost_reader(thread.wish->descriptors[0].fd);
      };
      self.wish = self.outside = &outside;
      scheduler().block(self);
    }
    // The kernel reports this once, and only to a write that was under way when the reader ended.
    if (wanted == -ECONNRESET) return wanted;
  }
  Part part;
  if (counts && wanted > 0) part.most = static_cast<std::size_t>(wanted);
  for (;;) {
    const long result = attempt(part);
    if (result == -EAGAIN) {
      self.retry = false;
      self.pending = op;
      self.pending.can = is_ready(outside.descriptors, outside.count) ? can_try_again : can_proceed;
      self.pending.deadline = kNever;  // in the recorded run, it came
      self.wish = self.outside = &outside;
      scheduler().block(self);
      continue;
    }
    if (result == -ECONNRESET && wanted == -EPIPE) continue;  // later attempts report EPIPE
    // The reader has ended since has_lost_reader() looked.
    const bool has_lost = result == -EPIPE || result == -ECONNRESET;
    if (has_lost && wanted > 0 && op.kind == wire::Operation::kWrite) return wanted;
    if (!counts || result <= 0) return part.skip ? static_cast<long>(part.skip) : result;
    part.skip += static_cast<std::size_t>(result);
    part.most -= static_cast<std::size_t>(result);
    if (part.most == 0 || wanted <= 0) return static_cast<long>(part.skip);
  }
}

/// The recorded answer of an attempt that is made again later. It is no error number.
inline constexpr long kInVain = -1'000'000;

/// An attempt failed although the descriptor looked ready: another socket's queue is full, or
/// another process was faster. Waits until that may have changed. This is another point, since
/// `self` could go on at the one before.
inline void try_later(Thread& self, const Op& op) {
  Op again = op;
  const bool seems_ready = can_proceed(op, self);
  again.can = seems_ready ? can_try_again : can_proceed;
  self.retry = false;
  scheduler().waiting().pause(self, again);
}

/// Repeats `attempt` on a descriptor, as operation `kind`, until it would not block. `attempt` and
/// this answer like a system call: a negative error number on failure.
template <class Attempt>
long step_on(Thread& self, wire::Operation kind, int descriptor, short events, const void* site,
             Attempt attempt, const Manner& manner = {}) {
  struct stat status {};
  const bool known = os::call(SYS_fstat, descriptor, os::as_argument(&status)) == 0;
  const long flags = known ? os::call(SYS_fcntl, descriptor, F_GETFL) : 0;
  const bool never_blocks = !known || (!may_block(status) && !manner.is_queue) || manner.at_once ||
                            is_other_way(kind, flags) ||
                            (manner.asks_socket && !S_ISSOCK(status.st_mode));
  if (never_blocks) {
    cancellation_point(self);
    return attempt(Part{.descriptor = descriptor});
  }

  const bool blocking = manner.waits && !(flags & O_NONBLOCK);
  const bool served = !manner.is_ours && is_served(self, descriptor, status);
  // What is served depends on nothing outside.
  const bool inside =
      runtime().inputs().serves() || runtime().outsiders().is_inside(descriptor, status);
  Patience own;
  Patience& patience = manner.patience ? *manner.patience : own;
  if (blocking && S_ISSOCK(status.st_mode)) patience.learn(descriptor, kind);
  pollfd wish{.fd = descriptor, .events = events, .revents = 0};
  const Outside outside{
      .descriptors = &wish, .count = 1, .never_restarts = patience.deadline != kNever};
  const Op op{.kind = kind,
              .object = scheduler().outside().object(),
              .site = site,
              .can = blocking ? can_proceed : nullptr,
              .deadline = blocking ? patience.deadline : kNever,
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
  const auto try_it = [&](Part part) {
    if (served) {
      const long answer = serve_traffic(self, kind, descriptor, status, manner.traffic);
      const bool raises = kind == wire::Operation::kWrite && !manner.traffic->is_silent;
      return raises ? with_broken_pipe(self, answer) : answer;
    }
    const Unblocked unblocked(descriptor, flags, kind, status);
    if (unblocked.would_block(events)) return static_cast<long>(-EAGAIN);
    part.descriptor = unblocked.descriptor();
    part.flags = unblocked.message_flags();
    return static_cast<long>(attempt(part));
  };
  const wire::Choice* recorded = nullptr;
  long result = 0;
  const bool is_input = !inside && !manner.is_ours;
  const Traffic nothing;
  const Traffic& traffic = manner.traffic ? *manner.traffic : nothing;
  for (bool in_vain = false;; in_vain = true) {
    recorded = inside ? nullptr : scheduler().outside().recorded_answer(self);
    const long wanted = recorded ? static_cast<long>(recorded->value) : 0;
    if (is_input && runtime().inputs().replays() && wanted != kInVain) {
      result = replay_traffic(self, kind, descriptor, traffic);
      if (kind == wire::Operation::kWrite && !traffic.is_silent) with_broken_pipe(self, result);
      break;
    }
    if (recorded && wanted != kInVain) {
      result = repeat_answer(self, op, outside, wanted, try_it);
      break;
    }
    if (!recorded) {
      if (self.signals.interrupted && blocking && (in_vain || !can_proceed(op, self))) {
        result = -EINTR;
        break;
      }
      result = try_it(Part{});
      if (result != -EAGAIN || !blocking || self.timed_out) break;
    }
    if (!inside)
      scheduler().outside().answered(self, recorded, static_cast<std::uint64_t>(kInVain));
    try_later(self, op);
    cancellation_point(self);
  }
  self.wish = self.outside = nullptr;
  if (is_input && !manner.traffic && kind != wire::Operation::kConnect) {
    runtime().inputs().give_up(self, "a call moves data between descriptors, or a message queue");
  }
  if (is_input && runtime().inputs().records()) {
    record_traffic(self, kind, descriptor, result, traffic);
  }
  if (!inside) {
    const long shown = result < 0 || is_counted(kind) ? result : 0;
    scheduler().outside().answered(self, recorded, static_cast<std::uint64_t>(shown));
    if (result == -EAGAIN) runtime().host().call_client();
  }
  if (result == -EAGAIN) {
    if (served) note_nothing_served(self);
    scheduler().failed_attempt(self, op);
  } else {
    scheduler().outside().changed();
  }
  did(self, op, result < 0 ? static_cast<int>(-result) : 0);
  // The signal of a broken pipe is handled before the call returns.
  if (result == -EPIPE && self.signals.has_deliverable()) runtime().signals().handle(self);
  return result;
}

/// The same for a call that takes one step. Sets errno.
template <class Attempt>
long on_descriptor(Thread& self, wire::Operation kind, int descriptor, short events,
                   const void* site, Attempt attempt, const Manner& manner = {}) {
  ErrnoKeeper keeper;
  return keeper.answer(step_on(self, kind, descriptor, events, site, attempt, manner));
}

/// Whether calls on it wait: its kind can block, and O_NONBLOCK is not set.
inline bool waits_on(int descriptor) {
  struct stat status {};
  return os::call(SYS_fstat, descriptor, os::as_argument(&status)) == 0 && may_block(status) &&
         !(os::call(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK);
}

/// Calls `step(done)` until `size` bytes are done, for calls that wait for all of them. Bytes that
/// were done before an error or a signal count.
template <class Step>
long until_done(std::size_t size, Step step) {
  std::size_t done = 0;
  do {
    const long result = step(done);
    if (result < 0) return done ? static_cast<long>(done) : result;
    done += static_cast<std::size_t>(result);
    if (result == 0) break;
  } while (done < size);
  return static_cast<long>(done);
}

}  // namespace unravel
