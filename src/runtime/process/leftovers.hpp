/// What a run leaves behind outside its own process.
#pragma once

#include <cstdint>

namespace unravel {

/// How much there is of what outlives a process, in the program's own namespaces. Two that differ
/// mean that something was made, or changed for the first time, and is still there. Takes five
/// system calls.
struct Leftovers {
  std::uint64_t files = 0;  // free inodes where everything is written
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
/// Whether it has some, and none of them has anything to report.
bool all_children_live();

/// Ends the children of this process, their children and so on, wherever they went, and no
/// other process. Returns whether any of them was still alive.
bool end_children();

}  // namespace unravel
