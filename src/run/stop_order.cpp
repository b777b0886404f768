#include "run/stop_order.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "wire/operation.hpp"

namespace unravel {

namespace {

/// Whether the thread is at `clock` or farther when the slice ends.
bool reaches(const wire::Slice& slice, wire::Clock clock) {
  if (clock.hooks != wire::kBeforeNext) return clock <= slice.until;
  if (slice.until.operations != clock.operations) {
    return slice.until.operations > clock.operations;
  }
  return slice.until.hooks > 0 && !wire::is_hook(slice.pending);
}

}  // namespace

std::vector<wire::StopAt> as_reached(std::span<const wire::StopAt> stops,
                                     std::span<const wire::Slice> slices) {
  std::map<std::uint32_t, std::deque<wire::StopAt>> left;  // by thread
  for (const wire::StopAt& stop : stops) left[stop.thread.ordinal].push_back(stop);
  for (auto& [thread, of_thread] : left) {
    std::sort(of_thread.begin(), of_thread.end(),
              [](const auto& one, const auto& other) { return one.clock < other.clock; });
  }
  std::vector<wire::StopAt> sorted;
  for (const wire::Slice& slice : slices) {
    const auto found = left.find(slice.thread.ordinal);
    if (found == left.end()) continue;
    std::deque<wire::StopAt>& of_thread = found->second;
    for (; !of_thread.empty() && reaches(slice, of_thread.front().clock); of_thread.pop_front()) {
      sorted.push_back(of_thread.front());
    }
  }
  for (const auto& [thread, of_thread] : left) {
    sorted.insert(sorted.end(), of_thread.begin(), of_thread.end());
  }
  return sorted;
}

}  // namespace unravel
