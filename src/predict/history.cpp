#include "predict/history.hpp"

#include <algorithm>

namespace unravel {

namespace {

bool ends_before(const OrderEdge& edge, EventIndex event) { return edge.to < event; }

}  // namespace

std::span<const OrderEdge> History::edges_to(const std::vector<OrderEdge>& edges,
                                             EventIndex event) {
  const auto begin = std::lower_bound(edges.begin(), edges.end(), event, ends_before);
  auto end = begin;
  while (end != edges.end() && end->to == event) ++end;
  return {begin, end};
}

void History::finish(std::vector<Region> regions) {
  const auto by_end = [](const OrderEdge& one, const OrderEdge& other) {
    return one.to != other.to ? one.to < other.to : one.from < other.from;
  };
  for (std::vector<OrderEdge>* const edges : {&must, &usual, &spins}) {
    std::sort(edges->begin(), edges->end(), by_end);
    edges->erase(std::unique(edges->begin(), edges->end()), edges->end());
  }
  for (const std::vector<OrderEdge>* const edges : {&must, &usual}) {
    for (const OrderEdge& edge : *edges) events[edge.to].has_edges = true;
  }
  regions_ = std::move(regions);
  link_events();
  for (std::uint32_t i = 0; i < regions_.size(); ++i) {
    const auto kind = static_cast<std::size_t>(regions_[i].kind);
    threads_[regions_[i].thread].regions[kind].push_back(i);
    has_regions_[kind] = true;
  }
  index_sections();
  index_accesses();
  work_out(must_order_, false);
  if (!spins.empty()) work_out(spin_order_, true);
}

/// Links the events of each thread, and counts the accesses to each object.
void History::link_events() {
  std::vector<EventIndex> last;
  access_starts_.assign(objects.size() + 1, 0);
  for (EventIndex i = 0; i < events.size(); ++i) {
    const std::uint16_t thread = events[i].thread;
    if (unravel::is_access(events[i].role)) ++access_starts_[events[i].object + 1];
    if (thread >= threads_.size()) {
      threads_.resize(thread + 1u);
      last.resize(thread + 1u, kNoEvent);
    }
    if (last[thread] == kNoEvent) {
      threads_[thread].first = i;
    } else {
      events[last[thread]].next = i;
    }
    last[thread] = i;
  }
}

void History::index_sections() {
  section_starts_.assign(objects.size() + 1, 0);
  for (const Section& section : sections) ++section_starts_[section.lock + 1];
  for (std::size_t i = 1; i < section_starts_.size(); ++i) {
    section_starts_[i] += section_starts_[i - 1];
  }
  sections_of_locks_.resize(sections.size());
  std::vector<std::uint32_t> next(section_starts_.begin(), section_starts_.end() - 1);
  // They are numbered in the order of their acquires.
  for (std::uint32_t i = 0; i < sections.size(); ++i) {
    sections_of_locks_[next[sections[i].lock]++] = i;
    threads_[sections[i].thread].sections.push_back(i);
  }
}

void History::index_accesses() {
  for (std::size_t i = 1; i < access_starts_.size(); ++i)
    access_starts_[i] += access_starts_[i - 1];
  accesses_.resize(access_starts_.back());
  std::vector<std::uint32_t> next(access_starts_.begin(), access_starts_.end() - 1);
  for (EventIndex i = 0; i < events.size(); ++i) {
    if (unravel::is_access(events[i].role)) accesses_[next[events[i].object]++] = i;
  }
}

std::span<const EventIndex> History::accesses_to(std::uint32_t object) const {
  return std::span(accesses_).subspan(access_starts_[object],
                                      access_starts_[object + 1] - access_starts_[object]);
}

std::span<const std::uint32_t> History::sections_of(std::uint32_t lock) const {
  return std::span(sections_of_locks_)
      .subspan(section_starts_[lock], section_starts_[lock + 1] - section_starts_[lock]);
}

std::span<const EventIndex> History::clock_at(const Order& order, std::uint32_t thread,
                                              EventIndex event) {
  const std::vector<Segment>& segments = order.segments[thread];
  const auto after =
      std::upper_bound(segments.begin(), segments.end(), event,
                       [](EventIndex wanted, const Segment& one) { return wanted < one.first; });
  if (after == segments.begin()) return {};
  const Segment& segment = *std::prev(after);
  return std::span(order.clocks).subspan(segment.clock, segment.length);
}

void History::work_out(Order& order, bool with_spins) const {
  order.segments.resize(threads_.size());
  std::vector<OrderEdge> edges = must;
  if (with_spins) {
    edges.insert(edges.end(), spins.begin(), spins.end());
    std::sort(edges.begin(), edges.end(),
              [](const OrderEdge& one, const OrderEdge& other) { return one.to < other.to; });
  }
  std::vector<EventIndex> clock;
  for (std::size_t i = 0; i < edges.size();) {
    const EventIndex event = edges[i].to;
    const std::uint16_t thread = events[event].thread;
    const std::span<const EventIndex> before = clock_at(order, thread, event);
    clock.assign(before.begin(), before.end());
    for (; i < edges.size() && edges[i].to == event; ++i) {
      const EventIndex from = edges[i].from;
      const std::uint16_t other = events[from].thread;
      const std::span<const EventIndex> known = clock_at(order, other, from);
      if (clock.size() < known.size()) clock.resize(known.size());
      for (std::size_t j = 0; j < known.size(); ++j) clock[j] = std::max(clock[j], known[j]);
      if (clock.size() <= other) clock.resize(other + 1u);
      clock[other] = std::max(clock[other], from + 1);
    }
    order.segments[thread].push_back({.first = event,
                                      .clock = static_cast<std::uint32_t>(order.clocks.size()),
                                      .length = static_cast<std::uint32_t>(clock.size())});
    order.clocks.insert(order.clocks.end(), clock.begin(), clock.end());
  }
}

bool History::is_before(EventIndex one, EventIndex other, bool with_spins) const {
  const std::uint16_t thread = events[one].thread;
  if (thread == events[other].thread) return one < other;
  const Order& order = with_spins && !spin_order_.segments.empty() ? spin_order_ : must_order_;
  const std::span<const EventIndex> known = clock_at(order, events[other].thread, other);
  return thread < known.size() && known[thread] > one;
}

const Section* History::section_around(EventIndex event, std::uint32_t lock) const {
  // Threads take few locks at a time, so the section is near the last acquire before the event.
  const std::vector<std::uint32_t>& own = threads_[events[event].thread].sections;
  auto at = std::upper_bound(
      own.begin(), own.end(), event,
      [&](EventIndex wanted, std::uint32_t one) { return wanted < sections[one].acquire; });
  while (at != own.begin()) {
    const Section& section = sections[*--at];
    if (section.lock != lock) continue;
    return section.release == kNoEvent || event <= section.release ? &section : nullptr;
  }
  return nullptr;
}

std::vector<std::uint32_t> History::sections_around(EventIndex event) const {
  std::vector<std::uint32_t> around;
  const std::vector<std::uint32_t>& own = threads_[events[event].thread].sections;
  const std::size_t held = locksets.size_of(events[event].lockset);
  const bool is_edge = events[event].role == Role::kRelease || is_acquire(events[event].role);
  auto at = std::upper_bound(
      own.begin(), own.end(), event,
      [&](EventIndex wanted, std::uint32_t one) { return wanted < sections[one].acquire; });
  // The lockset of an acquire or a release is without its own lock.
  while (at != own.begin() && around.size() < held + is_edge) {
    const Section& section = sections[*--at];
    if (section.release == kNoEvent || event <= section.release) around.push_back(*at);
  }
  std::reverse(around.begin(), around.end());
  return around;
}

std::optional<std::uint32_t> History::region_of(EventIndex event, RegionKind kind) const {
  const std::vector<std::uint32_t>& own =
      threads_[events[event].thread].regions[static_cast<std::size_t>(kind)];
  const auto after = std::upper_bound(
      own.begin(), own.end(), event,
      [&](EventIndex wanted, std::uint32_t one) { return wanted < regions_[one].first; });
  if (after == own.begin()) return std::nullopt;
  const std::uint32_t number = *std::prev(after);
  if (regions_[number].last < event) return std::nullopt;
  return number;
}

bool History::are_marked(EventIndex first, EventIndex last) const {
  const auto number = region_of(first, RegionKind::kMarked);
  return number && regions_[*number].last >= last;
}

std::size_t History::bytes() const {
  return events.size() * sizeof(KeptEvent) + accesses_.capacity() * sizeof(EventIndex) +
         sections.capacity() * (sizeof(Section) + 2 * sizeof(std::uint32_t)) +
         must_order_.clocks.capacity() * sizeof(EventIndex) +
         (must.capacity() + usual.capacity()) * sizeof(OrderEdge);
}

}  // namespace unravel
