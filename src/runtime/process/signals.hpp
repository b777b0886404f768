/// Signals as the program sees them: handlers, masks, what is pending.
///
/// Asynchronous signals are blocked for real in every thread, at all times, so that no handler
/// ever runs beside the turn. Those that the program sends to itself never reach the kernel: they
/// are recorded, and handled at a point of the thread that gets them. Those from outside are
/// fetched from the kernel and delivered when the scheduler says so. Faults that an instruction
/// raises are real, and handled at once.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cstdint>

#include "runtime/core/scheduler.hpp"
#include "runtime/process/signal_queue.hpp"
#include "runtime/process/signal_set.hpp"
#include "runtime/process/signal_watchers.hpp"

namespace unravel {

/// A handler that is running: lies on the stack right above its frames.
struct HandlerFrame {
  const HandlerFrame* outer;
  std::uint64_t mask;  // before it
  // The alternate stack that it runs on; null: the thread's own, or that of the handler before.
  const void* stack_begin;
  const void* stack_end;
};

class Signals {
 public:
  Signals(Scheduler& scheduler, Arena& arena) : scheduler_(scheduler), queue_(arena) {}

  /// From here on asynchronous signals wait for us. `main` keeps the mask that it was started with.
  void watch(Thread& main);
  /// The kernel's own view, for a child that goes its own way: `thread`'s mask, its alternate
  /// stack and all handlers. Changes nothing in memory, which may be the parent's.
  void hand_back(const Thread& thread) const;

  /// Whether it is ours to deliver.
  static bool is_ours(int signal) {
    return signal >= 1 && signal <= 64 && !(kNotOurs & signal_bit(signal));
  }

  // --- Actions and masks ---
  int set_action(int signal, const struct sigaction* action, struct sigaction* old);
  [[nodiscard]] bool is_handled(int signal) const {
    return actions_[signal].sa_handler != SIG_DFL && actions_[signal].sa_handler != SIG_IGN;
  }
  [[nodiscard]] bool is_any_handled() const;
  /// siginterrupt(): whether handlers that signal() sets for it end what they interrupt.
  std::uint64_t interrupting = 0;

  int set_mask(Thread& self, int how, const sigset_t* set, sigset_t* old);
  /// Puts a mask back, or sets the one of a call that waits with a mask of its own.
  void replace_mask(Thread& self, std::uint64_t mask);

  // --- Sending and taking ---
  /// 0, or EAGAIN: more are queued than the program's limit allows. `notice` is a timer's.
  int send(Thread& target, int signal, const siginfo_t& info, TimerNotice* notice = nullptr);
  int send_to_process(int signal, const siginfo_t& info, TimerNotice* notice = nullptr);
  [[nodiscard]] std::uint64_t pending_for(const Thread& thread) const {
    return thread.signals.pending | process_pending_;
  }
  /// Takes one signal of `set` that is pending for `self`; 0 if there is none. `info` may be null.
  int take(Thread& self, std::uint64_t set, siginfo_t* info);
  /// What threads that wait for signals contend for.
  [[nodiscard]] const void* object() const { return &process_pending_; }
  /// A timer goes.
  void forget(const TimerNotice* notice) { queue_.forget(notice); }
  /// `self` ends: others handle what it was to handle for the process.
  void leave(Thread& self);

  // --- Handlers ---
  /// Runs the handlers of what `self` does not block.
  void handle(Thread& self);
  /// `self` jumps to a frame at `stack`: handlers below it have ended. What was blocked before
  /// them.
  static std::uint64_t leave_handlers(Thread& self, const void* stack);
  /// An instruction of the calling thread raised `signal`. Runs the program's handler; false: there
  /// is none that may run, and the program dies of it. `self` null: a thread that is not ours.
  bool handle_fault(Thread* self, int signal, siginfo_t* info, ucontext_t* context);
  /// abort() comes to its handler, also if it is blocked.
  static void unblock_for_abort(Thread& self) { self.signals.mask &= ~signal_bit(SIGABRT); }

  // --- From outside ---
  /// Fetches what the kernel holds back for us.
  void fetch();
  /// A signal that was fetched and not delivered; 0: none.
  int arrived();
  /// Sends it on to the thread that takes it, also if it has not come: a replay needs no other
  /// process to send it again. Only for the end of a child does it wait.
  void deliver(int signal);
  /// One that the kernel does not hold back came from another process, to any thread at any moment.
  void record_fault_from_outside(int signal) {
    faults_from_outside_.fetch_or(signal_bit(signal), std::memory_order_relaxed);
  }

  // --- Descriptors that signals are read from: signalfd ---
  /// False: there are too many.
  bool watch_by(int descriptor, std::uint64_t set);
  [[nodiscard]] bool is_watched_by(int descriptor) const { return watchers_.has(descriptor); }
  void forget_watcher(int descriptor) { watchers_.remove(descriptor); }
  /// The same descriptor by another of its numbers.
  void rename_watcher(int descriptor, int other) { watchers_.rename(descriptor, other); }
  /// Takes one signal that `descriptor` is for; 0 if there is none.
  int take_by(int descriptor, Thread& self, siginfo_t* info);

 private:
  [[nodiscard]] bool is_ignored(int signal) const;
  void discard(int signal);
  [[nodiscard]] bool is_full(int signal, const siginfo_t& info) const;
  /// The thread that handles what is sent to the process; null: it stays pending.
  Thread* receiver(int signal);
  void assign(SentSignal& sent, Thread* to);
  /// What was sent to the process goes to a thread that may handle it.
  void mask_changed(Thread& self);
  /// Whether one ran that ends what it interrupts.
  bool run_due(Thread& self, const Outside* waits);
  bool run_handler(Thread& self, int signal, siginfo_t& info, const Outside* waits);
  void call_handler(Thread& self, const struct sigaction& action, int signal, siginfo_t* info,
                    ucontext_t* context, HandlerFrame& frame, bool switches_stack);
  [[noreturn]] void die(int signal);
  [[nodiscard]] std::uint64_t pending_for_anybody() const;
  void show_pending();

  Scheduler& scheduler_;
  struct sigaction actions_[65] = {};
  SignalQueue queue_;
  // The bits of threads and of the process say what is in the queue for them.
  std::uint64_t process_pending_ = 0;
  std::uint64_t arrived_ = 0;  // from outside, one bit each
  siginfo_t arrived_info_[65];
  std::atomic<std::uint64_t> faults_from_outside_{0};
  SignalWatchers watchers_;
};

}  // namespace unravel
