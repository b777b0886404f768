#include "data/print.hpp"

#include <charconv>

namespace unravel {

namespace {

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

template <class T>
bool take_number(std::string_view& text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

std::string print(wire::ThreadId thread) {
  const std::string local = "T" + std::to_string(thread.ordinal);
  return thread.process == 0 ? local : "P" + std::to_string(thread.process) + "." + local;
}

std::string print(wire::Clock clock) {
  const std::string operations = std::to_string(clock.operations);
  return clock.hooks == 0 ? operations : operations + "+" + std::to_string(clock.hooks);
}

std::string print(wire::ThreadId thread, wire::Clock clock) {
  return print(thread) + ":" + print(clock);
}

std::optional<std::pair<wire::ThreadId, wire::Clock>> read_clock(std::string_view text) {
  wire::ThreadId thread;
  wire::Clock clock;
  const bool understood = take(text, "T") && take_number(text, thread.ordinal) && take(text, ":") &&
                          take_number(text, clock.operations) &&
                          (text.empty() || (take(text, "+") && take_number(text, clock.hooks)));
  // No thread makes this many hooks: the number is a marker of ours.
  if (!understood || !text.empty() || clock.hooks == wire::kBeforeNext) return std::nullopt;
  return std::pair(thread, clock);
}

std::string_view name(wire::PointSet points) {
  switch (points) {
    case wire::PointSet::kSync: return "sync";
    case wire::PointSet::kCalls: return "calls";
    case wire::PointSet::kMemory: return "memory";
    case wire::PointSet::kAuto: return "auto";
  }
  __builtin_unreachable();
}

std::string_view name(wire::Timeouts timeouts) {
  switch (timeouts) {
    case wire::Timeouts::kNear: return "near";
    case wire::Timeouts::kAny: return "any";
    case wire::Timeouts::kIdle: return "idle";
  }
  __builtin_unreachable();
}

std::string_view name(wire::End end) {
  switch (end) {
    case wire::End::kPreempted: return "preempted";
    case wire::End::kBlocked: return "blocked";
    case wire::End::kEnded: return "ended";
    case wire::End::kYielded: return "yielded";
    case wire::End::kSpin: return "spinning";
    case wire::End::kFairness: return "had its share";
  }
  __builtin_unreachable();
}

}  // namespace unravel
