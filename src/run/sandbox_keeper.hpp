/// The process that lives in a worker's namespaces and mounts what its program sees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace unravel {

/// What sandbox must know of the file system.
struct SandboxPaths {
  std::string directory;            // where the program is started
  std::vector<std::string> needed;  // files that must stay visible wherever they are
};

/// Whether the user shares the files of a directory with another user or group. In a user
/// namespace only one of each exists, and nothing can be copied that belongs to others: writing
/// to an overlay over it would fail where it does not fail outside.
bool is_shared_by_users(const std::string& directory);

enum class KeeperCommand : std::int32_t { kRenew, kEndStart, kReset, kEndProcesses, kShow };

/// A message of the keeper, or of the process that makes it. With kShown come descriptors: of
/// what the start wrote at `text` if `start`, and of what was written there since. With the first
/// kDone comes one of the root directory inside, and in `text` why not all is kept apart.
struct KeeperMessage {
  enum class Kind : std::int32_t { kMade, kDone, kFailed, kShown };

  Kind kind = Kind::kDone;
  // Of the keeper's process outside, or of the error. After kEndProcesses: 1 if anybody was alive.
  std::int32_t number = 0;
  std::int32_t namespaces = 0;  // flags of clone(2)
  std::int32_t start = 0;
  char text[4096] = {};  // what failed, or a path
};

/// Runs in a forked child and does not return. Enters new namespaces, starts the keeper there as a
/// child of its own parent, and tells of both through `socket`.
[[noreturn]] void make_keeper(const SandboxPaths& paths, bool own_processes, int socket);

}  // namespace unravel
