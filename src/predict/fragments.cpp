#include "predict/fragments.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/hash.hpp"

namespace unravel {

namespace {

// Of fragments that differ only in when they happened, the first ones and the last one are kept.
// Chosen by hand.
constexpr std::uint32_t kMostAlike = 3;

// Fragments of one variable, of either origin; more are alike mostly. Chosen by hand.
constexpr std::size_t kMostOfVariable = 256;

bool matches(Role role, const UnitTemplate::Access& access) {
  return access.is_write ? writes(role) : reads(role);
}

}  // namespace

std::uint64_t hash_of_variables(std::span<const std::uint32_t> variables) {
  std::uint64_t hash = 0;
  for (const std::uint32_t variable : variables) hash = hash_of(hash, variable);
  return hash;
}

Fragments::Fragments(const UnitAccesses& accesses, const UnitTemplate& unit)
    : accesses_(accesses), history_(accesses.history()), unit_(unit), alike_(kMostAlike) {
  if (unit.accesses.size() > 1) {
    for (const std::vector<EventIndex>& region : accesses.regions()) find_in_region(region, 0);
    std::stable_sort(
        of_regions_.begin(), of_regions_.end(),
        [](const Found& one, const Found& other) { return one.variable < other.variable; });
  }
  const auto variables = static_cast<std::uint32_t>(history_.objects.size());
  group_starts_.reserve(variables + 1);
  std::span<const Found> of_regions = of_regions_;
  for (std::uint32_t variable = 0; variable < variables; ++variable) {
    group_starts_.push_back(static_cast<std::uint32_t>(groups_.size()));
    find_of(variable, of_regions);
  }
  group_starts_.push_back(static_cast<std::uint32_t>(groups_.size()));
  of_regions_ = {};
}

/// Chooses the rest of a fragment from the accesses of a region.
void Fragments::find_in_region(std::span<const EventIndex> accesses, std::size_t from) {
  if (chosen_.size() == unit_.accesses.size()) {
    std::uint64_t hash = history_.events[chosen_.front()].thread;
    for (const EventIndex event : chosen_) {
      const KeptEvent& kept = history_.events[event];
      hash = hash_of(hash, kept.site, kept.object, kept.lockset, static_cast<unsigned>(kept.role));
    }
    // Only the events of the last one alike change.
    if (Found* const last = alike_.last_of(hash, of_regions_)) {
      std::copy(chosen_.begin(), chosen_.end(), events_.begin() + last->events);
      last->first = chosen_.front();
      return;
    }
    Found made{.variables = hash_of_variables(variables_),
               .sites = 0,
               .events = static_cast<std::uint32_t>(events_.size()),
               .variable = variables_.front(),
               .first = chosen_.front(),
               .thread = history_.events[chosen_.front()].thread};
    for (const EventIndex event : chosen_) {
      made.sites = hash_of(made.sites, history_.events[event].site);
    }
    events_.insert(events_.end(), chosen_.begin(), chosen_.end());
    alike_.add(hash, made, of_regions_);
    return;
  }
  const UnitTemplate::Access& wanted = unit_.accesses[chosen_.size()];
  for (std::size_t i = from; i < accesses.size(); ++i) {
    const KeptEvent& access = history_.events[accesses[i]];
    const std::uint32_t object = access.object;
    if (!matches(access.role, wanted)) continue;
    const bool is_new = wanted.variable == variables_.size();
    if (!is_new && variables_[wanted.variable] != object) continue;
    if (is_new && std::find(variables_.begin(), variables_.end(), object) != variables_.end()) {
      continue;
    }
    if (is_new) variables_.push_back(object);
    chosen_.push_back(accesses[i]);
    find_in_region(accesses, i + 1);
    chosen_.pop_back();
    if (is_new) variables_.pop_back();
  }
}

void Fragments::find_of(std::uint32_t variable, std::span<const Found>& of_regions) {
  of_variable_.clear();
  const std::uint64_t variables = hash_of_variables(std::span(&variable, 1));
  const auto add = [&](std::initializer_list<UnitAccesses::Single> accesses) {
    Found made{.variables = variables,
               .sites = 0,
               .events = static_cast<std::uint32_t>(events_.size()),
               .variable = variable,
               .first = accesses.begin()->event,
               .thread = accesses.begin()->thread};
    for (const UnitAccesses::Single& access : accesses) {
      made.sites = hash_of(made.sites, access.site);
      events_.push_back(access.event);
    }
    of_variable_.push_back(made);
    return of_variable_.size() < kMostOfVariable;
  };
  const std::vector<UnitTemplate::Access>& wanted = unit_.accesses;
  if (wanted.size() == 1) {
    for (const UnitAccesses::Single& access : accesses_.single(variable)) {
      if (matches(access.role, wanted[0]) && !add({access})) break;
    }
  } else if (wanted.size() == 2 && unit_.is_of_one_variable() && !unit_.needs_region) {
    for (const UnitAccesses::Pair& pair : accesses_.in_a_row(variable)) {
      if (!matches(pair.first.role, wanted[0]) || !matches(pair.then.role, wanted[1])) continue;
      if (!add({pair.first, pair.then})) break;
    }
  }
  std::size_t count = 0;
  for (; !of_regions.empty() && of_regions.front().variable == variable; ++count) {
    if (count < kMostOfVariable) of_variable_.push_back(of_regions.front());
    of_regions = of_regions.subspan(1);
  }
  if (!of_variable_.empty()) group();
}

void Fragments::group() {
  std::sort(of_variable_.begin(), of_variable_.end(), [&](const Found& one, const Found& other) {
    if (one.variables != other.variables) return one.variables < other.variables;
    if (one.sites != other.sites) return one.sites < other.sites;
    return one.first < other.first;
  });
  for (std::size_t i = 0; i < of_variable_.size(); ++i) {
    const Found& one = of_variable_[i];
    const bool is_alike = i > 0 && of_variable_[i - 1].variables == one.variables &&
                          of_variable_[i - 1].sites == one.sites;
    if (!is_alike) {
      groups_.push_back({.variables = one.variables,
                         .sites = one.sites,
                         .first = static_cast<std::uint32_t>(fragments_.size())});
    }
    ++groups_.back().count;
    fragments_.push_back({.events = one.events, .thread = one.thread});
  }
}

std::span<const Fragment> Fragments::of(std::uint32_t variable) const {
  const std::span<const Group> groups = groups_of(variable);
  if (groups.empty()) return {};
  const std::uint32_t end = groups.back().first + groups.back().count;
  return std::span(fragments_).subspan(groups.front().first, end - groups.front().first);
}

}  // namespace unravel
