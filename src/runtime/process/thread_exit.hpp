/// The end of a thread, seen from inside: after its thread_local and key destructors.
///
/// glibc runs thread_local destructors, then up to four rounds of key destructors, in the
/// exiting thread, and calls nobody when it is done. So we have a key of our own that sets
/// itself again until the last round, and comes last in it. All destructors run with the turn
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
  void expect(Thread& self) const { pthread_setspecific(key_, &self); }
  /// A thread is about to leave early.
  static void note_unwinder();
  /// The calling thread, which has the turn, ends as pthread_exit(PTHREAD_CANCELED) would, which is
  /// what libc does, too.
  [[noreturn]] static void leave_cancelled(Thread& self);

 private:
  static void on_round(void* thread);

  pthread_key_t key_ = 0;
};

}  // namespace unravel
