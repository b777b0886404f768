#include "unit/predict/reference.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>

namespace unravel {
namespace {

using Set = std::vector<bool>;

class Definition {
 public:
  explicit Definition(const std::vector<TraceEvent>& trace) : trace_(trace) {}

  RacingSites races() {
    edges_.resize(trace_.size());
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      if (is(i, {Operation::kFree, Operation::kAllocate, Operation::kAllocated, Operation::kFresh,
                 Operation::kInit, Operation::kDestroy})) {
        endings_.push_back(i);
      }
      lets_in_.push_back(is(i, {Operation::kGiveUp}) || (unlocks(i) && depth_before(i) <= 1));
      comes_in_.push_back(locks(i) && depth_before(i) == 0);
    }
    for (std::size_t i = 0; i < trace_.size(); ++i) add_edges_into(i);
    close();
    RacingSites found;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (race(j, i)) {
          found.insert(std::minmax({trace_[j].site, trace_[i].site}));
        }
      }
    }
    return found;
  }

 private:
  using Place = std::size_t;

  bool done(Place i) const { return trace_[i].result == EventResult::kDone; }
  bool is(Place i, std::initializer_list<Operation> any) const {
    return std::find(any.begin(), any.end(), trace_[i].operation) != any.end();
  }

  // --- memory

  // The bytes that an event is about.
  std::pair<std::uint64_t, std::uint64_t> range(Place i) const {
    const TraceEvent& event = trace_[i];
    std::uint64_t size = event.size;
    if (event.operation == Operation::kFree) {
      size = 0;
      for (Place j = i; j-- > 0;) {
        if (trace_[j].object != event.object) continue;
        if (is(j, {Operation::kFree})) break;
        if (is(j, {Operation::kAllocate, Operation::kAllocated})) {
          size = trace_[j].size;
          break;
        }
      }
    }
    return {event.object, event.object + size};
  }

  bool ends_history(Place i, std::uint64_t address) const {
    if (!is(i, {Operation::kFree, Operation::kAllocate, Operation::kAllocated, Operation::kFresh}))
      return false;
    const auto [from, to] = range(i);
    return from <= address && address < to;
  }

  // Whether something at this address lived from j to i.
  bool same_life(Place j, Place i, std::uint64_t address) const {
    for (const Place k : endings_) {
      if (k <= j || k >= i) continue;
      if (ends_history(k, address)) return false;
      if (is(k, {Operation::kInit, Operation::kDestroy}) && trace_[k].object == address) {
        return false;
      }
    }
    return true;
  }

  bool reads_memory(Place i) const {
    return is(i, {Operation::kLoad, Operation::kAtomicLoad}) ||
           (is(i, {Operation::kAtomicUpdate}) && !done(i));
  }
  bool writes_memory(Place i) const {
    return is(i, {Operation::kStore, Operation::kAtomicStore, Operation::kFree}) ||
           (is(i, {Operation::kAtomicUpdate}) && done(i));
  }
  bool atomic(Place i) const {
    return is(i, {Operation::kAtomicLoad, Operation::kAtomicStore, Operation::kAtomicUpdate});
  }

  bool race(Place j, Place i) const {
    if (is(j, {Operation::kFree})) return false;
    if (trace_[j].thread == trace_[i].thread || before_[i][j]) return false;
    if (!writes_memory(i) && !writes_memory(j)) return false;
    if (!(writes_memory(i) || reads_memory(i)) || !(writes_memory(j) || reads_memory(j)))
      return false;
    if (atomic(i) && atomic(j)) return false;
    const auto [from_j, to_j] = range(j);
    const auto [from_i, to_i] = range(i);
    for (std::uint64_t at = std::max(from_i, from_j); at < std::min(to_i, to_j); ++at) {
      bool lives = true;
      for (const Place k : endings_) lives = lives && !(j < k && k < i && ends_history(k, at));
      if (lives) return true;
    }
    return false;
  }

  // --- threads

  std::optional<Place> previous_of(std::uint32_t thread, Place i) const {
    while (i-- > 0) {
      if (trace_[i].thread == thread) return i;
    }
    return std::nullopt;
  }
  std::optional<Place> next_of(std::uint32_t thread, Place i) const {
    while (++i < trace_.size()) {
      if (trace_[i].thread == thread) return i;
    }
    return std::nullopt;
  }

  // --- locks

  // The owner of a robust mutex has ended with it, and this thread holds it now.
  bool takes_from_dead(Place i) const {
    return is(i, {Operation::kLock, Operation::kTryLock}) && done(i) &&
           trace_[i].value == EOWNERDEAD;
  }
  bool locks(Place i) const {
    return done(i) &&
           is(i,
              {Operation::kLock, Operation::kTryLock, Operation::kSpinLock, Operation::kSpinTryLock,
               Operation::kStreamLock, Operation::kStreamTryLock, Operation::kReadLock,
               Operation::kTryReadLock, Operation::kWriteLock, Operation::kTryWriteLock});
  }
  bool unlocks(Place i) const {
    return done(i) && is(i, {Operation::kUnlock, Operation::kSpinUnlock, Operation::kStreamUnlock,
                             Operation::kReadWriteUnlock});
  }

  // How often the thread of event i holds its lock, before the event. A wait lets go of it
  // altogether; after it, locking once is as good as before. What was locked before the trace began
  // is not known to be held.
  int depth_before(Place i) const {
    int depth = 0;
    int before_wait = 0;
    for (Place k = 0; k < i; ++k) {
      if (trace_[k].thread != trace_[i].thread || trace_[k].object != trace_[i].object) continue;
      if (locks(k)) {
        depth = before_wait > 0 ? before_wait : depth + 1;
        before_wait = 0;
      } else if (unlocks(k) && depth > 0) {
        --depth;
      } else if (is(k, {Operation::kGiveUp})) {
        before_wait = depth;
        depth = 0;
      }
    }
    return depth;
  }

  // The mode of the critical section that ends at i: that of the lock it began with.
  bool ends_reading(Place i) const {
    for (Place k = i; k-- > 0;) {
      if (trace_[k].thread == trace_[i].thread && trace_[k].object == trace_[i].object &&
          comes_in_[k])
        return is(k, {Operation::kReadLock, Operation::kTryReadLock});
    }
    return false;
  }

  // What the thread that ends at i did to the lock last was to take it.
  bool died_holding(Place i, std::uint64_t object) const {
    for (Place k = i; k-- > 0;) {
      if (trace_[k].thread != trace_[i].thread || trace_[k].object != object) continue;
      if (locks(k)) return true;
      if (unlocks(k) || is(k, {Operation::kGiveUp})) return false;
    }
    return false;
  }

  void add_lock_edges(Place i) {
    if (!comes_in_[i]) return;
    const bool reading = is(i, {Operation::kReadLock, Operation::kTryReadLock});
    for (Place j = 0; j < i; ++j) {
      if (is(j, {Operation::kExit}) && takes_from_dead(i) && died_holding(j, trace_[i].object)) {
        edges_[i].push_back(j);
      }
      if (trace_[j].object != trace_[i].object || !lets_in_[j]) continue;
      if (!same_life(j, i, trace_[i].object) || (reading && ends_reading(j))) continue;
      edges_[i].push_back(j);
    }
  }

  // --- waits

  Place last_of(std::uint32_t thread, Place i, std::initializer_list<Operation> any) const {
    std::optional<Place> found = previous_of(thread, i);
    while (!is(*found, any)) found = previous_of(thread, *found);
    return *found;
  }
  Place wait_of(Place woke) const {
    return last_of(static_cast<std::uint32_t>(trace_[woke].value), woke,
                   {Operation::kWait, Operation::kBarrierWait, Operation::kFutexWait});
  }

  // Whoever was woken at j goes on with its next event.
  void add_wake_edges(Place j) {
    if (!is(j, {Operation::kWoke})) return;
    const auto goes_on = next_of(static_cast<std::uint32_t>(trace_[j].value), j);
    if (goes_on && is(wait_of(j), {Operation::kWait})) edges_[*goes_on].push_back(j);
  }

  // A round is complete when its last thread, which has woken all others, departs: its arrival,
  // its wakes and this are consecutive events of it.
  void add_barrier_edges(Place departs) {
    if (!is(departs, {Operation::kBarrierWait})) return;
    const std::uint32_t last = trace_[departs].thread;
    const Place arrives = last_of(last, departs, {Operation::kArrive});
    std::vector<Place> arrivals{arrives};
    std::vector<Place> departures{departs};
    for (Place k = arrives; k < departs; ++k) {
      if (trace_[k].thread != last || !is(k, {Operation::kWoke})) continue;
      const auto woken = static_cast<std::uint32_t>(trace_[k].value);
      arrivals.push_back(last_of(woken, wait_of(k), {Operation::kArrive}));
      if (const auto goes_on = next_of(woken, k)) departures.push_back(*goes_on);
    }
    if (arrivals.size() == 1) return;  // the begin of a wait
    for (const Place to : departures) {
      edges_[to].insert(edges_[to].end(), arrivals.begin(), arrivals.end());
    }
  }

  void add_semaphore_edges(Place i) {
    if (!done(i) || !is(i, {Operation::kSemWait, Operation::kSemTryWait})) return;
    // Which post put the unit that i takes? The life of the object is played from its begin.
    std::vector<std::optional<Place>> units;
    bool met = false;
    for (Place k = 0; k <= i; ++k) {
      if (ends_history(k, trace_[i].object) || (is(k, {Operation::kInit, Operation::kDestroy}) &&
                                                trace_[k].object == trace_[i].object)) {
        units.clear();
        met = false;
      }
      if (trace_[k].object != trace_[i].object || !done(k)) continue;
      const bool post = is(k, {Operation::kSemPost});
      const bool wait = is(k, {Operation::kSemWait, Operation::kSemTryWait});
      if (!post && !wait) continue;
      if (!met) units.assign(post ? trace_[k].value - 1 : trace_[k].value + 1, std::nullopt);
      met = true;
      if (post) {
        units.push_back(k);
        continue;
      }
      if (k == i && units.front()) edges_[i].push_back(*units.front());
      units.erase(units.begin());
    }
  }

  // --- what is given by the value of a location

  bool acquires(Place i) const {
    const MemoryOrder order = trace_[i].order;
    return order != MemoryOrder::kRelaxed && order != MemoryOrder::kRelease;
  }
  bool releases(Place i) const {
    const MemoryOrder order = trace_[i].order;
    return order != MemoryOrder::kRelaxed && order != MemoryOrder::kConsume &&
           order != MemoryOrder::kAcquire;
  }
  bool publishes(Place i) const {
    return is(i, {Operation::kPublish}) ||
           (is(i, {Operation::kOnce}) && done(i) && trace_[i].value == 1);
  }
  bool observes(Place i) const {
    return is(i, {Operation::kObserve}) ||
           (is(i, {Operation::kOnce}) && done(i) && trace_[i].value == 0);
  }

  // Every event that whoever reads the location at i synchronises with: the release sequence that
  // the value belongs to, back to a plain store; and whatever was published, which has no value.
  std::vector<Place> sources(Place i) const {
    std::vector<Place> found;
    bool stored = false;
    for (Place k = i; k-- > 0;) {
      if (ends_history(k, trace_[i].object)) break;
      if (trace_[k].object != trace_[i].object) continue;
      if (is(k, {Operation::kInit, Operation::kDestroy})) break;
      if (publishes(k)) found.push_back(k);
      if (stored) continue;
      const bool store = is(k, {Operation::kAtomicStore});
      if (!store && !(is(k, {Operation::kAtomicUpdate}) && done(k))) continue;
      if (releases(k)) {
        found.push_back(k);
      } else {
        // A release fence before it gives its value meaning.
        for (Place fence = k; fence-- > 0;) {
          if (trace_[fence].thread == trace_[k].thread && is(fence, {Operation::kFence}) &&
              releases(fence)) {
            found.push_back(fence);
            break;
          }
        }
      }
      stored = store;
    }
    return found;
  }

  void add_location_edges(Place i) {
    const bool reads = is(i, {Operation::kAtomicLoad, Operation::kAtomicUpdate});
    if (!reads && !observes(i)) return;
    std::optional<Place> to;
    if (observes(i) || acquires(i)) to = i;
    for (Place k = i + 1; !to && k < trace_.size(); ++k) {
      if (trace_[k].thread == trace_[i].thread && is(k, {Operation::kFence}) && acquires(k)) to = k;
    }
    if (!to) return;
    for (const Place from : sources(i)) edges_[*to].push_back(from);
  }

  // --- the relation

  // All later ones of the second kind come after all earlier ones of the first.
  void add_all(Place i, std::initializer_list<Operation> from, std::initializer_list<Operation> to,
               bool same_object) {
    if (!done(i) || !is(i, to)) return;
    for (Place j = 0; j < i; ++j) {
      if (!done(j) || !is(j, from)) continue;
      if (same_object && trace_[i].object != trace_[j].object) continue;
      edges_[i].push_back(j);
    }
  }

  void add_edges_into(Place i) {
    if (const auto previous = previous_of(trace_[i].thread, i)) edges_[i].push_back(*previous);
    for (Place j = 0; j < i; ++j) {
      if (is(j, {Operation::kCreate}) && done(j) && trace_[j].object == trace_[i].thread)
        edges_[i].push_back(j);
      if (is(i, {Operation::kJoin, Operation::kTryJoin}) && done(i) &&
          trace_[j].thread == trace_[i].object)
        edges_[i].push_back(j);
    }
    add_lock_edges(i);
    add_wake_edges(i);
    add_barrier_edges(i);
    add_semaphore_edges(i);
    add_location_edges(i);
    add_all(i, {Operation::kWrite, Operation::kConnect},
            {Operation::kRead, Operation::kAccept, Operation::kPoll}, false);
    add_all(i, {Operation::kSendSignal}, {Operation::kSignalWait, Operation::kHandle}, true);
  }

  // Edges lead forward, so that one pass over the trace closes the relation.
  void close() {
    before_.assign(trace_.size(), Set(trace_.size()));
    for (Place i = 0; i < trace_.size(); ++i) {
      for (const Place j : edges_[i]) {
        before_[i][j] = true;
        for (Place k = 0; k < j; ++k) before_[i][k] = before_[i][k] || before_[j][k];
      }
    }
  }

  const std::vector<TraceEvent>& trace_;
  std::vector<std::vector<Place>> edges_;  // into each event, from earlier ones
  std::vector<Place> endings_;             // events after which something has no past
  Set lets_in_;                            // events that let others into a lock, and
  Set comes_in_;                           // those that come into one
  std::vector<Set> before_;                // what happened before each event
};

}  // namespace

RacingSites races_by_definition(const std::vector<TraceEvent>& trace) {
  return Definition(trace).races();
}

}  // namespace unravel
