/// Records the files that a run leaves behind.
#pragma once

#include <fcntl.h>

#include <cstring>

#include "runtime/interpose/beats.hpp"

namespace unravel {

constexpr bool changes_file(int flags) {
  return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_ACCMODE) != O_RDONLY;
}

/// The same for the mode of a stream.
inline bool changes_file(const char* mode) { return mode[0] != 'r' || std::strchr(mode, '+'); }

inline void record_file(int directory, const char* path) {
  if (controlled_thread()) runtime().notes().add_file(directory, path);
}

/// Records an opened file, unless it is a device or a pipe, in which nothing is kept.
void record_opened(int descriptor, int directory, const char* path);

}  // namespace unravel
