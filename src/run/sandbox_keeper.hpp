/// The keeper: the process that lives in a worker's namespaces and mounts what its program sees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace unravel {

/// What the sandbox must know about the file system.
struct SandboxPaths {
  std::string directory;            // the program's working directory
  std::vector<std::string> needed;  // files that must stay visible wherever they are
  std::string stand_ins = {};       // what is in this directory is seen at / too; empty: nothing
};

/// Whether a directory has files of another user or group as well. In a user namespace only one of
/// each exists, and files of others cannot be copied. Writes to an overlay over such a directory
/// would fail although they work outside.
bool is_shared_by_users(const std::string& directory);

enum class KeeperCommand : std::int32_t { kRenew, kEndStart, kReset, kEndProcesses, kShow };

/// A message of the keeper, or of the process that creates it. kShown comes with descriptors: of
/// what the start wrote at `text` if `start`, and of what was written there later. The first kDone
/// comes with a descriptor of the root directory inside; its `text` says why not everything is
/// sandboxed.
struct KeeperMessage {
  enum class Kind : std::int32_t { kMade, kDone, kFailed, kShown };

  Kind kind = Kind::kDone;
  // The keeper's process id outside, or an error number. After kEndProcesses: 1 if a process was
  // alive.
  std::int32_t number = 0;
  std::int32_t namespaces = 0;  // flags of clone(2)
  std::int32_t start = 0;
  char text[4096] = {};  // what failed, or a path
};

/// Runs in a forked child and does not return. Enters new namespaces, starts the keeper there as a
/// child of its own parent, and reports both through `socket`.
[[noreturn]] void make_keeper(const SandboxPaths& paths, bool own_processes, int socket);

}  // namespace unravel
