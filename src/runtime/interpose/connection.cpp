/// Making and connecting sockets.
#include <sys/socket.h>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/descriptor_copies.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/socket.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

using wire::Operation;

namespace {

long accept_one(Thread& self, int descriptor, sockaddr* address, socklen_t* length, int flags,
                const void* site) {
  // A socket that does not listen is refused at once.
  // In a replay from recorded inputs its address may be taken now.
  const bool listens = socket_option(descriptor, SO_ACCEPTCONN) == 1 ||
                       ((runtime().inputs().replays() || runtime().inputs().serves()) &&
                        socket_option(descriptor, SO_TYPE) == SOCK_STREAM);
  const auto attempt = [&](const Part& part) {
    return os::call(SYS_accept4, part.descriptor, os::as_argument(address), os::as_argument(length),
                    flags);
  };
  const Traffic traffic{.name = address,
                        .name_size = length,
                        .name_room = address && length ? *length : 0,
                        .new_flags = flags};
  const long made = step_on(self, Operation::kAccept, descriptor, POLLIN, site, attempt,
                            {.asks_socket = true, .at_once = !listens, .traffic = &traffic});
  if (made >= 0) runtime().outsiders().descriptions().record_own(static_cast<int>(made));
  return made;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int accept4(int descriptor, sockaddr* address, socklen_t* length, int flags) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::accept4, descriptor, address, length, flags);
  ErrnoKeeper keeper;
  return static_cast<int>(
      keeper.answer(accept_one(*self, descriptor, address, length, flags, UNRAVEL_SITE)));
}

UNRAVEL_EXPORT int accept(int descriptor, sockaddr* address, socklen_t* length) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::accept, descriptor, address, length);
  ErrnoKeeper keeper;
  return static_cast<int>(
      keeper.answer(accept_one(*self, descriptor, address, length, 0, UNRAVEL_SITE)));
}

UNRAVEL_EXPORT int connect(int descriptor, const sockaddr* address, socklen_t length) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::connect, descriptor, address, length);
  if (runtime().inputs().is_on()) {
    runtime().streams().record_connect(descriptor, *self, address, length);
  }
  const bool blocking = waits_on(descriptor);
  bool begun = false;
  const auto attempt = [&](const Part& part) -> long {
    const auto ask = [&] {
      return os::call(SYS_connect, part.descriptor, os::as_argument(address),
                      static_cast<long>(length));
    };
    long result = ask();
    if (!blocking) return result;
    if (begun && result == -EISCONN) return 0;
    // Also waits for a connection that was begun before.
    begun = begun || result == -EINPROGRESS || result == -EALREADY;
    if (result != -EINPROGRESS && result != -EALREADY) return result;
    // To a listener on this machine the connection is complete by now; the kernel only did not wait
    // for it. A second call returns the result and leaves the socket as a blocking call would.
    const pollfd done{.fd = descriptor, .events = POLLOUT, .revents = 0};
    if (!is_ready(&done, 1)) return -EAGAIN;
    result = ask();
    return result == -EALREADY ? -EAGAIN : result;
  };
  ErrnoKeeper keeper;
  Patience patience;
  long result = step_on(*self, Operation::kConnect, descriptor, POLLOUT, UNRAVEL_SITE, attempt,
                        {.patience = &patience, .asks_socket = true});
  // After the socket's timeout the connection goes on by itself, except for local sockets.
  if (result == -EAGAIN && blocking && socket_option(descriptor, SO_DOMAIN) != AF_UNIX) {
    result = -EINPROGRESS;
  }
  return static_cast<int>(keeper.answer(result));
}
UNRAVEL_ALIAS(__connect, connect);

UNRAVEL_EXPORT int shutdown(int descriptor, int how) noexcept {
  Thread* self = controlled_thread();
  int result = real::shutdown(descriptor, how);
  // What stands for a connection is not connected.
  const bool stands_for =
      self && (is_served(*self, descriptor) ||
               (runtime().inputs().replays() && !runtime().outsiders().is_inside(descriptor)));
  if (result < 0 && errno == ENOTCONN && stands_for) result = 0;
  if (self) scheduler().outside().changed();
  return result;
}

UNRAVEL_EXPORT int socket(int domain, int type, int protocol) noexcept {
  const int made = real::socket(domain, type, protocol);
  Thread* self = controlled_thread();
  if (self && made >= 0) {
    runtime().outsiders().descriptions().record_own(made);
    if (runtime().inputs().is_on()) runtime().streams().record_made(made, *self);
  }
  return made;
}
UNRAVEL_ALIAS(__socket, socket);

UNRAVEL_EXPORT int socketpair(int domain, int type, int protocol, int ends[2]) noexcept {
  const int result = real::socketpair(domain, type, protocol, ends);
  Thread* self = controlled_thread();
  if (self && result == 0) record_pair(*self, ends[0], ends[1]);
  return result;
}
