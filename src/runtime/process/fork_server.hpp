/// The fork server: it runs the program's single-threaded start once; each run is a fork of it.
#pragma once

#include "runtime/process/open_files.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

class ForkServer {
 public:
  explicit ForkServer(Runtime& runtime) : runtime_(runtime) {}

  /// Called at the first thread creation. Returns once per run, in the process of that run: a child
  /// of this process, or this process itself if forking is not safe.
  void serve();

 private:
  const char* why_not_fork();
  void start_slot(std::uint32_t index);
  /// `unseen` says how the run ended if we did not see it exit; null otherwise.
  void finish_slot(std::uint32_t index, int wait_status, const char* unseen);
  void record_output(std::uint64_t (&offsets)[2]) const;
  /// Returns true in the child.
  bool run_in_child(std::uint32_t index);
  void become_child();
  bool rename_holders(bool only_check);

  Runtime& runtime_;
  OpenFiles files_;
  std::uint64_t started_ = 0;
  std::uint32_t modules_ = 0;
  std::uint32_t children_before_ = 0;  // the children that the program had made when the run began
};

}  // namespace unravel
