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

 private:
  int kept_;
};

}  // namespace unravel
