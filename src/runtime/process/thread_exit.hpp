/// Notices the end of a thread, after its thread_local and key destructors.
///
/// glibc runs thread_local destructors, then up to four rounds of key destructors, in the exiting
/// thread, and calls no function of ours when it is done. So we have a key of our own that sets
/// itself again until the last round, where it comes last. All destructors run with the turn held.
/// Robust mutexes that the thread still holds change hands here, too.
#pragma once

#include <pthread.h>

#include "runtime/core/thread.hpp"

namespace unravel {

class ThreadExit {
 public:
  /// Makes the key. Called at load, before the program has any.
  void watch();
  /// Makes the calling thread pass on the turn when it ends.
  void expect(Thread& self) const;

  // --- The program may use all of libc's keys: the last one is ours, lent under its number ---
  using Destructor = void (*)(void*);
  [[nodiscard]] pthread_key_t key() const { return key_; }
  [[nodiscard]] bool is_lent() const { return is_lent_; }
  void lend(Destructor destructor) {
    is_lent_ = true;
    destructor_ = destructor;
  }
  /// The program deletes the lent key.
  void take_back() { is_lent_ = false; }
  /// Called when a thread is about to exit early.
  static void load_unwinder();
  /// Ends the calling thread, which has the turn, like pthread_exit(PTHREAD_CANCELED). libc does
  /// the same.
  [[noreturn]] static void leave_cancelled(Thread& self);

 private:
  static void on_round(void* thread);
  void destroy_lent(Thread& self) const;

  pthread_key_t key_ = 0;
  bool is_lent_ = false;
  Destructor destructor_ = nullptr;
};

}  // namespace unravel
