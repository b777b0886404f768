#include "run/client.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "run/activity.hpp"
#include "run/sandbox.hpp"

namespace unravel {
namespace {

// After this time something cannot be killed, such as a process of another user. It is left to the
// sandbox, whose end ends it. Chosen by hand.
constexpr std::chrono::seconds kToEnd{5};

// How often the keeper reaps what the command has left behind. Chosen by hand.
constexpr int kReapMilliseconds = 100;

// The keeper's descriptors.
constexpr int kStatus = 3, kUntil = 4;

[[noreturn]] void become_command(const ClientStart& what, char* const* environment) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);
  set_default_signals();
  ::syscall(SYS_close_range, 3U, ~0U, 0U);
  char shell[] = "/bin/sh";
  char option[] = "-c";
  std::string command = what.command;
  char* const arguments[] = {shell, option, command.data(), nullptr};
  if (::chdir(what.directory.c_str()) == 0) ::execve(shell, arguments, environment);
  ::_exit(126);
}

/// Ends every child of this process, and every child that it inherits meanwhile.
void end_children() {
  do {
    // They cannot be reused: nobody but us reaps them.
    for (const pid_t child : children_of(::getpid())) ::kill(child, SIGKILL);
  } while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR);
}

/// The whole life of the keeper.
[[noreturn]] void keep(const ClientStart& what, char* const* environment) {
  ::prctl(PR_SET_NAME, "unravel-client");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t command = ::fork();
  if (command == 0) become_command(what, environment);
  bool is_over = command < 0;
  const auto report = [&](int status) {
    is_over = true;
    [[maybe_unused]] const ssize_t written = ::write(kStatus, &status, sizeof status);
  };
  if (is_over) report(126 << 8);
  const UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, command, 0)));
  for (;;) {
    pollfd events[] = {{.fd = kUntil, .events = POLLIN, .revents = 0},
                       {.fd = is_over ? -1 : pidfd.get(), .events = POLLIN, .revents = 0}};
    ::poll(events, 2, kReapMilliseconds);
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended == command) report(status);
    }
    if (events[0].revents) break;
  }
  end_children();
  ::_exit(0);
}

/// In the new process. It does not die with the driver at once: the end of `until` shows it that
/// the driver is gone, and then it ends the client.
[[noreturn]] void become_keeper(const ClientStart& what, int status, int until,
                                char* const* environment) {
  ::setpgid(0, 0);
  set_default_signals();
  ::signal(SIGPIPE, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDONLY);
  // Copies above the numbers that are to be taken.
  const int high_status = ::fcntl(status, F_DUPFD, 10);
  const int high_until = ::fcntl(until, F_DUPFD, 10);
  const int high_output = ::fcntl(what.output, F_DUPFD, 10);
  const bool is_ready = ::dup2(nothing, 0) == 0 && ::dup2(high_output, 1) == 1 &&
                        ::dup2(high_output, 2) == 2 && ::dup2(high_status, kStatus) == kStatus &&
                        ::dup2(high_until, kUntil) == kUntil;
  if (!is_ready) ::_exit(127);
  ::syscall(SYS_close_range, static_cast<unsigned>(kUntil) + 1, ~0U, 0U);
  keep(what, environment);
}

Error cannot_start(int error) {
  return {Error::Kind::kEnvironment, "the client cannot be started", std::strerror(error),
          "look at `ulimit -n`, `ulimit -u` and at what else is running"};
}

}  // namespace

Result<Client> Client::start(const ClientStart& what) {
  int status[2];
  int until[2];
  if (::pipe2(status, O_CLOEXEC | O_NONBLOCK) != 0) return fail(cannot_start(errno));
  UniqueFd status_read(status[0]), status_write(status[1]);
  if (::pipe2(until, O_CLOEXEC) != 0) return fail(cannot_start(errno));
  UniqueFd until_read(until[0]), until_write(until[1]);
  std::vector<std::string> variables;
  if (what.environment) variables = *what.environment;
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);

  const pid_t pid = what.sandbox ? what.sandbox->fork_inside() : ::fork();
  if (pid == 0) {
    become_keeper(what, status_write.get(), until_read.get(), environment.data());
  }
  if (pid < 0) return fail(cannot_start(errno));
  ::setpgid(pid, pid);  // parent and child both do this; the first one wins
  Child child(pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));
  return Client(std::move(child), std::move(status_read), std::move(until_write));
}

Client::~Client() {
  if (!child_) return;
  until_.reset();
  child_.ended(kToEnd);
  child_.end();
}

std::optional<int> Client::wait_status() {
  if (wait_status_) return wait_status_;
  int status = 0;
  if (::read(status_.get(), &status, sizeof status) == sizeof status) {
    wait_status_ = status;
  } else if (child_.ended()) {
    wait_status_ = child_.end();
  }
  return wait_status_;
}

}  // namespace unravel
