/// The library injected into the program. Ground rules:
///
///   - libc and nothing else: no C++ library, exceptions, RTTI or static constructors;
///   - it allocates only from its own fixed range, so that it never moves the program's memory;
///   - errno is left as it was found, and no libc function that is interposed is called by name;
///   - never a real blocking call with the turn in hand;
///   - it never guesses on: its own trouble ends the run as an error, not as a failure.
///
/// This is the object that ties the parts together. start.cpp owns the only one.
#pragma once

#include "runtime/core/allocations.hpp"
#include "runtime/core/call_stack.hpp"
#include "runtime/core/marks.hpp"
#include "runtime/core/object_table.hpp"
#include "runtime/core/scheduler.hpp"
#include "runtime/core/wrapper_code.hpp"
#include "runtime/os/modules.hpp"
#include "runtime/process/async_requests.hpp"
#include "runtime/process/faults.hpp"
#include "runtime/process/identity.hpp"
#include "runtime/process/kernel_threads.hpp"
#include "runtime/process/outsiders.hpp"
#include "runtime/process/own_limits.hpp"
#include "runtime/process/randomness.hpp"
#include "runtime/process/signals.hpp"
#include "runtime/process/thread_exit.hpp"
#include "runtime/process/timers.hpp"
#include "runtime/process/warnings.hpp"
#include "wire/control.hpp"

namespace unravel {

class Runtime final : public Host {
 public:
  /// `channel` is mapped at its fixed address, with the private range behind it.
  explicit Runtime(void* channel);

  /// Takes the calling thread, the program's first, under control.
  void adopt_main();

  // --- Host ---
  wire::Site site_of(const void* address) override { return modules_.site_of(address); }
  const void* address_of(wire::Site site) override { return modules_.address_of(site); }
  void slice(const wire::Slice& slice) override { append(control_.slices, slice); }
  void choice(const wire::Choice& choice) override { append(control_.choices, choice); }
  void event(const wire::Event& event) override { append(control_.events, event); }
  void clock_switch(const wire::ClockSwitch& one) override { append(control_.clock_switches, one); }
  void make_room() override { wait_for_room(); }
  void peek(const volatile void* from, unsigned size, std::uint64_t* to) override;
  bool take_tick() override { return control_.tick.exchange(0, std::memory_order_relaxed) != 0; }
  void stop(wire::StopReason why) override;
  void handle_signals(Thread& self) override { signals_.handle(self); }
  void leave_cancelled(Thread& self) override { ThreadExit::leave_cancelled(self); }
  bool will_run_handler() override { return timers_.will_run_handler(); }
  void timer_due() override { timers_.due(); }
  bool has_outside() override { return outsiders_.exist(); }
  bool wait_outside(std::uint64_t deadline) override { return outsiders_.wait(deadline); }
  std::uint64_t take_waited() override { return is_starting_ ? 0 : outsiders_.take_waited(); }
  void time_moved() override { outsiders_.keep_pace(); }
  bool is_as_before(std::uint64_t state, bool first) override;
  void leave_spinners() override;
  int arrived_signal() override { return signals_.arrived(); }
  void deliver_signal(int signal) override { signals_.deliver(signal); }
  wire::LastWords& words() override { return control_.last_words; }
  [[noreturn]] void end() override;

  /// Records that the program failed in `self`, unless something was recorded before, and stops
  /// for the driver. The caller lets the program die its own death afterwards.
  /// `registers`: of the place that failed; null: here.
  void record_failure(wire::FailureKind kind, int number, const char* text,
                      const wire::Registers* registers);
  [[noreturn]] void fault(const char* sentence);
  /// The program uses something that we do not control: its runs may differ.
  void warn_uncontrolled(const char* what);

  /// All constructors of the libraries that the program is linked to have run.
  void libraries_are_ready();

  // --- Runs ---
  /// The run that is asked for begins in this process, with slot `index` of the batch.
  void begin_run(std::uint32_t index, const wire::ScheduleHeader* schedule);
  /// Takes over which code only wraps calls of the program, as the driver wrote it.
  void take_wrappers();
  /// Waits until the driver asks for something in this state.
  wire::Request ask(wire::State state);
  /// A wait for a child took this long in real time before the first thread: how long it counts.
  std::uint64_t length_of_start_wait(std::uint64_t nanoseconds);
  /// Whether no run has begun: the program is on its way to its first thread.
  [[nodiscard]] bool is_starting() const { return is_starting_; }
  Allocations& allocations() { return allocations_; }

  Scheduler& scheduler() { return scheduler_; }
  ThreadBackEnd& back_end() { return back_end_; }
  os::Modules& modules() { return modules_; }
  wire::Control& control() { return control_; }
  /// As they were when the program was loaded. Those in the channel can be overwritten by a run,
  /// and by what a run left behind.
  [[nodiscard]] const wire::Settings& settings() const { return settings_; }
  /// A slot's stack for fatal signals: untouched memory costs nothing.
  void* signal_stack(std::uint32_t slot) {
    return static_cast<std::byte*>(signal_stacks_) + slot * kSignalStackSize;
  }
  /// A slot's frames, likewise.
  CallStack call_stack_of(std::uint32_t slot) {
    return CallStack(call_frames_ + slot * CallStack::kFrames);
  }
  wire::RunSlot* runs() { return wire::at<wire::RunSlot>(&control_, wire::Layout::kRuns); }
  Thread& main_thread() { return *main_; }
  ThreadExit& thread_exit() { return thread_exit_; }
  Faults& faults() { return faults_; }
  Signals& signals() { return signals_; }
  Timers& timers() { return timers_; }
  Outsiders& outsiders() { return outsiders_; }
  Randomness& randomness() { return randomness_; }
  /// Of files. Apart from the other bytes, which are those that older schedules have seen.
  Randomness& names() { return names_; }
  Warnings& notes() { return warnings_; }
  Identity& identity() { return identity_; }
  OwnLimits& own_limits() { return own_limits_; }
  AsyncRequests& async_requests() { return async_requests_; }

 private:
  template <class T>
  void append(wire::Stream& stream, const T& entry) {
    if (stream.count == stream.capacity) wait_for_room();
    wire::at<T>(&control_, stream.offset)[stream.count++] = entry;
  }
  void wait_for_room();
  void lay_out_marks();

  wire::Control& control_;
  const wire::Settings settings_;
  Arena arena_;
  Allocations allocations_{arena_};
  bool is_starting_ = true;
  os::Modules modules_;
  KernelThreads back_end_;
  Scheduler scheduler_;
  Thread* main_ = nullptr;
  ThreadExit thread_exit_;
  Faults faults_;
  Signals signals_;
  Timers timers_;
  Outsiders outsiders_;
  Randomness randomness_;
  Randomness names_;
  Warnings warnings_;
  Identity identity_;
  OwnLimits own_limits_;
  AsyncRequests async_requests_;
  void* signal_stacks_;
  CallFrame* call_frames_;
};

/// Of the thread that has the turn.
extern Countdowns countdowns;
extern Recorder recorder;
/// The points of the set `auto`, and whether that is the set.
extern Marks marks;
extern bool marks_points;
/// What only wraps calls of the program.
extern WrapperCode wrapper_code;
/// Of the calling thread.
extern __thread CallStack call_stack;

/// The calling thread if it is under control, else null: then calls go straight through.
extern __thread Thread* current_thread;

/// A call by a thread that is not under control. If it never was, the run says so: it goes its own
/// way beside the one whose turn it is.
void warn_stranger();

inline Thread* controlled_thread() {
  if (!current_thread) [[unlikely]] {
    warn_stranger();
  }
  return current_thread;
}

/// The calling thread goes on without us, as what it is: no stranger.
void leave_control();

/// In a child that the program made and that has memory of its own: it is none of our runs, and
/// goes its own way. `shares_files`: its descriptors are its parent's, too.
void leave_as_child(bool shares_files);
/// In a child that runs in its parent's memory until it ends or becomes another program, as that of
/// vfork does: the calling thread is not under control meanwhile.
void lend_to_child(bool shares_files, bool shares_handlers);
/// In the parent afterwards: it is again.
void take_back_from_child();
/// Whether this is such a child, of either kind.
bool is_in_child();

/// Code was loaded: what it does may be traced.
void record_loaded_code();

/// The kernel's number for a process or thread that the program names, and the other way round. In
/// children of the program, too.
pid_t real_process(pid_t number);
pid_t shown_process(pid_t number);

/// Valid while any thread is controlled, and in children of the program.
Runtime& runtime();
inline Scheduler& scheduler() { return runtime().scheduler(); }

}  // namespace unravel

namespace unravel {

/// The call of an interposed function, by the frame of that function.
class CallSite {
 public:
  explicit CallSite(const void* frame) : frame_(static_cast<const void* const*>(frame)) {}
  /// Which line of the program it is. A thread that is not under control has no turn, and may come
  /// at any time.
  operator const void*() const {  // NOLINT(google-explicit-constructor): used as an address
    return current_thread ? wrapper_code.site_of(frame_) : frame_[1];
  }

 private:
  const void* const* frame_;
};

}  // namespace unravel

/// An interposed function: what the program finds instead of libc's.
#define UNRAVEL_EXPORT extern "C" __attribute__((visibility("default")))
/// Where the program called it; becomes an address when it is needed.
#define UNRAVEL_SITE (unravel::CallSite(__builtin_frame_address(0)))
/// The same for hooks, which come from the program's own code and must not cost more.
#define UNRAVEL_HOOK_SITE __builtin_return_address(0)
