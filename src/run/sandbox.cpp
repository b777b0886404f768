#include "run/sandbox.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/files.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

// New network namespaces wait until old ones are removed, which takes long if many come and go.
// Everything else that the keeper does takes milliseconds. Chosen by hand.
constexpr std::chrono::milliseconds kMostPatience{30'000};

constexpr const char* kKeeperWasKilled = "their keeper was killed";

// A keeper may be killed more than once in a row, for example if the system is out of memory.
// Chosen by hand.
constexpr int kKeepers = 3;

struct Received {
  KeeperMessage message;
  UniqueFd descriptors[2];
};

Error keeper_error(const std::string& why) {
  return {Error::Kind::kEnvironment, "the program's own files and processes cannot be kept apart",
          why, "`--no-sandbox` runs it without"};
}

Result<Received> receive(int socket) {
  pollfd ready{.fd = socket, .events = POLLIN, .revents = 0};
  int answered = 0;
  while ((answered = ::poll(&ready, 1, static_cast<int>(kMostPatience.count()))) < 0 &&
         errno == EINTR) {
  }
  if (answered == 0) return fail(keeper_error("their keeper does not answer"));

  Received received;
  iovec part{.iov_base = &received.message, .iov_len = sizeof received.message};
  alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))];
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t got = 0;
  while ((got = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (got != sizeof received.message) return fail(keeper_error(kKeeperWasKilled));
  const cmsghdr* first = CMSG_FIRSTHDR(&header);
  if (first && first->cmsg_type == SCM_RIGHTS) {
    const std::size_t count = (first->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count && i < 2; ++i) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(first) + i * sizeof(int), sizeof descriptor);
      received.descriptors[i].reset(descriptor);
    }
  }
  return received;
}

void reap(pid_t process) {
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// Whether a file of a layer only marks that a file was removed.
bool is_whiteout(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == 0;
}

/// Copies a layer over the content of `to`.
Result<void> copy_layer(const fs::path& from, const fs::path& to) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(from, error), end; !error && at != end;
       at.increment(error)) {
    const fs::path target = to / at->path().lexically_relative(from);
    const fs::file_status status = at->symlink_status(error);
    if (error) break;
    if (is_whiteout(at->path())) {
      fs::remove_all(target, error);
    } else if (fs::is_directory(status)) {
      // An earlier layer may have put a link there that leads out of the copy.
      std::error_code none;
      if (!fs::is_directory(fs::symlink_status(target, none))) fs::remove(target, none);
      fs::create_directories(target, error);
    } else if (fs::is_regular_file(status) || fs::is_symlink(status)) {
      fs::create_directories(target.parent_path(), error);
      fs::remove_all(target, error);
      fs::copy(at->path(), target, fs::copy_options::copy_symlinks, error);
    }
    if (error) return fail(file_error("write", target, error.value()));
  }
  if (error) return fail(file_error("read what the run wrote to", to, error.value()));
  return {};
}

std::uint64_t files_in(const fs::path& directory) {
  std::uint64_t files = 0;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(directory, ignored)) {
    if (!fs::is_directory(entry.symlink_status(ignored))) ++files;
  }
  return files;
}

/// The last number of the line "NSpid:" in a process's status: its process id in its own namespace.
pid_t innermost_number(const std::string& status_file) {
  std::ifstream file(status_file);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("NSpid:")) continue;
    return static_cast<pid_t>(std::atoi(line.c_str() + line.find_last_of(" \t") + 1));
  }
  return 0;
}

}  // namespace

Result<std::unique_ptr<Sandbox>> Sandbox::create(const SandboxPaths& paths) {
  Result<std::unique_ptr<Sandbox>> made;
  for (int keepers = 0; keepers < kKeepers; ++keepers) {
    made = create(paths, /*own_processes=*/true);
    // Containers often forbid mounting /proc; then processes keep their numbers.
    const bool is_refused = !made && made.error().why != kKeeperWasKilled;
    if (is_refused) made = create(paths, /*own_processes=*/false);
    // If a keeper was killed, that does not mean that the system refuses anything.
    if (made || made.error().why != kKeeperWasKilled) break;
  }
  return made;
}

Result<std::unique_ptr<Sandbox>> Sandbox::create(const SandboxPaths& paths, bool own_processes) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return fail(keeper_error(std::strerror(errno)));
  }
  UniqueFd ours(ends[0]);
  UniqueFd theirs(ends[1]);
  const pid_t maker = ::fork();
  if (maker == 0) make_keeper(paths, own_processes, theirs.get());
  if (maker < 0) return fail(keeper_error(std::strerror(errno)));
  theirs.reset();
  auto made = receive(ours.get());
  // The keeper may be ready before its maker has reported its process id.
  std::optional<Received> early;
  if (made && made->message.kind == KeeperMessage::Kind::kDone) {
    early = std::move(*made);
    made = receive(ours.get());
  }
  if (!made) ::kill(maker, SIGKILL);
  reap(maker);
  if (!made) return fail(made.error());
  if (made->message.kind != KeeperMessage::Kind::kMade) {
    return fail(keeper_error(made->message.text));
  }

  const pid_t keeper = made->message.number;
  UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, keeper, 0)));
  std::unique_ptr<Sandbox> sandbox(new Sandbox(keeper, std::move(pidfd), std::move(ours),
                                               own_processes, made->message.namespaces));
  Result<Received> ready = early ? std::move(*early) : receive(sandbox->socket_.get());
  if (!ready) return fail(ready.error());
  if (ready->message.kind != KeeperMessage::Kind::kDone) {
    return fail(keeper_error(ready->message.text));
  }
  sandbox->root_ = std::move(ready->descriptors[0]);
  sandbox->why_partly_ = ready->message.text;
  return sandbox;
}

Sandbox::~Sandbox() {
  socket_.reset();
  ::kill(keeper_, SIGKILL);  // cannot be reused until it is reaped
  reap(keeper_);
}

/// Returns the number in its answer.
Result<std::int32_t> Sandbox::ask(KeeperCommand command) {
  if (::send(socket_.get(), &command, sizeof command, MSG_NOSIGNAL) != sizeof command) {
    return fail(keeper_error(kKeeperWasKilled));
  }
  const auto answer = receive(socket_.get());
  if (!answer) return fail(answer.error());
  if (answer->message.kind == KeeperMessage::Kind::kDone) return answer->message.number;
  return fail(keeper_error(answer->message.text));
}

Result<void> Sandbox::order(KeeperCommand command) {
  const auto answer = ask(command);
  if (!answer) return fail(answer.error());
  return {};
}

Result<void> Sandbox::renew() { return order(KeeperCommand::kRenew); }
Result<void> Sandbox::end_start() { return order(KeeperCommand::kEndStart); }
Result<void> Sandbox::reset() { return order(KeeperCommand::kReset); }

Result<bool> Sandbox::end_processes() {
  const auto answer = ask(KeeperCommand::kEndProcesses);
  if (!answer) return fail(answer.error());
  return *answer != 0;
}

Result<std::uint64_t> Sandbox::keep_files(const fs::path& directory) {
  const KeeperCommand command = KeeperCommand::kShow;
  if (::send(socket_.get(), &command, sizeof command, MSG_NOSIGNAL) != sizeof command) {
    return fail(keeper_error(kKeeperWasKilled));
  }
  if (auto made = ensure_directory(directory); !made) return fail(made.error());
  std::optional<Error> wrong;  // the first; other messages must be received anyway
  for (;;) {
    const auto shown = receive(socket_.get());
    if (!shown) return fail(shown.error());
    if (shown->message.kind != KeeperMessage::Kind::kShown) break;
    const fs::path to = directory / fs::path(shown->message.text).relative_path();
    for (const UniqueFd& layer : shown->descriptors) {
      if (!layer || wrong) continue;
      // The suffix /. makes it the directory instead of the link to it.
      const auto copied = copy_layer("/proc/self/fd/" + std::to_string(layer.get()) + "/.", to);
      if (!copied) wrong = copied.error();
    }
  }
  if (wrong) return fail(*wrong);
  return files_in(directory);
}

pid_t Sandbox::fork_inside() const {
  // A process that enters a process namespace is not in it; only its children are. So one more
  // process is needed, whose child is ours.
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return -1;
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const pid_t between = ::fork();
  if (between < 0) return -1;
  if (between == 0) {
    // Entering a mount namespace leads to its real root, outside any chroot.
    const bool entered =
        ::setns(pidfd_.get(), namespaces_) == 0 && ::fchdir(root_.get()) == 0 && ::chroot(".") == 0;
    long answer =
        entered ? ::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr)
                : -1;
    if (answer == 0) return 0;
    if (answer < 0) answer = -errno;
    [[maybe_unused]] const ssize_t written = ::write(write_end.get(), &answer, sizeof answer);
    ::_exit(0);
  }
  write_end.reset();
  long answer = -ESRCH;
  while (::read(read_end.get(), &answer, sizeof answer) < 0 && errno == EINTR) {
  }
  reap(between);
  if (answer > 0) return static_cast<pid_t>(answer);
  errno = static_cast<int>(-answer);
  return -1;
}

std::optional<std::string> why_not_sandboxed(const SandboxPaths& paths) {
  const auto sandbox = Sandbox::create(paths);
  if (!sandbox) return sandbox.error().why;
  if (!(*sandbox)->why_partly().empty()) return (*sandbox)->why_partly();
  return std::nullopt;
}

pid_t outside_number(pid_t parent, pid_t inside) {
  const std::string own = "/proc/" + std::to_string(parent);
  std::ifstream children(own + "/task/" + std::to_string(parent) + "/children");
  for (pid_t child = 0; children >> child;) {
    if (innermost_number("/proc/" + std::to_string(child) + "/status") == inside) return child;
  }
  return 0;
}

pid_t outside_thread(pid_t process, pid_t inside) {
  std::error_code error;
  const fs::path tasks = "/proc/" + std::to_string(process) + "/task";
  for (const fs::directory_entry& task : fs::directory_iterator(tasks, error)) {
    if (innermost_number((task.path() / "status").string()) == inside) {
      return static_cast<pid_t>(std::atoi(task.path().filename().c_str()));
    }
  }
  return 0;
}

}  // namespace unravel
