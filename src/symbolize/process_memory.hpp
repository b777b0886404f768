/// The memory of another process, which must be stopped.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace unravel {

/// The folder in /proc that describes the memory of a process: its own or, if its first thread has
/// ended and that folder is empty, the folder of another thread.
std::string folder_of_memory(pid_t pid);

/// Reads whole pages: a system call for each word would dominate the cost of walking a stack or
/// following pointers.
class ProcessMemory {
 public:
  ProcessMemory() = default;
  ~ProcessMemory() { close(); }
  ProcessMemory(const ProcessMemory&) = delete;
  ProcessMemory& operator=(const ProcessMemory&) = delete;

  /// Forgets everything read so far. Returns false, with errno set, if the process is gone or may
  /// not be read.
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
