#include "runtime/process/run_traces.hpp"

#include <errno.h>
#include <signal.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>

#include "runtime/os/system_call.hpp"

namespace unravel {
namespace {

/// Kills the processes that /proc names as our children; false if it names none.
bool kill_children() {
  const long file = os::call(SYS_open, os::as_argument("/proc/thread-self/children"), 0);
  if (file < 0) return false;
  char buffer[4096];
  bool any = false;
  long number = 0;
  for (long size = 0;
       (size = os::call(SYS_read, file, os::as_argument(buffer), sizeof buffer)) > 0;) {
    for (long i = 0; i < size; ++i) {
      if (buffer[i] >= '0' && buffer[i] <= '9') {
        number = number * 10 + (buffer[i] - '0');
      } else if (number > 0) {
        any = os::call(SYS_kill, number, SIGKILL) == 0 || any;
        number = 0;
      }
    }
  }
  os::call(SYS_close, file);
  return any;
}

}  // namespace

Traces Traces::look() {
  Traces traces;
  struct statfs files {};
  if (os::call(SYS_statfs, os::as_argument("/tmp"), os::as_argument(&files)) == 0) {
    traces.files = files.f_ffree;
  }
  struct shm_info memory {};
  if (os::call(SYS_shmctl, 0, SHM_INFO, os::as_argument(&memory)) >= 0) {
    traces.shared_memory = static_cast<std::uint64_t>(memory.used_ids);
  }
  struct seminfo semaphores {};
  if (os::call(SYS_semctl, 0, 0, SEM_INFO, os::as_argument(&semaphores)) >= 0) {
    traces.semaphores = static_cast<std::uint64_t>(semaphores.semusz);
  }
  struct msginfo queues {};
  if (os::call(SYS_msgctl, 0, MSG_INFO, os::as_argument(&queues)) >= 0) {
    traces.message_queues = static_cast<std::uint64_t>(queues.msgpool);
  }
  struct stat named {};
  if (os::call(SYS_stat, os::as_argument("/dev/mqueue"), os::as_argument(&named)) == 0) {
    traces.named_queues = static_cast<std::uint64_t>(named.st_size);
  }
  return traces;
}

bool has_children() {
  siginfo_t info;
  return os::call(SYS_waitid, P_ALL, 0, os::as_argument(&info), WEXITED | WNOHANG | WNOWAIT, 0) !=
         -ECHILD;
}

bool all_children_live() {
  siginfo_t info{};
  constexpr int kAnyNews = WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT;
  return os::call(SYS_waitid, P_ALL, 0, os::as_argument(&info), kAnyNews, 0) == 0 &&
         info.si_pid == 0;
}

bool end_children(bool own_processes) {
  int ended = 0;
  while (os::call(SYS_wait4, -1, os::as_argument(&ended), WNOHANG) > 0) {
  }
  const bool any = has_children();
  while (has_children()) {
    // A process that keeps starting others is killed as often as it takes.
    if (own_processes) {
      os::call(SYS_kill, -1, SIGKILL);
    } else if (!kill_children()) {
      break;
    }
    os::call(SYS_wait4, -1, os::as_argument(&ended), 0, 0);
  }
  return any;
}

}  // namespace unravel
