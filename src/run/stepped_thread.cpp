#include "run/stepped_thread.hpp"

#include <elf.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <cerrno>
#include <string>

#include "base/files.hpp"

namespace unravel {
namespace {

// A function may use this much memory below its stack pointer (System V ABI: red zone).
constexpr std::uint64_t kRedZone = 128;

// Larger than the registers of any processor.
constexpr std::size_t kMostVectors = 64 * 1024;

/// Whether the thread is in user code, according to the kernel. It could enter a system call right
/// after, but a thread that has computed for long without one seldom does.
bool is_computing(pid_t process, pid_t kernel_thread) {
  const auto text = read_text_file("/proc/" + std::to_string(process) + "/task/" +
                                   std::to_string(kernel_thread) + "/syscall");
  return text && text->starts_with("running");
}

}  // namespace

SteppedThread::SteppedThread(pid_t process, pid_t kernel_thread, bool is_own_child)
    : kernel_thread_(kernel_thread), is_own_child_(is_own_child) {
  if (!is_computing(process, kernel_thread)) return;
  if (::ptrace(PTRACE_SEIZE, kernel_thread, nullptr, PTRACE_O_EXITKILL) != 0) return;
  is_traced_ = true;
  if (::ptrace(PTRACE_INTERRUPT, kernel_thread, nullptr, nullptr) != 0 || !await_stop()) return;
  is_stopped_ = read_registers() && static_cast<long>(registers_.orig_rax) < 0;
}

SteppedThread::~SteppedThread() {
  if (is_traced_) ::ptrace(PTRACE_DETACH, kernel_thread_, nullptr, signal_);
}

/// Returns false if the thread has ended instead. Reaps it then, unless it is our own child: its
/// status is needed elsewhere.
bool SteppedThread::await_stop() {
  siginfo_t seen = {};
  int result = 0;
  do {
    result = ::waitid(P_PID, static_cast<id_t>(kernel_thread_), &seen,
                      WSTOPPED | WEXITED | WNOWAIT | __WALL);
  } while (result < 0 && errno == EINTR);
  const bool has_ended = result != 0 || seen.si_code == CLD_EXITED || seen.si_code == CLD_KILLED ||
                         seen.si_code == CLD_DUMPED;
  if (has_ended) is_traced_ = false;
  int status = 0;
  if (!has_ended || !is_own_child_) ::waitpid(kernel_thread_, &status, __WALL);
  if (has_ended) return false;
  // A pending signal is passed on; SIGTRAP is the end of a step.
  const bool is_signal = status >> 16 == 0 && WSTOPSIG(status) != SIGTRAP;
  signal_ = is_signal ? WSTOPSIG(status) : 0;
  return !is_signal;
}

bool SteppedThread::read_registers() {
  return ::ptrace(PTRACE_GETREGS, kernel_thread_, nullptr, &registers_) == 0;
}

std::vector<char> SteppedThread::vectors() const {
  std::vector<char> bytes(kMostVectors);
  iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
  if (::ptrace(PTRACE_GETREGSET, kernel_thread_, NT_X86_XSTATE, &part) != 0) return {};
  bytes.resize(part.iov_len);
  return bytes;
}

bool SteppedThread::step() {
  is_stopped_ = is_stopped_ && ::ptrace(PTRACE_SINGLESTEP, kernel_thread_, nullptr, nullptr) == 0 &&
                await_stop() && read_registers();
  return is_stopped_;
}

bool SteppedThread::send_to(std::uint64_t entry) {
  user_regs_struct changed = registers_;
  changed.rsp -= kRedZone + sizeof changed.rip;
  changed.rip = entry;
  return ::ptrace(PTRACE_POKEDATA, kernel_thread_, changed.rsp, registers_.rip) == 0 &&
         ::ptrace(PTRACE_SETREGS, kernel_thread_, nullptr, &changed) == 0;
}

}  // namespace unravel
