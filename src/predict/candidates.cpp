#include "predict/candidates.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/hash.hpp"
#include "predict/candidate_collection.hpp"

namespace unravel {

namespace {

// Operations on one object before each that may come after it. Chosen by hand.
constexpr std::size_t kMostBefore = 16;

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

bool must_differ(const History& history, const std::vector<EventIndex>& events, bool with_spins) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (std::size_t j = i + 1; j < events.size(); ++j) {
      if (events[i] == events[j]) return true;
      if (history.is_before(events[j], events[i], with_spins)) return true;
    }
  }
  return false;
}

std::vector<Candidate> find_orders(const History& history, const CandidateLimits& limits) {
  // Near ones are the most likely to change places. The farthest of each pair of sites is kept,
  // too: in it a thread comes before all that others did.
  CandidateCollection found(limits);
  std::unordered_map<std::uint64_t, std::pair<EventIndex, EventIndex>> farthest;
  const auto make = [&](EventIndex first, EventIndex then) {
    return Candidate{.kind = AnomalyKind::kOrder,
                     .goal = {Goal::Kind::kOrder, {then, first}},
                     .contradicts_spin = history.is_before(first, then, true)};
  };
  const auto add = [&](EventIndex one, EventIndex other) {
    const EventIndex first = std::min(one, other);
    const EventIndex then = std::max(one, other);
    const KeptEvent& earlier = history.events[first];
    const KeptEvent& later = history.events[then];
    if (earlier.thread == later.thread) return;
    const std::uint64_t key = hash_of(later.site, earlier.site);
    const auto [known, is_new] = farthest.try_emplace(key, first, then);
    const bool is_farther = is_new || then - first > known->second.second - known->second.first;
    if (!is_farther && !found.wants(key, then - first)) return;
    if (history.is_before(first, then)) {
      if (is_new) farthest.erase(known);
      return;
    }
    if (is_farther) known->second = {first, then};
    found.add(key, make(first, then));
  };
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
  }
  std::map<std::uint32_t, std::vector<EventIndex>> others;  // by object
  for (EventIndex i = 0; i < history.events.size(); ++i) {
    const KeptEvent& event = history.events[i];
    const bool is_other = event.role == Role::kOther &&
                          wire::traits(event.operation).counts == wire::Counts::kOperation &&
                          !wire::is_of_thread_life(event.operation);
    if (is_other || event.is_atomic) others[event.object].push_back(i);
  }
  for (const auto& [object, all] : others) add_all(all);
  for (const OrderEdge& edge : history.usual) add(edge.from, edge.to);
  std::vector<Candidate> candidates = found.take();
  std::set<std::pair<EventIndex, EventIndex>> kept;
  for (const Candidate& one : candidates) kept.emplace(one.events()[1], one.events()[0]);
  std::vector<std::pair<EventIndex, EventIndex>> more;
  for (const auto& [key, order] : farthest) {
    if (!kept.contains(order)) more.push_back(order);
  }
  std::sort(more.begin(), more.end());
  for (const auto& [first, then] : more) candidates.push_back(make(first, then));
  return candidates;
}

}  // namespace unravel
