#include "runtime/process/outsiders.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "runtime/os/real_time.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/leftovers.hpp"

namespace unravel {

namespace {

// If there are more, the others are checked after the next glance. Chosen by hand.
constexpr nfds_t kMostWatched = 128;

// Children and signals make no descriptor readable: they are checked this often. Chosen by hand.
constexpr std::uint64_t kGlanceNanoseconds = 2'000'000;

// Virtual time may be ahead by this much: shorter waits are not worth a system call. Chosen by
// hand.
constexpr std::uint64_t kPaceNanoseconds = 1'000'000;
constexpr std::uint64_t kNanosecondsPerMillisecond = 1'000'000;

}  // namespace

void Outsiders::expect_child() {
  virtual_then_ = scheduler_.time().now();
  real_then_ = os::real_nanoseconds();
}

void Outsiders::record_child(pid_t child) {
  children_[children_made_++ % kMostChildren] = child;
  descriptions_.share_all();
  if (is_ignored_) return;
  scheduler_.time().keeps_pace();
  // From now on, another process may change shared memory that threads wait for.
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    Thread* thread = scheduler_.threads().by_slot()[slot];
    if (thread->in_use && !thread->ended && thread->shared) thread->outside = thread->shared;
  }
}

bool Outsiders::has_child() const { return children_made_ && !is_ignored_ && has_children(); }

bool Outsiders::has_running_child() const {
  if (client_runs()) return true;
  const std::uint64_t known = children_made_ < kMostChildren ? children_made_ : kMostChildren;
  for (std::uint64_t i = 0; i < known; ++i) {
    siginfo_t info{};
    const long result = os::call(SYS_waitid, P_PID, children_[i], os::as_argument(&info),
                                 WEXITED | WNOHANG | WNOWAIT, 0);
    if (result == 0 && info.si_pid == 0) return true;
  }
  return false;
}

void Outsiders::wait_for_real_time() {
  const std::uint64_t passed = scheduler_.time().now() - virtual_then_;
  for (;;) {
    const std::uint64_t real = os::real_nanoseconds();
    if (passed <= real - real_then_ + kPaceNanoseconds) return;
    if (!has_running_child()) {
      virtual_then_ = scheduler_.time().now();
      real_then_ = real;
      return;
    }
    const std::uint64_t ahead = passed - (real - real_then_);
    const std::uint64_t length = ahead < kGlanceNanoseconds ? ahead : kGlanceNanoseconds;
    const timespec glance{.tv_sec = 0, .tv_nsec = static_cast<long>(length)};
    os::call(SYS_nanosleep, os::as_argument(&glance), 0);
  }
}

std::uint64_t Outsiders::lag() const {
  if (!children_made_ || is_ignored_) return 0;
  const std::uint64_t real = os::real_nanoseconds() - real_then_;
  const std::uint64_t passed = scheduler_.time().now() - virtual_then_;
  return real > passed ? real - passed : 0;
}

std::uint64_t Outsiders::take_waited() {
  const std::uint64_t whole = waited_ - waited_ % kNanosecondsPerMillisecond;
  waited_ -= whole;
  return whole;
}

std::uint64_t Outsiders::ordinal_of(pid_t child) const {
  const std::uint64_t known = children_made_ < kMostChildren ? children_made_ : kMostChildren;
  for (std::uint64_t back = 0; back < known; ++back) {
    const std::uint64_t index = children_made_ - 1 - back;
    if (children_[index % kMostChildren] == child) return index + 1;
  }
  return 0;
}

pid_t Outsiders::child_at(std::uint64_t ordinal) const {
  const bool known =
      ordinal >= 1 && ordinal <= children_made_ && children_made_ - ordinal < kMostChildren;
  return known ? children_[(ordinal - 1) % kMostChildren] : 0;
}

Outsiders::Piped* Outsiders::find_piped(const void* stream) {
  for (Piped& one : piped_) {
    if (one.stream == stream) return &one;
  }
  return nullptr;
}

bool Outsiders::exist() const {
  if (is_ignored_) return false;
  if (children_made_ || client() != wire::Client::kNone) return true;
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    const Thread* thread = scheduler_.threads().by_slot()[slot];
    if (thread->in_use && !thread->ended && thread->outside) return true;
  }
  return false;
}

bool Outsiders::waits_outside(const Outside& wish) const {
  for (nfds_t i = 0; i < wish.count; ++i) {
    if (wish.descriptors[i].fd >= 0 && !is_inside(wish.descriptors[i].fd)) return true;
  }
  return false;
}

bool Outsiders::is_any_stuck() const {
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    const Thread* thread = scheduler_.threads().by_slot()[slot];
    if (!thread->in_use || thread->ended || thread->outside || thread->wish) continue;
    // The thread that calls the functions of timers waits for signals inside: it is not stuck.
    if (thread->pending.kind != wire::Operation::kJoin &&
        thread->pending.kind != wire::Operation::kSignalWait) {
      return true;
    }
  }
  return false;
}

bool Outsiders::awaits_descriptor() const {
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    const Thread* thread = scheduler_.threads().by_slot()[slot];
    if (thread->in_use && !thread->ended && thread->outside && thread->outside->count) return true;
  }
  return false;
}

// The client runs in real time. When it ends, the program gets a signal, and its handler, or the
// end of the program, ends any standstill.
bool Outsiders::client_may_send(std::uint64_t deadline) const {
  if (deadline != kNever) return client_runs();
  return client_signal_ && (client_runs() || client() == wire::Client::kExpected);
}

// In most programs, a thread that waits for signals does so for ever. It must not hide a deadlock
// of the others, nor turn a timeout into real waiting. A live child sends a signal when it ends, to
// a thread that handles it, whatever that thread is doing.
bool Outsiders::may_come(std::uint64_t deadline) const {
  bool signals = false;
  bool stuck_inside = false;
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    const Thread* thread = scheduler_.threads().by_slot()[slot];
    if (!thread->in_use || thread->ended) continue;
    if (!thread->outside) {
      // The thread that calls the functions of timers waits for signals inside: it is not stuck.
      stuck_inside = stuck_inside || (thread->pending.kind != wire::Operation::kJoin &&
                                      thread->pending.kind != wire::Operation::kSignalWait);
    } else if (thread->outside->count || thread->outside->child) {
      return true;
    } else {
      signals = true;
    }
  }
  if (client_may_send(deadline)) return true;
  if ((signals || signals_.is_handled(SIGCHLD)) && has_children()) return true;
  // The child may also send a signal that is handled.
  if (children_made_ && signals_.is_any_handled() && has_running_child()) return true;
  // The child runs in real time, and the program may check what it has done.
  if (deadline != kNever && children_made_ && has_running_child()) return true;
  return signals && !stuck_inside && deadline == kNever;
}

bool Outsiders::wait(std::uint64_t deadline) {
  if (is_ignored_) return false;
  if (!may_come(deadline)) return false;

  std::uint64_t length = kGlanceNanoseconds;
  if (deadline != kNever) {
    const std::uint64_t now = scheduler_.time().now();
    const std::uint64_t patience = deadline > now ? deadline - now : 0;
    if (waited_ >= patience) {
      waited_ -= patience;
      return false;
    }
    if (patience - waited_ < length) length = patience - waited_;
  }

  pollfd watched[kMostWatched];
  nfds_t count = 0;
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    const Thread* thread = scheduler_.threads().by_slot()[slot];
    if (!thread->in_use || thread->ended || !thread->outside) continue;
    for (nfds_t i = 0; i < thread->outside->count && count < kMostWatched; ++i) {
      watched[count++] = thread->outside->descriptors[i];
    }
  }
  const std::uint64_t begun = os::real_nanoseconds();
  const timespec glance{.tv_sec = 0, .tv_nsec = static_cast<long>(length)};
  os::call(SYS_ppoll, os::as_argument(watched), static_cast<long>(count), os::as_argument(&glance),
           0, 0);
  waited_ += os::real_nanoseconds() - begun;
  const std::uint64_t behind = has_child() ? lag() : 0;
  if (behind > waited_) waited_ = behind;
  return true;
}

}  // namespace unravel
