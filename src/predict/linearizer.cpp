#include "predict/linearizer.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.hpp"

namespace unravel {

namespace {

// Steps of a search beyond those that it needs at least. Chosen by hand.
constexpr std::size_t kMostSteps = 20'000;

/// Puts the events of a closed part into an order that follows the rules.
class Linearizer {
 public:
  Linearizer(const History& history, const ReorderRules& rules, const ClosedPart& part,
             const std::vector<OrderEdge>& extra)
      : history_(history), rules_(rules), part_(part), extra_(extra) {}

  std::optional<std::vector<EventIndex>> find() {
    prepare();
    const EventIndex kept = kept_beginning();
    for (EventIndex event = 0; event < kept; ++event) make(event);
    std::vector<Choice> choices;
    std::size_t left = kMostSteps + part_.size();
    std::unordered_set<std::uint64_t> dead;
    bool goes_on = true;
    while (order_.size() < part_.size()) {
      if (goes_on) {
        choices.push_back({.state = state(), .undo = {}, .tried = kNoEvent});
        choices.back().is_dead = !dead.empty() && dead.contains(choices.back().state);
      }
      Choice& choice = choices.back();
      const EventIndex event = choice.is_dead ? kNoEvent : next_to_try(choice.tried);
      if (event == kNoEvent) {
        dead.insert(choice.state);
        choices.pop_back();
        if (choices.empty()) return std::nullopt;
        take_back(choices.back().undo);
        goes_on = false;
        continue;
      }
      if (left-- == 0) return std::nullopt;
      choice.tried = event;
      choice.undo = make(event);
      goes_on = true;
    }
    return std::move(order_);
  }

 private:
  struct LockState {
    std::uint32_t writers = 0;
    std::uint32_t readers = 0;
    std::uint32_t left = 0;   // sections that have not ended, of those that end
    std::uint32_t begun = 0;  // sections in the old order that have begun
  };
  struct Undo {
    EventIndex event = kNoEvent;
    EventIndex last_write = kNoEvent;
  };
  struct Choice {
    std::uint64_t state = 0;
    Undo undo;
    EventIndex tried = kNoEvent;  // the last event that was tried here
    bool is_dead = false;         // nothing leads on from its state
  };

  void prepare() {
    next_.resize(history_.threads());
    for (std::uint32_t thread = 0; thread < next_.size(); ++thread) {
      next_[thread] = history_.first_of(thread);
      if (next_[thread] >= part_.cut_of(thread)) next_[thread] = kNoEvent;
    }
    last_write_.assign(history_.objects.size(), kNoEvent);
    locks_.resize(history_.objects.size());
    for (const auto& [lock, sections] : part_.sections()) {
      std::vector<std::uint32_t>& sorted = sections_[lock];
      sorted = sections;
      std::sort(sorted.begin(), sorted.end());
      for (const std::uint32_t section : sections) locks_[lock].left += part_.is_closed(section);
    }
    if (!rules_.keeps_sources) return;
    readers_.assign(history_.events.size(), 0);
    readers_of_start_.assign(history_.objects.size(), 0);
    for (std::uint32_t thread = 0; thread < next_.size(); ++thread) {
      for (EventIndex event = next_[thread]; event < part_.cut_of(thread);
           event = history_.events[event].next) {
        const KeptEvent& kept = history_.events[event];
        if (reads(kept.role) && !part_.is_free(event)) ++readers_of(kept.object, kept.source);
      }
    }
  }

  std::uint32_t& readers_of(std::uint32_t object, EventIndex write) {
    return write == kNoEvent ? readers_of_start_[object] : readers_[write];
  }

  /// The end of the events that stay as they were: the run began with them, all of them belong to
  /// the part, and a search of so few steps would not come back to them.
  [[nodiscard]] EventIndex kept_beginning() const {
    auto end = static_cast<EventIndex>(history_.events.size());
    for (std::uint32_t thread = 0; thread < next_.size(); ++thread) {
      end = std::min(end, part_.first_after(thread));
    }
    for (const OrderEdge& edge : extra_) end = std::min(end, edge.to);
    return end - std::min<EventIndex>(end, kMostSteps);
  }

  /// The earliest next event of a thread that can come now, after the one that was tried before.
  EventIndex next_to_try(EventIndex tried) {
    while (true) {
      EventIndex earliest = kNoEvent;
      for (const EventIndex event : next_) {
        if (event < earliest && (tried == kNoEvent || event > tried)) earliest = event;
      }
      if (earliest == kNoEvent || can_come(earliest)) return earliest;
      tried = earliest;
    }
  }

  [[nodiscard]] bool is_done(EventIndex event) const {
    const EventIndex next = next_[history_.events[event].thread];
    return next == kNoEvent ? part_.has(event) : event < next;
  }

  bool can_come(EventIndex event) {
    const KeptEvent& kept = history_.events[event];
    if (kept.has_edges) {
      for (const OrderEdge& edge : History::edges_to(history_.must, event)) {
        if (!is_done(edge.from)) return false;
      }
      if (rules_.keeps_usual) {
        for (const OrderEdge& edge : History::edges_to(history_.usual, event)) {
          if (!is_done(edge.from)) return false;
        }
      }
    }
    for (const OrderEdge& edge : extra_) {
      if (edge.to == event && !is_done(edge.from)) return false;
    }
    if (is_acquire(kept.role)) return can_acquire(kept);
    if (!rules_.keeps_sources || !is_access(kept.role)) return true;
    return can_access(event, kept);
  }

  bool can_acquire(const KeptEvent& acquire) {
    const LockState& lock = locks_[acquire.object];
    if (lock.writers > 0) return false;
    if (acquire.role == Role::kAcquire && lock.readers > 0) return false;
    const std::vector<std::uint32_t>& sections = sections_[acquire.object];
    if (rules_.keeps_lock_order) {
      // Readers may begin in any order among themselves.
      for (std::size_t i = lock.begun; i < sections.size(); ++i) {
        if (sections[i] == acquire.source) return true;
        const Section& earlier = history_.sections[sections[i]];
        const bool has_begun = is_done(earlier.acquire);
        if (!has_begun && exclude(earlier, history_.sections[acquire.source])) return false;
      }
      return true;
    }
    // A section that does not end keeps all others out.
    if (part_.is_closed(acquire.source) || lock.left == 0) return true;
    return acquire.role == Role::kAcquireShared && !keeps_others_out(acquire.source, sections);
  }

  bool keeps_others_out(std::uint32_t section, const std::vector<std::uint32_t>& sections) {
    return std::any_of(sections.begin(), sections.end(), [&](std::uint32_t other) {
      if (other == section || !exclude(history_.sections[other], history_.sections[section])) {
        return false;
      }
      return !part_.is_closed(other) || !is_done(history_.sections[other].release);
    });
  }

  bool can_access(EventIndex event, const KeptEvent& kept) {
    const EventIndex current = last_write_[kept.object];
    if (reads(kept.role) && !part_.is_free(event) && current != kept.source &&
        !is_same_value(current, kept)) {
      return false;
    }
    if (!writes(kept.role)) return true;
    // Reads of the current value come first.
    const std::uint32_t waiting = readers_of(kept.object, current);
    const bool is_own = reads(kept.role) && !part_.is_free(event) && current == kept.source;
    return waiting == (is_own ? 1u : 0u) || rules_.by_value;
  }

  [[nodiscard]] bool is_same_value(EventIndex write, const KeptEvent& read) const {
    if (!rules_.by_value || !read.has_value || write == kNoEvent) return false;
    const KeptEvent& kept = history_.events[write];
    return kept.has_value && kept.value == read.value;
  }

  Undo make(EventIndex event) {
    const KeptEvent& kept = history_.events[event];
    Undo undo{.event = event};
    order_.push_back(event);
    const EventIndex following = kept.next;
    next_[kept.thread] = following < part_.cut_of(kept.thread) ? following : kNoEvent;
    progress_ ^= hash_of(event);
    if (is_acquire(kept.role)) {
      LockState& lock = locks_[kept.object];
      ++(kept.role == Role::kAcquire ? lock.writers : lock.readers);
      skip_begun(kept.object);
    } else if (kept.role == Role::kRelease && kept.source != kNoEvent) {
      LockState& lock = locks_[kept.object];
      --(history_.sections[kept.source].mode == LockMode::kWrite ? lock.writers : lock.readers);
      --lock.left;
    } else if (is_access(kept.role)) {
      undo.last_write = last_write_[kept.object];
      if (reads(kept.role) && rules_.keeps_sources && !part_.is_free(event)) {
        --readers_of(kept.object, kept.source);
      }
      if (writes(kept.role)) set_last_write(kept.object, event);
    }
    return undo;
  }

  void take_back(const Undo& undo) {
    const KeptEvent& kept = history_.events[undo.event];
    order_.pop_back();
    next_[kept.thread] = undo.event;
    progress_ ^= hash_of(undo.event);
    if (is_acquire(kept.role)) {
      LockState& lock = locks_[kept.object];
      --(kept.role == Role::kAcquire ? lock.writers : lock.readers);
      const std::vector<std::uint32_t>& sections = sections_[kept.object];
      const auto place = std::lower_bound(sections.begin(), sections.end(), kept.source);
      lock.begun = std::min(lock.begun, static_cast<std::uint32_t>(place - sections.begin()));
    } else if (kept.role == Role::kRelease && kept.source != kNoEvent) {
      LockState& lock = locks_[kept.object];
      ++(history_.sections[kept.source].mode == LockMode::kWrite ? lock.writers : lock.readers);
      ++lock.left;
    } else if (is_access(kept.role)) {
      if (writes(kept.role)) set_last_write(kept.object, undo.last_write);
      if (reads(kept.role) && rules_.keeps_sources && !part_.is_free(undo.event)) {
        ++readers_of(kept.object, kept.source);
      }
    }
  }

  void skip_begun(std::uint32_t lock) {
    const std::vector<std::uint32_t>& sections = sections_[lock];
    std::uint32_t& begun = locks_[lock].begun;
    while (begun < sections.size() && is_done(history_.sections[sections[begun]].acquire)) ++begun;
  }

  void set_last_write(std::uint32_t object, EventIndex write) {
    writes_ ^= hash_of(object, last_write_[object]) ^ hash_of(object, write);
    last_write_[object] = write;
  }

  [[nodiscard]] std::uint64_t state() const { return hash_of(progress_, writes_); }

  const History& history_;
  const ReorderRules& rules_;
  const ClosedPart& part_;
  const std::vector<OrderEdge>& extra_;
  std::vector<EventIndex> next_;  // by thread
  std::vector<EventIndex> order_;
  std::vector<EventIndex> last_write_;                                      // by object
  std::vector<LockState> locks_;                                            // by object
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> sections_;  // by lock, in order
  std::vector<std::uint32_t> readers_;           // of each write: reads that are still to come
  std::vector<std::uint32_t> readers_of_start_;  // the same of what was there before, by object
  std::uint64_t progress_ = 0;                   // hashes of the state
  std::uint64_t writes_ = 0;
};

}  // namespace

std::optional<std::vector<EventIndex>> linearize(const History& history, const ReorderRules& rules,
                                                 const ClosedPart& part,
                                                 const std::vector<OrderEdge>& extra) {
  return Linearizer(history, rules, part, extra).find();
}

}  // namespace unravel
