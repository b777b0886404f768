/// Reading, writing, sending and receiving. A call that can go on at once does; one that cannot
/// blocks its thread in the scheduler, not in the kernel.
#include "runtime/interpose/descriptor.hpp"

#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/os/real.hpp"

namespace unravel {

namespace {

using wire::Operation;

/// A write whose reader is gone is a signal too. The kernel's own is blocked: it is taken back.
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

}  // namespace

bool has_lost_reader(int descriptor) {
  // Nothing is asked for: errors and the end are told always.
  const pollfd end{.fd = descriptor, .events = 0, .revents = 0};
  if (is_ready(&end, 1)) return true;
  // A reader that only shut down its side is told by a write of nothing, in a stream; elsewhere it
  // would be a message.
  int type = 0;
  socklen_t size = sizeof(type);
  const long known = os::call(SYS_getsockopt, descriptor, SOL_SOCKET, SO_TYPE,
                              os::as_argument(&type), os::as_argument(&size));
  if (known != 0 || type != SOCK_STREAM) return false;
  return os::call(SYS_sendto, descriptor, os::as_argument(""), 0, MSG_DONTWAIT | MSG_NOSIGNAL, 0,
                  0) == -EPIPE;
}

namespace {

/// A part of a buffer in several pieces. Of one in more pieces than are usual it is all.
class Pieces {
 public:
  Pieces(const iovec* pieces, std::size_t count, const Part& part) : begin_(pieces), count_(count) {
    if (count > kMost || (part.skip == 0 && part.most == Part{}.most)) return;
    std::size_t skip = part.skip;
    std::size_t most = part.most;
    begin_ = cut_;
    count_ = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t skipped = skip < pieces[i].iov_len ? skip : pieces[i].iov_len;
      const std::size_t rest = pieces[i].iov_len - skipped;
      const std::size_t used = rest < most ? rest : most;
      skip -= skipped;
      most -= used;
      if (used) cut_[count_++] = {static_cast<char*>(pieces[i].iov_base) + skipped, used};
    }
  }
  [[nodiscard]] const iovec* begin() const { return begin_; }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t kMost = 64;
  iovec cut_[kMost];
  const iovec* begin_;
  std::size_t count_;
};

/// A blocking write writes everything, in as many steps as it takes.
long write_all(Thread& self, int descriptor, const char* bytes, std::size_t size,
               const void* site) {
  std::size_t written = 0;
  do {
    const auto attempt = [&](const Part& part) {
      return with_broken_pipe(
          self, os::call(SYS_write, descriptor, os::as_argument(bytes + written + part.skip),
                         part.size_of(size - written)));
    };
    const long result = on_descriptor(self, Operation::kWrite, descriptor, POLLOUT, site, attempt);
    if (result < 0) return written ? static_cast<long>(written) : result;
    written += static_cast<std::size_t>(result);
    const bool whole = os::call(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK;
    if (whole || result == 0) break;
  } while (written < size && may_block(descriptor));
  return static_cast<long>(written);
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT ssize_t read(int descriptor, void* bytes, std::size_t size) {
  Thread* self = controlled_thread();
  if (!self) return real::read(descriptor, bytes, size);
  if (runtime().signals().is_watched_by(descriptor)) {
    return read_signals(*self, descriptor, bytes, size, UNRAVEL_SITE);
  }
  return on_descriptor(
      *self, Operation::kRead, descriptor, POLLIN, UNRAVEL_SITE, [&](const Part& part) {
        return os::call(SYS_read, descriptor,
                        os::as_argument(static_cast<char*>(bytes) + part.skip), part.size_of(size));
      });
}

UNRAVEL_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  Thread* self = controlled_thread();
  if (!self) return real::readv(descriptor, parts, count);
  return on_descriptor(*self, Operation::kRead, descriptor, POLLIN, UNRAVEL_SITE,
                       [&](const Part& part) {
                         const Pieces pieces(parts, static_cast<std::size_t>(count), part);
                         return os::call(SYS_readv, descriptor, os::as_argument(pieces.begin()),
                                         static_cast<long>(pieces.count()));
                       });
}

UNRAVEL_EXPORT ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  Thread* self = controlled_thread();
  if (!self) return real::write(descriptor, bytes, size);
  return write_all(*self, descriptor, static_cast<const char*>(bytes), size, UNRAVEL_SITE);
}

UNRAVEL_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  Thread* self = controlled_thread();
  if (!self) return real::writev(descriptor, parts, count);
  return on_descriptor(
      *self, Operation::kWrite, descriptor, POLLOUT, UNRAVEL_SITE, [&](const Part& part) {
        const Pieces pieces(parts, static_cast<std::size_t>(count), part);
        return with_broken_pipe(*self,
                                os::call(SYS_writev, descriptor, os::as_argument(pieces.begin()),
                                         static_cast<long>(pieces.count())));
      });
}

UNRAVEL_EXPORT ssize_t recvfrom(int descriptor, void* bytes, std::size_t size, int flags,
                                sockaddr* address, socklen_t* length) {
  Thread* self = controlled_thread();
  if (!self) return real::recvfrom(descriptor, bytes, size, flags, address, length);
  // The kernel would wait for all of it; here each arrival is a step.
  std::size_t received = 0;
  for (;;) {
    const long result = on_descriptor(
        *self, Operation::kRead, descriptor, POLLIN, UNRAVEL_SITE,
        [&](const Part& part) {
          return os::call(SYS_recvfrom, descriptor,
                          os::as_argument(static_cast<char*>(bytes) + received + part.skip),
                          part.size_of(size - received), flags & ~MSG_WAITALL,
                          os::as_argument(address), os::as_argument(length));
        },
        !(flags & MSG_DONTWAIT));
    if (result <= 0) return received ? static_cast<ssize_t>(received) : result;
    received += static_cast<std::size_t>(result);
    if (!(flags & MSG_WAITALL) || received >= size) return static_cast<ssize_t>(received);
  }
}

UNRAVEL_EXPORT ssize_t recv(int descriptor, void* bytes, std::size_t size, int flags) {
  if (!controlled_thread()) return real::recv(descriptor, bytes, size, flags);
  return recvfrom(descriptor, bytes, size, flags, nullptr, nullptr);
}

UNRAVEL_EXPORT ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  Thread* self = controlled_thread();
  if (!self) return real::recvmsg(descriptor, message, flags);
  return on_descriptor(
      *self, Operation::kRead, descriptor, POLLIN, UNRAVEL_SITE,
      [&](const Part& part) {
        const Pieces pieces(message->msg_iov, message->msg_iovlen, part);
        msghdr part_of = *message;
        part_of.msg_iov = const_cast<iovec*>(pieces.begin());
        part_of.msg_iovlen = pieces.count();
        const long result = os::call(SYS_recvmsg, descriptor, os::as_argument(&part_of), flags);
        part_of.msg_iov = message->msg_iov;
        part_of.msg_iovlen = message->msg_iovlen;
        *message = part_of;
        return result;
      },
      !(flags & MSG_DONTWAIT));
}

UNRAVEL_EXPORT ssize_t sendto(int descriptor, const void* bytes, std::size_t size, int flags,
                              const sockaddr* address, socklen_t length) {
  Thread* self = controlled_thread();
  if (!self) return real::sendto(descriptor, bytes, size, flags, address, length);
  const bool blocking =
      !(flags & MSG_DONTWAIT) && !(os::call(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK);
  std::size_t sent = 0;
  do {
    const long result = on_descriptor(
        *self, Operation::kWrite, descriptor, POLLOUT, UNRAVEL_SITE,
        [&](const Part& part) {
          const char* begin = static_cast<const char*>(bytes) + sent + part.skip;
          const long answer =
              os::call(SYS_sendto, descriptor, os::as_argument(begin), part.size_of(size - sent),
                       flags, os::as_argument(address), static_cast<long>(length));
          return (flags & MSG_NOSIGNAL) ? answer : with_broken_pipe(*self, answer);
        },
        !(flags & MSG_DONTWAIT));
    if (result < 0) return sent ? static_cast<ssize_t>(sent) : result;
    sent += static_cast<std::size_t>(result);
  } while (blocking && sent < size);
  return static_cast<ssize_t>(sent);
}

UNRAVEL_EXPORT ssize_t send(int descriptor, const void* bytes, std::size_t size, int flags) {
  if (!controlled_thread()) return real::send(descriptor, bytes, size, flags);
  return sendto(descriptor, bytes, size, flags, nullptr, 0);
}

UNRAVEL_EXPORT ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  Thread* self = controlled_thread();
  if (!self) return real::sendmsg(descriptor, message, flags);
  return on_descriptor(
      *self, Operation::kWrite, descriptor, POLLOUT, UNRAVEL_SITE,
      [&](const Part& part) {
        const Pieces pieces(message->msg_iov, message->msg_iovlen, part);
        msghdr part_of = *message;
        part_of.msg_iov = const_cast<iovec*>(pieces.begin());
        part_of.msg_iovlen = pieces.count();
        return with_broken_pipe(
            *self, os::call(SYS_sendmsg, descriptor, os::as_argument(&part_of), flags));
      },
      !(flags & MSG_DONTWAIT));
}

UNRAVEL_EXPORT int accept4(int descriptor, sockaddr* address, socklen_t* length, int flags) {
  Thread* self = controlled_thread();
  if (!self) return real::accept4(descriptor, address, length, flags);
  return static_cast<int>(
      on_descriptor(*self, Operation::kAccept, descriptor, POLLIN, UNRAVEL_SITE, [&](const Part&) {
        return os::call(SYS_accept4, descriptor, os::as_argument(address), os::as_argument(length),
                        flags);
      }));
}

UNRAVEL_EXPORT int accept(int descriptor, sockaddr* address, socklen_t* length) {
  if (!controlled_thread()) return real::accept(descriptor, address, length);
  return accept4(descriptor, address, length, 0);
}

UNRAVEL_EXPORT int connect(int descriptor, const sockaddr* address, socklen_t length) {
  Thread* self = controlled_thread();
  if (!self) return real::connect(descriptor, address, length);
  const bool blocking = !(os::call(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK);
  bool begun = false;
  const auto outcome = [descriptor] {
    int error = 0;
    socklen_t size = sizeof(error);
    os::call(SYS_getsockopt, descriptor, SOL_SOCKET, SO_ERROR, os::as_argument(&error),
             os::as_argument(&size));
    return static_cast<long>(-error);
  };
  return static_cast<int>(on_descriptor(
      *self, Operation::kConnect, descriptor, POLLOUT, UNRAVEL_SITE, [&](const Part&) {
        if (begun) return outcome();
        const long result =
            os::call(SYS_connect, descriptor, os::as_argument(address), static_cast<long>(length));
        begun = result == -EINPROGRESS;
        // To a listener on this machine it is done by now; the kernel just did not wait to see.
        pollfd done{.fd = descriptor, .events = POLLOUT, .revents = 0};
        if (begun && blocking && is_ready(&done, 1)) return outcome();
        return begun && blocking ? static_cast<long>(-EAGAIN) : result;
      }));
}

UNRAVEL_EXPORT int close(int descriptor) {
  Thread* self = controlled_thread();
  if (!self) return real::close(descriptor);
  runtime().outsiders().forget(descriptor);
  runtime().signals().forget_watcher(descriptor);
  const int timer = runtime().timers().find(descriptor);
  if (timer != Timers::kNone) runtime().timers().forget(timer);
  const int result = real::close(descriptor);
  scheduler().outside_changed();  // a reader may see the end now
  return result;
}

UNRAVEL_EXPORT int dup(int descriptor) noexcept {
  const int copy = real::dup(descriptor);
  if (controlled_thread() && copy >= 0) runtime().outsiders().note_copy(descriptor, copy);
  return copy;
}

UNRAVEL_EXPORT int dup2(int descriptor, int copy) noexcept {
  const int result = real::dup2(descriptor, copy);
  if (controlled_thread() && result >= 0) {
    runtime().outsiders().note_copy(descriptor, copy);
    scheduler().outside_changed();  // what it was before is closed
  }
  return result;
}

UNRAVEL_EXPORT int dup3(int descriptor, int copy, int flags) noexcept {
  const int result = real::dup3(descriptor, copy, flags);
  if (controlled_thread() && result >= 0) {
    runtime().outsiders().note_copy(descriptor, copy);
    scheduler().outside_changed();
  }
  return result;
}

UNRAVEL_EXPORT int shutdown(int descriptor, int how) noexcept {
  const int result = real::shutdown(descriptor, how);
  if (controlled_thread()) scheduler().outside_changed();
  return result;
}

UNRAVEL_EXPORT int pipe2(int ends[2], int flags) noexcept {
  const int result = real::pipe2(ends, flags);
  if (controlled_thread() && result == 0) {
    runtime().outsiders().note_inside(ends[0]);
    runtime().outsiders().note_inside(ends[1]);
  }
  return result;
}

UNRAVEL_EXPORT int pipe(int ends[2]) noexcept { return pipe2(ends, 0); }

UNRAVEL_EXPORT int socketpair(int domain, int type, int protocol, int ends[2]) noexcept {
  const int result = real::socketpair(domain, type, protocol, ends);
  if (controlled_thread() && result == 0) {
    runtime().outsiders().note_inside(ends[0]);
    runtime().outsiders().note_inside(ends[1]);
  }
  return result;
}

UNRAVEL_EXPORT int eventfd(unsigned value, int flags) noexcept {
  const int result = real::eventfd(value, flags);
  if (controlled_thread()) runtime().outsiders().note_inside(result);
  return result;
}

UNRAVEL_EXPORT int eventfd_read(int descriptor, eventfd_t* value) {
  if (!controlled_thread()) return real::eventfd_read(descriptor, value);
  return read(descriptor, value, sizeof(*value)) == sizeof(*value) ? 0 : -1;
}

UNRAVEL_EXPORT int eventfd_write(int descriptor, eventfd_t value) {
  if (!controlled_thread()) return real::eventfd_write(descriptor, value);
  return write(descriptor, &value, sizeof(value)) == sizeof(value) ? 0 : -1;
}
