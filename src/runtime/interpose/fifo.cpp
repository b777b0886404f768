#include "runtime/interpose/fifo.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <cstring>

#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/trying.hpp"

namespace unravel {

namespace {

using wire::Operation;

bool is_fifo(int directory, const char* path, int flags) {
  struct stat status {};
  return os::call(SYS_newfstatat, directory, os::as_argument(path), os::as_argument(&status),
                  flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0) == 0 &&
         S_ISFIFO(status.st_mode);
}

/// Whether a writer has opened the FIFO since `reader` was opened. poll shows a writer that has
/// already gone. tee shows one that has written nothing: it copies no data, but says that more
/// could come.
bool has_met_writer(const Op&, const Thread& thread) {
  const int reader = thread.wish->descriptors[0].fd;
  const pollfd wish{.fd = reader, .events = POLLIN, .revents = 0};
  if (is_ready(&wish, 1)) return true;
  int scratch[2];
  if (os::call(SYS_pipe2, os::as_argument(scratch), O_CLOEXEC) != 0) return false;
  constexpr long kWithoutWaiting = 2;  // SPLICE_F_NONBLOCK
  const long copied = os::call(SYS_tee, reader, scratch[1], 1, kWithoutWaiting);
  os::call(SYS_close, scratch[0]);
  os::call(SYS_close, scratch[1]);
  return copied == 1 || copied == -EAGAIN;
}

void make_blocking(long descriptor) {
  const long flags = os::call(SYS_fcntl, descriptor, F_GETFL);
  os::call(SYS_fcntl, descriptor, F_SETFL, flags & ~O_NONBLOCK);
}

/// A reader counts as soon as its end is open: it lets writers go on, then it waits.
long open_reader(Thread& self, const Op& op, long reader) {
  pollfd wish{.fd = static_cast<int>(reader), .events = POLLIN, .revents = 0};
  const Outside outside{.descriptors = &wish, .count = 1};
  Op opened = op;
  if (runtime().inputs().serves()) {  // nobody is waited for
    scheduler().outside().changed();
    scheduler().reach(self, opened);
    make_blocking(reader);
    return reader;
  }
  opened.can = has_met_writer;
  self.wish = self.outside = &outside;
  scheduler().outside().changed();
  scheduler().reach(self, opened);
  const wire::Choice* recorded = scheduler().outside().recorded_answer(self);
  const bool comes = recorded && recorded->value == 0;
  while (comes && !has_met_writer(opened, self)) {
    self.pending = opened;
    self.wish = self.outside = &outside;
    scheduler().block(self);
  }
  const bool met = has_met_writer(opened, self);
  self.wish = self.outside = nullptr;
  if (!met) os::call(SYS_close, reader);
  if (!met && self.cancel.is_due()) cancellation_point(self);
  const long result = met ? reader : -EINTR;
  scheduler().outside().answered(self, recorded, static_cast<std::uint64_t>(met ? 0 : result));
  if (met) make_blocking(reader);
  return result;
}

}  // namespace

long open_fifo(Thread& self, int directory, const char* path, int flags, mode_t mode,
               const void* site) {
  const int access = flags & O_ACCMODE;
  const bool is_new = (flags & O_CREAT) && (flags & O_EXCL);
  if (is_new || (flags & (O_NONBLOCK | O_PATH | O_DIRECTORY)) ||
      (access != O_RDONLY && access != O_WRONLY) || !is_fifo(directory, path, flags)) {
    return kNoFifo;
  }
  const auto open_now = [&] {
    return os::call(SYS_openat, directory, os::as_argument(path), flags | O_NONBLOCK, mode);
  };
  Op op{.kind = Operation::kOpen,
        .object = scheduler().outside().object(),
        .site = site,
        .interruptible = true,
        .cancellable = true};
  long opened = 0;
  if (access == O_RDONLY) {
    opened = open_now();
    if (opened < 0) return opened;
    op.number = static_cast<std::uint64_t>(opened);
    opened = open_reader(self, op, opened);
  } else {
    // Without a reader, the kernel refuses a writer that does not wait.
    scheduler().reach(self, op);
    cancellation_point(self);
    opened = try_until_done(self, op, true, [&] {
      const long answer = open_now();
      return answer == -ENXIO ? static_cast<long>(-EAGAIN) : answer;
    });
    if (opened >= 0) make_blocking(opened);
  }
  scheduler().outside().changed();
  did(self, op, opened < 0 ? static_cast<int>(-opened) : 0);
  return opened;
}

int flags_of_mode(const char* mode) {
  int flags = mode[0] == 'r'   ? O_RDONLY
              : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
                               : O_WRONLY | O_CREAT | O_APPEND;
  if (std::strchr(mode, '+')) flags = (flags & ~O_ACCMODE) | O_RDWR;
  if (std::strchr(mode, 'x')) flags |= O_EXCL;
  if (std::strchr(mode, 'e')) flags |= O_CLOEXEC;
  return flags;
}

}  // namespace unravel
