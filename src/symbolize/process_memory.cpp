#include "symbolize/process_memory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace unravel {

bool ProcessMemory::open(pid_t pid) {
  close();
  fd_ = ::open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
  return fd_ >= 0;
}

void ProcessMemory::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  page_start_ = kNoPage;
}

bool ProcessMemory::read(std::uint64_t address, void* to, std::size_t size) const {
  return ::pread(fd_, to, size, static_cast<off_t>(address)) == static_cast<ssize_t>(size);
}

bool ProcessMemory::read_word(std::uint64_t address, std::uint64_t& word) {
  const std::uint64_t in_page = address % page_.size();
  if (in_page + sizeof word > page_.size()) return read(address, &word, sizeof word);
  if (address - in_page != page_start_) {
    page_start_ = kNoPage;
    if (!read(address - in_page, page_.data(), page_.size())) return false;
    page_start_ = address - in_page;
  }
  std::memcpy(&word, page_.data() + in_page, sizeof word);
  return true;
}

}  // namespace unravel
