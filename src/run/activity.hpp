/// What a process and its children do, according to the kernel.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace unravel {

struct Activity {
  enum class State {
    kRuns,     // a thread computes, or waits only for a processor
    kSleeps,   // every thread waits for something that may come
    kStopped,  // none runs, and one is stopped (SIGSTOP, a debugger)
    kInKernel  // none runs, and one is in an uninterruptible wait in the kernel
  };

  // Total of all of them, including children that they have waited for. In steps of 10 ms.
  std::chrono::milliseconds processor{0};
  State state = State::kRuns;
};

/// The activity of `root`, its children, their children, and so on. Processes that were adopted by
/// a process outside are left out.
Activity activity_of(pid_t root);

/// That of two sets of processes.
Activity together(const Activity& one, const Activity& other);

/// The children of a process.
std::vector<pid_t> children_of(pid_t process);

/// A process or thread as described in /proc.
struct ProcessStatus {
  char state = 0;  // as in ps; 0: it does not exist
  pid_t parent = 0;
  std::chrono::milliseconds processor{0};  // its threads, and children it waited for
  std::chrono::milliseconds own{0};        // without those children; of a thread: its own
};

/// `folder` is one of /proc/PID or /proc/PID/task/TID.
ProcessStatus status_of(const std::string& folder);

}  // namespace unravel
