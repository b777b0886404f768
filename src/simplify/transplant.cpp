#include "simplify/transplant.hpp"

#include <algorithm>
#include <map>

#include "data/trace.hpp"

namespace unravel {

namespace {

// With fewer switches, other edits are as fast. These constants are chosen by hand; bench/README.md
// (simplify) measures the result of all of them together.
constexpr std::size_t kFewest = 5;
// At most this many places, and this many arrivals at each.
constexpr std::size_t kMostPlaces = 8;
constexpr std::size_t kMostArrivals = 6;
// One more try for this many switches that may be removed.
constexpr std::size_t kSwitchesPerTry = 14;
// To add a second preemption, takes one run with a single preemption for each kSwitchesPerBase
// switches that may be removed, at most kMostBases, and tries kMostSecondPositions positions in
// each.
constexpr std::size_t kSwitchesPerBase = 32;
constexpr std::size_t kMostBases = 3;
constexpr std::size_t kMostSecondPositions = 5;

/// Where a thread was preempted: before or after an act of this kind.
struct Spot {
  wire::Site site;
  wire::Operation operation = wire::Operation::kNone;
  bool after = false;

  friend bool operator==(const Spot&, const Spot&) = default;
};

struct Left {
  Spot spot;
  std::size_t slice = 0;
  wire::ThreadId thread;
  wire::ThreadId to;
};

/// Where a slice ended; nothing if that is not known.
std::optional<Spot> spot_of(const wire::Slice& slice, const std::vector<Act>& acts) {
  if (slice.pending != wire::Operation::kNone) return Spot{slice.site, slice.pending, false};
  for (const Act& act : acts) {
    if (act.thread != slice.thread || act.after != slice.until) continue;
    return Spot{act.site, act.operation, true};
  }
  return std::nullopt;
}

bool waits_for_lock(const wire::Slice& slice) {
  return slice.end == wire::End::kBlocked && wire::acquires(slice.pending);
}

/// The places of preemptions, each once. Those whose thread never continued come first: it was
/// still there when the run failed, running or waiting for a lock. The others follow, the last one
/// first.
std::vector<Left> last_preemptions(const Slices& slices, const std::vector<Act>& acts) {
  std::vector<Left> found;
  const auto add = [&](std::size_t i) {
    const auto spot = spot_of(slices[i], acts);
    const bool known = spot && std::any_of(found.begin(), found.end(),
                                           [&](const Left& one) { return one.spot == *spot; });
    if (spot && !known) found.push_back({*spot, i, slices[i].thread, slices[i + 1].thread});
  };
  for (const bool stood : {true, false}) {
    for (std::size_t i = slices.size(); i-- > 0 && found.size() < kMostPlaces;) {
      if (i + 1 == slices.size() || next_of_thread(slices, i).has_value() == stood) continue;
      if (is_preempted(slices[i]) || (stood && waits_for_lock(slices[i]))) add(i);
    }
  }
  return found;
}

struct Arrival {
  wire::ThreadId thread;
  wire::Clock clock;
  std::size_t act = 0;
};

/// Where the failing thread does its last act before the failure. In a run that passes, a
/// preemption must come before it.
std::size_t last_chance(const Act& last, const std::vector<Act>& acts) {
  for (std::size_t i = acts.size(); i-- > 0;) {
    if (acts[i].thread == last.thread && acts[i].site == last.site &&
        acts[i].operation == last.operation) {
      return i;
    }
  }
  return acts.size();
}

/// The arrivals of threads at a spot, in the order in which to try them. Those before the last
/// chance come first. Among them the later ones come first, since the cause is near the end, and
/// threads that arrive most often, since they do the work of others.
std::vector<Arrival> arrivals_at(const Spot& spot, const std::vector<Act>& acts,
                                 std::size_t chance) {
  std::map<std::uint32_t, std::vector<Arrival>> by_thread;
  for (std::size_t i = 0; i < acts.size(); ++i) {
    const Act& act = acts[i];
    if (act.site != spot.site || act.operation != spot.operation) continue;
    if (spot.after && !act.after) continue;
    by_thread[act.thread.ordinal].push_back({act.thread, spot.after ? *act.after : act.before, i});
  }
  std::size_t most = 0;
  for (const auto& [thread, arrivals] : by_thread) most = std::max(most, arrivals.size());

  struct Ranked {
    Arrival arrival;
    bool late = false;
    std::size_t rank = 0;
  };
  std::vector<Ranked> all;
  for (const auto& [thread, arrivals] : by_thread) {
    std::size_t from_end[2] = {0, 0};
    for (auto arrival = arrivals.rbegin(); arrival != arrivals.rend(); ++arrival) {
      const bool late = arrival->act > chance;
      const std::size_t place = ++from_end[late ? 1 : 0];
      all.push_back({*arrival, late, arrivals.size() == most ? place : 2 * place});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Ranked& one, const Ranked& other) {
    return std::pair(one.late, one.rank) < std::pair(other.late, other.rank);
  });
  std::vector<Arrival> chosen;
  for (const Ranked& one : all) {
    if (chosen.size() < kMostArrivals) chosen.push_back(one.arrival);
  }
  return chosen;
}

/// Follows the plain run up to an arrival; there `to` runs until it cannot continue. If `to` had
/// already ended, it does not run before: other threads do its work until they cannot continue.
Slices leave_at(const Slices& plain, const Arrival& arrival, wire::ThreadId to) {
  Slices slices;
  bool ended = false;
  for (const wire::Slice& slice : plain) {
    slices.push_back(slice);
    if (slice.thread == to) ended = slice.end == wire::End::kEnded;
    if (slice.thread != arrival.thread || slice.until < arrival.clock) continue;
    slices.back().until = arrival.clock;
    slices.back().end = wire::End::kPreempted;
    break;
  }
  if (ended) {
    std::vector<bool> dropped(slices.size());
    for (std::size_t i = 0; i < slices.size(); ++i) {
      dropped[i] = slices[i].thread == to;
      if (!is_preempted(slices[i])) slices[i].until = kForEver;
    }
    slices = without(slices, dropped);
  }
  slices.push_back({.thread = to, .until = kForEver, .site = {}});
  return slices;
}

class Transplanting {
 public:
  Transplanting(Attempts& attempts, const std::vector<Act>& failing, std::size_t least_tries)
      : attempts_(attempts),
        lefts_(last_preemptions(attempts.slices(), failing)),
        fails_(attempts.best().schedule.slices.back().thread),
        last_(last_act_of(fails_, failing)),
        most_(least_tries + attempts.cost().switches / kSwitchesPerTry),
        bases_(std::min(kMostBases, attempts.cost().switches / kSwitchesPerBase)) {}

  /// Tries one preemption in the plain run; if that is not enough, adds a later one.
  void run(const Observed& plain) {
    const std::vector<Try> one = tries(plain, std::nullopt, most_);
    if (any_is_better(one)) return;
    std::size_t looked = 0;
    for (const Try& first : one) {
      if (looked == bases_) return;
      const bool is_last = std::none_of(lefts_.begin(), lefts_.end(),
                                        [&](const Left& left) { return left.slice > first.slice; });
      if (is_last) continue;
      ++looked;
      const auto left_once = attempts_.observe(first.slices);
      if (!left_once || any_is_better(tries(*left_once, first.slice, kMostSecondPositions))) return;
    }
  }

 private:
  struct Try {
    Slices slices;
    std::size_t slice = 0;  // slice of the failing run that the preemption ends
  };

  /// Preemptions to try, each at an arrival at its spot. With `after`, only preemptions after that
  /// slice.
  std::vector<Try> tries(const Observed& base, std::optional<std::size_t> after,
                         std::size_t most) const {
    const std::size_t chance = last_chance(last_, base.acts);
    std::vector<std::vector<Arrival>> arrivals;
    for (const Left& left : lefts_) {
      const bool asked = !after || left.slice > *after;
      arrivals.push_back(asked ? arrivals_at(left.spot, base.acts, chance)
                               : std::vector<Arrival>());
    }
    std::vector<Try> found;
    for (std::size_t round = 0; round < kMostArrivals; ++round) {
      for (std::size_t i = 0; i < lefts_.size() && found.size() < most; ++i) {
        if (round >= arrivals[i].size()) continue;
        const Arrival& arrival = arrivals[i][round];
        for (const wire::ThreadId to : receivers(lefts_[i], arrival.thread)) {
          found.push_back(
              {leave_at(base.attempt.run.schedule.slices, arrival, to), lefts_[i].slice});
        }
      }
    }
    return found;
  }

  static Act last_act_of(wire::ThreadId thread, const std::vector<Act>& acts) {
    const auto last = std::find_if(acts.rbegin(), acts.rend(),
                                   [&](const Act& act) { return act.thread == thread; });
    return last == acts.rend() ? Act{} : *last;
  }

  /// The thread that continued in the failing run, or the thread that fails, unless it is the
  /// preempted one.
  std::vector<wire::ThreadId> receivers(const Left& left, wire::ThreadId thread) const {
    std::vector<wire::ThreadId> found;
    const auto add = [&](wire::ThreadId to) {
      if (to != thread && std::find(found.begin(), found.end(), to) == found.end()) {
        found.push_back(to);
      }
    };
    if (left.thread != fails_) add(fails_);
    add(left.to);
    if (found.empty()) add(left.thread);
    return found;
  }

  bool any_is_better(const std::vector<Try>& tries) {
    std::vector<Edit> edits;
    for (const Try& one : tries) {
      edits.push_back({.kind = Edit::Kind::kConsolidateUp, .slices = one.slices});
    }
    return attempts_.first_better(edits).has_value();
  }

  Attempts& attempts_;
  const std::vector<Left> lefts_;
  const wire::ThreadId fails_;
  const Act last_;
  const std::size_t most_;
  const std::size_t bases_;
};

}  // namespace

bool transplant_preemption(Attempts& attempts, std::size_t least_tries) {
  const Cost before = attempts.cost();
  if (attempts.slices().size() < kFewest) return false;
  const Observed* plain = attempts.observe_plain();
  if (!plain || plain->acts.empty()) return false;
  if (plain->attempt.shown == Shown::kFails) {
    attempts.is_better({.kind = Edit::Kind::kConsolidateUp, .slices = {}});
  } else if (const auto failing = attempts.observe_best(); failing && !failing->acts.empty()) {
    Transplanting(attempts, failing->acts, least_tries).run(*plain);
  }
  return attempts.cost() < before;
}

}  // namespace unravel
