/// What a process and its children do, by the kernel's word.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

namespace unravel {

struct Activity {
  enum class State {
    kRuns,     // a thread computes, or could if it got a processor
    kSleeps,   // every thread waits for something that may come
    kStopped,  // none runs, and one was stopped (SIGSTOP, a debugger)
    kInKernel  // none runs, and one waits in the kernel where nothing can interrupt it
  };

  // Used so far by all of them, with the children that they have waited for. In steps of 10 ms.
  std::chrono::milliseconds processor{0};
  State state = State::kRuns;
};

/// Of `root`, its children, theirs, and so on. Whoever was adopted by a process outside is left
/// out.
Activity activity_of(pid_t root);

/// A process or thread as /proc tells of it.
struct ProcessStatus {
  char state = 0;  // as in ps; 0: there is none
  pid_t parent = 0;
  std::chrono::milliseconds processor{0};  // of all its threads, and of the children it waited for
};

/// `folder` is one of /proc/PID or /proc/PID/task/TID.
ProcessStatus status_of(const std::string& folder);

}  // namespace unravel
