#include "data/rounding.hpp"

#include <algorithm>
#include <map>

namespace unravel {

namespace {

bool is_at_hook(const wire::Slice& slice) { return wire::is_hook(slice.pending); }

/// Removes slices that end where their thread's last one did, and joins neighbouring slices of a
/// thread.
void remove_empty(std::vector<wire::Slice>& slices) {
  std::vector<wire::Slice> kept;
  std::map<std::uint32_t, wire::Clock> reached;
  for (const wire::Slice& slice : slices) {
    wire::Clock& before = reached[slice.thread.ordinal];
    if (slice.until <= before && slice.end != wire::End::kEnded) continue;
    before = std::max(before, slice.until);
    if (!kept.empty() && kept.back().thread == slice.thread) kept.pop_back();
    kept.push_back(slice);
  }
  slices = std::move(kept);
}

}  // namespace

std::uint64_t round_to_operations(Schedule& schedule) {
  const auto moved = std::count_if(schedule.slices.begin(), schedule.slices.end(), is_at_hook);
  if (moved == 0) return 0;
  for (wire::Slice& slice : schedule.slices) {
    // In a build without memory hooks, hook 1 is the point before the next operation.
    const bool counts_hooks = is_at_hook(slice) || slice.until.hooks > 1;
    if (!counts_hooks || slice.end == wire::End::kEnded) continue;
    slice.until.hooks = 0;
    if (!is_at_hook(slice)) continue;
    slice.pending = wire::Operation::kNone;
    slice.site = {};
  }
  remove_empty(schedule.slices);
  return static_cast<std::uint64_t>(moved);
}

}  // namespace unravel
