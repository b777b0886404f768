#include "runtime/process/child_environment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "runtime/os/system_call.hpp"
#include "wire/control.hpp"

namespace unravel {

namespace {

constexpr char kChannel[] = "UNRAVEL_CHANNEL=";
constexpr char kPreload[] = "LD_PRELOAD=";
constexpr char kRuntime[] = "/libunravel-rt.so";

bool begins_with(const char* text, const char* start) {
  return std::strncmp(text, start, std::strlen(start)) == 0;
}

/// Copies a list of libraries without ours; returns its length.
std::size_t without_runtime(const char* list, char* copy) {
  std::size_t size = 0;
  while (*list) {
    const std::size_t length = std::strcspn(list, ": ");
    constexpr std::size_t kTail = sizeof(kRuntime) - 1;
    const bool ours = length >= kTail && std::strncmp(list + length - kTail, kRuntime, kTail) == 0;
    if (length && !ours) {
      if (size) copy[size++] = ':';
      std::memmove(copy + size, list, length);
      size += length;
    }
    list += length + (list[length] != 0);
  }
  copy[size] = 0;
  return size;
}

/// Copies `from` to `to`, which has room for all of it. Changed strings are written to `text`, or
/// in place if `text` is null.
void strip(char* const* from, char** to, char* text) {
  for (; *from; ++from) {
    char* entry = *from;
    if (begins_with(entry, kChannel)) continue;
    if (begins_with(entry, kPreload)) {
      constexpr std::size_t kName = sizeof(kPreload) - 1;
      char* copy = text ? text : entry;
      if (text) std::memcpy(copy, kPreload, kName);
      if (without_runtime(entry + kName, copy + kName) == 0) continue;
      entry = copy;
    }
    *to++ = entry;
  }
  *to = nullptr;
}

}  // namespace

std::size_t stripped_size(char* const entries[]) {
  std::size_t count = 1;
  std::size_t text = 0;
  for (char* const* entry = entries; *entry; ++entry, ++count) {
    if (begins_with(*entry, kPreload)) text += std::strlen(*entry) + 1;
  }
  return count * sizeof(char*) + text;
}

char* const* strip_into(char* const entries[], void* memory) {
  std::size_t count = 1;
  for (char* const* entry = entries; *entry; ++entry) ++count;
  auto** copy = static_cast<char**>(memory);
  strip(entries, copy, reinterpret_cast<char*>(copy + count));
  return copy;
}

ChildEnvironment::ChildEnvironment(char* const entries[]) : entries_(entries) {
  os::call(SYS_fcntl, wire::kChannelDescriptor, F_SETFD, FD_CLOEXEC);
  if (!entries) return;
  size_ = stripped_size(entries);
  const long memory = os::call(SYS_mmap, 0, static_cast<long>(size_), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory < 0 && memory > -4096) return;  // the child inherits everything then
  memory_ = reinterpret_cast<void*>(memory);
  entries_ = strip_into(entries, memory_);
}

ChildEnvironment::~ChildEnvironment() {
  os::call(SYS_fcntl, wire::kChannelDescriptor, F_SETFD, 0);
  if (memory_) {
    os::call(SYS_munmap, reinterpret_cast<long>(memory_), static_cast<long>(size_));
  }
}

void leave_channel(bool keeps_descriptor) {
  if (!keeps_descriptor) os::call(SYS_close, wire::kChannelDescriptor);
  if (environ) strip(environ, environ, nullptr);
  // The child's writes to it concern only the child. Private memory would count against the child's
  // limit of data.
  constexpr auto kSize = static_cast<long>(wire::Layout::kShared);
  constexpr auto kAddress = static_cast<long>(wire::kChannelAddress);
  const long own = os::call(SYS_mmap, kAddress, kSize, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (own != kAddress) os::call(SYS_munmap, kAddress, kSize);
}

}  // namespace unravel
