#include "predict/fragments.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace unravel {

namespace {

// Of fragments that differ only in when they happened, the first ones and the last one are kept.
// Chosen by hand.
constexpr std::uint32_t kMostAlike = 3;

// Accesses of a region that are looked at, of those that differ. Chosen by hand.
constexpr std::size_t kMostOfRegion = 48;

}  // namespace

Fragments::Fragments(const History& history, const UnitTemplate& unit)
    : history_(history), unit_(unit) {
  if (unit.accesses.size() == 1) {
    find_single();
  } else {
    const bool is_implied =
        unit.accesses.size() == 2 && unit.is_of_one_variable() && !unit.needs_region;
    if (is_implied) find_in_a_row();
    find_in_regions(RegionKind::kSection);
    find_in_regions(RegionKind::kMarked);
  }
  sort();
}

bool Fragments::matches(EventIndex event, const UnitTemplate::Access& access) const {
  const Role role = history_.events[event].role;
  return access.is_write ? writes(role) : reads(role);
}

void Fragments::add(const Fragment& fragment) {
  std::uint64_t hash = fragment.thread;
  for (const EventIndex event : fragment.all()) {
    const KeptEvent& kept = history_.events[event];
    hash = hash_of(hash, kept.site, kept.object, kept.lockset, static_cast<unsigned>(kept.role));
  }
  const std::uint32_t count = alike_[hash]++;
  if (count < kMostAlike) {
    last_alike_[hash] = fragments_.size();
    fragments_.push_back(fragment);
    return;
  }
  fragments_[last_alike_[hash]] = fragment;
}

void Fragments::find_single() {
  for (std::uint32_t variable = 0; variable < history_.objects.size(); ++variable) {
    for (const EventIndex event : history_.accesses_to(variable)) {
      if (!matches(event, unit_.accesses[0])) continue;
      Fragment fragment{.thread = history_.events[event].thread, .length = 1};
      fragment.events[0] = event;
      add(fragment);
    }
  }
}

void Fragments::find_in_a_row() {
  std::unordered_map<std::uint16_t, EventIndex> last;  // by thread
  for (std::uint32_t variable = 0; variable < history_.objects.size(); ++variable) {
    last.clear();
    for (const EventIndex event : history_.accesses_to(variable)) {
      const std::uint16_t thread = history_.events[event].thread;
      const auto [found, is_first] = last.try_emplace(thread, event);
      if (is_first) continue;
      const EventIndex before = found->second;
      found->second = event;
      if (!matches(before, unit_.accesses[0]) || !matches(event, unit_.accesses[1])) continue;
      if ((history_.events[before].bytes & history_.events[event].bytes) == 0) continue;
      Fragment fragment{.thread = thread, .length = 2};
      fragment.events[0] = before;
      fragment.events[1] = event;
      add(fragment);
    }
  }
}

/// A critical section in a marked region adds nothing to it.
std::optional<std::uint32_t> Fragments::region_of(EventIndex event, RegionKind kind) const {
  const auto number = history_.region_of(event, kind);
  if (!number || kind == RegionKind::kMarked) return number;
  const auto around = history_.region_of(event, RegionKind::kMarked);
  if (!around) return number;
  const Region& section = history_.region(*number);
  const Region& marked = history_.region(*around);
  const bool is_inside = marked.first <= section.first && section.last <= marked.last;
  return is_inside ? std::nullopt : number;
}

void Fragments::find_in_regions(RegionKind kind) {
  if (!history_.has_regions(kind)) return;
  /// Accesses that differ only in when they happened: the first and the last are kept.
  struct Alike {
    std::uint32_t count = 0;
    EventIndex last = kNoEvent;
  };
  // The accesses of the region that each thread is in.
  struct Open {
    std::optional<std::uint32_t> region;
    std::vector<EventIndex> accesses;
    std::unordered_map<std::uint64_t, Alike> alike;
  };
  std::vector<Open> open(history_.threads());
  const auto close = [&](Open& one) {
    if (one.accesses.size() >= unit_.accesses.size()) {
      Fragment fragment{.thread = history_.events[one.accesses[0]].thread};
      std::vector<std::uint32_t> variables;
      find_in(one.accesses, fragment, variables, 0);
    }
    one.accesses.clear();
    one.alike.clear();
  };
  for (EventIndex event = 0; event < history_.events.size(); ++event) {
    const KeptEvent& kept = history_.events[event];
    if (!is_access(kept.role)) continue;
    Open& one = open[kept.thread];
    const bool is_same = one.region && history_.region(*one.region).last >= event;
    if (!is_same) {
      close(one);
      one.region = region_of(event, kind);
    }
    if (!one.region || one.accesses.size() == kMostOfRegion) continue;
    const std::uint64_t hash =
        hash_of(kept.site, kept.object, static_cast<unsigned>(kept.role), kept.lockset);
    Alike& alike = one.alike[hash];
    if (alike.count++ > 1) {
      one.accesses.erase(std::find(one.accesses.begin(), one.accesses.end(), alike.last));
    }
    alike.last = event;
    one.accesses.push_back(event);
  }
  for (Open& one : open) close(one);
}

void Fragments::find_in(std::span<const EventIndex> accesses, Fragment& fragment,
                        std::vector<std::uint32_t>& variables, std::size_t from) {
  if (fragment.length == unit_.accesses.size()) {
    add(fragment);
    return;
  }
  const UnitTemplate::Access& wanted = unit_.accesses[fragment.length];
  for (std::size_t i = from; i < accesses.size(); ++i) {
    const std::uint32_t object = history_.events[accesses[i]].object;
    if (!matches(accesses[i], wanted)) continue;
    const bool is_new = wanted.variable == variables.size();
    if (!is_new && variables[wanted.variable] != object) continue;
    if (is_new && std::find(variables.begin(), variables.end(), object) != variables.end()) {
      continue;
    }
    if (is_new) variables.push_back(object);
    fragment.events[fragment.length++] = accesses[i];
    find_in(accesses, fragment, variables, i + 1);
    --fragment.length;
    if (is_new) variables.pop_back();
  }
}

void Fragments::sort() {
  alike_.clear();
  last_alike_.clear();
  const auto variable = [&](const Fragment& fragment) {
    return history_.events[fragment.events[0]].object;
  };
  std::stable_sort(
      fragments_.begin(), fragments_.end(),
      [&](const Fragment& one, const Fragment& other) { return variable(one) < variable(other); });
  for (std::size_t i = 0; i < fragments_.size(); ++i) {
    const auto [place, is_new] = places_.try_emplace(variable(fragments_[i]), i, i);
    place->second.second = i + 1;
  }
}

std::span<const Fragment> Fragments::of(std::uint32_t variable) const {
  const auto place = places_.find(variable);
  if (place == places_.end()) return {};
  return std::span(fragments_)
      .subspan(place->second.first, place->second.second - place->second.first);
}

}  // namespace unravel
