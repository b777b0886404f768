/// Where a run that a debugger watches stops next. The debugger moves it while the run stands
/// still.
#pragma once

#include <cstdint>

#include "runtime/core/countdown.hpp"
#include "runtime/core/thread.hpp"
#include "wire/control.hpp"

namespace unravel {

class DebuggerStop {
 public:
  /// `place` lives as long as the run. Without a call no debugger watches it.
  void use(wire::DebuggerStop* place) { place_ = place; }
  [[nodiscard]] bool is_watched() const { return place_ != nullptr; }

  /// Whether the run stops at this point of `thread`, after `steps` points.
  bool take_point(const Thread& thread, std::uint64_t steps) {
    return place_ && is_reached(thread, steps) && take();
  }
  /// Whether the run stops before `thread` gives the turn to `next`, after `switches` switches.
  bool take_switch(const Thread& thread, const Thread& next, std::uint64_t switches) {
    return place_ && is_switch(thread, switches) && take_before(next);
  }
  void went_on() { place_->is_before_switch = 0; }

  /// The clock at which `thread` stops; null: none.
  [[nodiscard]] const wire::Clock* clock_of(const Thread& thread) const;
  /// How many points may pass uninspected after `steps` points.
  [[nodiscard]] std::uint64_t points_left(std::uint64_t steps) const;

 private:
  [[nodiscard]] bool is_reached(const Thread& thread, std::uint64_t steps) const;
  [[nodiscard]] bool is_switch(const Thread& thread, std::uint64_t switches) const;
  bool take();
  bool take_before(const Thread& next);

  wire::DebuggerStop* place_ = nullptr;
};

}  // namespace unravel
