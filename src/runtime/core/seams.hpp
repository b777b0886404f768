/// What the scheduler asks of its process. The core makes no system calls except through these
/// interfaces, so unit tests can replace them.
#pragma once

#include "runtime/core/thread.hpp"
#include "wire/control.hpp"

namespace unravel {

/// Lets one thread run instead of another.
class Switcher {
 public:
  /// `from` gives the turn to `to`. Returns when `from` has the turn again.
  virtual void hand_over(Thread& from, Thread& to) = 0;
  /// `from` has ended; `to` goes on once `from` is completely gone. Returns at once.
  virtual void leave_to(Thread& from, Thread& to) = 0;

 protected:
  ~Switcher() = default;
};

/// A thread that the program creates.
struct NewThread {
  Thread& thread;
  const void* attributes = nullptr;  // a pthread_attr_t; null: the defaults
  void* (*routine)(void*) = nullptr;
  void* argument = nullptr;
  /// The new thread runs this first, before it rests.
  void (*prepare)(Thread& self) = nullptr;
  /// The new thread runs this when it first has the turn. Returns the thread's result.
  void* (*run)(Thread& self, void* (*routine)(void*), void* argument) = nullptr;
};

/// How the program's threads are made from the kernel's: today each is a kernel thread; swapped
/// stacks are another possibility. A back end is one class that implements this, and a line in
/// process/runtime.hpp.
class ThreadBackEnd : public Switcher {
 public:
  /// The calling thread is `main` and has the turn. Returns false if this C library is not
  /// supported.
  virtual bool adopt(Thread& main) = 0;
  /// The calling thread is `self`: sets the number by which the program and libc know it. After a
  /// fork, main has a new one.
  virtual void identify(Thread& self) = 0;
  /// The number of the calling thread, even in a child that it forked.
  virtual int caller_id() = 0;
  /// Creates a thread, sets its handle, and returns when it rests. It starts when it is given the
  /// turn. Returns 0 or an error number of pthread_create.
  virtual int create(const NewThread& made) = 0;

 protected:
  ~ThreadBackEnd() = default;
};

/// Takes what the run produces, and stops or ends it.
class Host {
 public:
  virtual wire::Site site_of(const void* address) = 0;
  /// Where a site is in this process; null if its file is not loaded.
  virtual const void* address_of(wire::Site site) = 0;
  virtual void slice(const wire::Slice& slice) = 0;
  virtual void choice(const wire::Choice& choice) = 0;
  virtual void event(const wire::Event& event) = 0;
  /// A switch that clock form has to name.
  virtual void clock_switch(const wire::ClockSwitch& one) = 0;

  /// The trace buffer is full: returns when it is empty.
  virtual void make_room() {}
  /// Copies memory that may be unmapped into `to`; leaves `to` unchanged if it is.
  virtual void peek(const volatile void*, unsigned, std::uint64_t*) {}

  /// Whether the whole program is as it was at the last call in this run. `state` is what the
  /// scheduler knows of it. `first`: there is nothing to compare with.
  virtual bool is_as_before(std::uint64_t state, bool first) {
    static_cast<void>(state);
    static_cast<void>(first);
    return false;
  }

  /// Stops no spinning thread any more in this run.
  virtual void leave_spinners() {}

  /// Stands still until the driver continues it.
  virtual void stop(wire::StopReason why) = 0;

  /// Runs the program's handlers for the pending signals that `self`, which has the turn, does not
  /// block.
  virtual void handle_signals(Thread& self) { self.signals.pending = 0; }
  /// Ends `self`, which has the turn and was cancelled asynchronously. Does not return.
  virtual void leave_cancelled(Thread&) {}
  /// Whether the driver's tick came since the last call.
  virtual bool take_tick() { return false; }
  /// A timer is due: sends its signal and sets the next one.
  virtual void timer_due() {}

  /// Whether a timer is set whose signal the program handles: the handler may end a standstill.
  virtual bool will_run_handler() { return false; }

  /// Whether anything outside this process could decide which thread goes on. It does not ask the
  /// kernel, so a replay gets the same answer at the same place.
  virtual bool has_outside() { return false; }
  /// Really waits until something outside may have changed for a waiting thread. Returns false if
  /// virtual time may go on to `deadline`, or if nothing can change.
  virtual bool wait_outside(std::uint64_t deadline) { return deadline == 0; }
  /// Threads can go on, while one waits for something outside that they may never let come.
  virtual void looked_outside() {}
  /// Real nanoseconds of such waiting, in whole milliseconds, that virtual time has not followed
  /// yet. They count as followed from now on.
  virtual std::uint64_t take_waited() { return 0; }
  /// Virtual time has moved. While a process runs that we do not control, returns only after the
  /// same amount of real time.
  virtual void time_moved() {}
  /// With inputs that are served by stream: whether `thread` may wait for one that was not
  /// recorded; null: whether any thread ever asked for one in vain.
  virtual bool lacks_input(const Thread*) { return false; }
  /// A signal that came from outside and was not delivered yet; 0: none.
  virtual int arrived_signal() { return 0; }
  /// Gives a signal from outside to the thread that takes it; if it depends on a child, waits for
  /// that child.
  virtual void deliver_signal(int) {}

  /// The last words, which are filled in before end().
  virtual wire::LastWords& words() = 0;
  /// Ends the run: its last words say why.
  [[noreturn]] virtual void end() = 0;

 protected:
  ~Host() = default;
};

}  // namespace unravel
