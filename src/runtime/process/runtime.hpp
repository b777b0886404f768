/// The library injected into the program. Ground rules:
///
///   - it uses libc and nothing else: no C++ library, exceptions, RTTI or static constructors;
///   - it allocates only from its own fixed range, so that it never moves the program's memory;
///   - it leaves errno as it found it, and calls no interposed libc function by name;
///   - it makes no real blocking call with the turn in hand;
///   - it never guesses: its own trouble ends the run as an error, not as a failure.
///
/// The class Runtime ties the parts together. start.cpp owns the only one.
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
#include "runtime/process/inputs.hpp"
#include "runtime/process/kernel_threads.hpp"
#include "runtime/process/outsiders.hpp"
#include "runtime/process/own_limits.hpp"
#include "runtime/process/randomness.hpp"
#include "runtime/process/run_host.hpp"
#include "runtime/process/served.hpp"
#include "runtime/process/served_sets.hpp"
#include "runtime/process/signals.hpp"
#include "runtime/process/streams.hpp"
#include "runtime/process/thread_exit.hpp"
#include "runtime/process/timers.hpp"
#include "runtime/process/warnings.hpp"
#include "wire/control.hpp"

namespace unravel {

class Runtime {
 public:
  /// `channel` is mapped at its fixed address, followed by the private range.
  explicit Runtime(void* channel);

  /// Takes control of the calling thread, the program's first.
  void adopt_main();

  /// The program uses something that we do not control, so its runs may differ.
  void warn_uncontrolled(const char* what);

  /// All constructors of the libraries that the program is linked with have run.
  void libraries_are_ready();

  // --- Runs ---
  /// Begins the requested run in this process, with slot `index` of the batch.
  void begin_run(std::uint32_t index, const wire::ScheduleHeader* schedule);
  /// Reads from the channel which code only wraps calls of the program.
  void take_wrappers();
  /// How much virtual time passes for a wait for a child that really took this long before the
  /// first thread.
  std::uint64_t length_of_start_wait(std::uint64_t nanoseconds);
  /// Whether no run has begun: the program has not created a thread yet.
  [[nodiscard]] bool is_starting() const { return is_starting_; }
  Allocations& allocations() { return allocations_; }

  Scheduler& scheduler() { return scheduler_; }
  RunHost& host() { return host_; }
  ThreadBackEnd& back_end() { return back_end_; }
  os::Modules& modules() { return modules_; }
  wire::Control& control() { return control_; }
  /// The settings as they were when the program was loaded. A run, or what it left behind, can
  /// overwrite those in the channel.
  [[nodiscard]] const wire::Settings& settings() const { return settings_; }
  /// The stack of a slot for fatal signals. Untouched memory costs nothing.
  void* signal_stack(std::uint32_t slot) {
    return static_cast<std::byte*>(signal_stacks_) + slot * kSignalStackSize;
  }
  /// The call frames of a slot. Untouched memory costs nothing.
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
  Inputs& inputs() { return inputs_; }
  Streams& streams() { return streams_; }
  Served& served() { return served_; }
  ServedSets& served_sets() { return served_sets_; }
  Randomness& randomness() { return randomness_; }
  /// Random bytes for file names. They are separate, so that the other bytes stay those of older
  /// schedules.
  Randomness& names() { return names_; }
  Warnings& notes() { return warnings_; }
  Identity& identity() { return identity_; }
  OwnLimits& own_limits() { return own_limits_; }
  AsyncRequests& async_requests() { return async_requests_; }

 private:
  void lay_out_marks();
  void watch_for_debugger(Plan& plan);

  wire::Control& control_;
  const wire::Settings settings_;
  Arena arena_;
  Allocations allocations_{arena_};
  bool is_starting_ = true;
  os::Modules modules_;
  KernelThreads back_end_;
  RunHost host_;
  Scheduler scheduler_;
  Thread* main_ = nullptr;
  ThreadExit thread_exit_;
  Faults faults_;
  Signals signals_;
  Timers timers_;
  Outsiders outsiders_;
  Streams streams_;
  Served served_;
  ServedSets served_sets_;
  Inputs inputs_;
  Randomness randomness_;
  Randomness names_;
  Warnings warnings_;
  Identity identity_;
  OwnLimits own_limits_;
  AsyncRequests async_requests_;
  void* signal_stacks_;
  CallFrame* call_frames_;
};

/// Those of the thread that has the turn.
extern Countdowns countdowns;
extern Recorder recorder;
/// The points of the set `auto`, and whether the run uses that set.
extern Marks marks;
extern bool marks_points;
/// The code that only wraps calls of the program.
extern WrapperCode wrapper_code;
/// That of the calling thread.
extern __thread CallStack call_stack;

/// The calling thread if it is under control, else null: its calls go straight to libc.
extern __thread Thread* current_thread;

/// Called by a thread that is not under control. If it never was, warns that it runs in parallel
/// with the thread that has the turn.
void warn_stranger();

inline Thread* controlled_thread() {
  if (!current_thread) [[unlikely]] {
    warn_stranger();
  }
  return current_thread;
}

/// The calling thread leaves control on purpose; no warning is given for it.
void leave_control();

/// In a child that the program made, with memory of its own: it is no run of ours and is not
/// controlled. `shares_files`: it shares descriptors with its parent.
void leave_as_child(bool shares_files);
/// In a child that runs in its parent's memory until it ends or calls exec, like that of vfork: the
/// calling thread is not under control meanwhile.
void lend_to_child(bool shares_files, bool shares_handlers);
/// In the parent afterwards: puts the calling thread under control again.
void take_back_from_child();
/// Whether this is a child of either kind.
bool is_in_child();

/// Code was loaded, and its accesses may be traced.
void record_loaded_code();

/// Translates the program's process and thread ids to the kernel's, and back. Works in children of
/// the program, too.
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
/// Where the program called the interposed function; the address is found when it is needed.
#define UNRAVEL_SITE (unravel::CallSite(__builtin_frame_address(0)))
/// The same for hooks, which the program's own code calls: the return address, at no further cost.
#define UNRAVEL_HOOK_SITE __builtin_return_address(0)
