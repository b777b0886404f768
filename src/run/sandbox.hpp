/// Hides runs from each other: what a run leaves behind does not exist for the next.
///
/// The program runs in namespaces of its own (mounts, IPC, network, processes). The working
/// directory and /tmp are overlays over the real ones, and /dev/shm is empty. Writes go to memory
/// and are discarded. A keeper renews the overlays on request. It is a process that the driver
/// forks and that lives in these namespaces with the right to mount.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "run/sandbox_keeper.hpp"

namespace unravel {

/// Used by one thread, which must live as long: the keeper, and with it every process in the
/// namespaces, dies with the thread that created it.
class Sandbox {
 public:
  /// Fails if it is not permitted; `what` and `why` of the error say by whom.
  static Result<std::unique_ptr<Sandbox>> create(const SandboxPaths& paths);

  /// Ends all processes in it. Children that the driver itself started in it must have been reaped.
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// For a new process of the program: restores the first state and ends all processes.
  Result<void> renew();

  /// Everything written since renew() is the program's start: every run sees it.
  Result<void> end_start();

  /// Discards everything written since end_start().
  Result<void> reset();

  /// Ends all processes in it. Returns whether any was alive, if it has a process namespace of its
  /// own.
  Result<bool> end_processes();

  /// Copies what was written since renew() into `directory`, each file under its absolute path.
  /// Returns the number of files.
  Result<std::uint64_t> keep_files(const std::filesystem::path& directory);

  /// Like fork(), but the child is inside.
  pid_t fork_inside() const;

  /// Whether process ids differ inside.
  bool has_own_processes() const { return own_processes_; }

  /// Why writes to some directories are not discarded; empty if all are.
  const std::string& why_partly() const { return why_partly_; }

 private:
  Sandbox(pid_t keeper, UniqueFd pidfd, UniqueFd socket, bool own_processes, int namespaces)
      : keeper_(keeper),
        pidfd_(std::move(pidfd)),
        socket_(std::move(socket)),
        own_processes_(own_processes),
        namespaces_(namespaces) {}

  static Result<std::unique_ptr<Sandbox>> create(const SandboxPaths& paths, bool own_processes);
  Result<std::int32_t> ask(KeeperCommand command);
  Result<void> order(KeeperCommand command);

  pid_t keeper_;
  UniqueFd pidfd_;
  UniqueFd socket_;
  bool own_processes_;
  int namespaces_;
  UniqueFd root_;  // the root directory inside: the same as the driver's, also in a chroot
  std::string why_partly_;
};

/// Why runs cannot be sandboxed here, or only in part; nothing if they can. Tries it.
std::optional<std::string> why_not_sandboxed(const SandboxPaths& paths);

/// The outside process id of a child of `parent`, from its number in its own process namespace; 0
/// if there is none. `parent` is an outside number.
pid_t outside_number(pid_t parent, pid_t inside);
/// The same for a thread of a process.
pid_t outside_thread(pid_t process, pid_t inside);

}  // namespace unravel
