#include "simplify/transplant.hpp"

#include <algorithm>
#include <map>

namespace unravel {

namespace {

// With fewer switches everything else is as quick.
constexpr std::size_t kFewest = 8;
// So many places are looked at, the last in the run first, and so many ways to come to each.
constexpr std::size_t kMostPlaces = 6;
constexpr std::size_t kMostArrivals = 6;
// So many tries are worth it, and one more for so many switches that may go.
constexpr std::size_t kLeastTries = 6;
constexpr std::size_t kSwitchesPerTry = 16;
// Runs with one preemption are looked at for where to put a second: one for so many switches that
// may go, but not more than this, with so many tries each.
constexpr std::size_t kSwitchesPerBase = 32;
constexpr std::size_t kMostBases = 3;
constexpr std::size_t kMostSeconds = 5;

/// Where a thread was left: before an act of this kind, or after it.
struct Spot {
  wire::Site site;
  wire::Operation operation = wire::Operation::kNone;
  bool after = false;

  friend bool operator==(const Spot&, const Spot&) = default;
};

struct Left {
  Spot spot;
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

/// The last preemptions of a run at different spots, the last first.
std::vector<Left> last_preemptions(const Slices& slices, const std::vector<Act>& acts) {
  std::vector<Left> found;
  for (std::size_t i = slices.size(); i-- > 0 && found.size() < kMostPlaces;) {
    if (i + 1 == slices.size() || !is_preempted(slices[i])) continue;
    const auto spot = spot_of(slices[i], acts);
    const bool known = spot && std::any_of(found.begin(), found.end(),
                                           [&](const Left& one) { return one.spot == *spot; });
    if (spot && !known) found.push_back({*spot, slices[i].thread, slices[i + 1].thread});
  }
  return found;
}

struct Arrival {
  wire::ThreadId thread;
  wire::Clock clock;
};

/// When threads come to a spot, in the order in which to try them. Those who come there most often
/// go first, since they do what the others leave to them; and their last arrivals, since what
/// decides is near the end.
std::vector<Arrival> arrivals_at(const Spot& spot, const std::vector<Act>& acts) {
  std::map<std::uint32_t, std::vector<Arrival>> by_thread;
  for (const Act& act : acts) {
    if (act.site != spot.site || act.operation != spot.operation) continue;
    if (spot.after && !act.after) continue;
    by_thread[act.thread.ordinal].push_back({act.thread, spot.after ? *act.after : act.before});
  }
  std::vector<const std::vector<Arrival>*> all;
  for (const auto& [thread, arrivals] : by_thread) all.push_back(&arrivals);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto* one, const auto* other) { return one->size() > other->size(); });
  std::vector<Arrival> chosen;
  for (std::size_t from_end = 1; chosen.size() < kMostArrivals; ++from_end) {
    const std::size_t before = chosen.size();
    for (const auto* arrivals : all) {
      if (from_end <= arrivals->size() && chosen.size() < kMostArrivals) {
        chosen.push_back((*arrivals)[arrivals->size() - from_end]);
      }
    }
    if (chosen.size() == before) break;
  }
  return chosen;
}

/// The plain run up to an arrival, where another thread goes on until it cannot.
Slices leave_at(const Slices& plain, const Arrival& arrival, wire::ThreadId to) {
  Slices slices;
  for (const wire::Slice& slice : plain) {
    slices.push_back(slice);
    if (slice.thread != arrival.thread || slice.until < arrival.clock) continue;
    slices.back().until = arrival.clock;
    slices.back().end = wire::End::kPreempted;
    slices.push_back({.thread = to, .until = {~std::uint64_t{0}, 0}, .site = {}});
    break;
  }
  return slices;
}

class Transplanting {
 public:
  Transplanting(Attempts& attempts, const std::vector<Act>& failing)
      : attempts_(attempts),
        lefts_(last_preemptions(attempts.slices(), failing)),
        fails_(attempts.best().schedule.slices.back().thread),
        most_(kLeastTries + attempts.cost().switches / kSwitchesPerTry),
        bases_(std::min(kMostBases, attempts.cost().switches / kSwitchesPerBase)) {}

  /// One preemption in the plain run; if that is not enough, the one that came after it too.
  void run(const Observed& plain) {
    const std::vector<Try> one = tries(plain, lefts_.size(), most_);
    if (any_is_better(one)) return;
    std::size_t looked = 0;
    for (const Try& first : one) {
      if (first.left == 0 || looked == bases_) continue;
      ++looked;
      const auto left_once = attempts_.observe(first.slices);
      if (!left_once || any_is_better(tries(*left_once, first.left, kMostSeconds))) return;
    }
  }

 private:
  struct Try {
    Slices slices;
    std::size_t left = 0;  // which of the preemptions it is, 0: the last
  };

  /// The last so many preemptions, each where some thread comes to its spot.
  std::vector<Try> tries(const Observed& base, std::size_t lefts, std::size_t most) const {
    std::vector<std::vector<Arrival>> arrivals;
    for (std::size_t i = 0; i < lefts; ++i) {
      arrivals.push_back(arrivals_at(lefts_[i].spot, base.acts));
    }
    std::vector<Try> found;
    for (std::size_t round = 0; round < kMostArrivals; ++round) {
      for (std::size_t i = 0; i < lefts && found.size() < most; ++i) {
        if (round >= arrivals[i].size()) continue;
        const Arrival& arrival = arrivals[i][round];
        for (const wire::ThreadId to : receivers(lefts_[i], arrival.thread)) {
          found.push_back({leave_at(base.trial.run.schedule.slices, arrival, to), i});
        }
      }
    }
    return found;
  }

  /// Whoever went on then; or whoever fails, if it was not the one that was left.
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
  const std::size_t most_;
  const std::size_t bases_;
};

}  // namespace

void transplant_preemption(Attempts& attempts) {
  if (attempts.slices().size() < kFewest) return;
  const auto failing = attempts.observe_best();
  const auto plain = failing ? attempts.observe(Slices()) : std::nullopt;
  if (!plain || failing->acts.empty() || plain->acts.empty()) return;
  if (attempts.is_better(Edit{.kind = Edit::Kind::kConsolidateUp, .slices = {}})) return;
  Transplanting(attempts, failing->acts).run(*plain);
}

}  // namespace unravel
