#include "runtime/process/leftovers.hpp"

#include <errno.h>
#include <fcntl.h>
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

/// Kills a child of this process. Any other number is left alone: the program may have mounted
/// something at /proc.
bool kill_child(long number) {
  const long descriptor = os::call(SYS_pidfd_open, number, 0);
  if (descriptor < 0) return false;
  siginfo_t info;
  // The kernel answers only for children, and the descriptor cannot come to mean another process.
  const bool is_child = os::call(SYS_waitid, P_PIDFD, descriptor, os::as_argument(&info),
                                 WEXITED | WNOHANG | WNOWAIT, 0) == 0;
  const bool killed = is_child && os::call(SYS_pidfd_send_signal, descriptor, SIGKILL, 0, 0) == 0;
  os::call(SYS_close, descriptor);
  return killed;
}

/// Kills the processes that /proc names as our children. Returns false if there are none.
bool kill_children() {
  const long file =
      os::call(SYS_open, os::as_argument("/proc/thread-self/children"), O_RDONLY | O_CLOEXEC);
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
        any = kill_child(number) || any;
        number = 0;
      }
    }
  }
  os::call(SYS_close, file);
  return any;
}

}  // namespace

Leftovers Leftovers::look() {
  Leftovers traces;
  struct statfs files {};
  // The first that exists is an overlay on the file system of all layers.
  for (const char* directory : {"/dev/shm", "/tmp"}) {
    if (os::call(SYS_statfs, os::as_argument(directory), os::as_argument(&files)) != 0) continue;
    traces.files = files.f_ffree;
    break;
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

bool end_children() {
  int ended = 0;
  long answer = 0;
  while ((answer = os::call(SYS_wait4, -1, os::as_argument(&ended), WNOHANG, 0)) > 0) {
  }
  if (answer < 0) return false;  // the usual case: no children
  // A process that loses its parent becomes our child, so repeat until none is left.
  while (has_children() && kill_children()) {
    os::call(SYS_wait4, -1, os::as_argument(&ended), 0, 0);
  }
  return true;
}

}  // namespace unravel
