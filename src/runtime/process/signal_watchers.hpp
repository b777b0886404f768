/// Descriptors from which signals are read (signalfd). The program gets an eventfd of ours, whose
/// counter is 1 while one of its signals is pending.
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
  /// The signals of `descriptor`; 0: it is no such descriptor.
  [[nodiscard]] std::uint64_t set_of_watcher(int descriptor) const;
  [[nodiscard]] bool has(int descriptor) const { return find(descriptor) != nullptr; }
  [[nodiscard]] bool any() const { return used_ != 0; }
  /// Makes each descriptor readable exactly while it has something to read.
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
