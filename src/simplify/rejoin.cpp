#include "simplify/rejoin.hpp"

#include <algorithm>

namespace unravel {

namespace {

std::uint64_t apart(std::uint64_t one, std::uint64_t other) {
  return one > other ? one - other : other - one;
}

bool is_there(const Act& act, const wire::Slice& slice) {
  return act.thread == slice.thread && act.site == slice.site && act.operation == slice.pending;
}

}  // namespace

std::optional<std::size_t> first_astray(const Slices& asked, const Slices& made) {
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!is_preempted(asked[i]) || asked[i].pending == wire::Operation::kNone) continue;
    const auto there = std::find_if(made.begin(), made.end(), [&](const wire::Slice& slice) {
      return slice.thread == asked[i].thread &&
             (slice.until >= asked[i].until || slice.end == wire::End::kEnded);
    });
    if (there == made.end()) continue;
    if (there->end == wire::End::kEnded) return i;
    const bool told = there->until == asked[i].until && there->pending != wire::Operation::kNone;
    if (told && (there->site != asked[i].site || there->pending != asked[i].pending)) return i;
  }
  return std::nullopt;
}

std::optional<Slices> rejoin(const Slices& asked, std::size_t astray,
                             const std::vector<Act>& acts) {
  const wire::Slice& slice = asked[astray];
  const Act* nearest = nullptr;
  for (const Act& act : acts) {
    if (!is_there(act, slice)) continue;
    const std::uint64_t away = apart(act.before.operations, slice.until.operations);
    if (nearest && apart(nearest->before.operations, slice.until.operations) <= away) continue;
    nearest = &act;
  }
  if (!nearest) return std::nullopt;

  Slices changed = asked;
  const std::uint64_t shift = nearest->before.operations - slice.until.operations;  // wraps
  for (std::size_t i = astray + 1; i < changed.size(); ++i) {
    if (changed[i].thread == slice.thread) changed[i].until.operations += shift;
  }
  changed[astray].until = nearest->before;
  return changed;
}

}  // namespace unravel
