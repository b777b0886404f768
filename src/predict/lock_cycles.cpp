/// Lock-order cycles: Joshi, Park, Sen and Naik, "A Randomized Dynamic Program Analysis Technique
/// for Detecting Real Deadlocks", PLDI 2009 (iGoodLock), with modes of read-write locks, and with
/// joins.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.hpp"
#include "predict/candidates.hpp"

namespace unravel {

namespace {

// The most threads in a cycle. Chosen by hand: nobody has reported a longer one.
constexpr std::size_t kMostThreads = 8;
// Steps of the search, so that many locks do not make it endless. Chosen by hand.
constexpr std::size_t kMostSteps = 2'000'000;

/// An attempt does not wait.
bool waits(wire::Operation acquire) {
  switch (acquire) {
    case wire::Operation::kTryLock:
    case wire::Operation::kTryReadLock:
    case wire::Operation::kTryWriteLock:
    case wire::Operation::kSpinTryLock:
    case wire::Operation::kStreamTryLock: return false;
    default: return true;
  }
}

/// A thread that holds something waits for something else.
struct Wait {
  std::uint16_t thread = 0;
  LockMode held_mode = LockMode::kWrite;
  LockMode wanted_mode = LockMode::kWrite;
  std::uint32_t held = 0;  // a lock; or the end of a thread, above all locks
  std::uint32_t wanted = 0;
  EventIndex event = kNoEvent;
};

class CycleSearch {
 public:
  CycleSearch(const History& history, const CandidateLimits& limits)
      : history_(history), limits_(limits), locksets_(history.locksets) {}

  std::vector<Candidate> find() {
    collect();
    for (std::uint32_t i = 0; i < waits_.size() && steps_ < kMostSteps; ++i) {
      chain_ = {i};
      extend();
    }
    return std::move(found_);
  }

 private:
  /// A thread that has not ended: nobody else can take that.
  [[nodiscard]] std::uint32_t end_of(std::uint32_t thread) const {
    return static_cast<std::uint32_t>(history_.objects.size()) + thread;
  }

  void collect() {
    std::vector<bool> is_joined(history_.threads());
    for (EventIndex i = 0; i < history_.events.size(); ++i) {
      const KeptEvent& event = history_.events[i];
      if (!wire::has_effect(event.operation, wire::Effect::kJoin)) continue;
      const std::uint64_t target = history_.objects[event.object].address;
      if (target >= history_.threads()) continue;
      is_joined[target] = true;
      add_all(i, end_of(static_cast<std::uint32_t>(target)), LockMode::kWrite);
    }
    for (const Section& section : history_.sections) {
      if (!waits(history_.events[section.acquire].operation)) continue;
      add_all(section.acquire, section.lock, section.mode);
      // A thread that waits for a lock has not ended.
      if (is_joined[section.thread]) {
        add({.thread = section.thread,
             .wanted_mode = section.mode,
             .held = end_of(section.thread),
             .wanted = section.lock,
             .event = section.acquire});
      }
    }
  }

  void add_all(EventIndex event, std::uint32_t wanted, LockMode mode) {
    for (const Locksets::Held& held : history_.locksets.at(history_.events[event].lockset)) {
      add({.thread = history_.events[event].thread,
           .held_mode = held.mode,
           .wanted_mode = mode,
           .held = held.lock,
           .wanted = wanted,
           .event = event});
    }
  }

  void add(const Wait& wait) {
    const KeptEvent& event = history_.events[wait.event];
    const Section* const held = wait.held < history_.objects.size()
                                    ? history_.section_around(wait.event, wait.held)
                                    : nullptr;
    const std::uint64_t key =
        hash_of(wait.thread, wait.held, wait.wanted, event.site, event.lockset,
                held ? history_.events[held->acquire].site : 0);
    if (++alike_[key] > limits_.instances) return;
    by_held_[wait.held].push_back(static_cast<std::uint32_t>(waits_.size()));
    waits_.push_back(wait);
  }

  void extend() {
    const Wait& last = waits_[chain_.back()];
    const Wait& first = waits_[chain_.front()];
    const auto nexts = by_held_.find(last.wanted);
    if (nexts == by_held_.end()) return;
    for (const std::uint32_t number : nexts->second) {
      if (++steps_ > kMostSteps) return;
      const Wait& next = waits_[number];
      if (next.held_mode == LockMode::kRead && last.wanted_mode == LockMode::kRead) continue;
      // Each cycle is found once: from its thread with the lowest number.
      if (next.thread <= first.thread || !fits(next)) continue;
      chain_.push_back(number);
      const bool is_cycle = next.wanted == first.held && !(next.wanted_mode == LockMode::kRead &&
                                                           first.held_mode == LockMode::kRead);
      if (is_cycle) {
        report();
      } else if (chain_.size() < kMostThreads) {
        extend();
      }
      chain_.pop_back();
    }
  }

  /// Whether all threads of the chain can stand there at the same time.
  bool fits(const Wait& next) {
    return std::all_of(chain_.begin(), chain_.end(), [&](std::uint32_t number) {
      const Wait& other = waits_[number];
      if (other.thread == next.thread || other.held == next.held) return false;
      if (locksets_.exclude(history_.events[other.event].lockset,
                            history_.events[next.event].lockset)) {
        return false;
      }
      return !history_.is_before(other.event, next.event) &&
             !history_.is_before(next.event, other.event);
    });
  }

  void report() {
    std::vector<EventIndex> events;
    std::vector<std::uint32_t> sites;
    bool by_spin = false;
    for (const std::uint32_t number : chain_) {
      for (const EventIndex other : events) {
        by_spin |= history_.is_before(other, waits_[number].event, true) ||
                   history_.is_before(waits_[number].event, other, true);
      }
      events.push_back(waits_[number].event);
      sites.push_back(history_.events[waits_[number].event].site);
    }
    std::sort(sites.begin(), sites.end());
    std::uint64_t key = 0;
    for (const std::uint32_t site : sites) key = hash_of(key, site);
    if (++cycles_[key] > limits_.instances || found_.size() == limits_.candidates) return;
    found_.push_back({.kind = AnomalyKind::kDeadlock,
                      .goal = {Goal::Kind::kStand, std::move(events)},
                      .contradicts_spin = by_spin});
  }

  const History& history_;
  const CandidateLimits& limits_;
  Locksets locksets_;
  std::vector<Wait> waits_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_held_;
  std::unordered_map<std::uint64_t, std::uint32_t> alike_;
  std::unordered_map<std::uint64_t, std::uint32_t> cycles_;
  std::vector<std::uint32_t> chain_;  // indices into `waits_`
  std::vector<Candidate> found_;
  std::size_t steps_ = 0;
};

}  // namespace

std::vector<Candidate> find_lock_cycles(const History& history, const CandidateLimits& limits) {
  return CycleSearch(history, limits).find();
}

}  // namespace unravel
