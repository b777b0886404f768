/// Messages through sockets. All functions answer like system calls.
#pragma once

#include <sys/socket.h>

#include "runtime/core/thread.hpp"

namespace unravel {

long receive_message(Thread& self, int descriptor, msghdr* message, int flags, const void* site);
long send_message(Thread& self, int descriptor, const msghdr* message, int flags, const void* site);

/// The number value of a socket option; -1: it is no socket.
int socket_option(int descriptor, int option);

}  // namespace unravel
