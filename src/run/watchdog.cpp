#include "run/watchdog.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace unravel {

void Watchdog::observe(std::uint64_t run, std::uint64_t steps, const Activity& activity, Time now,
                       Duration most) {
  // If a child ends and is not waited for, its time is lost: the sum may shrink.
  const auto used = std::max(activity.processor - processor_, std::chrono::milliseconds::zero());
  const Duration passed = std::clamp(now - looked_, Duration::zero(), most);
  processor_ = std::max(processor_, activity.processor);
  looked_ = now;
  if (!has_looked_ || run != run_) {
    has_looked_ = true;
    run_ = run;
    steps_ = steps;
    spent_ = at_step_ = {};
    return;
  }
  spent_.processor += used;
  // A process that sleeps at the moment of the check may have worked before it.
  const Duration idle = std::max(passed - Duration(used), Duration::zero());
  switch (activity.state) {
    case Activity::State::kRuns: break;
    case Activity::State::kSleeps: spent_.asleep += idle; break;
    case Activity::State::kStopped: spent_.stopped += idle; break;
    case Activity::State::kInKernel: spent_.in_kernel += idle; break;
  }
  if (steps != steps_) at_step_ = spent_;
  steps_ = steps;
}

Watchdog::Spent Watchdog::since(const Spent& now, const Spent& before) {
  return {.processor = now.processor - before.processor,
          .asleep = now.asleep - before.asleep,
          .stopped = now.stopped - before.stopped,
          .in_kernel = now.in_kernel - before.in_kernel};
}

bool Watchdog::expired() const {
  return spent_.processor >= limit_ || spent_.asleep >= limit_ ||
         spent_.stopped + spent_.in_kernel >= kPatience * limit_;
}

bool Watchdog::is_silent() const {
  const Spent silent = since(spent_, at_step_);
  return silent.processor + silent.asleep + silent.stopped + silent.in_kernel >= limit_ / 2;
}

Watchdog::Cause Watchdog::cause() const {
  const Spent silent = since(spent_, is_silent() ? at_step_ : Spent{});
  const std::pair<Duration, Cause> all[] = {{silent.processor, Cause::kProcessor},
                                            {silent.asleep, Cause::kStandstill},
                                            {silent.stopped / kPatience, Cause::kStopped},
                                            {silent.in_kernel / kPatience, Cause::kInKernel}};
  return std::max_element(
             std::begin(all), std::end(all),
             [](const auto& one, const auto& other) { return one.first < other.first; })
      ->second;
}

std::string Watchdog::describe() const {
  const Spent silent = since(spent_, is_silent() ? at_step_ : Spent{});
  const std::string steps = ", " + std::to_string(steps_) + " steps";
  switch (cause()) {
    case Cause::kProcessor: {
      const std::string time = describe_seconds(silent.processor) + " of processor time";
      return is_silent() ? "no scheduling point for " + time
                         : "still running after " + time + steps;
    }
    case Cause::kStandstill:
      return is_silent()
                 ? "no scheduling point for " + describe_seconds(silent.asleep)
                 : "still running after " + describe_seconds(silent.asleep) + " of waiting" + steps;
    case Cause::kStopped:
      return "stopped by a signal (SIGSTOP or its kin) for " + describe_seconds(silent.stopped);
    case Cause::kInKernel:
      return "in a system call that nothing can interrupt for " +
             describe_seconds(silent.in_kernel) + ", as on a disk or file server that hangs";
  }
  __builtin_unreachable();
}

std::string describe_seconds(std::chrono::steady_clock::duration duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  char text[32];
  std::snprintf(text, sizeof text, seconds < 9.95 ? "%.1f" : "%.0f", seconds);
  std::string number = text;
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number + " s";
}

}  // namespace unravel
