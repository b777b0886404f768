#include "run/child.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <utility>

#include "base/assert.hpp"

namespace unravel {

namespace {

std::chrono::nanoseconds time_of(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

Child::Child(pid_t pid, UniqueFd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)), pidfd_(std::move(other.pidfd_)) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    if (pid_ > 0) end();
    pid_ = std::exchange(other.pid_, 0);
    pidfd_ = std::move(other.pidfd_);
  }
  return *this;
}

Child::~Child() {
  if (pid_ > 0) end();
}

bool Child::ended(std::chrono::milliseconds wait) const {
  pollfd poll_for{.fd = pidfd_.get(), .events = POLLIN, .revents = 0};
  return ::poll(&poll_for, 1, static_cast<int>(wait.count())) == 1;
}

int Child::end() {
  // With process id 0 the signal would go to this process and its own group.
  UNRAVEL_ASSERT(pid_ > 0, "only a child that is there can be ended");
  // Until the child is reaped, its number and that of its group cannot be reused.
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  int status = 0;
  rusage usage = {};
  while (::wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  processor_time_ = time_of(usage.ru_utime) + time_of(usage.ru_stime);
  pid_ = 0;
  pidfd_.reset();
  return status;
}

void set_default_signals() {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &standard, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace unravel
