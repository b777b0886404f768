#include "predict/candidates.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/hash.hpp"
#include "predict/fragments.hpp"

namespace unravel {

namespace {

// Fragments of one variable that are compared with each other; more are alike mostly. Chosen by
// hand.
constexpr std::size_t kMostOfVariable = 256;

// Operations on one object before each that may come after it. Chosen by hand.
constexpr std::size_t kMostBefore = 16;

/// Candidates, of which those at the same sites are limited. The shortest are kept: the fewer
/// events lie between, the more likely they can meet.
class Collection {
 public:
  /// `keeps_longest`: the longest of each kind is kept, too. In it a thread comes before all that
  /// others did.
  explicit Collection(const CandidateLimits& limits, bool keeps_longest = false)
      : limits_(limits), keeps_longest_(keeps_longest) {}

  /// `key` is equal for candidates at the same sites.
  void add(std::uint64_t key, Candidate candidate) {
    const EventIndex span = span_of(candidate);
    std::vector<std::size_t>& alike = by_key_[key];
    for (const std::size_t place : alike) {
      if (found_[place].goal == candidate.goal) return;
    }
    if (alike.size() < limits_.instances) {
      if (found_.size() == limits_.candidates) return;
      alike.push_back(found_.size());
      found_.push_back(std::move(candidate));
      return;
    }
    sort_by_span(alike);
    std::size_t replaced = alike.size() - 1;
    if (keeps_longest_) {
      if (span > span_of(found_[alike.back()])) {
        found_[alike.back()] = std::move(candidate);
        return;
      }
      if (replaced == 0) return;
      --replaced;
    }
    if (span < span_of(found_[alike[replaced]])) found_[alike[replaced]] = std::move(candidate);
  }

  /// Of candidates at the same sites the shortest comes first, then the longest if it is kept.
  std::vector<Candidate> take() {
    for (auto& [key, alike] : by_key_) {
      if (alike.size() < 2) continue;
      std::vector<std::size_t> places = alike;
      std::sort(places.begin(), places.end());
      sort_by_span(alike);
      if (keeps_longest_ && alike.size() > 2) {
        std::rotate(alike.begin() + 1, alike.end() - 1, alike.end());
      }
      std::vector<Candidate> sorted;
      for (const std::size_t place : alike) sorted.push_back(std::move(found_[place]));
      for (std::size_t i = 0; i < places.size(); ++i) found_[places[i]] = std::move(sorted[i]);
    }
    by_key_.clear();
    return std::move(found_);
  }

 private:
  void sort_by_span(std::vector<std::size_t>& places) const {
    std::sort(places.begin(), places.end(), [&](std::size_t one, std::size_t other) {
      return span_of(found_[one]) < span_of(found_[other]);
    });
  }

  static EventIndex span_of(const Candidate& candidate) {
    const auto [first, last] =
        std::minmax_element(candidate.events().begin(), candidate.events().end());
    return *last - *first;
  }

  const CandidateLimits& limits_;
  const bool keeps_longest_;
  std::vector<Candidate> found_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_key_;
};

std::uint64_t key_of(const History& history, std::uint64_t seed,
                     const std::vector<EventIndex>& events) {
  std::uint64_t key = hash_of(seed);
  for (const EventIndex event : events) key = hash_of(key, history.events[event].site);
  return key;
}

bool overlap(const KeptEvent& one, const KeptEvent& other) {
  return one.object == other.object && (one.bytes & other.bytes) != 0;
}

/// Whether events that are wanted in this order have to come otherwise.
bool must_differ(const History& history, const std::vector<EventIndex>& events, bool with_spins) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (std::size_t j = i + 1; j < events.size(); ++j) {
      if (events[i] == events[j]) return true;
      if (history.is_before(events[j], events[i], with_spins)) return true;
    }
  }
  return false;
}

class PatternSearch {
 public:
  PatternSearch(const History& history, const std::vector<Pattern>& patterns,
                const CandidateLimits& limits)
      : history_(history), patterns_(patterns), locksets_(history.locksets), found_(limits) {}

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
  /// One unit of a pattern, and where its accesses are in the pattern.
  struct Unit {
    const Fragments* fragments = nullptr;
    std::vector<std::size_t> places;      // in the pattern
    std::vector<std::uint8_t> variables;  // of the pattern, by number in the template
    std::uint8_t thread = 0;
  };

  const Fragments& fragments_of(const UnitTemplate& unit) {
    const auto [known, is_new] = fragments_.try_emplace(unit);
    if (is_new) known->second = std::make_unique<Fragments>(history_, known->first);
    return *known->second;
  }

  /// Each pair of conflicting accesses once, in whichever order they came.
  void find_races() {
    const Fragments& reads = fragments_of({.accesses = {{.is_write = false}}});
    const Fragments& writes = fragments_of({.accesses = {{.is_write = true}}});
    for (std::uint32_t variable = 0; variable < history_.objects.size(); ++variable) {
      const std::span<const Fragment> writers = limited(writes.of(variable));
      for (std::size_t i = 0; i < writers.size(); ++i) {
        for (std::size_t j = i + 1; j < writers.size(); ++j) race(writers[i], writers[j]);
        for (const Fragment& reader : limited(reads.of(variable))) race(writers[i], reader);
      }
    }
  }

  static std::span<const Fragment> limited(std::span<const Fragment> all) {
    return all.first(std::min(all.size(), kMostOfVariable));
  }

  void race(const Fragment& one, const Fragment& other) {
    if (one.thread == other.thread) return;
    const EventIndex first = std::min(one.events[0], other.events[0]);
    const EventIndex then = std::max(one.events[0], other.events[0]);
    const KeptEvent& earlier = history_.events[first];
    const KeptEvent& later = history_.events[then];
    if (earlier.is_atomic && later.is_atomic) return;
    if (!overlap(earlier, later) || locksets_.exclude(earlier.lockset, later.lockset)) return;
    if (history_.is_before(first, then)) return;
    const bool by_spin = history_.is_before(first, then, true);
    // The order that the run did not have is the one that may show something new.
    Candidate candidate{.kind = AnomalyKind::kRace,
                        .pattern = race_pattern(writes(later.role), writes(earlier.role)),
                        .goal = {Goal::Kind::kNeighbours, {then, first}},
                        .is_seen = then == first + 1,
                        .contradicts_spin = by_spin};
    const auto sites = std::minmax(earlier.site, later.site);
    found_.add(hash_of(0, sites.first, sites.second), std::move(candidate));
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
    std::fill(variables_.begin(), variables_.end(), kNoEvent);
    chosen_.clear();
    for (std::uint32_t variable = 0; variable < history_.objects.size(); ++variable) {
      for (const Fragment& fragment : limited(units_[0].fragments->of(variable))) {
        choose(0, fragment);
      }
    }
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
    for (std::size_t i = 0; fits && i < unit.places.size(); ++i) {
      const EventIndex event = fragment.events[i];
      const std::uint8_t variable = pattern_->events[unit.places[i]].variable;
      const std::uint32_t object = history_.events[event].object;
      if (variables_[variable] == kNoEvent) {
        // Other names are other variables.
        fits = std::find(variables_.begin(), variables_.end(), object) == variables_.end();
        variables_[variable] = object;
      } else {
        fits = variables_[variable] == object;
      }
      events_[unit.places[i]] = event;
    }
    if (fits) {
      chosen_.push_back(&fragment);
      go_on(number + 1);
      chosen_.pop_back();
    }
    variables_ = before;
  }

  void go_on(std::size_t number) {
    if (number == units_.size()) {
      take();
      return;
    }
    const Unit& unit = units_[number];
    const std::uint8_t variable = pattern_->events[unit.places[0]].variable;
    if (variables_[variable] != kNoEvent) {
      for (const Fragment& fragment : limited(unit.fragments->of(variables_[variable]))) {
        choose(number, fragment);
      }
      return;
    }
    for (const Fragment& fragment : limited(std::span(unit.fragments->all()))) {
      choose(number, fragment);
    }
  }

  void take() {
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
    const bool is_marked = are_units_marked();
    found_.add(
        key_of(history_, hash_of(number_ + 1, is_marked), events_),
        {.kind = pattern_->kind,
         .pattern = number_,
         .goal = {pattern_->is_adjacent ? Goal::Kind::kNeighbours : Goal::Kind::kOrder, events_},
         .is_seen = is_seen && !pattern_->is_adjacent,
         .contradicts_spin = by_spin,
         .is_marked = is_marked});
  }

  /// A single access is a unit by itself.
  [[nodiscard]] bool are_units_marked() const {
    bool has_any = false;
    for (const Unit& unit : units_) {
      if (unit.places.size() == 1) continue;
      has_any = true;
      if (!history_.are_marked(events_[unit.places.front()], events_[unit.places.back()])) {
        return false;
      }
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
  Locksets locksets_;
  Collection found_;
  std::map<UnitTemplate, std::unique_ptr<Fragments>> fragments_;
  // Of the pattern that is being looked for:
  const Pattern* pattern_ = nullptr;
  std::uint32_t number_ = 0;
  std::vector<Unit> units_;
  std::vector<const Fragment*> chosen_;
  std::vector<EventIndex> events_;
  std::array<std::uint32_t, Pattern::kMostVariables> variables_{};
};

}  // namespace

Locksets::Id held_throughout(const History& history, Locksets& locksets, EventIndex one,
                             EventIndex other) {
  Locksets::Id common = locksets.both(history.events[one].lockset, history.events[other].lockset);
  const Locksets::Set locks = locksets.at(common);
  for (const Locksets::Held& held : locks) {
    if (history.section_around(one, held.lock) != history.section_around(other, held.lock)) {
      common = locksets.without(common, held.lock);
    }
  }
  return common;
}

std::vector<Candidate> find_patterns(const History& history, const std::vector<Pattern>& patterns,
                                     const CandidateLimits& limits) {
  return PatternSearch(history, patterns, limits).find();
}

std::vector<Candidate> find_orders(const History& history, const CandidateLimits& limits) {
  Collection found(limits, /*keeps_longest=*/true);
  const auto add = [&](EventIndex one, EventIndex other) {
    if (history.events[one].thread == history.events[other].thread) return;
    const EventIndex first = std::min(one, other);
    const EventIndex then = std::max(one, other);
    if (history.is_before(first, then)) return;
    Candidate candidate{.kind = AnomalyKind::kOrder,
                        .goal = {Goal::Kind::kOrder, {then, first}},
                        .contradicts_spin = history.is_before(first, then, true)};
    found.add(key_of(history, 0, {then, first}), std::move(candidate));
  };
  // Near ones are the most likely to change places. What comes before the first of a site comes
  // before all of them.
  const auto add_all = [&](const std::vector<EventIndex>& events) {
    std::map<std::uint32_t, EventIndex> first_of_site;
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (std::size_t j = i - std::min(i, kMostBefore); j < i; ++j) add(events[j], events[i]);
      for (const auto& [site, first] : first_of_site) add(first, events[i]);
      if (first_of_site.size() < kMostBefore) {
        first_of_site.try_emplace(history.events[events[i]].site, events[i]);
      }
    }
  };
  std::vector<EventIndex> events;
  for (std::uint32_t object = 0; object < history.objects.size(); ++object) {
    events.clear();
    for (const std::uint32_t section : history.sections_of(object)) {
      events.push_back(history.sections[section].acquire);
    }
    add_all(events);
    events.clear();
    for (const EventIndex event : history.accesses_to(object)) {
      if (history.events[event].is_atomic) events.push_back(event);
    }
    add_all(events);
  }
  std::map<std::uint32_t, std::vector<EventIndex>> others;  // by object
  for (EventIndex i = 0; i < history.events.size(); ++i) {
    const KeptEvent& event = history.events[i];
    const bool counts = wire::traits(event.operation).counts == wire::Counts::kOperation;
    if (event.role == Role::kOther && counts && !wire::is_of_thread_life(event.operation)) {
      others[event.object].push_back(i);
    }
  }
  for (const auto& [object, all] : others) add_all(all);
  for (const OrderEdge& edge : history.usual) add(edge.from, edge.to);
  return found.take();
}

}  // namespace unravel
