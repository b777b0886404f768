#include "run/plain_command.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

#include "run/child.hpp"
#include "run/sandbox.hpp"
#include "run/watchdog.hpp"

namespace unravel {
namespace {

// How often to check for an interruption. Chosen by hand.
constexpr std::chrono::milliseconds kGlance{20};

// In the new process. Only system calls.
[[noreturn]] void become(const PlainCommand& command, char* const* arguments,
                         char* const* environment) {
  ::setpgid(0, 0);
  set_default_signals();
  const int empty = ::open("/dev/null", O_RDONLY);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  const bool is_ready = (command.directory.empty() || ::chdir(command.directory.c_str()) == 0) &&
                        ::dup2(command.input < 0 ? empty : command.input, 0) == 0 &&
                        ::dup2(command.output < 0 ? nowhere : command.output, 1) == 1 &&
                        ::dup2(command.error_output < 0 ? nowhere : command.error_output, 2) == 2;
  if (is_ready) ::execvpe(arguments[0], arguments, environment);
  ::_exit(errno == ENOENT ? kNotFound : kCannotStart);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

Result<Child> start(const PlainCommand& command) {
  std::vector<std::string> arguments = command.arguments;
  const std::vector<char*> argument_pointers = pointers(arguments);
  std::vector<std::string> variables;
  if (command.environment) variables = *command.environment;
  const std::vector<char*> variable_pointers = pointers(variables);

  const pid_t pid = command.sandbox ? command.sandbox->fork_inside() : ::fork();
  if (pid == 0) {
    become(command, argument_pointers.data(),
           command.environment ? variable_pointers.data() : environ);
  }
  if (pid < 0) {
    return environment_error("cannot start '" + command.arguments[0] + "'", std::strerror(errno),
                             "look at `ulimit -u` and what else is running");
  }
  ::setpgid(pid, pid);  // parent and child both do this; the first one wins
  return Child(pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));
}

bool is_larger(int file, std::uint64_t most) {
  struct stat status;
  return file >= 0 && ::fstat(file, &status) == 0 &&
         static_cast<std::uint64_t>(status.st_size) > most;
}

Result<UniqueFd> empty_file() {
  UniqueFd file(::memfd_create("output", MFD_CLOEXEC));
  if (!file) return environment_error("cannot make a file in memory", std::strerror(errno));
  return file;
}

std::string content_of(int file, std::uint64_t most) {
  std::string content;
  char buffer[64 * 1024];
  while (content.size() < most) {
    const ssize_t got = ::pread(file, buffer, sizeof buffer, static_cast<off_t>(content.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    content.append(buffer, static_cast<std::size_t>(got));
  }
  return content;
}

}  // namespace

Result<std::optional<int>> run_plain(const PlainCommand& command,
                                     const std::function<bool()>& interrupted) {
  auto child = start(command);
  if (!child) return fail(child.error());
  Watchdog watchdog(command.timeout);
  while (!child->ended(kGlance)) {
    if (interrupted()) return user_error("interrupted");
    watchdog.observe(0, 0, activity_of(child->pid()), std::chrono::steady_clock::now());
    if (watchdog.expired() || is_larger(command.output, command.most_output) ||
        is_larger(command.error_output, command.most_output)) {
      return std::optional<int>();
    }
  }
  const int status = child->end();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

Result<PlainOutput> capture_plain(PlainCommand command, const std::function<bool()>& interrupted) {
  const auto output = empty_file();
  if (!output) return fail(output.error());
  const auto error_output = empty_file();
  if (!error_output) return fail(error_output.error());
  command.output = output->get();
  command.error_output = error_output->get();
  const auto status = run_plain(command, interrupted);
  if (!status) return fail(status.error());
  return PlainOutput{.status = *status,
                     .output = content_of(output->get(), command.most_output),
                     .error_output = content_of(error_output->get(), command.most_output)};
}

Result<UniqueFd> file_in_memory(const std::string& content) {
  auto file = empty_file();
  if (!file) return file;
  std::size_t written = 0;
  while (written < content.size()) {
    const ssize_t count = ::write(file->get(), content.data() + written, content.size() - written);
    if (count < 0 && errno != EINTR) {
      return environment_error("cannot write a file in memory", std::strerror(errno));
    }
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  ::lseek(file->get(), 0, SEEK_SET);
  return file;
}

}  // namespace unravel
