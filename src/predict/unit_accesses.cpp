#include "predict/unit_accesses.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace unravel {

namespace {

// Of accesses that differ only in when they happened, the first one and the last one are kept.
// Chosen by hand.
constexpr std::uint32_t kMostAlike = 2;
// The same within a region.
constexpr std::uint32_t kMostAlikeInRegion = 2;

// Accesses of a region that are looked at, of those that differ. Chosen by hand.
constexpr std::size_t kMostOfRegion = 48;

// Accesses to one variable are far apart in memory: so many ahead are fetched. Chosen by hand.
constexpr std::size_t kAhead = 16;

constexpr Locksets::Id kNotAccessed = ~Locksets::Id{0};

std::uint64_t signature(const KeptEvent& event) {
  return hash_of(std::uint64_t{event.site} << 8 | static_cast<std::uint64_t>(event.role),
                 std::uint64_t{event.lockset} << 16 | event.thread);
}

/// An event may be in two lines of the cache. Always inlined: see AddressTable::prefetch.
[[gnu::always_inline]] inline void fetch(const KeptEvent& event) {
  __builtin_prefetch(&event);
  __builtin_prefetch(reinterpret_cast<const char*>(&event + 1) - 1);
}

}  // namespace

UnitAccesses::UnitAccesses(const History& history, bool leaves_out_safe)
    : history_(history),
      leaves_out_safe_(leaves_out_safe),
      locksets_(history.locksets),
      alike_(kMostAlike),
      alike_pairs_(kMostAlike),
      alike_in_region_(kMostAlikeInRegion),
      alike_regions_(kMostAlike),
      last_(history.threads(), kNoEvent) {
  find_common_locks();
  find_of_variables();
  find_regions();
}

bool UnitAccesses::cannot_race(std::uint32_t variable) {
  const Locksets::Id common = common_locks_[variable];
  return common != kNotAccessed && locksets_.exclude(common, common);
}

void UnitAccesses::find_common_locks() {
  common_locks_.assign(history_.objects.size(), kNotAccessed);
  for (const KeptEvent& event : history_.events) {
    if (!is_access(event.role)) continue;
    Locksets::Id& common = common_locks_[event.object];
    if (common == event.lockset || common == Locksets::kEmpty) continue;
    common = common == kNotAccessed ? event.lockset : locksets_.both(common, event.lockset);
  }
}

bool UnitAccesses::is_safe(Locksets::Id held, std::uint32_t variable) {
  return leaves_out_safe_ && locksets_.exclude(held, common_locks_[variable]);
}

/// Whether a thread did not synchronise between two of its events.
bool UnitAccesses::is_undisturbed(EventIndex first, EventIndex last) const {
  return history_.events[first].operations == history_.events[last].operations;
}

// --- Accesses to one variable ------------------------------------------------------------------

void UnitAccesses::find_of_variables() {
  const auto variables = static_cast<std::uint32_t>(history_.objects.size());
  single_starts_.reserve(variables + 1);
  pair_starts_.reserve(variables + 1);
  for (std::uint32_t variable = 0; variable < variables; ++variable) {
    single_starts_.push_back(static_cast<std::uint32_t>(singles_.size()));
    pair_starts_.push_back(static_cast<std::uint32_t>(pairs_.size()));
    find_of_variable(variable);
  }
  single_starts_.push_back(static_cast<std::uint32_t>(singles_.size()));
  pair_starts_.push_back(static_cast<std::uint32_t>(pairs_.size()));
}

UnitAccesses::Single UnitAccesses::described(EventIndex event) const {
  const KeptEvent& kept = history_.events[event];
  return {.event = event, .site = kept.site, .thread = kept.thread, .role = kept.role};
}

void UnitAccesses::find_of_variable(std::uint32_t variable) {
  const std::span<const EventIndex> accesses = history_.accesses_to(variable);
  if (accesses.empty()) return;
  alike_.clear();
  alike_pairs_.clear();
  std::fill(last_.begin(), last_.end(), kNoEvent);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (i + kAhead < accesses.size()) fetch(history_.events[accesses[i + kAhead]]);
    const EventIndex event = accesses[i];
    const KeptEvent& kept = history_.events[event];
    alike_.add(signature(kept), described(event), singles_);
    EventIndex& last = last_[kept.thread];
    if (last != kNoEvent) add_pair(last, event);
    last = event;
  }
  // The last one of those alike is in the place of another one.
  std::sort(singles_.begin() + single_starts_.back(), singles_.end(),
            [](const Single& one, const Single& other) { return one.event < other.event; });
  std::sort(pairs_.begin() + pair_starts_.back(), pairs_.end(),
            [](const Pair& one, const Pair& other) { return one.first.event < other.first.event; });
}

void UnitAccesses::add_pair(EventIndex first, EventIndex then) {
  const KeptEvent& one = history_.events[first];
  const KeptEvent& other = history_.events[then];
  if ((one.bytes & other.bytes) == 0) return;
  const bool is_undisturbed = this->is_undisturbed(first, then);
  if (is_undisturbed && is_safe(one.lockset, one.object)) return;
  const bool is_marked =
      history_.has_regions(RegionKind::kMarked) && history_.are_marked(first, then);
  const std::uint64_t hash =
      hash_of(signature(one), signature(other) + is_undisturbed + 2u * is_marked);
  alike_pairs_.add(hash, {described(first), described(then)}, pairs_);
}

// --- Regions -----------------------------------------------------------------------------------

/// Calls take(kind, accesses) for each region of more than one access.
template <class Take>
void UnitAccesses::for_each_region(Take take) {
  for (const RegionKind kind : {RegionKind::kSection, RegionKind::kMarked}) {
    if (history_.has_regions(kind)) for_each_region(kind, take);
  }
}

/// A critical section in a marked region adds nothing to it.
bool UnitAccesses::is_in_marked_region(const Region& section) const {
  if (section.kind == RegionKind::kMarked || !history_.has_regions(RegionKind::kMarked)) {
    return false;
  }
  const auto around = history_.region_of(section.first, RegionKind::kMarked);
  return around && section.last <= history_.region(*around).last;
}

template <class Take>
void UnitAccesses::for_each_region(RegionKind kind, Take& take) {
  struct Open {
    std::span<const std::uint32_t> regions;  // the current one, and those that follow
    std::vector<EventIndex> accesses;
  };
  std::vector<Open> open(history_.threads());
  for (std::uint32_t thread = 0; thread < open.size(); ++thread) {
    open[thread].regions = history_.regions_of(thread, kind);
  }
  const auto close = [&](Open& one) {
    if (one.accesses.size() > 1 && !is_in_marked_region(history_.region(one.regions.front()))) {
      take(kind, one.accesses);
    }
    one.accesses.clear();
  };
  for (EventIndex event = 0; event < history_.events.size(); ++event) {
    const KeptEvent& kept = history_.events[event];
    if (!is_access(kept.role)) continue;
    Open& one = open[kept.thread];
    while (!one.regions.empty() && history_.region(one.regions.front()).last < event) {
      close(one);
      one.regions = one.regions.subspan(1);
    }
    const bool is_inside =
        !one.regions.empty() && history_.region(one.regions.front()).first <= event;
    if (is_inside) one.accesses.push_back(event);
  }
  for (Open& one : open) close(one);
}

bool UnitAccesses::is_safe(std::span<const EventIndex> accesses) {
  return is_undisturbed(accesses.front(), accesses.back()) &&
         std::all_of(accesses.begin(), accesses.end(), [&](EventIndex event) {
           return is_safe(history_.events[event].lockset, history_.events[event].object);
         });
}

/// A region that nobody can interrupt may still interrupt another one with the same variables.
void UnitAccesses::find_regions() {
  std::vector<bool> is_needed(history_.objects.size());
  bool is_any_needed = false;
  for_each_region([&](RegionKind, std::span<const EventIndex> accesses) {
    if (is_safe(accesses)) return;
    for (const EventIndex event : accesses) is_needed[history_.events[event].object] = true;
    is_any_needed = true;
  });
  if (!is_any_needed) return;
  std::vector<EventIndex> needed;
  for_each_region([&](RegionKind kind, std::span<const EventIndex> accesses) {
    needed.clear();
    for (const EventIndex event : accesses) {
      if (is_needed[history_.events[event].object]) needed.push_back(event);
    }
    if (needed.size() > 1) keep_region(kind, needed);
  });
}

void UnitAccesses::keep_region(RegionKind kind, std::span<const EventIndex> accesses) {
  std::vector<EventIndex> kept;
  alike_in_region_.clear();
  for (const EventIndex event : accesses) {
    const KeptEvent& access = history_.events[event];
    alike_in_region_.add(hash_of(signature(access), access.object), event, kept);
    if (kept.size() == kMostOfRegion) break;
  }
  std::sort(kept.begin(), kept.end());
  std::uint64_t hash =
      hash_of(is_undisturbed(kept.front(), kept.back()), static_cast<std::uint64_t>(kind));
  for (const EventIndex event : kept) {
    hash = hash_of(hash, signature(history_.events[event]), history_.events[event].object);
  }
  alike_regions_.add(hash, std::move(kept), regions_);
}

}  // namespace unravel
