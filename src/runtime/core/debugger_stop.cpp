#include "runtime/core/debugger_stop.hpp"

namespace unravel {

using Kind = wire::DebuggerStop::Kind;

bool DebuggerStop::is_reached(const Thread& thread, std::uint64_t steps) const {
  if (place_->kind == Kind::kStep) return steps >= place_->count;
  return place_->kind == Kind::kClock && place_->at.thread.ordinal == thread.ordinal &&
         thread.clock >= place_->at.clock;
}

bool DebuggerStop::is_switch(const Thread& thread, std::uint64_t switches) const {
  if (place_->kind == Kind::kSwitch) return switches + 1 >= place_->count;
  return place_->kind == Kind::kSwitchAt && place_->at.thread.ordinal == thread.ordinal &&
         thread.clock >= place_->at.clock;
}

bool DebuggerStop::take() {
  place_->kind = Kind::kNowhere;
  return true;
}

bool DebuggerStop::take_before(const Thread& next) {
  place_->next = {.ordinal = next.ordinal};
  place_->is_before_switch = 1;
  return take();
}

const wire::Clock* DebuggerStop::clock_of(const Thread& thread) const {
  const bool is_its_own =
      place_ && place_->kind == Kind::kClock && place_->at.thread.ordinal == thread.ordinal;
  return is_its_own ? &place_->at.clock : nullptr;
}

std::uint64_t DebuggerStop::points_left(std::uint64_t steps) const {
  if (!place_ || place_->kind != Kind::kStep) return Countdown::kFar;
  return place_->count > steps ? place_->count - steps - 1 : 0;
}

}  // namespace unravel
