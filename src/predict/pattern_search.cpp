/// The search for patterns. Which units can form one is decided by groups of units at the same
/// sites: a few instances of each combination of sites are enough.
#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "base/hash.hpp"
#include "predict/candidate_collection.hpp"
#include "predict/candidates.hpp"
#include "predict/fragments.hpp"

namespace unravel {

namespace {

// Units before and after a unit that are tried with it, nearest first. Chosen by hand.
constexpr std::size_t kMostNear = 16;
// Where units are not tried by groups: units of one variable. Chosen by hand.
constexpr std::size_t kMostOfVariable = 256;

bool overlap(const KeptEvent& one, const KeptEvent& other) {
  return one.object == other.object && (one.bytes & other.bytes) != 0;
}

/// Whether only accesses to its own variables interrupt a unit.
bool is_of_equal_units(const Pattern& pattern) {
  const auto has = [&](std::uint8_t unit, std::uint8_t variable) {
    return std::any_of(pattern.events.begin(), pattern.events.end(), [&](const PatternEvent& one) {
      return one.unit == unit && one.variable == variable;
    });
  };
  const auto is_single = [&](std::uint8_t unit) {
    return std::count_if(pattern.events.begin(), pattern.events.end(),
                         [&](const PatternEvent& one) { return one.unit == unit; }) == 1;
  };
  return std::all_of(pattern.events.begin(), pattern.events.end(), [&](const PatternEvent& one) {
    return is_single(one.unit) ||
           std::all_of(pattern.events.begin(), pattern.events.end(),
                       [&](const PatternEvent& other) { return has(one.unit, other.variable); });
  });
}

class PatternSearch {
 public:
  PatternSearch(const History& history, const std::vector<Pattern>& patterns,
                const CandidateLimits& limits)
      : history_(history),
        patterns_(patterns),
        locksets_(history.locksets),
        accesses_(history, std::all_of(patterns.begin(), patterns.end(), is_of_equal_units)),
        found_(limits) {}

  std::vector<Candidate> find() {
    bool has_races = false;
    for (std::uint32_t i = 0; i < patterns_.size(); ++i) {
      if (patterns_[i].kind == AnomalyKind::kRace) {
        if (!has_races) find_races();
        has_races = true;
      } else {
        find(i);
      }
    }
    return found_.take();
  }

 private:
  using Group = Fragments::Group;

  /// One unit of a pattern, and where its accesses are in the pattern.
  struct Unit {
    const Fragments* fragments = nullptr;
    std::vector<std::size_t> places;      // in the pattern
    std::vector<std::uint8_t> variables;  // of the pattern, by number in the template
    std::uint8_t thread = 0;
  };

  const Fragments& fragments_of(const UnitTemplate& unit) {
    const auto [known, is_new] = fragments_.try_emplace(unit);
    if (is_new) known->second = std::make_unique<Fragments>(accesses_, known->first);
    return *known->second;
  }

  // --- Races -----------------------------------------------------------------------------------

  /// Each pair of conflicting accesses once, in whichever order they came.
  void find_races() {
    const Fragments& reads = fragments_of({.accesses = {{.is_write = false}}});
    const Fragments& writes = fragments_of({.accesses = {{.is_write = true}}});
    for (std::uint32_t variable = 0; variable < history_.objects.size(); ++variable) {
      if (accesses_.cannot_race(variable)) continue;
      const std::span<const Group> writers = writes.groups_of(variable);
      for (std::size_t i = 0; i < writers.size(); ++i) {
        for (std::size_t j = i; j < writers.size(); ++j) {
          find_races(writes, writers[i], writes, writers[j]);
        }
        for (const Group& readers : reads.groups_of(variable)) {
          find_races(writes, writers[i], reads, readers);
        }
      }
    }
  }

  void find_races(const Fragments& writes, const Group& writers, const Fragments& accesses,
                  const Group& others) {
    const auto sites = std::minmax(writers.sites, others.sites);
    const std::uint64_t key = hash_of(0, sites.first, sites.second);
    if (found_.is_settled(key)) return;
    for (const Fragment& writer : writes.of(writers)) {
      const EventIndex write = writes.events(writer)[0];
      for_each_near(write, accesses, others, [&](const Fragment& other) {
        if (other.thread == writer.thread) return Tried::kNothing;
        return race(key, write, accesses.events(other)[0]);
      });
    }
  }

  enum class Tried { kNothing, kOne, kTooFar };

  /// Calls attempt(fragment) for those of a group that are near an event, nearest first on either
  /// side, until enough were tried or the rest is too far.
  template <class Attempt>
  static void for_each_near(EventIndex event, const Fragments& fragments, const Group& group,
                            Attempt attempt) {
    const std::span<const Fragment> all = fragments.of(group);
    const auto after =
        static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), event,
                                                  [&](const Fragment& one, EventIndex wanted) {
                                                    return fragments.events(one)[0] < wanted;
                                                  }) -
                                 all.begin());
    const auto try_all = [&](std::size_t count, auto at) {
      std::size_t tried = 0;
      for (std::size_t i = 0; i < count && tried < kMostNear; ++i) {
        const Tried what = attempt(all[at(i)]);
        if (what == Tried::kTooFar) return;
        if (what == Tried::kOne) ++tried;
      }
    };
    try_all(after, [&](std::size_t i) { return after - 1 - i; });
    try_all(all.size() - after, [&](std::size_t i) { return after + i; });
  }

  Tried race(std::uint64_t key, EventIndex one, EventIndex other) {
    const EventIndex first = std::min(one, other);
    const EventIndex then = std::max(one, other);
    if (!found_.wants(key, then - first)) return Tried::kTooFar;
    const KeptEvent& earlier = history_.events[first];
    const KeptEvent& later = history_.events[then];
    if (earlier.is_atomic && later.is_atomic) return Tried::kOne;
    if (!overlap(earlier, later) || locksets_.exclude(earlier.lockset, later.lockset)) {
      return Tried::kOne;
    }
    if (history_.is_before(first, then)) return Tried::kOne;
    // The order that the run did not have is the one that may show something new.
    found_.add(key, {.kind = AnomalyKind::kRace,
                     .pattern = race_pattern(writes(later.role), writes(earlier.role)),
                     .goal = {Goal::Kind::kNeighbours, {then, first}},
                     .is_seen = then == first + 1,
                     .contradicts_spin = history_.is_before(first, then, true)});
    return Tried::kOne;
  }

  [[nodiscard]] std::uint32_t race_pattern(bool first_writes, bool then_writes) const {
    for (std::uint32_t i = 0; i < patterns_.size(); ++i) {
      const Pattern& pattern = patterns_[i];
      if (pattern.kind == AnomalyKind::kRace && pattern.events[0].is_write == first_writes &&
          pattern.events[1].is_write == then_writes) {
        return i;
      }
    }
    return 0;
  }

  // --- Other patterns --------------------------------------------------------------------------

  void find(std::uint32_t number) {
    const Pattern& pattern = patterns_[number];
    units_.clear();
    std::vector<UnitTemplate> templates;
    for (std::size_t i = 0; i < pattern.events.size(); ++i) {
      const PatternEvent& event = pattern.events[i];
      if (event.unit >= units_.size()) {
        units_.resize(event.unit + 1u);
        templates.resize(event.unit + 1u);
      }
      Unit& unit = units_[event.unit];
      unit.thread = event.thread;
      unit.places.push_back(i);
      const auto known = std::find(unit.variables.begin(), unit.variables.end(), event.variable);
      const auto variable = static_cast<std::uint8_t>(known - unit.variables.begin());
      if (known == unit.variables.end()) unit.variables.push_back(event.variable);
      templates[event.unit].accesses.push_back({event.is_write, variable});
    }
    for (std::size_t i = 0; i < units_.size(); ++i) {
      const bool is_single = templates[i].accesses.size() == 1;
      templates[i].needs_region = pattern.is_of_set && !is_single;
      units_[i].fragments = &fragments_of(templates[i]);
    }
    pattern_ = &pattern;
    number_ = number;
    events_.assign(pattern.events.size(), kNoEvent);
    const bool is_of_two =
        units_.size() == 2 && units_[0].thread != units_[1].thread &&
        std::is_permutation(units_[0].variables.begin(), units_[0].variables.end(),
                            units_[1].variables.begin(), units_[1].variables.end());
    for (std::uint32_t variable = 0; variable < history_.objects.size(); ++variable) {
      if (is_of_two) {
        find_of_two(variable);
      } else {
        find_of_many(variable);
      }
    }
  }

  /// Two units of the same variables, of which one begins with this one.
  void find_of_two(std::uint32_t variable) {
    const Unit& one = units_[0];
    const Unit& other = units_[1];
    for (const Group& group : one.fragments->groups_of(variable)) {
      std::array<std::uint32_t, Pattern::kMostVariables> objects{};
      const auto events = one.fragments->events(one.fragments->of(group).front());
      for (std::size_t i = 0; one.variables.size() > 1 && i < one.places.size(); ++i) {
        objects[pattern_->events[one.places[i]].variable] = history_.events[events[i]].object;
      }
      if (one.variables.size() == 1) objects[one.variables[0]] = variable;
      std::array<std::uint32_t, Pattern::kMostVariables> wanted{};
      for (std::size_t i = 0; i < other.variables.size(); ++i) {
        wanted[i] = objects[other.variables[i]];
      }
      const std::uint64_t hash = hash_of_variables(std::span(wanted).first(other.variables.size()));
      for (const Group& others : other.fragments->groups_of(wanted[0])) {
        if (others.variables == hash) find_of_two(group, others);
      }
    }
  }

  void find_of_two(const Group& group, const Group& others) {
    const std::uint64_t key = hash_of(number_ + 1, group.sites, others.sites);
    if (found_.is_settled(key) && (!has_marks_ || found_.is_settled(hash_of(key)))) return;
    const Fragments& fragments = *units_[1].fragments;
    for (const Fragment& one : units_[0].fragments->of(group)) {
      const std::span<const EventIndex> events = units_[0].fragments->events(one);
      place(units_[0], events);
      for_each_near(events[0], fragments, others, [&](const Fragment& other) {
        if (other.thread == one.thread) return Tried::kNothing;
        place(units_[1], fragments.events(other));
        const bool is_marked = are_units_marked();
        const std::uint64_t own_key = is_marked ? hash_of(key) : key;
        if (!found_.wants(own_key, CandidateCollection::span_of(events_))) return Tried::kTooFar;
        take(own_key, is_marked);
        return Tried::kOne;
      });
    }
  }

  void place(const Unit& unit, std::span<const EventIndex> events) {
    for (std::size_t i = 0; i < events.size(); ++i) events_[unit.places[i]] = events[i];
  }

  void find_of_many(std::uint32_t variable) {
    std::fill(variables_.begin(), variables_.end(), kNoEvent);
    chosen_.clear();
    for (const Fragment& fragment : limited(units_[0].fragments->of(variable))) {
      choose(0, fragment);
    }
  }

  static std::span<const Fragment> limited(std::span<const Fragment> all) {
    return all.first(std::min(all.size(), kMostOfVariable));
  }

  /// Binds a unit to a fragment and goes on with the next unit.
  void choose(std::size_t number, const Fragment& fragment) {
    const Unit& unit = units_[number];
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const bool is_same = units_[i].thread == unit.thread;
      if (is_same != (chosen_[i]->thread == fragment.thread)) return;
    }
    const auto before = variables_;
    bool fits = true;
    const std::span<const EventIndex> events = unit.fragments->events(fragment);
    for (std::size_t i = 0; fits && i < unit.places.size(); ++i) {
      const std::uint8_t variable = pattern_->events[unit.places[i]].variable;
      const std::uint32_t object = history_.events[events[i]].object;
      if (variables_[variable] == kNoEvent) {
        // Other names are other variables.
        fits = std::find(variables_.begin(), variables_.end(), object) == variables_.end();
        variables_[variable] = object;
      } else {
        fits = variables_[variable] == object;
      }
    }
    if (fits) {
      place(unit, events);
      chosen_.push_back(&fragment);
      go_on(number + 1);
      chosen_.pop_back();
    }
    variables_ = before;
  }

  void go_on(std::size_t number) {
    if (number == units_.size()) {
      const bool is_marked = are_units_marked();
      std::uint64_t key = hash_of(number_ + 1, is_marked);
      for (const EventIndex event : events_) key = hash_of(key, history_.events[event].site);
      if (found_.wants(key, CandidateCollection::span_of(events_))) take(key, is_marked);
      return;
    }
    const Unit& unit = units_[number];
    const std::uint8_t variable = pattern_->events[unit.places[0]].variable;
    const bool is_known = variables_[variable] != kNoEvent;
    for (const Fragment& fragment :
         limited(is_known ? unit.fragments->of(variables_[variable]) : unit.fragments->all())) {
      choose(number, fragment);
    }
  }

  /// Adds the events as a candidate if nothing speaks against them.
  void take(std::uint64_t key, bool is_marked) {
    if (must_differ(history_, events_, false) || is_kept_apart()) return;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      for (std::size_t j = i + 1; j < events_.size(); ++j) {
        const KeptEvent& one = history_.events[events_[i]];
        const KeptEvent& other = history_.events[events_[j]];
        if (one.object == other.object && !overlap(one, other)) return;
      }
    }
    const bool is_seen = std::is_sorted(events_.begin(), events_.end());
    const bool by_spin = must_differ(history_, events_, true);
    found_.add(key, {.kind = pattern_->kind,
                     .pattern = number_,
                     .goal = {pattern_->is_adjacent ? Goal::Kind::kNeighbours : Goal::Kind::kOrder,
                              events_},
                     .is_seen = is_seen && !pattern_->is_adjacent,
                     .contradicts_spin = by_spin,
                     .is_marked = is_marked});
  }

  /// Whether each unit is in a region that the user marked. A single access is a unit by itself.
  [[nodiscard]] bool are_units_marked() const {
    bool has_any = false;
    for (const Unit& unit : units_) {
      if (!has_marks_ || unit.places.size() == 1) continue;
      has_any = history_.are_marked(events_[unit.places.front()], events_[unit.places.back()]);
      if (!has_any) return false;
    }
    return has_any;
  }

  /// Whether a lock that a thread holds all the time between two events of a unit keeps out an
  /// event that has to come between them.
  bool is_kept_apart() {
    if (pattern_->is_adjacent) {
      for (std::size_t i = 0; i + 1 < events_.size(); ++i) {
        const KeptEvent& one = history_.events[events_[i]];
        const KeptEvent& other = history_.events[events_[i + 1]];
        if (one.thread != other.thread && locksets_.exclude(one.lockset, other.lockset))
          return true;
      }
      return false;
    }
    for (const Unit& unit : units_) {
      for (std::size_t i = 0; i + 1 < unit.places.size(); ++i) {
        const Locksets::Id held = held_throughout(history_, locksets_, events_[unit.places[i]],
                                                  events_[unit.places[i + 1]]);
        for (std::size_t j = unit.places[i] + 1; j < unit.places[i + 1]; ++j) {
          if (locksets_.exclude(held, history_.events[events_[j]].lockset)) return true;
        }
      }
    }
    return false;
  }

  const History& history_;
  const std::vector<Pattern>& patterns_;
  const bool has_marks_ = history_.has_regions(RegionKind::kMarked);
  Locksets locksets_;
  UnitAccesses accesses_;
  CandidateCollection found_;
  std::map<UnitTemplate, std::unique_ptr<Fragments>> fragments_;
  // Of the pattern that is being looked for:
  const Pattern* pattern_ = nullptr;
  std::uint32_t number_ = 0;
  std::vector<Unit> units_;
  std::vector<EventIndex> events_;
  // Of many units:
  std::vector<const Fragment*> chosen_;
  std::array<std::uint32_t, Pattern::kMostVariables> variables_{};
};

}  // namespace

std::vector<Candidate> find_patterns(const History& history, const std::vector<Pattern>& patterns,
                                     const CandidateLimits& limits) {
  return PatternSearch(history, patterns, limits).find();
}

}  // namespace unravel
