/// Signals as the program sees them: handlers, masks, what is pending.
///
/// Asynchronous signals are really blocked in every thread at all times, so no handler runs in a
/// thread that does not have the turn. Signals that the program sends to itself never reach the
/// kernel: they are recorded, and handled at a point of their thread. Signals from outside are
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

/// A handler that is running. It lies on the stack right above the handler's frames.
struct HandlerFrame {
  const HandlerFrame* outer;
  std::uint64_t mask;  // the mask before the handler
  // The alternate stack that the handler runs on; null: the thread's own, or that of the outer
  // handler.
  const void* stack_begin;
  const void* stack_end;
};

class Signals {
 public:
  Signals(Scheduler& scheduler, Arena& arena) : scheduler_(scheduler), queue_(arena) {}

  /// From here on asynchronous signals are held back. `main` keeps the mask that it was started
  /// with.
  void watch(Thread& main);
  /// Threads that are made from here on, and this one, can be interrupted by a debugger. It uses
  /// SIGINT for that and keeps the signal for itself.
  static void let_debugger_interrupt();
  /// Gives `thread`'s mask, its alternate stack and all handlers back to the kernel, in a child
  /// that is not controlled. Changes nothing in memory, which may be the parent's.
  void hand_back(const Thread& thread) const;

  /// Whether we deliver this signal.
  static bool is_ours(int signal) {
    return signal >= 1 && signal <= 64 && !(kNotOurs & signal_bit(signal));
  }

  // --- Actions and masks ---
  int set_action(int signal, const struct sigaction* action, struct sigaction* old);
  [[nodiscard]] bool is_handled(int signal) const {
    return actions_[signal].sa_handler != SIG_DFL && actions_[signal].sa_handler != SIG_IGN;
  }
  [[nodiscard]] bool is_any_handled() const;
  /// Set by siginterrupt(): the signals whose handlers, if set by signal(), interrupt calls.
  std::uint64_t interrupting = 0;

  int set_mask(Thread& self, int how, const sigset_t* set, sigset_t* old);
  /// Restores a mask, or sets the mask of a call that waits with its own.
  void replace_mask(Thread& self, std::uint64_t mask);

  // --- Sending and taking ---
  /// Returns 0, or EAGAIN if more are queued than the program's limit allows. `notice`: of the
  /// timer that sends it.
  int send(Thread& target, int signal, const siginfo_t& info, TimerNotice* notice = nullptr);
  int send_to_process(int signal, const siginfo_t& info, TimerNotice* notice = nullptr);
  [[nodiscard]] std::uint64_t pending_for(const Thread& thread) const {
    return thread.signals.pending | process_pending_;
  }
  /// Takes one signal of `set` that is pending for `self`; 0 if there is none. `info` may be null.
  int take(Thread& self, std::uint64_t set, siginfo_t* info);
  /// The object that threads contend for while they wait for signals.
  [[nodiscard]] const void* object() const { return &process_pending_; }
  /// A timer is deleted.
  void forget(const TimerNotice* notice) { queue_.forget(notice); }
  /// `self` ends: other threads handle the signals of the process that it was to handle.
  void leave(Thread& self);

  // --- Handlers ---
  /// Runs the handlers of pending signals that `self` does not block.
  void handle(Thread& self);
  /// `self` jumps to a frame at `stack`: handlers below it have ended. Returns the mask before
  /// them.
  static std::uint64_t leave_handlers(Thread& self, const void* stack);
  /// An instruction of the calling thread raised `signal`. Runs the program's handler. Returns
  /// false if none may run: the program dies then. `self` null: a thread that is not ours.
  bool handle_fault(Thread* self, int signal, siginfo_t* info, ucontext_t* context);
  /// The handler of abort() runs even if SIGABRT is blocked.
  static void unblock_for_abort(Thread& self) { self.signals.mask &= ~signal_bit(SIGABRT); }

  // --- From outside ---
  /// Fetches the signals that the kernel holds back for us.
  void fetch();
  /// A signal that was fetched and not delivered; 0: none.
  int arrived();
  /// With inputs that are served: lets the next recorded signal come now. Returns whether there is
  /// one.
  bool hurry();
  /// Sends it to the thread that takes it, even if it has not come: in a replay, no other process
  /// has to send it again. It waits only for the end of a child.
  void deliver(int signal);
  /// A signal that the kernel does not hold back came from another process, to any thread at any
  /// time.
  void record_fault_from_outside(int signal) {
    faults_from_outside_.fetch_or(signal_bit(signal), std::memory_order_relaxed);
  }

  // --- Descriptors that signals are read from: signalfd ---
  /// Returns false if there are too many.
  bool watch_by(int descriptor, std::uint64_t set);
  [[nodiscard]] bool is_watched_by(int descriptor) const { return watchers_.has(descriptor); }
  void forget_watcher(int descriptor) { watchers_.remove(descriptor); }
  /// The same descriptor by another of its numbers.
  void rename_watcher(int descriptor, int other) { watchers_.rename(descriptor, other); }
  /// Takes one signal of `descriptor`; 0 if there is none.
  int take_by(int descriptor, Thread& self, siginfo_t* info);

 private:
  int served_now();
  [[nodiscard]] bool is_ignored(int signal) const;
  void discard(int signal);
  [[nodiscard]] bool is_full(int signal, const siginfo_t& info) const;
  /// The thread that handles a signal to the process; null: it stays pending.
  Thread* receiver(int signal);
  void assign(SentSignal& sent, Thread* to);
  /// Finds threads to handle the signals of the process after `self` changed its mask.
  void mask_changed(Thread& self);
  /// Returns whether a handler ran that interrupts a call.
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
  // The bits of the process and of each thread say which signals the queue has for them.
  std::uint64_t process_pending_ = 0;
  std::uint64_t arrived_ = 0;  // from outside, one bit each
  siginfo_t arrived_info_[65];
  bool hurries_ = false;
  std::atomic<std::uint64_t> faults_from_outside_{0};
  SignalWatchers watchers_;
};

}  // namespace unravel
