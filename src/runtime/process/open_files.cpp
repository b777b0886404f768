#include "runtime/process/open_files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "runtime/os/descriptor_path.hpp"
#include "runtime/os/directory.hpp"
#include "runtime/os/system_call.hpp"
#include "wire/control.hpp"

namespace unravel {
namespace {

constexpr int kLongestPath = 4096;
constexpr long kOpenedOnce = O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY;
constexpr const char* kCannotReopen =
    "a file that is open before its first thread cannot be opened again";

struct Path {
  char text[kLongestPath];
};

/// The name under which a descriptor's file was opened; false if it is too long.
bool read_name(int descriptor, Path& path) {
  const os::DescriptorPath link(descriptor);
  const long size = os::call(SYS_readlink, os::as_argument(link.text()), os::as_argument(path.text),
                             kLongestPath);
  if (size <= 0 || size >= kLongestPath) return false;
  path.text[size] = '\0';
  return true;
}

bool is_named(int descriptor, const struct stat& file) {
  Path path;
  struct stat named {};
  return file.st_nlink > 0 && read_name(descriptor, path) &&
         os::call(SYS_stat, os::as_argument(path.text), os::as_argument(&named)) == 0 &&
         named.st_dev == file.st_dev && named.st_ino == file.st_ino;
}

/// Opens the same name again. Returns a descriptor or an error number.
long reopen(int descriptor, long flags) {
  Path path;
  if (!read_name(descriptor, path)) return -ENAMETOOLONG;
  return os::call(SYS_open, os::as_argument(path.text), (flags & ~kOpenedOnce) | O_CLOEXEC);
}

/// Copies the content into a file in memory. Returns a descriptor or an error number.
long copy(int descriptor) {
  const long made = os::call(SYS_memfd_create, os::as_argument("file"), MFD_CLOEXEC);
  if (made < 0) return made;
  long offset = 0;
  constexpr long kAtOnce = 1L << 30;
  for (;;) {
    const long sent = os::call(SYS_sendfile, made, descriptor, os::as_argument(&offset), kAtOnce);
    if (sent == 0) return made;
    if (sent < 0) return sent;
  }
}

/// The kernel calls it a regular file, but it has no name to reopen it by, and no position.
bool is_message_queue(int descriptor) {
  constexpr long kMagic = 0x19800202;
  struct statfs system {};
  return os::call(SYS_fstatfs, descriptor, os::as_argument(&system)) == 0 &&
         system.f_type == kMagic;
}

bool replace(int descriptor, long by) {
  const long on_exec = os::call(SYS_fcntl, descriptor, F_GETFD) & FD_CLOEXEC;
  const long placed = os::call(SYS_dup3, by, descriptor, on_exec ? O_CLOEXEC : 0);
  return placed == descriptor;
}

}  // namespace

const char* OpenFiles::look(bool sandboxed) {
  const char* reason = nullptr;
  os::for_each_number("/proc/self/fd", [&](int descriptor, int ours) {
    if (descriptor != wire::kChannelDescriptor && descriptor != ours) {
      reason = add(descriptor, sandboxed);
    }
    return reason == nullptr;
  });
  return reason;
}

const char* OpenFiles::add(int descriptor, bool sandboxed) {
  struct stat status {};
  if (os::call(SYS_fstat, descriptor, os::as_argument(&status)) != 0) return nullptr;
  const bool is_directory = S_ISDIR(status.st_mode);
  const bool is_standard = descriptor <= 2;
  if (!S_ISREG(status.st_mode) && !is_directory) {
    const bool is_harmless = S_ISCHR(status.st_mode) && !isatty(descriptor);
    if (is_harmless || is_standard) return nullptr;
    if (S_ISFIFO(status.st_mode)) return "a pipe is open before its first thread";
    if (S_ISSOCK(status.st_mode)) return "a socket is open before its first thread";
    return "a descriptor that children would share is open before its first thread (terminal, "
           "epoll, eventfd or the like)";
  }
  if (is_message_queue(descriptor)) return "a message queue is open before its first thread";
  if (count_ == kMostFiles) return "more files are open than unravel can restore for each run";

  const long flags = os::call(SYS_fcntl, descriptor, F_GETFL);
  OpenFile file{.descriptor = descriptor,
                .way = Way::kRewind,
                .of = 0,
                .flags = static_cast<int>(flags),
                .offset = os::call(SYS_lseek, descriptor, 0, SEEK_CUR),
                .device = status.st_dev,
                .inode = status.st_ino};
  for (std::int16_t i = 0; i < count_; ++i) {
    if (!shares_position(files_[i], file)) continue;
    file.way = Way::kShare;
    file.of = i;
    break;
  }
  if (file.way != Way::kShare) {
    const bool is_written = !is_directory && (flags & O_ACCMODE) != O_RDONLY;
    const bool has_name = is_named(descriptor, status);
    if (has_name && sandboxed && descriptor != 0) file.way = Way::kReopen;
    // If standard output has no name, the driver reads it, so it stays.
    if (!has_name && is_written && !is_standard) file.way = Way::kCopy;
    if (file.way == Way::kReopen) {
      const long again = reopen(descriptor, flags);
      if (again < 0) return kCannotReopen;
      os::call(SYS_close, again);
    }
  }
  files_[count_++] = file;
  return nullptr;
}

/// Whether both descriptors share one file offset: then moving one moves the other.
bool OpenFiles::shares_position(const OpenFile& a, const OpenFile& b) const {
  if (a.device != b.device || a.inode != b.inode || a.flags != b.flags || a.offset != b.offset ||
      a.offset < 0 || a.way == Way::kShare) {
    return false;
  }
  os::call(SYS_lseek, a.descriptor, a.offset + 1, SEEK_SET);
  const bool shared = os::call(SYS_lseek, b.descriptor, 0, SEEK_CUR) != b.offset;
  os::call(SYS_lseek, a.descriptor, a.offset, SEEK_SET);
  return shared;
}

bool OpenFiles::make_own() const {
  for (int i = 0; i < count_; ++i) {
    if (!make_own(files_[i])) return false;
  }
  return true;
}

bool OpenFiles::make_own(const OpenFile& file) const {
  long own = -1;
  switch (file.way) {
    case Way::kRewind: break;
    case Way::kShare: {
      // Follows the descriptor that it shares with: kept or replaced.
      const bool replaced = files_[file.of].way != Way::kRewind;
      return !replaced || replace(file.descriptor, files_[file.of].descriptor);
    }
    case Way::kReopen: own = reopen(file.descriptor, file.flags); break;
    case Way::kCopy: own = copy(file.descriptor); break;
  }
  if (file.way != Way::kRewind) {
    if (own < 0 || !replace(file.descriptor, own)) return false;
    os::call(SYS_close, own);
    if (file.way == Way::kCopy) os::call(SYS_fcntl, file.descriptor, F_SETFL, file.flags);
  }
  if (file.offset >= 0) os::call(SYS_lseek, file.descriptor, file.offset, SEEK_SET);
  return true;
}

}  // namespace unravel
