/// What a run leaves behind outside its own process.
#pragma once

#include <cstdint>

namespace unravel {

/// The amount of what outlives a process, in the program's own namespaces. If two values differ,
/// something was made, or changed for the first time, and is still there. Takes five system calls.
struct Leftovers {
  std::uint64_t files = 0;  // free inodes of the file system that takes all writes
  std::uint64_t shared_memory = 0;
  std::uint64_t semaphores = 0;
  std::uint64_t message_queues = 0;
  std::uint64_t named_queues = 0;

  static Leftovers look();

  bool has_ipc_objects() const { return shared_memory || semaphores || message_queues; }
  friend bool operator==(const Leftovers&, const Leftovers&) = default;
};

/// Whether this process has children, dead or alive.
bool has_children();
/// Whether it has children, and none of them has a state to report.
bool all_children_live();

/// Kills the children of this process and all their descendants, wherever they went, and no other
/// process. Returns whether any of them was still alive.
bool end_children();

}  // namespace unravel
