/// Makes a call that cannot block, without changing what other processes see.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "runtime/os/system_call.hpp"
#include "wire/operation.hpp"

namespace unravel {

/// Whether calls on it can block: pipes, sockets, terminals, eventfd and the like.
inline bool may_block(const struct stat& status) {
  return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISBLK(status.st_mode);
}

inline bool may_block(int descriptor) {
  struct stat status {};
  return os::call(SYS_fstat, descriptor, os::as_argument(&status)) == 0 && may_block(status);
}

/// Whether it was opened for the other direction only, so that the kernel refuses at once.
constexpr bool is_other_way(wire::Operation kind, long flags) {
  const long access = flags & O_ACCMODE;
  const bool takes = kind == wire::Operation::kRead || kind == wire::Operation::kReceiveMessage;
  const bool gives = kind == wire::Operation::kWrite || kind == wire::Operation::kSendMessage;
  return (takes && access == O_WRONLY) || (gives && access == O_RDONLY);
}

inline bool is_ready(const pollfd* descriptors, nfds_t count) {
  // Works on a copy, because poll() writes into it. In portions: a thread's stack is small.
  constexpr nfds_t kMost = 32;
  pollfd copies[kMost];
  while (count > 0) {
    const nfds_t used = count < kMost ? count : kMost;
    for (nfds_t i = 0; i < used; ++i) copies[i] = descriptors[i];
    const timespec at_once{};
    if (os::call(SYS_ppoll, os::as_argument(copies), static_cast<long>(used),
                 os::as_argument(&at_once), 0, 0) != 0) {
      return true;
    }
    descriptors += used;
    count -= used;
  }
  return false;
}

/// What an attempt acts on: the descriptor, its flags, and a range of the call's buffer. The range
/// is the whole buffer except when a recorded answer is repeated.
struct Part {
  std::size_t skip = 0;
  std::size_t most = ~std::size_t{0};  // at most this many bytes after those
  int descriptor = -1;                 // the program's, or another one of the same file
  int flags = 0;                       // for calls on sockets; else 0

  [[nodiscard]] long size_of(std::size_t size) const {
    return static_cast<long>(size - skip < most ? size - skip : most);
  }
  [[nodiscard]] bool is_whole() const { return skip == 0 && most == ~std::size_t{0}; }
};

/// While this lives, a call on descriptor() does not wait.
///
/// O_NONBLOCK belongs to the description. A child may share it, and its calls would fail with
/// EAGAIN. So the flag is set only where no other process can have the description. Sockets have a
/// flag for each call. Pipes, FIFOs and terminals are opened once more, which makes a description
/// of our own. For the rest (a listening socket or an inotify that a child shares) we ask whether
/// it is ready: no thread of this process can take it in between, since we have the turn. If
/// another process takes it in these microseconds, the call really waits.
class Unblocked {
 public:
  Unblocked(int descriptor, long flags, wire::Operation kind, const struct stat& status);
  ~Unblocked();
  Unblocked(const Unblocked&) = delete;
  Unblocked& operator=(const Unblocked&) = delete;

  [[nodiscard]] int descriptor() const { return used_; }
  [[nodiscard]] int message_flags() const { return is_socket_ ? MSG_DONTWAIT : 0; }
  /// Whether the call would wait, and only this check prevents it.
  [[nodiscard]] bool would_block(short events) const {
    const pollfd wish{.fd = descriptor_, .events = events, .revents = 0};
    return asks_first_ && !is_ready(&wish, 1);
  }

 private:
  int descriptor_;
  int used_;
  long flags_;
  bool is_socket_ = false;
  bool switched_ = false;
  bool asks_first_ = false;
};

/// Opens another description of the same pipe, FIFO or terminal, which does not wait. Negative: not
/// possible.
long open_unblocked(int descriptor, long flags, const struct stat& status);

}  // namespace unravel
