#include "run/watchdog.hpp"

#include <cstdio>

namespace unravel {

void Watchdog::observe(std::uint64_t run, std::uint64_t steps, Time now) {
  if (run != run_) {
    run_ = run;
    began_ = now;
  } else if (steps == steps_) {
    return;
  }
  steps_ = steps;
  moved_ = now;
}

void Watchdog::forgive(Duration pause) {
  began_ += pause;
  moved_ += pause;
}

std::string Watchdog::describe(Time now) const {
  if (is_silent(now)) return "no scheduling point for " + describe_seconds(now - moved_);
  return "still running after " + describe_seconds(now - began_) + ", " + std::to_string(steps_) +
         " steps";
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
