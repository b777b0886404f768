#include "run/sandbox_keeper.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "run/child.hpp"
#include "run/sandbox_places.hpp"
#include "run/sandbox_root.hpp"

namespace unravel {
namespace {

constexpr int kSocket = 3;  // after the standard descriptors
constexpr const char* kMessageQueues = "/dev/mqueue";

void send(int socket, const KeeperMessage& message, const int* descriptors = nullptr,
          std::size_t count = 0) {
  iovec part{.iov_base = const_cast<KeeperMessage*>(&message), .iov_len = sizeof message};
  alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {};
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (count > 0) {
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(count * sizeof(int));
    cmsghdr* first = CMSG_FIRSTHDR(&header);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(count * sizeof(int));
    std::memcpy(CMSG_DATA(first), descriptors, count * sizeof(int));
  }
  // If the driver is gone, the keeper ends, too.
  if (::sendmsg(socket, &header, MSG_NOSIGNAL) < 0) ::_exit(1);
}

KeeperMessage message_with(KeeperMessage::Kind kind, const std::string& text) {
  KeeperMessage message{.kind = kind};
  std::strncpy(message.text, text.c_str(), sizeof message.text - 1);
  return message;
}

[[noreturn]] void give_up(int socket, const std::string& why) {
  send(socket, message_with(KeeperMessage::Kind::kFailed, why));
  ::_exit(1);
}

std::string sentence(const Error& error) {
  return error.why.empty() ? error.what : error.what + ": " + error.why;
}

std::string with_errno(const std::string& what) { return what + ": " + std::strerror(errno); }

bool write_text(const char* path, const std::string& text) {
  const UniqueFd file(::open(path, O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// In a user namespace only mapped ids exist: the user keeps its own number.
bool map_user(uid_t user, gid_t group) {
  const auto itself = [](unsigned number) {
    return std::to_string(number) + " " + std::to_string(number) + " 1";
  };
  return write_text("/proc/self/setgroups", "deny") &&
         write_text("/proc/self/uid_map", itself(user)) &&
         write_text("/proc/self/gid_map", itself(group));
}

/// Returns the flags of the namespaces that this process is now in. Root does not enter a user
/// namespace: it would lose its rights over other users' files.
int enter_namespaces(const SandboxPaths& paths, bool own_processes, int socket) {
  const int wanted = CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWNET | (own_processes ? CLONE_NEWPID : 0);
  if (::unshare(wanted) == 0) return wanted;
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (is_shared_by_users(paths.directory)) {
    give_up(socket, "the working directory belongs to another user or group");
  }
  if (::unshare(wanted | CLONE_NEWUSER) != 0) {
    give_up(socket, with_errno("the system refuses namespaces"));
  }
  if (!map_user(user, group)) give_up(socket, with_errno("the system refuses a user namespace"));
  return wanted | CLONE_NEWUSER;
}

bool raise_loopback() {
  const UniqueFd any(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request = {};
  std::strncpy(request.ifr_name, "lo", sizeof request.ifr_name - 1);
  if (!any || ::ioctl(any.get(), SIOCGIFFLAGS, &request) != 0) return false;
  request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
  return ::ioctl(any.get(), SIOCSIFFLAGS, &request) == 0;
}

bool make_mounts_private() {
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

/// From now on, mounts made here are visible only here.
bool own_mounts() {
  if (make_mounts_private()) return true;
  if (errno != EINVAL) return false;
  // The root directory is not a mount point, so this is a chroot. Entering our own namespace leads
  // to its real root; then go back.
  const UniqueFd root(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const UniqueFd self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  return root && self && ::setns(self.get(), CLONE_NEWNS) == 0 && make_mounts_private() &&
         ::fchdir(root.get()) == 0 && ::chroot(".") == 0;
}

void remove_ipc_objects() {
  shm_info memory;
  for (int i = ::shmctl(0, SHM_INFO, reinterpret_cast<shmid_ds*>(&memory)); i >= 0; --i) {
    shmid_ds unused;
    if (const int id = ::shmctl(i, SHM_STAT, &unused); id >= 0) ::shmctl(id, IPC_RMID, nullptr);
  }
  seminfo semaphores;
  for (int i = ::semctl(0, 0, SEM_INFO, &semaphores); i >= 0; --i) {
    semid_ds unused;
    if (const int id = ::semctl(i, 0, SEM_STAT, &unused); id >= 0) ::semctl(id, 0, IPC_RMID);
  }
  msginfo messages;
  for (int i = ::msgctl(0, MSG_INFO, reinterpret_cast<msqid_ds*>(&messages)); i >= 0; --i) {
    msqid_ds unused;
    if (const int id = ::msgctl(i, MSG_STAT, &unused); id >= 0) ::msgctl(id, IPC_RMID, nullptr);
  }
  std::error_code ignored;
  std::vector<std::filesystem::path> queues;
  for (const auto& entry : std::filesystem::directory_iterator(kMessageQueues, ignored)) {
    queues.push_back(entry.path());
  }
  for (const auto& queue : queues) std::filesystem::remove(queue, ignored);
}

class Keeper {
 public:
  Keeper(const SandboxPaths& paths, int namespaces)
      : namespaces_(namespaces), places_(prepare(paths)) {}

  [[noreturn]] void serve() {
    const UniqueFd root(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    const int descriptor = root.get();
    send(kSocket, message_with(KeeperMessage::Kind::kDone, places_.why_partly()), &descriptor, 1);
    for (;;) {
      KeeperCommand command;
      const ssize_t got = ::recv(kSocket, &command, sizeof command, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got != sizeof command) ::_exit(0);  // the driver has ended, or wants the keeper to end
      if (const auto done = obey(command); !done) {
        send(kSocket, message_with(KeeperMessage::Kind::kFailed, sentence(done.error())));
      } else {
        send(kSocket, {.kind = KeeperMessage::Kind::kDone, .number = found_ ? 1 : 0});
      }
    }
  }

 private:
  SandboxPlaces prepare(const SandboxPaths& paths) const {
    if (!own_mounts()) give_up(kSocket, with_errno("the system refuses mounts"));
    const auto missing =
        paths.stand_ins.empty() ? std::vector<std::string>() : missing_in_root(paths.stand_ins);
    if (!missing.empty()) {
      if (auto made = extend_root(missing); !made) give_up(kSocket, sentence(made.error()));
    }
    if (!raise_loopback()) give_up(kSocket, with_errno("there is no loopback network"));
    // A closed connection must not block its port for the next run. If this is refused, a program
    // needs SO_REUSEADDR, as it does without unravel.
    write_text("/proc/sys/net/ipv4/tcp_max_tw_buckets", "0");
    if ((namespaces_ & CLONE_NEWPID) &&
        ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
      give_up(kSocket, with_errno("cannot mount /proc"));
    }
    // The existing mount belongs to the outer namespace. If this fails, queues still work.
    ::mount("mqueue", kMessageQueues, "mqueue", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
    auto places = SandboxPlaces::create(paths, (namespaces_ & CLONE_NEWUSER) != 0);
    if (!places) give_up(kSocket, sentence(places.error()));
    return std::move(*places);
  }

  Result<void> obey(KeeperCommand command) {
    switch (command) {
      case KeeperCommand::kRenew:
        end_processes();
        number_from_start();
        remove_ipc_objects();
        return places_.renew();
      case KeeperCommand::kEndStart: return places_.end_start();
      case KeeperCommand::kReset: remove_ipc_objects(); return places_.reset();
      case KeeperCommand::kEndProcesses: found_ = end_processes(); return {};
      case KeeperCommand::kShow: show(); return {};
    }
    return internal_error("the keeper was asked for something unknown");
  }

  /// The first process of a namespace is the parent of all orphans in it. Returns whether any of
  /// them was still alive.
  bool end_processes() const {
    // Anywhere else -1 would mean every process of the user.
    if (!(namespaces_ & CLONE_NEWPID) || ::getpid() != 1) return false;
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    do {
      ::kill(-1, SIGKILL);
    } while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR);
    return ended == 0;
  }

  /// The next program and its children get the numbers of the first ones: a program may write them
  /// down, and a number with more digits is another run. If this is refused, the numbers go on.
  void number_from_start() const {
    if ((namespaces_ & CLONE_NEWPID) && ::getpid() == 1) {
      write_text("/proc/sys/kernel/ns_last_pid", "1");
    }
  }

  void show() const {
    for (const SandboxPlace& place : places_.all()) {
      const UniqueFd start = places_.open_start(place);
      const UniqueFd current = places_.open_current(place);
      if (!current) continue;
      KeeperMessage message = message_with(KeeperMessage::Kind::kShown, place.path);
      message.start = start ? 1 : 0;
      const int both[] = {start.get(), current.get()};
      send(kSocket, message, start ? both : both + 1, start ? 2 : 1);
    }
  }

  const int namespaces_;
  SandboxPlaces places_;
  bool found_ = false;  // a process was alive when processes were last ended
};

/// Gives up everything of the driver but the socket: descriptors, terminal, signal handlers.
void leave_driver() {
  ::setsid();
  set_default_signals();
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int standard_one = 0; standard_one < kSocket; ++standard_one) {
    ::dup2(nothing, standard_one);
  }
  ::syscall(SYS_close_range, static_cast<unsigned>(kSocket) + 1, ~0U, 0U);
}

}  // namespace

bool is_shared_by_users(const std::string& directory) {
  struct stat status {};
  if (::stat(directory.c_str(), &status) != 0) return false;
  const bool is_own = status.st_uid == ::geteuid() && status.st_gid == ::getegid();
  // In a directory such as /tmp, all users have files.
  const bool is_for_everybody = (status.st_mode & S_ISVTX) != 0;
  return !is_own && !is_for_everybody && ::access(directory.c_str(), W_OK) == 0;
}

void make_keeper(const SandboxPaths& paths, bool own_processes, int socket) {
  if (socket != kSocket) ::dup2(socket, kSocket);
  leave_driver();
  ::umask(022);
  const int namespaces = enter_namespaces(paths, own_processes, kSocket);

  // A child of the driver, so that it dies with the driver. A fork, so that it is the first process
  // of its namespace.
  const auto keeper = static_cast<pid_t>(
      ::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (keeper < 0) give_up(kSocket, with_errno("cannot start another process"));
  if (keeper > 0) {
    send(kSocket, {.kind = KeeperMessage::Kind::kMade, .number = keeper, .namespaces = namespaces});
    ::_exit(0);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, "unravel-keeper");
  // Otherwise only root could enter the namespaces of a process whose rights have changed.
  ::prctl(PR_SET_DUMPABLE, 1);
  Keeper(paths, namespaces).serve();
}

}  // namespace unravel
