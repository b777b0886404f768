/// Inputs that are served by stream: what takes the kernel's place for descriptors whose other end
/// was outside. Nothing is waited for, and nothing depends on when something happens.
#pragma once

#include <poll.h>
#include <sys/epoll.h>
#include <sys/stat.h>

#include "runtime/interpose/traffic.hpp"
#include "runtime/interpose/unblocked.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

/// Whether what comes through this descriptor is served.
bool is_served(const Thread& self, int descriptor, const struct stat& status);
bool is_served(const Thread& self, int descriptor);

/// The number that a stream has in the record; 0: it is not there.
std::uint32_t served_number(const Thread& self, int descriptor, const struct stat& status);

/// Like is_ready(), also for descriptors that are served, and for epoll descriptors with such.
bool is_ready_now(const Thread& self, const pollfd* descriptors, nfds_t count);

/// Like poll() that does not wait.
long poll_now(const Thread& self, pollfd* descriptors, nfds_t count);

/// Like epoll_wait() that does not wait.
long epoll_now(const Thread& self, int set, epoll_event* events, int most);

/// epoll_ctl() on a descriptor that is served. Answers like a system call.
long change_served_set(const Thread& self, int set, int what, int descriptor, epoll_event* event);

/// Makes a call on a descriptor that is served. It answers like a system call, -EAGAIN if it would
/// have to wait. Ends the run if it sends what was not sent in the recorded run.
long serve_traffic(Thread& self, wire::Operation operation, int descriptor,
                   const struct stat& status, const Traffic* traffic);

/// A call on something that is served got nothing. Ends the run if that happens again and again.
void note_nothing_served(Thread& self);

}  // namespace unravel
