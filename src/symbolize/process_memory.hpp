/// The memory of another process, read while it stands still.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace unravel {

/// Where /proc tells of the memory of a process: its own folder or, when its first thread has ended
/// before the others and that one is empty, the folder of another thread.
std::string folder_of_memory(pid_t pid);

/// Words are read a page at a time: a system call for each would be most of the cost of walking a
/// stack or of following pointers.
class ProcessMemory {
 public:
  ProcessMemory() = default;
  ~ProcessMemory() { close(); }
  ProcessMemory(const ProcessMemory&) = delete;
  ProcessMemory& operator=(const ProcessMemory&) = delete;

  /// Forgets what it has read. False, with errno set, if the process is gone or may not be read.
  bool open(pid_t pid);
  void close();

  bool read(std::uint64_t address, void* to, std::size_t size) const;
  bool read_word(std::uint64_t address, std::uint64_t& word);

 private:
  static constexpr std::uint64_t kNoPage = 1;  // no page starts there

  int fd_ = -1;
  std::uint64_t page_start_ = kNoPage;
  std::array<char, 4096> page_{};
};

}  // namespace unravel
