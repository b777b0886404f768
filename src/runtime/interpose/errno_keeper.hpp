/// Restores the program's errno.
#pragma once

#include <errno.h>

namespace unravel {

class ErrnoKeeper {
 public:
  ErrnoKeeper() : kept_(errno) {}
  ~ErrnoKeeper() { errno = kept_; }
  ErrnoKeeper(const ErrnoKeeper&) = delete;
  ErrnoKeeper& operator=(const ErrnoKeeper&) = delete;

  /// The call fails, and the program sees this error number.
  int fail(int error) {
    kept_ = error;
    return -1;
  }
  /// Converts the kernel's answer into the result of a libc function.
  long answer(long result) {
    return result < 0 ? static_cast<long>(fail(static_cast<int>(-result))) : result;
  }

 private:
  int kept_;
};

}  // namespace unravel
