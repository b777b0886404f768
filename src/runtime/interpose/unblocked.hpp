/// Making a call in a form that cannot block, without changing what other processes see.
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

/// Whether it was opened for the other direction: the kernel refuses at once.
constexpr bool is_other_way(wire::Operation kind, long flags) {
  const long access = flags & O_ACCMODE;
  const bool takes = kind == wire::Operation::kRead || kind == wire::Operation::kReceiveMessage;
  const bool gives = kind == wire::Operation::kWrite || kind == wire::Operation::kSendMessage;
  return (takes && access == O_WRONLY) || (gives && access == O_RDONLY);
}

inline bool is_ready(const pollfd* descriptors, nfds_t count) {
  // poll() writes its answer; the wish must stay as it is. In portions: a thread's stack is small.
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

/// What an attempt is about: which descriptor, how, and which bytes of the call's buffer. These are
/// all of them, but when a recorded answer is brought about again.
struct Part {
  std::size_t skip = 0;
  std::size_t most = ~std::size_t{0};  // behind that
  int descriptor = -1;                 // the program's, or another one of the same file
  int flags = 0;                       // for calls on sockets; 0 where it is none

  [[nodiscard]] long size_of(std::size_t size) const {
    return static_cast<long>(size - skip < most ? size - skip : most);
  }
  [[nodiscard]] bool is_whole() const { return skip == 0 && most == ~std::size_t{0}; }
};

/// While it lives, a call on descriptor() does not wait.
///
/// O_NONBLOCK belongs to the description, and a child may have the same one: it would be told to
/// try again. So it is switched only where no other process can have it. Sockets have a flag for
/// each call. Pipes, FIFOs and terminals are opened once more, which makes a description that is
/// ours. Of what is left (a listening socket or an inotify that a child shares) is asked whether it
/// is ready: nobody of this process can take it in between, since we have the turn. If another
/// process does, in these microseconds, the call waits for the next one to come.
class Unblocked {
 public:
  Unblocked(int descriptor, long flags, wire::Operation kind, const struct stat& status);
  ~Unblocked();
  Unblocked(const Unblocked&) = delete;
  Unblocked& operator=(const Unblocked&) = delete;

  [[nodiscard]] int descriptor() const { return used_; }
  [[nodiscard]] int message_flags() const { return is_socket_ ? MSG_DONTWAIT : 0; }
  /// Whether the call would have to wait, and nothing but this keeps it from that.
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

/// Another description of the same pipe, FIFO or terminal, which does not wait. Negative: there is
/// none.
long open_unblocked(int descriptor, long flags, const struct stat& status);

}  // namespace unravel
