/// Clocks at which a run stops for the driver, in the order in which the run reaches them.
#pragma once

#include <cstdint>

#include "runtime/core/thread.hpp"
#include "wire/schedule.hpp"

namespace unravel {

class Stops {
 public:
  /// `list` lives as long as the run.
  void use(const wire::StopAt* list, std::uint64_t count) {
    list_ = list;
    count_ = count;
  }

  [[nodiscard]] bool any() const { return count_ != 0; }

  /// The next place, or null.
  [[nodiscard]] const wire::StopAt* next() const { return at_ < count_ ? &list_[at_] : nullptr; }

  /// Whether the run stops at this point of `thread`. Clocks that the thread has passed count as
  /// reached: it cannot stop at hooks that are no points.
  bool take_due(const Thread& thread) { return at_ < count_ && take_reached(thread); }

 private:
  bool take_reached(const Thread& thread);

  const wire::StopAt* list_ = nullptr;
  std::uint64_t count_ = 0;
  std::uint64_t at_ = 0;
};

}  // namespace unravel
