/// Reads directories of /proc whose entries are numbers, without allocation.
#pragma once

#include <fcntl.h>

#include "runtime/os/system_call.hpp"

namespace unravel::os {

/// Calls `visit` with the number of every entry until it returns false. It also passes the
/// descriptor that this function opened: in a list of descriptors, that one is not the caller's.
template <class Visit>
void for_each_number(const char* directory, Visit visit) {
  struct Entry {  // the kernel's layout
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t size;
    std::uint8_t type;
    char name[];
  };
  const long descriptor =
      call(SYS_open, as_argument(directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  alignas(8) char buffer[4096];
  bool more = true;
  while (more) {
    const long read = call(SYS_getdents64, descriptor, as_argument(buffer), sizeof(buffer));
    if (read <= 0) break;
    for (long at = 0; at < read && more;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      at += entry->size;
      if (entry->name[0] == '.') continue;
      int number = 0;
      for (const char* digit = entry->name; *digit; ++digit) number = number * 10 + (*digit - '0');
      more = visit(number, static_cast<int>(descriptor));
    }
  }
  call(SYS_close, descriptor);
}

/// Calls `visit` with every line of a file until it returns false. Lines come without their
/// newline, cut off at 255 characters. Returns false if the file cannot be opened.
template <class Visit>
bool for_each_line(const char* path, Visit visit) {
  const long descriptor = call(SYS_open, as_argument(path), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  char line[256];
  unsigned size = 0;
  bool more = true;
  char buffer[4096];
  for (long read = 0;
       more && (read = call(SYS_read, descriptor, as_argument(buffer), sizeof buffer)) > 0;) {
    for (long i = 0; i < read && more; ++i) {
      if (buffer[i] != '\n') {
        if (size < sizeof line - 1) line[size++] = buffer[i];
        continue;
      }
      line[size] = '\0';
      size = 0;
      more = visit(line);
    }
  }
  call(SYS_close, descriptor);
  return true;
}

}  // namespace unravel::os
