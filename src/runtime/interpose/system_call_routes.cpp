/// System calls by number for which there is a function with the same meaning and arguments: that
/// function is called. The list is checked against src/runtime/surface/system_calls.txt.
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "runtime/interpose/system_calls.hpp"

namespace unravel {

namespace {

using Arguments = SystemCallArguments;

template <class Result, class... Parameters, std::size_t... kIndex>
long call(Result (*function)(Parameters...), const Arguments& arguments,
          std::index_sequence<kIndex...>) {
  return static_cast<long>(function(argument_as<Parameters>(arguments[kIndex])...));
}

template <class Result, class... Parameters>
long call(Result (*function)(Parameters...), const Arguments& arguments) {
  return call(function, arguments, std::index_sequence_for<Parameters...>());
}

// Here the kernel's arguments differ from those of the function.

long open_by_number(const Arguments& a) {
  return open(argument_as<const char*>(a[0]), static_cast<int>(a[1]), static_cast<mode_t>(a[2]));
}
long openat_by_number(const Arguments& a) {
  return openat(static_cast<int>(a[0]), argument_as<const char*>(a[1]), static_cast<int>(a[2]),
                static_cast<mode_t>(a[3]));
}
long eventfd_by_number(const Arguments& a) { return eventfd(static_cast<unsigned>(a[0]), 0); }
/// The position comes in two halves; the first has all of it.
long preadv_at(const Arguments& a, int flags) {
  return preadv2(static_cast<int>(a[0]), argument_as<const iovec*>(a[1]), static_cast<int>(a[2]),
                 a[3], flags);
}
long pwritev_at(const Arguments& a, int flags) {
  return pwritev2(static_cast<int>(a[0]), argument_as<const iovec*>(a[1]), static_cast<int>(a[2]),
                  a[3], flags);
}
/// The system call can also return the child's resource usage, which waitid() cannot.
Answer waitid_by_number(const Arguments& a) {
  if (a[4]) return {};
  return waitid(static_cast<idtype_t>(a[0]), static_cast<id_t>(a[1]), argument_as<siginfo_t*>(a[2]),
                static_cast<int>(a[3]));
}

Answer on_descriptors(long number, const Arguments& a) {
  switch (number) {
    case SYS_read: return call(read, a);
    case SYS_write: return call(write, a);
    case SYS_readv: return call(readv, a);
    case SYS_writev: return call(writev, a);
    case SYS_preadv2: return preadv_at(a, static_cast<int>(a[5]));
    case SYS_pwritev2: return pwritev_at(a, static_cast<int>(a[5]));
    case SYS_recvfrom: return call(recvfrom, a);
    case SYS_recvmsg: return call(recvmsg, a);
    case SYS_recvmmsg: return call(recvmmsg, a);
    case SYS_sendto: return call(sendto, a);
    case SYS_sendmsg: return call(sendmsg, a);
    case SYS_sendmmsg: return call(sendmmsg, a);
    case SYS_accept: return call(accept, a);
    case SYS_accept4: return call(accept4, a);
    case SYS_connect: return call(connect, a);
    case SYS_shutdown: return call(shutdown, a);
    case SYS_splice: return call(splice, a);
    case SYS_tee: return call(tee, a);
    case SYS_vmsplice: return call(vmsplice, a);
    case SYS_sendfile: return call(sendfile64, a);
    case SYS_poll: return call(poll, a);
    case SYS_select: return call(select, a);
    case SYS_epoll_wait: return call(epoll_wait, a);
    case SYS_flock: return call(flock, a);
    case SYS_close: return call(close, a);
    case SYS_close_range: return call(close_range, a);
    case SYS_dup: return call(dup, a);
    case SYS_dup2: return call(dup2, a);
    case SYS_dup3: return call(dup3, a);
    case SYS_pipe: return call(pipe, a);
    case SYS_pipe2: return call(pipe2, a);
    case SYS_socketpair: return call(socketpair, a);
    case SYS_eventfd: return eventfd_by_number(a);
    case SYS_eventfd2: return call(eventfd, a);
    case SYS_fcntl:
      return fcntl(static_cast<int>(a[0]), static_cast<int>(a[1]), argument_as<void*>(a[2]));
    default: return {};
  }
}

Answer on_files(long number, const Arguments& a) {
  switch (number) {
    case SYS_open: return open_by_number(a);
    case SYS_openat: return openat_by_number(a);
    case SYS_creat: return call(creat, a);
    case SYS_mkdir: return call(mkdir, a);
    case SYS_mkdirat: return call(mkdirat, a);
    case SYS_link: return call(link, a);
    case SYS_linkat: return call(linkat, a);
    case SYS_symlink: return call(symlink, a);
    case SYS_symlinkat: return call(symlinkat, a);
    case SYS_truncate: return call(truncate, a);
    case SYS_rename: return call(rename, a);
    case SYS_renameat: return call(renameat, a);
    case SYS_renameat2: return call(renameat2, a);
    case SYS_unlink: return call(unlink, a);
    case SYS_unlinkat: return call(unlinkat, a);
    case SYS_rmdir: return call(rmdir, a);
    default: return {};
  }
}

Answer on_queues(long number, const Arguments& a) {
  switch (number) {
    case SYS_mq_timedsend: return call(mq_timedsend, a);
    case SYS_mq_timedreceive: return call(mq_timedreceive, a);
    case SYS_msgsnd: return call(msgsnd, a);
    case SYS_msgrcv: return call(msgrcv, a);
    case SYS_semop: return call(semop, a);
    case SYS_semtimedop: return call(semtimedop, a);
    default: return {};
  }
}

Answer on_processes(long number, const Arguments& a) {
  switch (number) {
    case SYS_getpid: return getpid();
    case SYS_gettid: return gettid();
    case SYS_getppid: return getppid();
    case SYS_wait4: return call(wait4, a);
    case SYS_waitid: return waitid_by_number(a);
    case SYS_execve: return call(execve, a);
    case SYS_execveat: return call(execveat, a);
    case SYS_exit_group: _exit(static_cast<int>(a[0]));
    default: return {};
  }
}

}  // namespace

Answer by_function(long number, const SystemCallArguments& arguments) {
  for (const auto route : {on_descriptors, on_files, on_queues, on_processes}) {
    const Answer answer = route(number, arguments);
    if (answer.is_given) return answer;
  }
  return {};
}

}  // namespace unravel
