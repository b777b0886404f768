/// Signals as the program sees them: handlers, masks, what is pending.
///
/// Asynchronous signals are blocked for real in every thread, at all times, so that no handler
/// ever runs beside the turn. Those that the program sends to itself never reach the kernel: they
/// are noted, and handled at a point of the thread that gets them. Those from outside are fetched
/// from the kernel and delivered when the scheduler says so. Faults are real, and handled at once.
#pragma once

#include <signal.h>

#include <cstdint>

#include "runtime/core/scheduler.hpp"

namespace unravel {

/// A handler that is running: lies on the stack right above its frames.
struct HandlerFrame {
  const HandlerFrame* outer;
  std::uint64_t mask;  // before it
};

class Signals {
 public:
  explicit Signals(Scheduler& scheduler) : scheduler_(scheduler) {}

  /// From here on asynchronous signals wait for us. `main` keeps the mask that it was started with.
  void watch(Thread& main);
  /// The kernel's own view, for a child that goes its own way: `thread`'s mask and all handlers.
  void hand_back(const Thread& thread) const;

  /// Whether it is ours to deliver; faults are the kernel's.
  static bool is_ours(int signal);

  int set_action(int signal, const struct sigaction* action, struct sigaction* old);
  int set_mask(Thread& self, int how, const sigset_t* set, sigset_t* old);

  void send(Thread& target, int signal, const siginfo_t& info);
  void send_to_process(int signal, const siginfo_t& info);
  [[nodiscard]] bool is_handled(int signal) const {
    return actions_[signal].sa_handler != SIG_DFL && actions_[signal].sa_handler != SIG_IGN;
  }
  /// Runs the handlers of what `self` does not block.
  void handle(Thread& self);
  /// `self` jumps to a frame at `stack`: handlers below it have ended. `with_mask`: and what they
  /// blocked is to be blocked no more.
  static void leave_handlers(Thread& self, const void* stack, bool with_mask);

  [[nodiscard]] std::uint64_t pending_for(const Thread& thread) const {
    return thread.signals | process_pending_;
  }
  /// Takes one signal of `set` that is pending for `self`; 0 if there is none. `info` may be null.
  int take(Thread& self, std::uint64_t set, siginfo_t* info);
  /// What threads that wait for signals contend for.
  [[nodiscard]] const void* object() const { return &process_pending_; }

  // --- From outside ---
  /// Fetches what the kernel holds back for us.
  void fetch();
  /// A signal that was fetched and not delivered; 0: none.
  int arrived();
  /// Sends it on to whoever takes it, also if it has not come: a replay needs no other process to
  /// send it again, but for the end of a child, which it waits for.
  void deliver(int signal);

  // --- Descriptors that signals are read from: signalfd ---
  /// False: there are too many.
  bool watch_by(int descriptor, std::uint64_t set);
  [[nodiscard]] bool is_watched_by(int descriptor) const;
  void forget_watcher(int descriptor);
  /// The same descriptor by another of its numbers.
  void rename_watcher(int descriptor, int other);
  /// Takes one signal that `descriptor` is for; 0 if there is none.
  int take_by(int descriptor, Thread& self, siginfo_t* info);

 private:
  /// One that was sent and not taken yet. The bits of threads and process say that there is one;
  /// this is what it says, and how often, for those that queue.
  struct Sent {
    int signal = 0;  // 0: free
    std::uint32_t receiver = 0;
    siginfo_t info{};
  };
  static constexpr int kMostSent = 128;
  static constexpr std::uint32_t kAnybody = ~std::uint32_t{0};

  void note_sent(std::uint32_t receiver, int signal, const siginfo_t& info);
  /// Removes the oldest; whether there is another one.
  bool take_sent(std::uint32_t receiver, int signal, siginfo_t* info);
  void discard(int signal);
  [[nodiscard]] bool is_ignored(int signal) const;
  void run_handler(Thread& self, int signal, const siginfo_t& info);
  [[noreturn]] void die(int signal);
  Thread* receiver(int signal);
  [[nodiscard]] std::uint64_t pending_for_anybody() const;
  /// Descriptors are readable exactly while there is something to read.
  void show_pending();

  Scheduler& scheduler_;
  struct sigaction actions_[65] = {};
  Sent sent_[kMostSent];  // oldest first, without gaps
  std::uint64_t process_pending_ = 0;
  std::uint64_t arrived_ = 0;  // from outside, one bit each
  siginfo_t arrived_info_[65];

  /// The program's descriptor is a counter that says 1 while it is readable.
  struct Watcher {
    int descriptor = -1;
    bool readable = false;
    std::uint64_t set = 0;
  };
  static constexpr int kMostWatchers = 16;
  Watcher watchers_[kMostWatchers];
  int watchers_used_ = 0;
};

constexpr std::uint64_t signal_bit(int signal) { return std::uint64_t{1} << (signal - 1); }
/// The kernel's set as one word.
inline std::uint64_t bits_of(const sigset_t& set) { return set.__val[0]; }
inline sigset_t set_of(std::uint64_t bits) {
  sigset_t set{};
  set.__val[0] = bits;
  return set;
}

}  // namespace unravel
