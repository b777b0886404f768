/// Receiving and sending.
#include "runtime/interpose/socket.hpp"

#include <sys/socket.h>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/pieces.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

using wire::Operation;

int socket_option(int descriptor, int option) {
  int value = -1;
  socklen_t size = sizeof(value);
  const long answer = os::call(SYS_getsockopt, descriptor, SOL_SOCKET, option,
                               os::as_argument(&value), os::as_argument(&size));
  return answer == 0 ? value : -1;
}

namespace {

bool is_stream(int descriptor) { return socket_option(descriptor, SO_TYPE) == SOCK_STREAM; }

/// The kernel waits for all bytes of a request only in a stream; a message comes as a whole,
/// however long it is.
bool waits_for_all(int descriptor, int flags) {
  return (flags & MSG_WAITALL) && !(flags & (MSG_DONTWAIT | MSG_ERRQUEUE)) && is_stream(descriptor);
}

/// Whether a peek has to wait until all bytes are there. A local stream answers with what it has.
bool peeks_for_all(int descriptor, int flags) {
  return (flags & MSG_PEEK) && waits_for_all(descriptor, flags) &&
         socket_option(descriptor, SO_DOMAIN) != AF_UNIX;
}

/// Whether nothing more can come.
bool has_ended(int descriptor) {
  pollfd end{.fd = descriptor, .events = POLLRDHUP, .revents = 0};
  return is_ready(&end, 1);
}

Manner manner_of(int flags, Patience& patience, const Traffic& traffic) {
  // The error queue never waits: it has an entry or not.
  return {.waits = !(flags & (MSG_DONTWAIT | MSG_ERRQUEUE)),
          .patience = &patience,
          .asks_socket = true,
          .at_once = (flags & MSG_ERRQUEUE) != 0,
          .traffic = &traffic};
}

long receive(Thread& self, int descriptor, void* bytes, std::size_t size, int flags,
             sockaddr* address, socklen_t* length, const void* site) {
  Patience patience;
  const bool peeks_all = peeks_for_all(descriptor, flags);
  const bool all = !peeks_all && !(flags & MSG_PEEK) && waits_for_all(descriptor, flags);
  const auto step = [&](std::size_t done) {
    const auto attempt = [&](const Part& part) -> long {
      const long result = os::call(SYS_recvfrom, part.descriptor,
                                   os::as_argument(static_cast<char*>(bytes) + done + part.skip),
                                   part.size_of(size - done), (flags & ~MSG_WAITALL) | part.flags,
                                   os::as_argument(address), os::as_argument(length));
      const bool too_few = peeks_all && result >= 0 && static_cast<std::size_t>(result) < size;
      return too_few && !has_ended(descriptor) ? -EAGAIN : result;
    };
    SingleTraffic traffic(bytes, size, done);
    traffic->peeks = (flags & MSG_PEEK) != 0;
    traffic->name = address;
    traffic->name_size = length;
    traffic->name_room = address && length ? *length : 0;
    return step_on(self, Operation::kRead, descriptor, POLLIN, site, attempt,
                   manner_of(flags, patience, *traffic));
  };
  // Each arrival is a step.
  return all && waits_on(descriptor) ? until_done(size, step) : step(0);
}

/// A message carries descriptors. If another process may read it, that process shares them from now
/// on.
void record_sent(int descriptor, const msghdr& message) {
  Descriptions& known = runtime().outsiders().descriptions();
  if (known.is_inside(descriptor)) return;
  auto* header = const_cast<msghdr*>(&message);
  for (cmsghdr* one = CMSG_FIRSTHDR(header); one; one = CMSG_NXTHDR(header, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
    const auto* sent = reinterpret_cast<const int*>(CMSG_DATA(one));
    const std::size_t count = (one->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) known.forget(sent[i]);
  }
}

void record_received(const msghdr& message) {
  auto* header = const_cast<msghdr*>(&message);
  for (cmsghdr* one = CMSG_FIRSTHDR(header); one; one = CMSG_NXTHDR(header, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
    const auto* received = reinterpret_cast<const int*>(CMSG_DATA(one));
    const std::size_t count = (one->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      runtime().outsiders().descriptions().recognise(received[i]);
    }
  }
}

}  // namespace

long receive_message(Thread& self, int descriptor, msghdr* message, int flags, const void* site) {
  Patience patience;
  const bool peeks_all = peeks_for_all(descriptor, flags);
  const bool all = !peeks_all && !(flags & MSG_PEEK) && waits_for_all(descriptor, flags);
  bool has_rest = true;  // whether the same call may take more
  const auto step = [&](std::size_t done) {
    const auto attempt = [&](const Part& part) -> long {
      if (part.is_whole() && done == 0) {
        const int without_waiting = (flags & ~MSG_WAITALL) | part.flags;
        // A peek that returned too little is repeated, so the program's own header must stay
        // unchanged.
        msghdr again{};
        if (peeks_all) again = *message;
        const long result =
            os::call(SYS_recvmsg, part.descriptor, os::as_argument(message), without_waiting);
        const bool too_few =
            peeks_all && result >= 0 &&
            static_cast<std::size_t>(result) < Pieces::size_of(again.msg_iov, again.msg_iovlen);
        if (!too_few || has_ended(descriptor)) return result;
        *message = again;
        return -EAGAIN;
      }
      const Pieces pieces(message->msg_iov, message->msg_iovlen, part, done);
      msghdr part_of = *message;
      part_of.msg_iov = const_cast<iovec*>(pieces.begin());
      part_of.msg_iovlen = pieces.count();
      const long result = os::call(SYS_recvmsg, part.descriptor, os::as_argument(&part_of),
                                   (flags & ~MSG_WAITALL) | part.flags);
      part_of.msg_iov = message->msg_iov;
      part_of.msg_iovlen = message->msg_iovlen;
      if (result >= 0) *message = part_of;
      return result;
    };
    const socklen_t room = done == 0 ? 0 : message->msg_namelen;
    Traffic traffic = Traffic::of_message(message, done);
    traffic.peeks = (flags & MSG_PEEK) != 0;
    const long result = step_on(self, Operation::kRead, descriptor, POLLIN, site, attempt,
                                manner_of(flags, patience, traffic));
    if (done && result >= 0) message->msg_namelen = room;
    return result;
  };
  long result = 0;
  if (all && waits_on(descriptor)) {
    // A call that received ancillary data returns.
    void* control = message->msg_control;
    const std::size_t room = message->msg_controllen;
    std::size_t size = 0;
    std::size_t done = 0;
    do {
      if (done) message->msg_controllen = room;
      message->msg_control = control;
      const long got = step(done);
      if (got <= 0) {
        if (done) message->msg_controllen = 0;
        result = done ? static_cast<long>(done) : got;
        break;
      }
      if (done == 0) size = Pieces::size_of(message->msg_iov, message->msg_iovlen);
      done += static_cast<std::size_t>(got);
      result = static_cast<long>(done);
      has_rest = message->msg_controllen == 0;
    } while (has_rest && done < size);
  } else {
    result = step(0);
  }
  if (result >= 0 && message->msg_control && message->msg_controllen) record_received(*message);
  return result;
}

namespace {

long send_bytes(Thread& self, int descriptor, const void* bytes, std::size_t size, int flags,
                const sockaddr* address, socklen_t length, const void* site) {
  Patience patience;
  const auto step = [&](std::size_t done) {
    const auto attempt = [&](const Part& part) {
      const char* begin = static_cast<const char*>(bytes) + done + part.skip;
      const long answer =
          os::call(SYS_sendto, part.descriptor, os::as_argument(begin), part.size_of(size - done),
                   flags | part.flags, os::as_argument(address), static_cast<long>(length));
      return (flags & MSG_NOSIGNAL) ? answer : with_broken_pipe(self, answer);
    };
    SingleTraffic traffic(bytes, size, done);
    traffic->is_silent = (flags & MSG_NOSIGNAL) != 0;
    return step_on(self, Operation::kWrite, descriptor, POLLOUT, site, attempt,
                   manner_of(flags, patience, *traffic));
  };
  const bool blocking = !(flags & MSG_DONTWAIT) && waits_on(descriptor);
  return blocking ? until_done(size, step) : step(0);
}

}  // namespace

long send_message(Thread& self, int descriptor, const msghdr* message, int flags,
                  const void* site) {
  Patience patience;
  const auto step = [&](std::size_t done) {
    const auto attempt = [&](const Part& part) {
      const bool whole = part.is_whole() && done == 0;
      msghdr part_of{};
      const Pieces pieces(whole ? nullptr : message->msg_iov, whole ? 0 : message->msg_iovlen, part,
                          done);
      if (!whole) {
        part_of = *message;
        part_of.msg_iov = const_cast<iovec*>(pieces.begin());
        part_of.msg_iovlen = pieces.count();
        if (done) part_of.msg_controllen = 0;  // sent with the first bytes
      }
      const long answer = os::call(SYS_sendmsg, part.descriptor,
                                   os::as_argument(whole ? message : &part_of), flags | part.flags);
      return (flags & MSG_NOSIGNAL) ? answer : with_broken_pipe(self, answer);
    };
    const Traffic traffic{.parts = message->msg_iov,
                          .count = message->msg_iovlen,
                          .done = done,
                          .is_silent = (flags & MSG_NOSIGNAL) != 0};
    return step_on(self, Operation::kWrite, descriptor, POLLOUT, site, attempt,
                   manner_of(flags, patience, traffic));
  };
  const long first = step(0);
  if (first < 0) return first;
  if (message->msg_control && message->msg_controllen) record_sent(descriptor, *message);
  const std::size_t size = Pieces::size_of(message->msg_iov, message->msg_iovlen);
  const auto sent = static_cast<std::size_t>(first);
  if (sent >= size || (flags & MSG_DONTWAIT) || !waits_on(descriptor)) return first;
  const long rest = until_done(size - sent, [&](std::size_t done) { return step(sent + done); });
  return rest < 0 ? first : first + rest;
}

}  // namespace unravel

using namespace unravel;

// --- Receiving -----------------------------------------------------------------------------------

UNRAVEL_EXPORT ssize_t recvfrom(int descriptor, void* bytes, std::size_t size, int flags,
                                sockaddr* address, socklen_t* length) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::recvfrom, descriptor, bytes, size, flags, address,
                        length);
  ErrnoKeeper keeper;
  return keeper.answer(
      receive(*self, descriptor, bytes, size, flags, address, length, UNRAVEL_SITE));
}

UNRAVEL_EXPORT ssize_t recv(int descriptor, void* bytes, std::size_t size, int flags) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::recv, descriptor, bytes, size, flags);
  ErrnoKeeper keeper;
  return keeper.answer(
      receive(*self, descriptor, bytes, size, flags, nullptr, nullptr, UNRAVEL_SITE));
}
UNRAVEL_ALIAS(__recv, recv);

UNRAVEL_EXPORT ssize_t __recv_chk(int descriptor, void* bytes, std::size_t size, std::size_t room,
                                  int flags) {
  if (size > room) real::__chk_fail();
  return recv(descriptor, bytes, size, flags);
}

UNRAVEL_EXPORT ssize_t __recvfrom_chk(int descriptor, void* bytes, std::size_t size,
                                      std::size_t room, int flags, sockaddr* address,
                                      socklen_t* length) {
  if (size > room) real::__chk_fail();
  return recvfrom(descriptor, bytes, size, flags, address, length);
}

UNRAVEL_EXPORT ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::recvmsg, descriptor, message, flags);
  ErrnoKeeper keeper;
  return keeper.answer(receive_message(*self, descriptor, message, flags, UNRAVEL_SITE));
}

/// Like the kernel: the timeout is checked only after each message, and it ends no wait. The next
/// call reports an error that comes after the first message.
UNRAVEL_EXPORT int recvmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags,
                            timespec* length) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::recvmmsg, descriptor, messages, count, flags, length);
  ErrnoKeeper keeper;
  if (length && (!is_valid(*length) || length->tv_sec < 0)) return keeper.fail(EINVAL);
  const std::uint64_t deadline = length ? scheduler().time().now() + nanoseconds(*length) : kNever;
  unsigned received = 0;
  int used = flags & ~MSG_WAITFORONE;
  long result = 0;
  while (received < count) {
    mmsghdr& message = messages[received];
    result = receive_message(*self, descriptor, &message.msg_hdr, used, UNRAVEL_SITE);
    if (result < 0) break;
    message.msg_len = static_cast<unsigned>(result);
    ++received;
    if (flags & MSG_WAITFORONE) used |= MSG_DONTWAIT;
    const std::uint64_t now = scheduler().time().now();
    if (length) *length = timespec_of(deadline > now ? deadline - now : 0);
    if (now >= deadline || (message.msg_hdr.msg_flags & MSG_OOB)) break;
  }
  return static_cast<int>(received || result >= 0 ? static_cast<long>(received)
                                                  : keeper.answer(result));
}

// --- Sending -------------------------------------------------------------------------------------

UNRAVEL_EXPORT ssize_t sendto(int descriptor, const void* bytes, std::size_t size, int flags,
                              const sockaddr* address, socklen_t length) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::sendto, descriptor, bytes, size, flags, address,
                        length);
  ErrnoKeeper keeper;
  return keeper.answer(
      send_bytes(*self, descriptor, bytes, size, flags, address, length, UNRAVEL_SITE));
}

UNRAVEL_EXPORT ssize_t send(int descriptor, const void* bytes, std::size_t size, int flags) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::send, descriptor, bytes, size, flags);
  ErrnoKeeper keeper;
  return keeper.answer(send_bytes(*self, descriptor, bytes, size, flags, nullptr, 0, UNRAVEL_SITE));
}
UNRAVEL_ALIAS(__send, send);

UNRAVEL_EXPORT ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sendmsg, descriptor, message, flags);
  ErrnoKeeper keeper;
  return keeper.answer(send_message(*self, descriptor, message, flags, UNRAVEL_SITE));
}

UNRAVEL_EXPORT int sendmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sendmmsg, descriptor, messages, count, flags);
  ErrnoKeeper keeper;
  constexpr unsigned kMost = 1024;  // more are left to the next call
  unsigned sent = 0;
  long result = 0;
  while (sent < count && sent < kMost) {
    result = send_message(*self, descriptor, &messages[sent].msg_hdr, flags, UNRAVEL_SITE);
    if (result < 0) break;
    messages[sent++].msg_len = static_cast<unsigned>(result);
  }
  return static_cast<int>(sent || result >= 0 ? static_cast<long>(sent) : keeper.answer(result));
}
UNRAVEL_ALIAS(__sendmmsg, sendmmsg);
