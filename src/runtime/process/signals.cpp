#include "runtime/process/signals.hpp"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/faults.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

constexpr std::uint64_t kStops = signal_bit(SIGTSTP) | signal_bit(SIGTTIN) | signal_bit(SIGTTOU);
constexpr std::uint64_t kIgnoredByDefault =
    signal_bit(SIGCHLD) | signal_bit(SIGURG) | signal_bit(SIGWINCH) | signal_bit(SIGCONT) | kStops;

void set_real_mask(std::uint64_t bits, std::uint64_t* old) {
  os::call(SYS_rt_sigprocmask, SIG_SETMASK, os::as_argument(&bits), os::as_argument(old),
           sizeof(bits));
}

}  // namespace

void Signals::watch(Thread& main) {
  std::uint64_t inherited = 0;
  set_real_mask(kHeldBack, &inherited);
  main.signals.mask = inherited & ~kNotOurs;
  // Signals that the program was started to ignore stay ignored.
  for (int signal = 1; signal <= 64; ++signal) {
    if (is_ours(signal)) real::sigaction(signal, nullptr, &actions_[signal]);
  }
}

void Signals::let_debugger_interrupt() { set_real_mask(kHeldBack & ~signal_bit(SIGINT), nullptr); }

void Signals::hand_back(const Thread& thread) const {
  for (int signal = 1; signal <= 64; ++signal) {
    if (!is_ours(signal)) continue;
    const bool standard = actions_[signal].sa_handler == SIG_DFL;
    if (!standard || is_fault(signal)) real::sigaction(signal, &actions_[signal], nullptr);
  }
  if (!thread.signals.stack) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    os::call(SYS_sigaltstack, os::as_argument(&none), 0);
  }
  set_real_mask(thread.signals.mask, nullptr);
}

// --- Actions and masks ---------------------------------------------------------------------------

int Signals::set_action(int signal, const struct sigaction* action, struct sigaction* old) {
  const struct sigaction before = actions_[signal];
  if (action) {
    actions_[signal] = *action;
    // We call handlers ourselves. The kernel has to know which signals are ignored, since programs
    // that are started inherit that, and what happens to children, since waiting for them depends
    // on it.
    if (is_fault(signal)) {
      receive_fault(signal, !is_handled(signal) || (action->sa_flags & SA_ONSTACK));
    } else {
      struct sigaction known {};
      known.sa_handler = action->sa_handler == SIG_IGN ? SIG_IGN : SIG_DFL;
      known.sa_flags = action->sa_flags & (SA_NOCLDSTOP | SA_NOCLDWAIT);
      real::sigaction(signal, &known, nullptr);
    }
    if (is_ignored(signal)) discard(signal);
  }
  if (old) *old = before;
  return 0;
}

bool Signals::is_ignored(int signal) const {
  const auto handler = actions_[signal].sa_handler;
  return handler == SIG_IGN || (handler == SIG_DFL && (kIgnoredByDefault & signal_bit(signal)));
}

bool Signals::is_any_handled() const {
  for (int signal = 1; signal <= 64; ++signal) {
    if (is_ours(signal) && is_handled(signal)) return true;
  }
  return false;
}

int Signals::set_mask(Thread& self, int how, const sigset_t* set, sigset_t* old) {
  const std::uint64_t before = self.signals.mask;
  if (set) {
    const std::uint64_t bits = bits_of(*set);
    switch (how) {
      case SIG_BLOCK: replace_mask(self, before | bits); break;
      case SIG_UNBLOCK: replace_mask(self, before & ~bits); break;
      case SIG_SETMASK: replace_mask(self, bits); break;
      default: return EINVAL;
    }
  }
  if (old) *old = set_of(before);
  return 0;
}

void Signals::replace_mask(Thread& self, std::uint64_t mask) {
  self.signals.mask = mask & ~kNotOurs;
  mask_changed(self);
}

// A signal to the process belongs to no thread until it is handled. If the thread that was to
// handle it blocks it now, another one handles it, or it stays pending until one does.
void Signals::mask_changed(Thread& self) {
  if (!queue_.has_any_to_process()) return;
  for (SentSignal* one = queue_.first(); one; one = one->next) {
    if (!one->to_process) continue;
    const bool blocked = self.signals.mask & signal_bit(one->signal);
    if (one->receiver == self.ordinal && blocked) assign(*one, receiver(one->signal));
    if (one->receiver == kAnybody && !blocked) assign(*one, &self);
  }
  self.signals.pending = queue_.bits(self.ordinal);
  process_pending_ = queue_.bits(kAnybody);
}

void Signals::assign(SentSignal& sent, Thread* to) {
  sent.receiver = to ? to->ordinal : kAnybody;
  if (to) {
    scheduler_.waiting().send_signal(*to, sent.signal);
  } else {
    process_pending_ |= signal_bit(sent.signal);
  }
}

// As in Linux: the first thread, if it does not block the signal, else any other that does not. A
// thread that waits for it in sigwait() takes it there, without a handler.
Thread* Signals::receiver(int signal) {
  const std::uint64_t bit = signal_bit(signal);
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    Thread* thread = scheduler_.threads().by_slot()[slot];
    if (!thread->in_use || thread->ended) continue;
    if (thread->signals.awaited & bit) return nullptr;
    if (!(thread->signals.mask & bit)) return thread;
  }
  return nullptr;
}

// --- Sending and taking --------------------------------------------------------------------------

/// Whether the kernel would return EAGAIN: it queues as many as RLIMIT_SIGPENDING allows. The limit
/// applies only to real-time signals, and not to those that kill() or a timer sends.
bool Signals::is_full(int signal, const siginfo_t& info) const {
  constexpr std::uint64_t kAlwaysEnough = 64;
  if (signal < kFirstRealTime || info.si_code == SI_USER || info.si_code == SI_TIMER) return false;
  if (queue_.size() < kAlwaysEnough) return false;
  rlimit most{};
  os::call(SYS_prlimit64, 0, RLIMIT_SIGPENDING, 0, os::as_argument(&most));
  return queue_.size() >= most.rlim_cur;
}

int Signals::send_to_process(int signal, const siginfo_t& info, TimerNotice* notice) {
  if (signal == SIGCONT || (kStops & signal_bit(signal))) {
    for (const int other : {SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT}) {
      if ((other == SIGCONT) != (signal == SIGCONT)) discard(other);
    }
  }
  Thread* thread = receiver(signal);
  if (thread && is_ignored(signal)) return 0;
  if (is_full(signal, info)) return EAGAIN;
  queue_.add({.signal = signal,
              .receiver = thread ? thread->ordinal : kAnybody,
              .to_process = true,
              .notice = notice,
              .info = info});
  // One of its kind may have been pending already, for a thread that blocks it by now.
  if (thread && queue_.has(thread->ordinal, signal)) {
    scheduler_.waiting().send_signal(*thread, signal);
  } else {
    process_pending_ = queue_.bits(kAnybody);
  }
  scheduler_.objects().changed_at(object());
  show_pending();
  return 0;
}

int Signals::send(Thread& target, int signal, const siginfo_t& info, TimerNotice* notice) {
  const std::uint64_t kept = target.signals.mask | target.signals.awaited;
  // An ignored signal that is blocked stays pending: a thread may wait for it.
  if (is_ignored(signal) && !(kept & signal_bit(signal))) return 0;
  if (is_full(signal, info)) return EAGAIN;
  queue_.add({.signal = signal, .receiver = target.ordinal, .notice = notice, .info = info});
  scheduler_.waiting().send_signal(target, signal);
  scheduler_.objects().changed_at(object());
  show_pending();
  return 0;
}

int Signals::take(Thread& self, std::uint64_t set, siginfo_t* info) {
  const bool own = self.signals.pending & set;
  const std::uint64_t found = (own ? self.signals.pending : process_pending_) & set;
  if (!found) return 0;
  const int signal = first_of(found);
  const std::uint32_t receiver = own ? self.ordinal : kAnybody;
  queue_.take(receiver, signal, info);
  if (!queue_.has(receiver, signal))
    (own ? self.signals.pending : process_pending_) &= ~signal_bit(signal);
  show_pending();
  return signal;
}

void Signals::discard(int signal) {
  process_pending_ &= ~signal_bit(signal);
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    scheduler_.threads().by_slot()[slot]->signals.pending &= ~signal_bit(signal);
  }
  queue_.discard(signal);
  show_pending();
}

void Signals::leave(Thread& self) {
  replace_mask(self, ~std::uint64_t{0});
  queue_.discard_of(self.ordinal);
  self.signals.pending = 0;
  show_pending();
}

/// The default action: the signal really ends the process.
void Signals::die(int signal) {
  runtime().host().record_failure(wire::FailureKind::kSignal, signal, nullptr, nullptr);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  real::sigaction(signal, &standard, nullptr);
  set_real_mask(kHeldBack & ~signal_bit(signal), nullptr);
  os::call(SYS_tgkill, os::call(SYS_getpid), os::call(SYS_gettid), signal);
  os::exit_process(128 + signal);
}

// --- Descriptors ---------------------------------------------------------------------------------

bool Signals::watch_by(int descriptor, std::uint64_t set) {
  if (!watchers_.add(descriptor, set & ~kNotOurs)) return false;
  show_pending();
  return true;
}

int Signals::take_by(int descriptor, Thread& self, siginfo_t* info) {
  const std::uint64_t set = watchers_.set_of_watcher(descriptor);
  if (const int signal = take(self, set, info)) return signal;
  // The signal was sent to one thread and another thread reads it. That is better than a descriptor
  // that stays readable.
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    Thread* thread = scheduler_.threads().by_slot()[slot];
    if (!thread->in_use || thread->ended) continue;
    if (const int signal = take(*thread, set, info)) return signal;
  }
  return 0;
}

std::uint64_t Signals::pending_for_anybody() const {
  std::uint64_t pending = process_pending_;
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    const Thread* thread = scheduler_.threads().by_slot()[slot];
    if (thread->in_use && !thread->ended) pending |= thread->signals.pending;
  }
  return pending;
}

void Signals::show_pending() {
  if (!watchers_.any()) return;
  watchers_.show(pending_for_anybody());
  scheduler_.outside().changed();
}

}  // namespace unravel
