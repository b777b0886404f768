#include "run/stopped_thread.hpp"

#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <cerrno>

namespace unravel {
namespace {

Registers from_kernel(const user_regs_struct& saved) {
  Registers registers;
  registers.rip = saved.rip, registers.rsp = saved.rsp, registers.rbp = saved.rbp;
  registers.rbx = saved.rbx, registers.r12 = saved.r12, registers.r13 = saved.r13;
  registers.r14 = saved.r14, registers.r15 = saved.r15;
  registers.full = true;
  registers.rax = saved.rax, registers.rcx = saved.rcx, registers.rdx = saved.rdx;
  registers.rsi = saved.rsi, registers.rdi = saved.rdi, registers.r8 = saved.r8;
  registers.r9 = saved.r9, registers.r10 = saved.r10, registers.r11 = saved.r11;
  return registers;
}

/// Waits for a change of its state, without collecting it.
bool look_at(pid_t kernel_thread, siginfo_t& seen) {
  int result = 0;
  do {
    result = ::waitid(P_PID, static_cast<id_t>(kernel_thread), &seen,
                      WSTOPPED | WEXITED | WNOWAIT | __WALL);
  } while (result < 0 && errno == EINTR);
  return result == 0;
}

bool is_end(const siginfo_t& seen) {
  return seen.si_code == CLD_EXITED || seen.si_code == CLD_KILLED || seen.si_code == CLD_DUMPED;
}

void collect(pid_t kernel_thread) { ::waitpid(kernel_thread, nullptr, __WALL); }

}  // namespace

StoppedThread::StoppedThread(pid_t kernel_thread, bool is_own_child)
    : kernel_thread_(kernel_thread), is_own_child_(is_own_child) {
  // If this process dies now, the thread does not continue either.
  if (::ptrace(PTRACE_SEIZE, kernel_thread, nullptr, PTRACE_O_EXITKILL) != 0) return;
  is_traced_ = true;
  if (::ptrace(PTRACE_INTERRUPT, kernel_thread, nullptr, nullptr) != 0 || !await_stop()) return;
  user_regs_struct saved = {};
  is_stopped_ = ::ptrace(PTRACE_GETREGS, kernel_thread, nullptr, &saved) == 0;
  if (is_stopped_) registers_ = from_kernel(saved);
}

/// Returns false if the thread has ended instead. Reaps it then, unless it is our own child: its
/// status is needed elsewhere.
bool StoppedThread::await_stop() {
  siginfo_t seen = {};
  if (!look_at(kernel_thread_, seen)) return false;
  const bool has_ended = is_end(seen);
  if (has_ended) is_traced_ = false;
  if (!has_ended || !is_own_child_) collect(kernel_thread_);
  return !has_ended;
}

void StoppedThread::was_killed() {
  // Its parent cannot reap it before we, the tracer, have seen its end.
  while (is_traced_ && !is_own_child_ && await_stop()) {
    ::ptrace(PTRACE_CONT, kernel_thread_, nullptr, nullptr);
  }
  is_traced_ = false;
}

StoppedThread::~StoppedThread() {
  if (is_traced_) ::ptrace(PTRACE_DETACH, kernel_thread_, nullptr, nullptr);
}

}  // namespace unravel
