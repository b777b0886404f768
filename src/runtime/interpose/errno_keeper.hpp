/// The program's errno, put back as it was.
#pragma once

#include <errno.h>

namespace unravel {

class ErrnoKeeper {
 public:
  ErrnoKeeper() : kept_(errno) {}
  ~ErrnoKeeper() { errno = kept_; }
  ErrnoKeeper(const ErrnoKeeper&) = delete;
  ErrnoKeeper& operator=(const ErrnoKeeper&) = delete;

  /// The call fails: this is the number that the program shall see.
  int fail(int error) {
    kept_ = error;
    return -1;
  }
  /// What the kernel answered, as functions of libc tell it.
  long answer(long result) {
    return result < 0 ? static_cast<long>(fail(static_cast<int>(-result))) : result;
  }

 private:
  int kept_;
};

}  // namespace unravel
