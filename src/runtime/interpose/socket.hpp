/// Messages through sockets. All of it answers like a system call.
#pragma once

#include <sys/socket.h>

#include "runtime/core/thread.hpp"

namespace unravel {

long receive_message(Thread& self, int descriptor, msghdr* message, int flags, const void* site);
long send_message(Thread& self, int descriptor, const msghdr* message, int flags, const void* site);

/// A number that the socket tells of itself; -1: it is none.
int socket_option(int descriptor, int option);

}  // namespace unravel
