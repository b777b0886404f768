/// Descriptors that signals are read from (signalfd). The program's is a counter of ours, which
/// says 1 while a signal is pending that it is for.
#pragma once

#include <cstdint>

namespace unravel {

class SignalWatchers {
 public:
  /// False: there are too many.
  bool add(int descriptor, std::uint64_t set);
  void remove(int descriptor);
  /// The same descriptor by another of its numbers.
  void rename(int descriptor, int other);
  /// The signals that `descriptor` is for; 0: it is none of these.
  [[nodiscard]] std::uint64_t set_of_watcher(int descriptor) const;
  [[nodiscard]] bool has(int descriptor) const { return find(descriptor) != nullptr; }
  [[nodiscard]] bool any() const { return used_ != 0; }
  /// Makes each readable exactly while there is something to read.
  void show(std::uint64_t pending);

 private:
  struct Watcher {
    int descriptor = -1;
    bool readable = false;
    std::uint64_t set = 0;
  };
  [[nodiscard]] const Watcher* find(int descriptor) const;

  static constexpr int kMost = 256;
  Watcher watchers_[kMost];
  int used_ = 0;
};

}  // namespace unravel
