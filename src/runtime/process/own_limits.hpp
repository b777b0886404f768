/// The program's memory limits: our own memory counts against them, too.
#pragma once

#include <sys/resource.h>

namespace unravel {

/// Raises the kernel's limits by what we use. The program gets all that it asked for, and reads
/// back what it set.
class OwnLimits {
 public:
  /// Whether our memory counts against this limit.
  static bool concerns(int resource) { return place_of(resource) >= 0; }

  /// Returns 0 or an error number, like prlimit() on this process; either limit may be null.
  int exchange(int resource, const rlimit* wanted, rlimit* old);
  /// Before another program runs in this process, without our memory: sets the kernel's limits to
  /// the program's own.
  void hand_back() const;

 private:
  static constexpr int kCount = 2;
  static int place_of(int resource) {
    return resource == RLIMIT_AS ? 0 : resource == RLIMIT_DATA ? 1 : -1;
  }

  struct Asked {
    bool is_known = false;
    rlimit limit{};
  };
  Asked asked_[kCount];
};

}  // namespace unravel
