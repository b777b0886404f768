/// The end of a thread, seen from inside: after its thread_local and key destructors.
///
/// glibc runs thread_local destructors, then up to four rounds of key destructors, in the
/// exiting thread, and calls no function of ours when it is done. So we have a key of our own that
/// sets itself again until the last round, and comes last in it. All destructors run with the turn
/// held. Robust mutexes that the thread still holds change hands here, too.
#pragma once

#include <pthread.h>

#include "runtime/core/thread.hpp"

namespace unravel {

class ThreadExit {
 public:
  /// Makes the key. At load, before the program has any.
  void watch();
  /// The calling thread will pass the turn on when it ends.
  void expect(Thread& self) const;

  // --- The program has as many keys as libc: the last one is ours, under the same number ---
  using Destructor = void (*)(void*);
  [[nodiscard]] pthread_key_t key() const { return key_; }
  [[nodiscard]] bool is_lent() const { return is_lent_; }
  void lend(Destructor destructor) {
    is_lent_ = true;
    destructor_ = destructor;
  }
  /// The program deletes it.
  void take_back() { is_lent_ = false; }
  /// A thread is about to leave early.
  static void load_unwinder();
  /// The calling thread, which has the turn, ends as pthread_exit(PTHREAD_CANCELED) would, which is
  /// what libc does, too.
  [[noreturn]] static void leave_cancelled(Thread& self);

 private:
  static void on_round(void* thread);
  void destroy_lent(Thread& self) const;

  pthread_key_t key_ = 0;
  bool is_lent_ = false;
  Destructor destructor_ = nullptr;
};

}  // namespace unravel
