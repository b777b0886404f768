#include "symbolize/process_memory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

namespace unravel {

namespace {

bool has_memory(const std::string& folder) {
  const int fd = ::open((folder + "/maps").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char first = 0;
  const bool has = ::read(fd, &first, 1) == 1;
  ::close(fd);
  return has;
}

}  // namespace

std::string folder_of_memory(pid_t pid) {
  const std::string own = "/proc/" + std::to_string(pid);
  if (has_memory(own)) return own;
  // The process may end at any time; that is no error here.
  std::error_code gone;
  std::filesystem::directory_iterator thread(own + "/task", gone);
  for (; !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
    if (has_memory(thread->path().string())) return thread->path().string();
  }
  return own;
}

bool ProcessMemory::open(pid_t pid) {
  close();
  fd_ = ::open((folder_of_memory(pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
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
