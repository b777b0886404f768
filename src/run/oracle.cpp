#include "run/oracle.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/unique_fd.hpp"
#include "run/child.hpp"

extern char** environ;

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

Result<Child> spawn(const Oracle& oracle, int input) {
  std::vector<std::string> arguments = arguments_of(oracle.command);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, oracle.directory.c_str());
  ::posix_spawn_file_actions_adddup2(&actions, input, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t pid = 0;
  const int error =
      ::posix_spawnp(&pid, pointers[0], &actions, &attributes, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    return user_error("cannot start the oracle '" + oracle.command[0] + "'", std::strerror(error),
                      "give a command that exits with 0 for a good run, 125 if it cannot tell");
  }
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
