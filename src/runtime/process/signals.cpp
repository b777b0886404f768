#include "runtime/process/signals.hpp"

#include <errno.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstring>

#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/outsiders.hpp"
#include "runtime/process/run_traces.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

// Raised by the instruction that is at fault, or by the C library about itself (32 and 33: it
// cancels threads and changes ids with them); KILL and STOP cannot be held back.
constexpr std::uint64_t kNotOurs = signal_bit(SIGSEGV) | signal_bit(SIGBUS) | signal_bit(SIGFPE) |
                                   signal_bit(SIGILL) | signal_bit(SIGTRAP) | signal_bit(SIGSYS) |
                                   signal_bit(SIGABRT) | signal_bit(SIGKILL) | signal_bit(SIGSTOP) |
                                   signal_bit(32) | signal_bit(33);
constexpr std::uint64_t kIgnoredByDefault =
    signal_bit(SIGCHLD) | signal_bit(SIGURG) | signal_bit(SIGWINCH) | signal_bit(SIGCONT) |
    signal_bit(SIGTSTP) | signal_bit(SIGTTIN) | signal_bit(SIGTTOU);

constexpr int kFirstRealTime = 32;  // the kernel's; the C library keeps two for itself

void set_real_mask(std::uint64_t bits, std::uint64_t* old) {
  os::call(SYS_rt_sigprocmask, SIG_SETMASK, os::as_argument(&bits), os::as_argument(old),
           sizeof(bits));
}

int lowest(std::uint64_t bits) { return std::countr_zero(bits) + 1; }

}  // namespace

bool Signals::is_ours(int signal) {
  return signal >= 1 && signal <= 64 && !(kNotOurs & signal_bit(signal));
}

void Signals::watch(Thread& main) {
  std::uint64_t inherited = 0;
  set_real_mask(~kNotOurs, &inherited);
  main.signal_mask = inherited;
  // What the program was told to ignore it goes on ignoring.
  for (int signal = 1; signal <= 64; ++signal) {
    if (is_ours(signal)) real::sigaction(signal, nullptr, &actions_[signal]);
  }
}

void Signals::hand_back(const Thread& thread) const {
  for (int signal = 1; signal <= 64; ++signal) {
    const bool standard = actions_[signal].sa_handler == SIG_DFL;
    if (is_ours(signal) && !standard) real::sigaction(signal, &actions_[signal], nullptr);
  }
  set_real_mask(thread.signal_mask, nullptr);
}

int Signals::set_action(int signal, const struct sigaction* action, struct sigaction* old) {
  if (old) *old = actions_[signal];
  if (!action) return 0;
  actions_[signal] = *action;
  // Handlers are ours to call. What is ignored, and what becomes of children, the kernel has to
  // know: programs that are started inherit the one, and waiting for children depends on the other.
  struct sigaction known {};
  known.sa_handler = action->sa_handler == SIG_IGN ? SIG_IGN : SIG_DFL;
  known.sa_flags = action->sa_flags & (SA_NOCLDSTOP | SA_NOCLDWAIT);
  real::sigaction(signal, &known, nullptr);
  if (is_ignored(signal)) discard(signal);
  return 0;
}

bool Signals::is_ignored(int signal) const {
  const auto handler = actions_[signal].sa_handler;
  return handler == SIG_IGN || (handler == SIG_DFL && (kIgnoredByDefault & signal_bit(signal)));
}

int Signals::set_mask(Thread& self, int how, const sigset_t* set, sigset_t* old) {
  if (old) *old = set_of(self.signal_mask);
  if (!set) return 0;
  const std::uint64_t bits = bits_of(*set) & ~kNotOurs;
  switch (how) {
    case SIG_BLOCK: self.signal_mask |= bits; break;
    case SIG_UNBLOCK: self.signal_mask &= ~bits; break;
    case SIG_SETMASK: self.signal_mask = bits; break;
    default: return EINVAL;
  }
  // What the process was waiting to give to anybody who would have it.
  const std::uint64_t now = process_pending_ & ~self.signal_mask;
  process_pending_ &= ~now;
  self.signals |= now;
  for (Sent& sent : sent_) {
    if (!sent.signal) break;
    if (sent.receiver == kAnybody && (now & signal_bit(sent.signal))) sent.receiver = self.ordinal;
  }
  return 0;
}

// As Linux does: the first thread if it does not block it, else any other that does not.
Thread* Signals::receiver(int signal) {
  for (std::uint32_t slot = 0; slot < scheduler_.slots(); ++slot) {
    Thread* thread = scheduler_.threads()[slot];
    if (thread->in_use && !thread->ended && !(thread->signal_mask & signal_bit(signal))) {
      return thread;
    }
  }
  return nullptr;
}

void Signals::send_to_process(int signal, const siginfo_t& info) {
  if (Thread* thread = receiver(signal)) return send(*thread, signal, info);
  note_sent(kAnybody, signal, info);
  process_pending_ |= signal_bit(signal);
  scheduler_.changed_at(object());
  show_pending();
}

void Signals::send(Thread& target, int signal, const siginfo_t& info) {
  // A blocked one stays pending all the same: somebody may wait for it.
  if (is_ignored(signal) && !(target.signal_mask & signal_bit(signal))) return;
  note_sent(target.ordinal, signal, info);
  scheduler_.send_signal(target, signal);
  scheduler_.changed_at(object());
  show_pending();
}

int Signals::take(Thread& self, std::uint64_t set, siginfo_t* info) {
  const std::uint64_t found = pending_for(self) & set;
  if (!found) return 0;
  const int signal = lowest(found);
  const bool own = self.signals & signal_bit(signal);
  const bool more = take_sent(own ? self.ordinal : kAnybody, signal, info);
  if (!more) (own ? self.signals : process_pending_) &= ~signal_bit(signal);
  show_pending();
  return signal;
}

// Real-time signals queue; of the others the first one counts, as long as it is pending.
void Signals::note_sent(std::uint32_t receiver, int signal, const siginfo_t& info) {
  for (Sent& sent : sent_) {
    if (sent.signal == 0) {
      sent = {.signal = signal, .receiver = receiver, .info = info};
      return;
    }
    const bool queues = signal >= kFirstRealTime;
    if (sent.signal == signal && sent.receiver == receiver && !queues) return;
  }
}

bool Signals::take_sent(std::uint32_t receiver, int signal, siginfo_t* info) {
  bool taken = false;
  bool more = false;
  int kept = 0;
  for (int i = 0; i < kMostSent && sent_[i].signal; ++i) {
    const bool meant = sent_[i].signal == signal && sent_[i].receiver == receiver;
    more = more || (meant && taken);
    if (meant && !taken) {
      taken = true;
      if (info) *info = sent_[i].info;
      continue;
    }
    if (kept != i) sent_[kept] = sent_[i];
    ++kept;
  }
  if (taken) sent_[kept].signal = 0;
  return more;
}

void Signals::discard(int signal) {
  process_pending_ &= ~signal_bit(signal);
  for (std::uint32_t slot = 0; slot < scheduler_.slots(); ++slot) {
    scheduler_.threads()[slot]->signals &= ~signal_bit(signal);
  }
  int kept = 0;
  for (int i = 0; i < kMostSent && sent_[i].signal; ++i) {
    if (sent_[i].signal != signal) sent_[kept++] = sent_[i];
  }
  while (kept < kMostSent && sent_[kept].signal) sent_[kept++].signal = 0;
  show_pending();
}

void Signals::handle(Thread& self) {
  const int kept = errno;
  // What the thread waits for is forgotten while its handlers wait for something themselves.
  const Outside* wish = self.wish;
  const Outside* outside = self.outside;
  const void* wanted = self.wanted;
  const bool retry = self.retry;
  bool interrupted = self.interrupted;
  while (const std::uint64_t due = self.signals & ~self.signal_mask) {
    self.wish = self.outside = nullptr;
    self.wanted = nullptr;
    siginfo_t info{};
    const int signal = take(self, signal_bit(lowest(due)), &info);
    const bool restarts = actions_[signal].sa_flags & SA_RESTART;
    run_handler(self, signal, info);
    const Outside* waits = wish ? wish : outside;
    interrupted = interrupted || !restarts || (waits && waits->never_restarts);
  }
  self.wish = wish;
  self.outside = outside;
  self.wanted = wanted;
  self.retry = retry;
  self.interrupted = interrupted;
  errno = kept;
}

void Signals::run_handler(Thread& self, int signal, const siginfo_t& info) {
  const struct sigaction action = actions_[signal];
  if (action.sa_handler == SIG_IGN) return;
  if (action.sa_handler == SIG_DFL) {
    if (kIgnoredByDefault & signal_bit(signal)) return;
    die(signal);
  }
  if (recorder.on()) {
    recorder.note(wire::Operation::kHandle, static_cast<std::uint64_t>(signal), 0, 0, nullptr);
  }
  if (action.sa_flags & SA_RESETHAND) actions_[signal].sa_handler = SIG_DFL;
  const HandlerFrame frame{.outer = self.handlers, .mask = self.signal_mask};
  self.handlers = &frame;
  self.signal_mask |= bits_of(action.sa_mask) & ~kNotOurs;
  if (!(action.sa_flags & SA_NODEFER)) self.signal_mask |= signal_bit(signal);
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t shown = info;
    ucontext_t context{};  // nothing was interrupted in the middle of an instruction
    action.sa_sigaction(signal, &shown, &context);
  } else {
    action.sa_handler(signal);
  }
  self.handlers = frame.outer;
  self.signal_mask = frame.mask;
}

void Signals::leave_handlers(Thread& self, const void* stack, bool with_mask) {
  while (self.handlers && static_cast<const void*>(self.handlers) < stack) {
    if (with_mask) self.signal_mask = self.handlers->mask;
    self.handlers = self.handlers->outer;
  }
}

/// The default action: the process ends by the signal, for real.
void Signals::die(int signal) {
  runtime().note_failure(wire::FailureKind::kSignal, signal, nullptr, nullptr);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  real::sigaction(signal, &standard, nullptr);
  set_real_mask(~kNotOurs & ~signal_bit(signal), nullptr);
  os::call(SYS_tgkill, getpid(), gettid(), signal);
  os::exit_process(128 + signal);
}

// --- From outside --------------------------------------------------------------------------------

void Signals::fetch() {
  for (;;) {
    siginfo_t info{};
    const std::uint64_t wanted = ~kNotOurs & ~arrived_;  // the kernel keeps the second of a kind
    const timespec at_once{};
    const long signal = os::call(SYS_rt_sigtimedwait, os::as_argument(&wanted),
                                 os::as_argument(&info), os::as_argument(&at_once), sizeof(wanted));
    if (signal <= 0) return;
    arrived_ |= signal_bit(static_cast<int>(signal));
    arrived_info_[signal] = info;
  }
}

int Signals::arrived() {
  fetch();
  return arrived_ ? lowest(arrived_) : 0;
}

void Signals::deliver(int signal) {
  if (!is_ours(signal)) return;
  fetch();
  // Two children that end at once make one signal, so a dead one says as much.
  while (signal == SIGCHLD && !(arrived_ & signal_bit(SIGCHLD)) && all_children_live()) {
    const timespec glance{.tv_sec = 0, .tv_nsec = 1'000'000};
    os::call(SYS_nanosleep, os::as_argument(&glance), 0);
    fetch();
  }
  siginfo_t info{};
  if (arrived_ & signal_bit(signal)) {
    info = arrived_info_[signal];
  } else {
    info.si_signo = signal;
    info.si_code = SI_USER;
  }
  arrived_ &= ~signal_bit(signal);
  send_to_process(signal, info);
}

// --- Descriptors ---------------------------------------------------------------------------------

bool Signals::watch_by(int descriptor, std::uint64_t set) {
  forget_watcher(descriptor);
  for (Watcher& watcher : watchers_) {
    if (watcher.descriptor >= 0) continue;
    watcher = {.descriptor = descriptor, .set = set & ~kNotOurs};
    ++watchers_used_;
    show_pending();
    return true;
  }
  return false;
}

bool Signals::is_watched_by(int descriptor) const {
  if (!watchers_used_ || descriptor < 0) return false;
  for (const Watcher& watcher : watchers_) {
    if (watcher.descriptor == descriptor) return true;
  }
  return false;
}

void Signals::forget_watcher(int descriptor) {
  if (descriptor < 0) return;
  for (Watcher& watcher : watchers_) {
    if (watcher.descriptor != descriptor) continue;
    watcher = {};
    --watchers_used_;
  }
}

void Signals::rename_watcher(int descriptor, int other) {
  for (Watcher& watcher : watchers_) {
    if (watcher.descriptor == descriptor) watcher.descriptor = other;
  }
}

int Signals::take_by(int descriptor, Thread& self, siginfo_t* info) {
  for (const Watcher& watcher : watchers_) {
    if (watcher.descriptor != descriptor) continue;
    if (const int signal = take(self, watcher.set, info)) return signal;
    // Sent to one thread, and read by another: better than a descriptor that stays readable.
    for (std::uint32_t slot = 0; slot < scheduler_.slots(); ++slot) {
      Thread* thread = scheduler_.threads()[slot];
      if (!thread->in_use || thread->ended) continue;
      if (const int signal = take(*thread, watcher.set, info)) return signal;
    }
  }
  return 0;
}

std::uint64_t Signals::pending_for_anybody() const {
  std::uint64_t pending = process_pending_;
  for (std::uint32_t slot = 0; slot < scheduler_.slots(); ++slot) {
    const Thread* thread = scheduler_.threads()[slot];
    if (thread->in_use && !thread->ended) pending |= thread->signals;
  }
  return pending;
}

void Signals::show_pending() {
  if (!watchers_used_) return;
  const std::uint64_t pending = pending_for_anybody();
  for (Watcher& watcher : watchers_) {
    const bool readable = pending & watcher.set;
    if (watcher.descriptor < 0 || watcher.readable == readable) continue;
    watcher.readable = readable;
    std::uint64_t count = 1;
    os::call(readable ? SYS_write : SYS_read, watcher.descriptor, os::as_argument(&count),
             sizeof(count));
  }
  scheduler_.outside_changed();
}

}  // namespace unravel
