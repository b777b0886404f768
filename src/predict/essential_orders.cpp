#include "predict/essential_orders.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace unravel {

namespace {

using wire::Operation;

// How far from a switch to look for conflicts, in events of other threads and of the thread itself.
// A conflict farther away is as likely due to another switch. Chosen by hand.
constexpr std::size_t kMostMeanwhile = 4000;
constexpr std::size_t kMostOwn = 200;

// At one switch, a thread waits for at most this many events of other threads. Chosen by hand.
constexpr std::size_t kMostAtSwitch = 2;

/// Whether the object of an operation is memory that other threads use, too; for some operations it
/// is a thread.
bool acts_on_object(const TraceEvent& event) {
  return wire::is_synchronisation(event.operation) && !wire::is_of_thread_life(event.operation) &&
         event.object != 0;
}

bool reads_only(const TraceEvent& event) { return wire::is_load(event.operation); }

bool conflict(const TraceEvent& one, const TraceEvent& other) {
  if (acts_on_object(one) && acts_on_object(other)) return one.object == other.object;
  if (!wire::is_access(one.operation) || !wire::is_access(other.operation)) return false;
  if (reads_only(one) && reads_only(other)) return false;
  const auto end = [](const TraceEvent& event) {
    return event.object + std::max<std::uint64_t>(event.size, 1);
  };
  return one.object < end(other) && other.object < end(one);
}

/// The time during which a thread was held up, between two of its events.
struct Gap {
  std::size_t begin = 0;              // the first event that other threads may have made in between
  std::size_t end = 0;                // its next event, or the end of the run
  const wire::Slice* left = nullptr;  // where it was left; null: it had not begun
  std::uint32_t thread = 0;
};

class Finder {
 public:
  Finder(const Trace& trace, std::span<const wire::Slice> slices) : trace_(trace), slices_(slices) {
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      const TraceEvent& event = trace.events[i];
      if (!wire::is_synchronisation(event.operation) && !wire::is_access(event.operation)) continue;
      own_[event.thread].push_back(i);
      if (site(event) != wire::Site{}) made_[{event.site, event.operation}].push_back(i);
    }
  }

  std::vector<EssentialOrder> find() {
    const std::vector<Gap> all = gaps();
    for (auto gap = all.rbegin(); gap != all.rend() && has_room(); ++gap) look_at(*gap);
    return std::move(orders_);
  }

 private:
  const TraceEvent& event(std::size_t index) const { return trace_.events[index]; }
  wire::Site site(const TraceEvent& event) const { return trace_.sites[event.site]; }
  bool has_room() const { return orders_.size() < kMostEssentialOrders; }

  bool is_usable(std::size_t index) const {
    const TraceEvent& one = event(index);
    return site(one) != wire::Site{} &&
           (wire::is_synchronisation(one.operation) || wire::is_access(one.operation));
  }

  /// Sorted by their ends.
  std::vector<Gap> gaps() const {
    std::map<std::pair<std::size_t, std::uint32_t>, Gap> found;  // one for each pair of events
    for (const wire::Slice& slice : slices_) {
      if (wire::forced(slice.end, slice.pending)) continue;
      const auto own = own_.find(slice.thread.ordinal);
      if (own == own_.end()) continue;
      const auto next =
          std::partition_point(own->second.begin(), own->second.end(), [&](std::size_t index) {
            // A thread that was left before a memory access has not made that access.
            const wire::Clock clock = event(index).clock;
            return clock < slice.until || (clock == slice.until && !wire::is_hook(slice.pending));
          });
      const Gap gap{.begin = next == own->second.begin() ? 0 : *std::prev(next) + 1,
                    .end = next == own->second.end() ? trace_.events.size() : *next,
                    .left = &slice,
                    .thread = slice.thread.ordinal};
      found[{gap.end, gap.thread}] = gap;
    }
    for (std::size_t i = 0; i < trace_.events.size(); ++i) {
      if (!wire::has_effect(event(i).operation, wire::Effect::kCreate)) continue;
      const auto thread = static_cast<std::uint32_t>(event(i).object);
      const auto own = own_.find(thread);
      if (own == own_.end() || own->second.front() < i) continue;
      const Gap gap{.begin = i + 1, .end = own->second.front(), .left = nullptr, .thread = thread};
      found.try_emplace({gap.end, gap.thread}, gap);
    }
    std::vector<Gap> all;
    for (const auto& [key, gap] : found) all.push_back(gap);
    return all;
  }

  void look_at(const Gap& gap) {
    std::vector<std::size_t> meanwhile;  // the latest one is last
    for (std::size_t i = gap.end; i-- > gap.begin && meanwhile.size() < kMostMeanwhile;) {
      if (event(i).thread != gap.thread && is_usable(i)) meanwhile.push_back(i);
    }
    std::reverse(meanwhile.begin(), meanwhile.end());
    if (meanwhile.empty()) return;
    wait_for_others(gap, meanwhile);
    let_others_wait(gap, meanwhile);
  }

  /// Events of other threads come before the first conflicting event of this thread.
  void wait_for_others(const Gap& gap, const std::vector<std::size_t>& meanwhile) {
    const std::vector<std::size_t>& own = own_.at(gap.thread);
    auto next = std::lower_bound(own.begin(), own.end(), gap.end);
    if (next == own.end()) {
      wait_for_end(gap, meanwhile);
      return;
    }
    for (std::size_t looked = 0; next != own.end() && looked < kMostOwn; ++next, ++looked) {
      if (!is_usable(*next)) continue;
      std::size_t added = 0;
      std::vector<std::uint32_t> sites;
      for (auto other = meanwhile.rbegin(); other != meanwhile.rend() && added < kMostAtSwitch;
           ++other) {
        const std::uint32_t at = event(*other).site;
        if (at == event(*next).site || !conflict(event(*other), event(*next))) continue;
        if (std::find(sites.begin(), sites.end(), at) != sites.end()) continue;
        sites.push_back(at);
        add(*other, event(*next).site, event(*next).operation);
        ++added;
      }
      if (added) return;
    }
  }

  /// The thread never continued: the run failed first.
  void wait_for_end(const Gap& gap, const std::vector<std::size_t>& meanwhile) {
    if (!gap.left || gap.left->site == wire::Site{} || gap.left->pending == Operation::kNone)
      return;
    const auto known = std::find(trace_.sites.begin(), trace_.sites.end(), gap.left->site);
    for (auto other = meanwhile.rbegin(); other != meanwhile.rend(); ++other) {
      if (site(event(*other)) == gap.left->site) continue;
      if (known != trace_.sites.end()) {
        add(*other, static_cast<std::uint32_t>(known - trace_.sites.begin()), gap.left->pending);
      } else {
        put({.first = ordered(*other),
             .then = {.site = gap.left->site, .operation = gap.left->pending, .occurrence = 1}});
      }
      return;
    }
  }

  /// The thread's last conflicting event before the gap comes before the event it conflicts with.
  void let_others_wait(const Gap& gap, const std::vector<std::size_t>& meanwhile) {
    const std::vector<std::size_t>& own = own_.at(gap.thread);
    auto before = std::lower_bound(own.begin(), own.end(), gap.begin);
    for (std::size_t looked = 0; before != own.begin() && looked < kMostOwn; ++looked) {
      --before;
      if (!is_usable(*before)) continue;
      for (const std::size_t other : meanwhile) {
        if (event(other).site == event(*before).site) continue;
        if (!conflict(event(*before), event(other))) continue;
        add(*before, event(other).site, event(other).operation);
        return;
      }
    }
  }

  std::uint64_t made_before(std::uint32_t site, Operation operation, std::size_t index) const {
    const auto made = made_.find({site, operation});
    if (made == made_.end()) return 0;
    const std::vector<std::size_t>& all = made->second;
    return static_cast<std::uint64_t>(std::lower_bound(all.begin(), all.end(), index) -
                                      all.begin());
  }

  OrderedEvent ordered(std::size_t index) const {
    const TraceEvent& one = event(index);
    return {.site = site(one),
            .operation = one.operation,
            .occurrence = 1 + made_before(one.site, one.operation, index)};
  }

  void add(std::size_t first, std::uint32_t then, Operation operation) {
    put({.first = ordered(first),
         .then = {.site = trace_.sites[then],
                  .operation = operation,
                  .occurrence = 1 + made_before(then, operation, first)}});
  }

  void put(const EssentialOrder& order) {
    const bool is_known = std::find(orders_.begin(), orders_.end(), order) != orders_.end();
    if (!is_known && has_room()) orders_.push_back(order);
  }

  const Trace& trace_;
  const std::span<const wire::Slice> slices_;
  std::map<std::uint32_t, std::vector<std::size_t>> own_;  // operations and accesses, by thread
  std::map<std::pair<std::uint32_t, Operation>, std::vector<std::size_t>> made_;  // by site
  std::vector<EssentialOrder> orders_;
};

}  // namespace

std::vector<EssentialOrder> essential_orders(const Trace& trace,
                                             std::span<const wire::Slice> slices) {
  return Finder(trace, slices).find();
}

}  // namespace unravel
