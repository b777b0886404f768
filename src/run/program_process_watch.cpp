// The part of a program process that ends runs which take too long or write too much.

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>

#include "run/failure_key.hpp"
#include "run/program_process.hpp"
#include "run/spin_loop.hpp"

namespace unravel {
namespace {

// The server reaps a killed run at once. If that takes longer than this, the server is stuck, too.
// Measured by the watchdog: waiting for a processor does not count. Chosen by hand.
constexpr std::chrono::seconds kToReap{5};

// Most runs end before the first check. Later checks are this far apart, or farther, so that
// checking thousands of threads takes at most a twentieth of the time. Chosen by hand.
constexpr std::chrono::milliseconds kBetweenLooks{20};
constexpr int kShareOfLooks = 20;

// A thread that polls for what it waits for seems to run for a moment every few milliseconds. One
// of this many checks shows it waiting. Chosen by hand.
constexpr int kGlances = 10;
constexpr std::chrono::milliseconds kGlance{1};

// Few programs compute this long without a call of ours, and fewer spin. In programs that do spin,
// later loops are checked sooner. Chosen by hand.
constexpr std::chrono::milliseconds kBeforeSpinLook{100};
constexpr int kRarer = 4;

bool is_thread_of(pid_t process, pid_t kernel_thread) {
  return ::access(("/proc/" + std::to_string(process) + "/task/" + std::to_string(kernel_thread))
                      .c_str(),
                  F_OK) == 0;
}

std::chrono::nanoseconds own_processor_time() {
  timespec used = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

bool was_killed(int wait_status) {
  return WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
}

}  // namespace

pid_t ProgramProcess::run_process(bool is_starting) const {
  if (is_starting || mode_ != wire::Mode::kServer) return child_.pid();
  return outside(channel().run_process());
}

/// Translates the server's process id of a run to ours. The number is in memory that the program
/// can overwrite. So a process that is not the server's child is neither read nor killed, and the
/// result is 0.
pid_t ProgramProcess::outside(pid_t inside) const {
  if (inside <= 0) return 0;
  const bool is_other = sandbox_ && sandbox_->has_own_processes();
  const pid_t process = is_other ? outside_number(child_.pid(), inside) : inside;
  const bool is_run =
      process > 0 && status_of("/proc/" + std::to_string(process)).parent == child_.pid();
  return is_run ? process : 0;
}

/// Kills the run that the server forked, if there is one.
bool ProgramProcess::kill_run() {
  const pid_t number = channel().run_process();
  const pid_t process = outside(number);
  if (process <= 0 || process == child_.pid()) return false;
  const UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  if (!pidfd) return false;
  // The server clears the number before it reaps the run. If the number is still there, the
  // descriptor belongs to that run.
  if (channel().run_process() != number || outside(number) != process) return false;
  return ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0) == 0;
}

void ProgramProcess::watch(Progress& progress) {
  const auto now = Clock::now();
  const std::uint32_t run = channel().runs_ended();
  if (run != progress.watched_run || progress.next_look == Clock::time_point{}) {
    progress.watched_run = run;
    progress.between_looks = kBetweenLooks;
    progress.next_look = now + progress.between_looks;
    progress.server.reset();
  }
  if (progress.stopped_run && *progress.stopped_run != run &&
      !was_killed(channel().run(*progress.stopped_run).wait_status)) {
    // It has ended by itself after all.
    progress.stopped_run.reset();
    forget_stop(progress.performed);
  }
  // Output is checked more often: a run can write much in a short time.
  if (progress.stopped_run != run && run < channel_.batch().count) {
    std::string too_much = watch_output(progress, run);
    if (too_much.empty()) too_much = watch_client_output();
    if (!too_much.empty()) {
      return stop_run(progress, std::move(too_much));
    }
  }
  if (now < progress.next_look) return;

  const std::chrono::nanoseconds before = own_processor_time();
  Activity activity = activity_of(child_.pid());
  if (client_ && client_->keeper() > 0) {
    activity = together(activity, activity_of(client_->keeper()));
  }
  // A run that stands still for the driver waits for us, however long a busy machine keeps us.
  const wire::State state = channel().state();
  if (state == wire::State::kStopped || state == wire::State::kFull) {
    activity.state = Activity::State::kRuns;
  }
  const auto due = 2 * progress.between_looks;
  progress.between_looks =
      std::max<Clock::duration>(kBetweenLooks, kShareOfLooks * (own_processor_time() - before));
  progress.next_look = now + progress.between_looks;
  // After a run was killed, or all have ended, the server has to end the batch.
  if (progress.stopped_run || run >= channel_.batch().count) {
    return watch_server(progress, activity, now, due);
  }
  const wire::RunSlot slot = channel().run(run);
  progress.watchdog.observe(run, slot.steps, activity, now, due);
  look_for_late_deadline(progress, run, slot);
  look_for_spin_loop(progress);
  if (progress.watchdog.expired() && !progress.gave_up_client && give_up_client()) {
    progress.gave_up_client = true;
    progress.watchdog = Watchdog(kToReap);
    return;
  }
  if (progress.watchdog.expired()) {
    progress.performed.ending.out_of_time = true;
    stop_run(progress, progress.is_starting ? describe_start(progress.watchdog)
                                            : progress.watchdog.describe());
  }
}

pid_t ProgramProcess::kernel_thread(pid_t process, const wire::ThreadRecord& thread) const {
  const pid_t inside = thread.kernel_id;
  const pid_t known =
      sandbox_ && sandbox_->has_own_processes() ? outside_thread(process, inside) : inside;
  return is_thread_of(process, known) ? known : 0;
}

/// The thread that has the turn, by its kernel id outside the sandbox.
pid_t ProgramProcess::running_thread(pid_t process) const {
  const pid_t known = kernel_thread(process, channel().current_thread());
  // Before the first point there is only main.
  return known ? known : process;
}

void ProgramProcess::end_run() {
  if (!kill_run() && mode_ != wire::Mode::kServer) ::kill(child_.pid(), SIGKILL);
}

/// A thread that has computed for a while may be waiting for another thread in a loop of its own.
void ProgramProcess::look_for_spin_loop(Progress& progress) {
  const Clock::duration computing = progress.watchdog.computing();
  if (computing < kBetweenLooks) progress.spin_look = spins_ ? kBetweenLooks : kBeforeSpinLook;
  if (progress.is_starting || computing < progress.spin_look) return;
  const auto began = Clock::now();
  const pid_t process = run_process(progress.is_starting);
  const std::uint64_t entry = channel().spin_entry();
  if (process <= 0 || entry == 0) return;
  const pid_t thread = running_thread(process);
  if (leave_spin_loop(process, thread, thread == child_.pid(), entry)) {
    spins_ = true;
  } else {
    // It computes something longer, and should not be stopped again and again.
    progress.spin_look = kRarer * std::max<Clock::duration>(computing, kBeforeSpinLook);
  }
  progress.watchdog.forgive(Clock::now() - began);
}

/// A thread that has computed for long may have kept another one from ending its wait.
void ProgramProcess::look_for_late_deadline(Progress& progress, std::uint32_t run,
                                            const wire::RunSlot& slot) {
  // Under `idle` a wait is meant to end only when no thread can run.
  const bool is_idle = channel_.batch().timeouts == wire::Timeouts::kIdle;
  if (progress.is_starting || is_idle || !progress.late.observe(run, slot)) return;
  const pid_t process = run_process(progress.is_starting);
  if (process <= 0) return;
  const std::uint32_t thread = channel().current_thread().thread.ordinal;
  const std::string folder =
      "/proc/" + std::to_string(process) + "/task/" + std::to_string(running_thread(process));
  progress.late.computes(thread, status_of(folder).own, [&] {
    std::vector<wire::ThreadRecord> threads = channel().threads();
    // If it has passed a point meanwhile, the others may be in other waits.
    if (channel().run(run).steps != slot.steps) threads.clear();
    return threads;
  });
}

/// The run has ended, or was killed, and the server has to report it.
void ProgramProcess::watch_server(Progress& progress, const Activity& activity,
                                  Clock::time_point now, Clock::duration due) {
  if (!progress.server) progress.server.emplace(kToReap);
  progress.server->observe(0, 0, activity, now, due);
  if (!progress.server->expired()) return;
  progress.performed.ending.stopped = "the process that forks the runs stopped answering";
  ::kill(child_.pid(), SIGKILL);
}

std::string ProgramProcess::describe_start(const Watchdog& watchdog) const {
  const std::string limit = describe_seconds(options_.limits.timeout);
  switch (watchdog.cause()) {
    case Watchdog::Cause::kProcessor:
      return "it did not create a thread or end within " + limit + " of processor time";
    case Watchdog::Cause::kStandstill: return "it did not create a thread or end within " + limit;
    case Watchdog::Cause::kStopped:
    case Watchdog::Cause::kInKernel: break;
  }
  return "it did not create a thread or end: " + watchdog.describe();
}

Standstill ProgramProcess::standstill(Watchdog::Cause cause) const {
  for (int glances = 0; glances < kGlances; ++glances) {
    if (every_thread_waits(channel().threads())) return Standstill::kOutside;
    std::this_thread::sleep_for(kGlance);
  }
  return cause == Watchdog::Cause::kProcessor ? Standstill::kLoop : Standstill::kWait;
}

/// Records what the threads do, in a run without progress, before it is ended.
void ProgramProcess::look_at_standstill(Progress& progress, pid_t process,
                                        std::optional<StoppedThread>& stopped) {
  Performed& performed = progress.performed;
  const wire::ThreadRecord current = channel().current_thread();
  const pid_t thread = running_thread(process);
  if (!progress.is_starting) performed.standstill = standstill(progress.watchdog.cause());
  // The running thread has left no registers, so it must be stopped for its stack.
  stopped.emplace(thread, thread == child_.pid());
  const Stack stack = *stopped ? stacks_.unwind(process, stopped->registers()) : Stack{};
  performed.stuck = stacks_.look(channel(), process);
  const auto running = std::find_if(performed.stuck.begin(), performed.stuck.end(),
                                    [](const StillThread& still) { return still.has_turn; });
  if (running != performed.stuck.end()) running->stack = stack;
  if (performed.stuck.empty()) {
    performed.stuck.push_back({.record = current, .has_turn = true, .stack = stack});
  }
}

void ProgramProcess::stop_run(Progress& progress, std::string why) {
  Performed& performed = progress.performed;
  progress.slot_at_stop = channel().current_run();
  progress.words_at_stop = channel().last_words();
  performed.ending.stopped_thread = channel().current_thread().thread.ordinal;
  const Watchdog::Cause cause = progress.watchdog.cause();
  const bool could_go_on =
      cause == Watchdog::Cause::kProcessor || cause == Watchdog::Cause::kStandstill;
  const pid_t process = run_process(progress.is_starting);
  std::optional<StoppedThread> stopped;
  if (performed.ending.out_of_time && progress.watchdog.is_silent() && could_go_on && process > 0) {
    look_at_standstill(progress, process, stopped);
    if (performed.standstill) {
      why += ": " + describe(*performed.standstill, performed.stuck);
    } else if (const Frame* own = own_frame(performed.stuck.front().stack)) {
      why += " at " + describe_place(*own);
    }
    if (performed.standstill == Standstill::kOutside) {
      performed.ending.stopped_thread =
          waiting_outside(performed.stuck).front()->record.thread.ordinal;
    }
  }
  if (performed.ending.out_of_time && !progress.is_starting && performed.stuck.empty()) {
    const std::string waits = describe_waits(channel().threads(), [&](wire::Site site) {
      return stacks_.at(channel().modules().path_of(site), site);
    });
    if (!waits.empty()) why += "; " + waits;
  }
  if (client_ && !client_end_) why = "its client did not end: " + why;
  performed.ending.stopped = std::move(why);
  progress.stopped_run = channel().runs_ended();
  // If there is no run to kill, the server is between two runs, or stuck; the next check will tell.
  const bool is_server = mode_ == wire::Mode::kServer && !progress.is_starting;
  const bool killed = kill_run() || (!is_server && ::kill(child_.pid(), SIGKILL) == 0);
  if (killed && stopped) stopped->was_killed();
}

}  // namespace unravel
