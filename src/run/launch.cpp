#include "run/launch.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/files.hpp"
#include "run/environment.hpp"
#include "run/sandbox.hpp"
#include "wire/control.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

/// What the child reports before it becomes the program. Fits an atomic write to a pipe.
struct Report {
  enum class Stage : int {
    kRandomisation,
    kPinning,
    kLimits,
    kDirectory,
    kInput,
    kChannel,
    kStart
  };
  Stage stage;
  int error;
  std::uint32_t limits = 0;  // limits that were refused, a bit for each resource
};

void tell(int pipe, const Report& report) {
  // If this fails, nobody can be told.
  [[maybe_unused]] const ssize_t written = ::write(pipe, &report, sizeof report);
}

void tell(int pipe, Report::Stage stage) { tell(pipe, {.stage = stage, .error = errno}); }

bool take_descriptors(const Launch& what, int pipe) {
  const char* input_path = what.standard_input.empty() ? "/dev/null" : what.standard_input.c_str();
  const int input = ::open(input_path, O_RDONLY);
  if (input < 0 || (input != 0 && ::dup2(input, 0) < 0)) {
    tell(pipe, Report::Stage::kInput);
    return false;
  }
  ::dup2(what.output, 1);
  ::dup2(what.error_output, 2);
  if (::dup2(what.channel, wire::kChannelDescriptor) < 0) {
    tell(pipe, Report::Stage::kChannel);
    return false;
  }
  // Other open descriptors would be shared by all runs, and would prevent forking.
  ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
  ::fcntl(wire::kChannelDescriptor, F_SETFD, 0);
  return true;
}

/// Runs in the forked child of a threaded process: only async-signal-safe calls.
[[noreturn]] void become_program(const Launch& what, pid_t driver, int pipe, char* const* arguments,
                                 char* const* environment) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A process without a parent is in a process namespace, which dies with the driver.
  if (const pid_t parent = ::getppid(); parent != driver && parent != 0) ::_exit(127);
  ::setpgid(0, 0);
  set_default_signals();

  const int persona = ::personality(0xffffffff);
  if (persona < 0 || ::personality(static_cast<unsigned>(persona) | ADDR_NO_RANDOMIZE) < 0) {
    tell(pipe, Report::Stage::kRandomisation);
  }
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(static_cast<std::size_t>(what.cpu), &cpus);
  if (::sched_setaffinity(0, sizeof cpus, &cpus) != 0) tell(pipe, Report::Stage::kPinning);
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);

  if (::chdir(what.program->directory.c_str()) != 0) {
    tell(pipe, Report::Stage::kDirectory);
  } else if (take_descriptors(what, pipe)) {
    // After everything else, since a limit may forbid it. Before the program is loaded, since the
    // kernel lays out its memory by the stack limit.
    if (const std::uint32_t refused = enter(*what.environment)) {
      tell(pipe, {.stage = Report::Stage::kLimits, .error = 0, .limits = refused});
    }
    ::execve(what.program->path.c_str(), arguments, environment);
    tell(pipe, Report::Stage::kStart);
  }
  ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// A copy of the descriptor above the standard ones, which dup2() will not overwrite.
Result<UniqueFd> above_standard(int descriptor) {
  UniqueFd copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, wire::kChannelDescriptor + 1));
  if (!copy) copy.reset(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
  if (!copy)
    return environment_error("no more files can be opened", std::strerror(errno),
                             "raise `ulimit -n`");
  return copy;
}

Error start_error(const Launch& what, Report report) {
  const Program& program = *what.program;
  switch (report.stage) {
    case Report::Stage::kDirectory: return file_error("enter", program.directory, report.error);
    case Report::Stage::kInput: return file_error("read", what.standard_input, report.error);
    case Report::Stage::kChannel:
      return {Error::Kind::kEnvironment, "cannot give the program descriptor 1000",
              std::strerror(report.error), "raise `ulimit -n` to 1024 or more"};
    case Report::Stage::kRandomisation:
    case Report::Stage::kPinning:
    case Report::Stage::kLimits:
    case Report::Stage::kStart: break;
  }
  if (report.error == E2BIG) {
    return {Error::Kind::kUser, "cannot start '" + program.path + "'",
            "its arguments and environment are too long", "shorten them"};
  }
  return file_error("start", program.path, report.error);
}

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return environment_error("no more files can be opened", std::strerror(errno),
                             "raise `ulimit -n`");
  }
  Pipe pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  auto write = above_standard(pipe.write.get());
  if (!write) return fail(write.error());
  pipe.write = std::move(*write);
  return pipe;
}

}  // namespace

Result<Launched> launch(const Launch& what) {
  std::vector<std::string> environment =
      program_environment(what.environment->variables, what.runtime);
  std::vector<std::string> arguments = what.program->arguments;
  const std::vector<char*> argument_pointers = pointers(arguments);
  const std::vector<char*> environment_pointers = pointers(environment);
  auto pipe = make_pipe();
  auto channel = above_standard(what.channel);
  auto output = above_standard(what.output);
  auto error_output = above_standard(what.error_output);
  for (const auto* made : {&channel, &output, &error_output}) {
    if (!*made) return fail(made->error());
  }
  if (!pipe) return fail(pipe.error());
  Launch safe = what;
  safe.channel = channel->get();
  safe.output = output->get();
  safe.error_output = error_output->get();

  const pid_t driver = ::getpid();
  const pid_t pid = what.sandbox ? what.sandbox->fork_inside() : ::fork();
  if (pid == 0) {
    become_program(safe, driver, pipe->write.get(), argument_pointers.data(),
                   environment_pointers.data());
  }
  if (pid < 0) {
    return environment_error(what.sandbox ? "cannot start a process in namespaces of its own"
                                          : "cannot start another process",
                             std::strerror(errno),
                             "look at `ulimit -u` and at what else is running");
  }
  ::setpgid(pid, pid);  // parent and child both do this; the first one wins
  UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  const bool watchable = static_cast<bool>(pidfd);
  const int pidfd_error = errno;
  Launched launched{.child = Child(pid, std::move(pidfd)), .addresses_fixed = true, .pinned = true};
  if (!watchable) {
    return environment_error("this kernel cannot watch processes", std::strerror(pidfd_error),
                             "Linux 5.3 or later is needed");
  }

  pipe->write.reset();
  Report report;
  for (ssize_t got; (got = ::read(pipe->read.get(), &report, sizeof report)) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof report) break;
    switch (report.stage) {
      case Report::Stage::kRandomisation: launched.addresses_fixed = false; break;
      case Report::Stage::kPinning: launched.pinned = false; break;
      case Report::Stage::kLimits: launched.limits_refused = report.limits; break;
      case Report::Stage::kDirectory:
      case Report::Stage::kInput:
      case Report::Stage::kChannel:
      case Report::Stage::kStart: return fail(start_error(what, report));
    }
  }
  return launched;
}

std::vector<std::string> program_environment(std::span<const std::string> environment,
                                             std::string_view runtime) {
  constexpr std::string_view kPreload = "LD_PRELOAD=";
  std::vector<std::string> result;
  std::string preload = std::string(kPreload) + std::string(runtime);
  for (const std::string_view variable : environment) {
    if (variable.starts_with(kPreload)) {
      const std::string_view theirs = variable.substr(kPreload.size());
      if (!theirs.empty()) preload += ":" + std::string(theirs);
    } else if (!variable.starts_with("UNRAVEL_")) {
      // UNRAVEL_… options must not move the program's stack, so they are left out.
      result.emplace_back(variable);
    }
  }
  result.push_back(preload);
  result.push_back("UNRAVEL_CHANNEL=" + std::to_string(wire::kChannelDescriptor));
  return result;
}

namespace {

Result<std::string> preloadable(std::string path) {
  if (path.find_first_of(" :") == std::string::npos) return path;
  return environment_error("the runtime cannot be loaded from '" + path + "'",
                           "the loader takes spaces and colons as the end of a path",
                           "install unravel in a directory without them");
}

}  // namespace

Result<std::string> find_runtime(RuntimeFor program) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = program == RuntimeFor::kAny ? "../lib/unravel" : "../lib/unravel/tsan";
  const fs::path beside = (self.parent_path() / folder / "libunravel-rt.so").lexically_normal();
  if (!error && fs::is_regular_file(beside, error)) return preloadable(beside.string());
  if (const char* variable = std::getenv("UNRAVEL_RUNTIME"); variable && *variable) {
    const fs::path named = fs::absolute(variable, error);
    if (!error && fs::is_regular_file(named, error)) return preloadable(named.string());
    return environment_error("UNRAVEL_RUNTIME names '" + std::string(variable) + "'",
                             "there is no such file", "set it to the path of libunravel-rt.so");
  }
  return environment_error("the runtime library is missing", "it should be at " + beside.string(),
                           "install unravel again, or set UNRAVEL_RUNTIME to libunravel-rt.so");
}

std::vector<int> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
    }
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

int choose_cpu() {
  static std::atomic<std::size_t> calls{0};
  const std::vector<int> cpus = usable_cpus();
  return cpus[(static_cast<std::size_t>(::getpid()) + calls.fetch_add(1)) % cpus.size()];
}

}  // namespace unravel
