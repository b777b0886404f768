/// Reading and writing. A call that can go on at once does; otherwise its thread blocks in the
/// scheduler, not in the kernel. (pread, pwrite and the like are not here: they need a file with a
/// position, which never blocks; the kernel refuses other files.)
#include "runtime/interpose/descriptor.hpp"

#include <signal.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/pieces.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

using wire::Operation;

long with_broken_pipe(Thread& self, long result) {
  if (result != -EPIPE) return result;
  const std::uint64_t set = signal_bit(SIGPIPE);
  const timespec at_once{};
  siginfo_t info{};
  os::call(SYS_rt_sigtimedwait, os::as_argument(&set), os::as_argument(&info),
           os::as_argument(&at_once), sizeof(set));
  runtime().signals().send(self, SIGPIPE, info);
  return result;
}

bool has_lost_reader(int descriptor) {
  // No events are asked for: poll always reports errors and hang-ups.
  const pollfd end{.fd = descriptor, .events = 0, .revents = 0};
  if (is_ready(&end, 1)) return true;
  // A reader that only shut down its side shows in an empty write, for streams. For other sockets
  // that would be a message.
  int type = 0;
  socklen_t size = sizeof(type);
  const long known = os::call(SYS_getsockopt, descriptor, SOL_SOCKET, SO_TYPE,
                              os::as_argument(&type), os::as_argument(&size));
  if (known != 0 || type != SOCK_STREAM) return false;
  return os::call(SYS_sendto, descriptor, os::as_argument(""), 0, MSG_DONTWAIT | MSG_NOSIGNAL, 0,
                  0) == -EPIPE;
}

void Patience::learn(int descriptor, Operation kind) {
  if (is_known) return;
  is_known = true;
  const bool takes = kind == Operation::kRead || kind == Operation::kAccept;
  timeval length{};
  socklen_t size = sizeof(length);
  const long answer =
      os::call(SYS_getsockopt, descriptor, SOL_SOCKET, takes ? SO_RCVTIMEO : SO_SNDTIMEO,
               os::as_argument(&length), os::as_argument(&size));
  if (answer != 0 || (length.tv_sec == 0 && length.tv_usec == 0)) return;
  deadline = scheduler().time().now() +
             nanoseconds({.tv_sec = length.tv_sec, .tv_nsec = length.tv_usec * 1000});
}

long read_step(Thread& self, int descriptor, void* bytes, std::size_t size, const void* site) {
  const auto attempt = [&](const Part& part) {
    const long begin = os::as_argument(static_cast<char*>(bytes) + part.skip);
    const long most = part.size_of(size);
    return part.flags ? os::call(SYS_recvfrom, part.descriptor, begin, most, part.flags, 0, 0)
                      : os::call(SYS_read, part.descriptor, begin, most);
  };
  SingleTraffic traffic(bytes, size);
  // An empty read never waits.
  return step_on(self, Operation::kRead, descriptor, POLLIN, site, attempt,
                 {.at_once = size == 0, .traffic = &*traffic});
}

// A blocking write writes everything, in as many steps as it takes. What must be written in one
// piece (up to PIPE_BUF bytes, or a datagram) is: the kernel takes all of it or nothing.
long write_all(Thread& self, int descriptor, const void* bytes, std::size_t size,
               const void* site) {
  Patience patience;
  const auto step = [&](std::size_t done) {
    const auto attempt = [&](const Part& part) {
      const long begin = os::as_argument(static_cast<const char*>(bytes) + done + part.skip);
      const long most = part.size_of(size - done);
      return with_broken_pipe(
          self, part.flags ? os::call(SYS_sendto, part.descriptor, begin, most, part.flags, 0, 0)
                           : os::call(SYS_write, part.descriptor, begin, most));
    };
    SingleTraffic traffic(bytes, size, done);
    return step_on(self, Operation::kWrite, descriptor, POLLOUT, site, attempt,
                   {.patience = &patience, .traffic = &*traffic});
  };
  return waits_on(descriptor) ? until_done(size, step) : step(0);
}

namespace {

long read_pieces(Thread& self, int descriptor, const iovec* parts, int count, int flags,
                 const void* site) {
  const auto attempt = [&](const Part& part) {
    const Pieces pieces(parts, static_cast<std::size_t>(count), part);
    if (part.flags && count >= 0) {
      msghdr message{};
      message.msg_iov = const_cast<iovec*>(pieces.begin());
      message.msg_iovlen = pieces.count();
      return os::call(SYS_recvmsg, part.descriptor, os::as_argument(&message), part.flags);
    }
    return os::call(SYS_preadv2, part.descriptor, os::as_argument(pieces.begin()),
                    static_cast<long>(pieces.count()), -1, -1, flags);
  };
  const Traffic traffic{.parts = parts, .count = static_cast<std::size_t>(count)};
  return step_on(self, Operation::kRead, descriptor, POLLIN, site, attempt,
                 {.waits = !(flags & RWF_NOWAIT), .at_once = count <= 0, .traffic = &traffic});
}

long write_pieces(Thread& self, int descriptor, const iovec* parts, int count, int flags,
                  const void* site) {
  Patience patience;
  const auto all = static_cast<std::size_t>(count);
  const auto step = [&](std::size_t done) {
    const auto attempt = [&](const Part& part) {
      const Pieces pieces(parts, all, part, done);
      const auto begin = os::as_argument(pieces.begin());
      const auto used = static_cast<long>(pieces.count());
      if (part.flags && count >= 0) {
        msghdr message{};
        message.msg_iov = const_cast<iovec*>(pieces.begin());
        message.msg_iovlen = pieces.count();
        return with_broken_pipe(
            self, os::call(SYS_sendmsg, part.descriptor, os::as_argument(&message), part.flags));
      }
      return with_broken_pipe(self,
                              os::call(SYS_pwritev2, part.descriptor, begin, used, -1, -1, flags));
    };
    const Traffic traffic{.parts = parts, .count = all, .done = done};
    return step_on(self, Operation::kWrite, descriptor, POLLOUT, site, attempt,
                   {.waits = !(flags & RWF_NOWAIT),
                    .patience = &patience,
                    .at_once = count <= 0,
                    .traffic = &traffic});
  };
  const long first = step(0);
  if (first <= 0 || (flags & RWF_NOWAIT) || !waits_on(descriptor)) return first;
  const std::size_t size = Pieces::size_of(parts, all);
  const auto written = static_cast<std::size_t>(first);
  if (written >= size) return first;
  const long rest =
      until_done(size - written, [&](std::size_t done) { return step(written + done); });
  return rest < 0 ? first : first + rest;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT ssize_t read(int descriptor, void* bytes, std::size_t size) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::read, descriptor, bytes, size);
  const int original = runtime().outsiders().descriptions().original_of(descriptor);
  if (runtime().signals().is_watched_by(original)) {
    return read_signals(*self, original, bytes, size, UNRAVEL_SITE);
  }
  ErrnoKeeper keeper;
  return keeper.answer(read_step(*self, descriptor, bytes, size, UNRAVEL_SITE));
}
UNRAVEL_ALIAS(__read, read);

UNRAVEL_EXPORT ssize_t __read_chk(int descriptor, void* bytes, std::size_t size, std::size_t room) {
  if (size > room) real::__chk_fail();
  return read(descriptor, bytes, size);
}

UNRAVEL_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::readv, descriptor, parts, count);
  ErrnoKeeper keeper;
  return keeper.answer(read_pieces(*self, descriptor, parts, count, 0, UNRAVEL_SITE));
}

UNRAVEL_EXPORT ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::write, descriptor, bytes, size);
  ErrnoKeeper keeper;
  return keeper.answer(write_all(*self, descriptor, bytes, size, UNRAVEL_SITE));
}
UNRAVEL_ALIAS(__write, write);

UNRAVEL_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::writev, descriptor, parts, count);
  ErrnoKeeper keeper;
  return keeper.answer(write_pieces(*self, descriptor, parts, count, 0, UNRAVEL_SITE));
}

// With an offset these are for files; without one they are readv and writev.
UNRAVEL_EXPORT ssize_t preadv2(int descriptor, const iovec* parts, int count, off_t offset,
                               int flags) {
  Thread* self = controlled_thread();
  if (!self || offset != -1)
    return pass_through(UNRAVEL_SITE, real::preadv2, descriptor, parts, count, offset, flags);
  ErrnoKeeper keeper;
  return keeper.answer(read_pieces(*self, descriptor, parts, count, flags, UNRAVEL_SITE));
}
UNRAVEL_ALIAS(preadv64v2, preadv2);

UNRAVEL_EXPORT ssize_t pwritev2(int descriptor, const iovec* parts, int count, off_t offset,
                                int flags) {
  Thread* self = controlled_thread();
  if (!self || offset != -1)
    return pass_through(UNRAVEL_SITE, real::pwritev2, descriptor, parts, count, offset, flags);
  ErrnoKeeper keeper;
  return keeper.answer(write_pieces(*self, descriptor, parts, count, flags, UNRAVEL_SITE));
}
UNRAVEL_ALIAS(pwritev64v2, pwritev2);

UNRAVEL_EXPORT int eventfd_read(int descriptor, eventfd_t* value) {
  if (!controlled_thread()) return real::eventfd_read(descriptor, value);
  return read(descriptor, value, sizeof(*value)) == sizeof(*value) ? 0 : -1;
}

UNRAVEL_EXPORT int eventfd_write(int descriptor, eventfd_t value) {
  if (!controlled_thread()) return real::eventfd_write(descriptor, value);
  return write(descriptor, &value, sizeof(value)) == sizeof(value) ? 0 : -1;
}
