#include "predict/candidates.hpp"

#include <algorithm>
#include <map>

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

std::vector<Candidate> find_orders(const History& history, const CandidateLimits& limits) {
  CandidateCollection found(limits);
  const auto add = [&](EventIndex one, EventIndex other) {
    const EventIndex first = std::min(one, other);
    const EventIndex then = std::max(one, other);
    const KeptEvent& earlier = history.events[first];
    const KeptEvent& later = history.events[then];
    if (earlier.thread == later.thread) return;
    const std::uint64_t key = hash_of(later.site, earlier.site);
    if (!found.wants(key, then - first) || history.is_before(first, then)) return;
    Candidate candidate{.kind = AnomalyKind::kOrder,
                        .goal = {Goal::Kind::kOrder, {then, first}},
                        .contradicts_spin = history.is_before(first, then, true)};
    found.add(key, std::move(candidate));
  };
  // Near ones are the most likely to change places.
  const auto add_all = [&](const std::vector<EventIndex>& events) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (std::size_t j = i - std::min(i, kMostBefore); j < i; ++j) add(events[j], events[i]);
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
  return found.take();
}

}  // namespace unravel
