#include "run/oracle.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/unique_fd.hpp"
#include "run/child.hpp"
#include "run/isolation.hpp"

namespace unravel {
namespace {

// How often an interruption is looked for while the oracle runs.
constexpr std::chrono::milliseconds kGlance{20};

// What a shell says when it cannot find or start a command.
constexpr int kCannotStart = 126, kNotFound = 127;

// A file, not a pipe: it never blocks, however little of it the oracle reads.
Result<UniqueFd> file_of(const std::string& content) {
  UniqueFd file(::memfd_create("output", MFD_CLOEXEC));
  std::size_t written = 0;
  while (file && written < content.size()) {
    const ssize_t count = ::write(file.get(), content.data() + written, content.size() - written);
    if (count < 0 && errno != EINTR) file.reset();
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  if (!file || ::lseek(file.get(), 0, SEEK_SET) != 0) {
    return environment_error("cannot hand the output to the oracle", std::strerror(errno));
  }
  return file;
}

std::vector<std::string> arguments_of(const std::vector<std::string>& command) {
  if (command.size() == 1 && command[0].find_first_of(" \t\n;|&<>$`'\"") != std::string::npos) {
    return {"/bin/sh", "-c", command[0]};
  }
  return command;
}

/// Runs in the forked child: only system calls.
[[noreturn]] void become_oracle(const Oracle& oracle, int input, char* const* arguments) {
  ::setpgid(0, 0);
  set_default_signals();
  const int nothing = ::open("/dev/null", O_WRONLY);
  const bool is_ready = ::chdir(oracle.directory.c_str()) == 0 && ::dup2(input, 0) == 0 &&
                        ::dup2(nothing, 1) == 1 && ::dup2(nothing, 2) == 2;
  if (is_ready) ::execvp(arguments[0], arguments);
  ::_exit(errno == ENOENT ? kNotFound : kCannotStart);
}

Result<Child> spawn(const Oracle& oracle, int input) {
  std::vector<std::string> arguments = arguments_of(oracle.command);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);

  const pid_t pid = oracle.isolation ? oracle.isolation->fork_inside() : ::fork();
  if (pid == 0) become_oracle(oracle, input, pointers.data());
  if (pid < 0) {
    return environment_error("cannot start the oracle '" + oracle.command[0] + "'",
                             std::strerror(errno), "look at `ulimit -u` and what else is running");
  }
  ::setpgid(pid, pid);  // on both sides, so that it is done whoever is first
  return Child(pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));
}

}  // namespace

Result<std::optional<int>> ask(const Oracle& oracle, const std::string& output,
                               const std::atomic<bool>& interrupted) {
  auto input = file_of(output);
  if (!input) return fail(input.error());
  auto child = spawn(oracle, input->get());
  if (!child) return fail(child.error());

  const auto deadline = std::chrono::steady_clock::now() + oracle.timeout;
  while (!child->ended(kGlance)) {
    if (interrupted.load()) return user_error("interrupted");
    if (std::chrono::steady_clock::now() > deadline) return std::optional<int>();
  }
  const int status = child->end();
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  const int code = WEXITSTATUS(status);
  if (code == kCannotStart || code == kNotFound) {
    return user_error("the oracle '" + oracle.command[0] + "' could not be run",
                      "its exit status is " + std::to_string(code),
                      "check its spelling and permissions");
  }
  return code;
}

}  // namespace unravel
