/// The program's limits on memory, against which our own range counts too.
#pragma once

#include <sys/resource.h>

namespace unravel {

/// The kernel's limits are higher by what we take, so that the program has as much as it asked for,
/// and is told what it asked for.
class OwnLimits {
 public:
  /// Whether our memory counts against it.
  static bool concerns(int resource) { return place_of(resource) >= 0; }

  /// 0 or an error number, as of prlimit() on this process; either limit may be null.
  int exchange(int resource, const rlimit* wanted, rlimit* old);
  /// For another program, which has none of our memory: the kernel's limits are the program's own.
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
