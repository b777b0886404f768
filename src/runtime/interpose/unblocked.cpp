#include "runtime/interpose/unblocked.hpp"

#include <asm/ioctls.h>
#include <errno.h>

#include "runtime/os/descriptor_path.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

using wire::Operation;

namespace {

/// Whether opening it again gives the same terminal. A master would give a new one.
bool is_terminal(int descriptor) {
  char settings[64];  // larger than the kernel's termios
  int number = 0;
  return os::call(SYS_ioctl, descriptor, TCGETS, os::as_argument(settings)) == 0 &&
         os::call(SYS_ioctl, descriptor, TIOCGPTN, os::as_argument(&number)) != 0;
}

}  // namespace

long open_unblocked(int descriptor, long flags, const struct stat& status) {
  const bool again =
      S_ISFIFO(status.st_mode) || (S_ISCHR(status.st_mode) && is_terminal(descriptor));
  if (!again) return -EINVAL;
  const os::DescriptorPath path(descriptor);
  constexpr long kKept = O_ACCMODE | O_APPEND | O_DIRECT;
  return os::call(SYS_open, os::as_argument(path.text()),
                  (flags & kKept) | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

Unblocked::Unblocked(int descriptor, long flags, Operation kind, const struct stat& status)
    : descriptor_(descriptor), used_(descriptor), flags_(flags) {
  const bool has_flag = kind == Operation::kRead || kind == Operation::kWrite;
  is_socket_ = S_ISSOCK(status.st_mode) && has_flag;
  if (is_socket_ || (flags & O_NONBLOCK)) return;
  switched_ = runtime().outsiders().is_own(descriptor, status);
  if (switched_) {
    os::call(SYS_fcntl, descriptor, F_SETFL, flags | O_NONBLOCK);
    return;
  }
  const long other = open_unblocked(descriptor, flags, status);
  if (other >= 0) {
    used_ = static_cast<int>(other);
  } else {
    asks_first_ = true;
  }
}

Unblocked::~Unblocked() {
  if (switched_) os::call(SYS_fcntl, descriptor_, F_SETFL, flags_);
  if (used_ != descriptor_) os::call(SYS_close, used_);
}

}  // namespace unravel
