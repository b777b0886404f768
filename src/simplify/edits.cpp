#include "simplify/edits.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace unravel {

std::optional<std::size_t> next_of_thread(const Slices& slices, std::size_t index) {
  for (std::size_t i = index + 1; i < slices.size(); ++i) {
    if (slices[i].thread == slices[index].thread) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> previous_of_thread(const Slices& slices, std::size_t index) {
  for (std::size_t i = index; i-- > 0;) {
    if (slices[i].thread == slices[index].thread) return i;
  }
  return std::nullopt;
}

Slices without(const Slices& slices, const std::vector<bool>& dropped) {
  Slices left;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (dropped[i]) continue;
    if (!left.empty() && left.back().thread == slices[i].thread) {
      left.back() = slices[i];
    } else {
      left.push_back(slices[i]);
    }
  }
  return left;
}

Slices without(const Slices& slices, std::size_t index) {
  std::vector<bool> dropped(slices.size());
  dropped[index] = true;
  return without(slices, dropped);
}

std::optional<Slices> joined_with_next(const Slices& slices, std::size_t index) {
  const auto next = next_of_thread(slices, index);
  if (!next) return std::nullopt;
  Slices changed = slices;
  changed[index] = slices[*next];
  return without(changed, *next);
}

Slices prolong(const Slices& slices, std::size_t index, wire::Clock until) {
  Slices changed = slices;
  changed[index].until = until;
  return changed;
}

Slices moved_before(const Slices& slices, std::size_t index, std::size_t later) {
  Slices changed = slices;
  const auto begin = changed.begin() + static_cast<std::ptrdiff_t>(index);
  std::rotate(begin, begin + 1, changed.begin() + static_cast<std::ptrdiff_t>(later));
  return without(changed, std::vector<bool>(changed.size()));
}

Slices keep_preemptions(const Slices& slices, const std::vector<bool>& kept) {
  // For each slice the next slice of the same thread, found from the end.
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> next(slices.size(), kNone);
  std::unordered_map<std::uint32_t, std::size_t> first;
  for (std::size_t i = slices.size(); i-- > 0;) {
    const auto [later, is_last] = first.try_emplace(slices[i].thread.ordinal, i);
    if (!is_last) next[i] = std::exchange(later->second, i);
  }

  Slices changed = slices;
  std::vector<bool> dropped(slices.size());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (dropped[i]) continue;
    std::size_t last = i;
    while (is_preempted(slices[last]) && !kept[last] && next[last] != kNone) {
      last = next[last];
      dropped[last] = true;
    }
    changed[i] = slices[last];
  }
  return without(changed, dropped);
}

}  // namespace unravel
