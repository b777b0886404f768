// The part of a session that ends runs which take too long or write too much.

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "run/failure_key.hpp"
#include "run/session.hpp"

namespace unravel {
namespace {

// A killed run is reaped by its server at once; where that takes longer the server is stuck, too,
// unless a crowded machine does not let one of them run, or a slow disk does not let it end.
constexpr std::chrono::seconds kToReap{5}, kToReapIfStarved{60};

// The server notes the run's number right after it forked: only scheduling is in between.
constexpr std::chrono::milliseconds kToNote{1000}, kGlance{1};

// A thread that can only try what it waits for seems to run for a moment each time, which is every
// few milliseconds: of so many looks one shows it waiting.
constexpr int kGlances = 10;

/// Fields of /proc/…/stat behind the name, which may itself contain spaces and brackets: state
/// first, then the parent. Empty if there is no such process.
std::string fields_of(const std::string& stat_file) {
  std::ifstream file(stat_file);
  std::string line;
  std::getline(file, line);
  const std::size_t end_of_name = line.rfind(") ");
  return end_of_name == std::string::npos ? std::string() : line.substr(end_of_name + 2);
}

pid_t parent_of(pid_t process) {
  const std::string fields = fields_of("/proc/" + std::to_string(process) + "/stat");
  return fields.size() < 3 ? 0 : static_cast<pid_t>(std::atoi(fields.c_str() + 2));
}

bool sleeps(pid_t process, pid_t kernel_thread) {
  const std::string fields = fields_of("/proc/" + std::to_string(process) + "/task/" +
                                       std::to_string(kernel_thread) + "/stat");
  return !fields.empty() && fields[0] != 'R';
}

/// Whether a thread of it would go on if it were let: it is runnable, or in the kernel's hands.
bool is_held_up(pid_t process) {
  // It may end meanwhile, which is no error here.
  std::error_code gone;
  std::filesystem::directory_iterator thread("/proc/" + std::to_string(process) + "/task", gone);
  for (; !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
    const std::string fields = fields_of(thread->path().string() + "/stat");
    if (!fields.empty() && (fields[0] == 'R' || fields[0] == 'D')) return true;
  }
  return false;
}

bool is_thread_of(pid_t process, pid_t kernel_thread) {
  return ::access(("/proc/" + std::to_string(process) + "/task/" + std::to_string(kernel_thread))
                      .c_str(),
                  F_OK) == 0;
}

}  // namespace

pid_t Session::run_process() const {
  const auto& number = channel_.control().run_process;
  const bool is_forked = channel_.control().mode.load() == wire::Mode::kServer;
  // A run may have come to stand still before its server could note who it is.
  for (auto left = kToNote; is_forked && number.load() <= 0 && left.count() > 0; left -= kGlance) {
    std::this_thread::sleep_for(kGlance);
  }
  return is_forked ? outside(number.load()) : child_.pid();
}

/// What the server calls a run, we may have to call otherwise.
pid_t Session::outside(pid_t inside) const {
  const bool is_other = isolation_ && isolation_->has_own_processes() && inside > 0;
  return is_other ? outside_number(child_.pid(), inside) : inside;
}

/// Kills the run that the server forked, if there is one.
bool Session::kill_run() {
  const wire::Control& control = channel_.control();
  const pid_t number = control.run_process.load();
  const pid_t process = outside(number);
  if (process <= 0 || process == child_.pid()) return false;
  const UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  if (!pidfd) return false;
  // The server takes the number back before it reaps, so if it still stands there the descriptor
  // means that run. The number lies in memory that the program can overwrite: what is not the
  // server's child is left alone.
  if (control.run_process.load() != number || parent_of(process) != child_.pid()) return false;
  return ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0) == 0;
}

/// Whether the server, or the run that it is to reap, could go on and is not let.
bool Session::is_starved() const {
  const pid_t run = outside(channel_.control().run_process.load());
  return is_held_up(child_.pid()) || (run > 0 && is_held_up(run));
}

void Session::watch(Progress& progress) {
  const auto now = Clock::now();
  const std::uint32_t run = channel_.control().runs_ended.load();
  if (run >= channel_.control().batch.count) return;  // the server is about to say so
  progress.watchdog.observe(run, channel_.run(run).steps, now);
  if (progress.stopped_run && *progress.stopped_run != run) {
    // As we wanted: the batch is over, and the server is about to say so.
    const int status = channel_.run(*progress.stopped_run).wait_status;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return;
    // It ended by itself after all.
    progress.stopped_run.reset();
    progress.performed.ending.stopped.clear();
    progress.performed.ending.out_of_time = false;
    progress.performed.stuck.clear();
    progress.performed.standstill.reset();
  }
  if (run != progress.output_run) {
    progress.output_run = run;
    progress.output_before = capture_.sizes();
  }

  if (progress.stopped_run == run) {
    const auto waited = now - progress.stopped_at;
    if (waited > kToReapIfStarved || (waited > kToReap && !is_starved())) {
      progress.performed.ending.stopped = "the process that forks the runs stopped answering";
      ::kill(child_.pid(), SIGKILL);
    }
    return;
  }
  const Capture::Sizes written = capture_.sizes();
  const std::uint64_t output =
      written[0] + written[1] - progress.output_before[0] - progress.output_before[1];
  if (output > options_.limits.most_output) {
    stop_run(progress, "it wrote more than " + std::to_string(options_.limits.most_output) +
                           " bytes of output");
  } else if (progress.watchdog.expired(now)) {
    progress.performed.ending.out_of_time = true;
    if (progress.is_starting) {
      stop_run(progress, "it did not create a thread or end within " +
                             describe_seconds(options_.limits.timeout));
    } else {
      stop_run(progress, progress.watchdog.describe(now));
    }
  }
}

Standstill Session::standstill(pid_t process, pid_t thread) const {
  const bool sleeping = sleeps(process, thread);
  for (int glances = 0; glances < kGlances; ++glances) {
    if (every_thread_waits(channel_.threads())) return Standstill::kOutside;
    std::this_thread::sleep_for(kGlance);
  }
  return sleeping ? Standstill::kWait : Standstill::kLoop;
}

/// Who does what in a run that has shown no sign of life for long, before it is ended.
void Session::look_at_standstill(Progress& progress) {
  Performed& performed = progress.performed;
  const wire::ThreadRecord current = channel_.thread(channel_.control().current_slot);
  const pid_t process = run_process();
  // Main is the only thread before the first point.
  const pid_t known = isolation_ && isolation_->has_own_processes()
                          ? outside_thread(process, current.kernel_id)
                          : current.kernel_id;
  const pid_t thread = is_thread_of(process, known) ? known : process;
  if (!progress.is_starting) performed.standstill = standstill(process, thread);
  // Who runs left no registers where the others did: it must be stopped for its stack.
  const Stack stack = stacks_.interrupt(process, thread);
  performed.stuck = stacks_.look(channel_, process);
  const auto running = std::find_if(performed.stuck.begin(), performed.stuck.end(),
                                    [](const StillThread& still) { return still.has_turn; });
  if (running != performed.stuck.end()) running->stack = stack;
  if (performed.stuck.empty()) {
    performed.stuck.push_back({.record = current, .has_turn = true, .stack = stack});
  }
}

void Session::stop_run(Progress& progress, std::string why) {
  Performed& performed = progress.performed;
  const auto now = Clock::now();
  performed.ending.stopped_thread = channel_.thread(channel_.control().current_slot).thread.ordinal;
  if (performed.ending.out_of_time && progress.watchdog.is_silent(now)) {
    look_at_standstill(progress);
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
    const std::string waits = describe_waits(channel_.threads(), [&](wire::Site site) {
      return stacks_.at(channel_.module_path(site), site);
    });
    if (!waits.empty()) why += "; " + waits;
  }
  performed.ending.stopped = std::move(why);
  progress.stopped_run = channel_.control().runs_ended.load();
  progress.stopped_at = now;
  // Without a run to kill the server is between two runs, or stuck; the next look will tell.
  const bool is_server = mode_ == wire::Mode::kServer && !progress.is_starting;
  if (!kill_run() && !is_server) ::kill(child_.pid(), SIGKILL);
}

}  // namespace unravel
