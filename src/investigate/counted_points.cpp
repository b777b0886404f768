#include "investigate/counted_points.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "run/stop_order.hpp"

namespace unravel {

namespace {

// How many stops a run makes to find one count. More stops take longer, fewer need more runs: a
// thousand are a few hundredths of a second, and find one point of a billion in three runs. Chosen
// by hand.
constexpr std::uint64_t kStopsInRun = 1000;

// If none of the stops that were spread over a part is reached, up to this many runs try all others
// in it. Chosen by hand.
constexpr std::uint64_t kRunsForPart = 16;

/// A place in a run: in which slice, and at which clock of the slice's thread.
struct Place {
  std::size_t slice = 0;
  wire::Clock clock;

  [[nodiscard]] auto key() const { return std::tuple(slice, clock.operations, clock.hooks); }
};

/// Clocks of one slice: `count` operations from `from` on, or as many hooks.
struct Stretch {
  std::size_t slice = 0;
  wire::Clock from;
  std::uint64_t count = 0;
};

/// What the stops are spread over, from coarse to fine.
enum class Grain { kSlices, kOperations, kHooks, kNone };

/// All slices of a run, with where each begins.
class Slices {
 public:
  explicit Slices(const Schedule& schedule) : slices_(schedule.slices) {
    begins_.reserve(slices_.size());
    for (std::size_t i = 0; i < slices_.size(); ++i) {
      const std::uint32_t thread = slices_[i].thread.ordinal;
      std::vector<std::size_t>& mine = by_thread_[thread];
      // No stop is made before the first thread is created.
      begins_.push_back(!mine.empty() ? slices_[mine.back()].until
                        : thread == 0 ? std::min(schedule.start.clock, slices_[i].until)
                                      : wire::Clock{});
      mine.push_back(i);
    }
  }

  [[nodiscard]] std::span<const wire::Slice> all() const { return slices_; }
  [[nodiscard]] const wire::Slice& operator[](std::size_t slice) const { return slices_[slice]; }
  [[nodiscard]] wire::Clock begin_of(std::size_t slice) const { return begins_[slice]; }

  /// Nothing if the run has no such place.
  [[nodiscard]] std::optional<Place> place_of(const CountedStop& stop) const {
    const auto found = by_thread_.find(stop.thread.ordinal);
    if (found == by_thread_.end()) return std::nullopt;
    const auto first = std::lower_bound(
        found->second.begin(), found->second.end(), stop.clock,
        [&](std::size_t slice, wire::Clock clock) { return slices_[slice].until < clock; });
    if (first == found->second.end()) return std::nullopt;
    return Place{.slice = *first, .clock = stop.clock};
  }

 private:
  std::span<const wire::Slice> slices_;
  std::vector<wire::Clock> begins_;
  std::map<std::uint32_t, std::vector<std::size_t>> by_thread_;
};

/// The search for one count: the point lies after `low_` and not after `high_`.
class Search {
 public:
  Search(std::uint64_t count, const Slices& slices) : count_(count), slices_(&slices) {}

  /// The stops of the next run; none if the search is over.
  std::vector<wire::StopAt> next() {
    for (; grain_ != Grain::kNone; grain_ = Grain{static_cast<int>(grain_) + 1}) {
      if (is_found()) break;
      std::vector<wire::StopAt> stops = pick(stretches());
      if (!stops.empty()) return stops;
    }
    return {};
  }

  void learn(const CountedStop& stop) {
    const std::optional<Place> place = slices_->place_of(stop);
    if (!place) return;
    if (stop.step < count_) {
      if (low_ && low_->place.key() >= place->key()) return;
      low_ = Bound{*place, stop};
    } else {
      if (high_ && high_->place.key() <= place->key()) return;
      high_ = Bound{*place, stop};
    }
  }

  [[nodiscard]] CountedPoint result() const {
    CountedPoint point;
    if (high_ && high_->stop.step == count_) {
      point.at = {.thread = high_->stop.thread, .clock = high_->stop.clock};
      return point;
    }
    if (low_) point.before = low_->stop.step;
    if (high_) point.after = high_->stop.step;
    return point;
  }

 private:
  struct Bound {
    Place place;
    CountedStop stop;
  };

  /// Each point has a count of its own, so a point with this count is the one. A hook that is no
  /// point has the count of the point before it.
  [[nodiscard]] bool is_found() const {
    return high_ && high_->stop.step == count_ && high_->stop.is_point;
  }

  [[nodiscard]] Place low() const {
    return low_ ? low_->place : Place{.slice = 0, .clock = slices_->begin_of(0)};
  }
  [[nodiscard]] Place high() const {
    const std::size_t last = slices_->all().size() - 1;
    return high_ ? high_->place : Place{.slice = last, .clock = (*slices_)[last].until};
  }

  [[nodiscard]] std::vector<Stretch> stretches() const {
    std::vector<Stretch> all;
    const Place low = this->low();
    const Place high = this->high();
    for (std::size_t i = low.slice; i <= high.slice; ++i) {
      const wire::Slice& slice = (*slices_)[i];
      const wire::Clock from = i == low.slice ? low.clock : slices_->begin_of(i);
      const wire::Clock to = i == high.slice ? high.clock : slice.until;
      if (grain_ == Grain::kSlices) {
        if (i < high.slice) all.push_back({i, slice.until, 1});
      } else if (grain_ == Grain::kOperations) {
        all.push_back({i, {.operations = from.operations}, to.operations - from.operations + 1});
      } else {
        add_hooks(i, from, to, all);
      }
    }
    return all;
  }

  void add_hooks(std::size_t slice, wire::Clock from, wire::Clock to,
                 std::vector<Stretch>& all) const {
    if (to.operations == from.operations) {
      if (to.hooks > from.hooks) {
        all.push_back({slice, {from.operations, from.hooks + 1}, to.hooks - from.hooks});
      }
      return;
    }
    // A thread may pass more than one point before an operation, for example if it handles a signal
    // there. Stops that it never reaches are passed over when it goes on, but not if it ends.
    const bool goes_on = (*slices_)[slice].end != wire::End::kEnded ||
                         from.operations + 1 < (*slices_)[slice].until.operations;
    if (goes_on) all.push_back({slice, {from.operations, from.hooks + 1}, kStopsInRun});
    if (to.hooks > 0) all.push_back({slice, {.operations = to.operations, .hooks = 1}, to.hooks});
  }

  /// Stops that are spread evenly over `all`. If all of these were tried before, the first that
  /// were not.
  std::vector<wire::StopAt> pick(const std::vector<Stretch>& all) {
    std::uint64_t total = 0;
    for (const Stretch& stretch : all) total += stretch.count;
    const std::uint64_t distance = std::max<std::uint64_t>(1, total / kStopsInRun);
    std::vector<wire::StopAt> stops = pick(all, distance);
    const bool few = total <= kRunsForPart * kStopsInRun;
    return stops.empty() && distance > 1 && few ? pick(all, 1) : stops;
  }

  std::vector<wire::StopAt> pick(const std::vector<Stretch>& all, std::uint64_t distance) {
    std::vector<wire::StopAt> stops;
    std::uint64_t skip = distance / 2;  // before the next one
    for (const Stretch& stretch : all) {
      for (; skip < stretch.count; skip += distance) {
        if (stops.size() >= 2 * kStopsInRun) return stops;
        wire::Clock clock = stretch.from;
        (grain_ == Grain::kOperations ? clock.operations : clock.hooks) +=
            grain_ == Grain::kSlices ? 0 : skip;
        add(stretch.slice, clock, stops);
        if (grain_ == Grain::kOperations) {
          add(stretch.slice, {clock.operations, wire::kBeforeNext}, stops);
        }
      }
      skip -= stretch.count;
    }
    return stops;
  }

  /// Adds a stop, unless it was tried before, or its thread has ended there: the run would wait
  /// for it and make no further stop.
  void add(std::size_t index, wire::Clock clock, std::vector<wire::StopAt>& stops) {
    const wire::Slice& slice = (*slices_)[index];
    if (slice.end == wire::End::kEnded && clock >= slice.until) return;
    if (!tried_.insert({slice.thread.ordinal, clock.operations, clock.hooks}).second) return;
    stops.push_back({.thread = slice.thread, .clock = clock});
  }

  std::uint64_t count_;
  const Slices* slices_;
  Grain grain_ = Grain::kSlices;
  std::optional<Bound> low_;
  std::optional<Bound> high_;
  std::set<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>> tried_;
};

bool same(const wire::StopAt& one, const wire::StopAt& other) {
  return one.thread == other.thread && one.clock == other.clock;
}

}  // namespace

Result<std::vector<CountedPoint>> find_counted_points(std::span<const std::uint64_t> counts,
                                                      const Schedule& schedule,
                                                      const CountAtStops& count_at) {
  if (schedule.slices.empty()) return std::vector<CountedPoint>(counts.size());
  const Slices slices(schedule);
  std::vector<Search> searches;
  for (const std::uint64_t count : counts) searches.emplace_back(count, slices);
  for (;;) {
    std::vector<wire::StopAt> stops;
    for (Search& search : searches) {
      const std::vector<wire::StopAt> more = search.next();
      stops.insert(stops.end(), more.begin(), more.end());
    }
    if (stops.empty()) break;
    stops = as_reached(stops, schedule.slices);
    stops.erase(std::unique(stops.begin(), stops.end(), same), stops.end());
    const Result<std::vector<CountedStop>> reached = count_at(std::move(stops));
    if (!reached) return fail(reached.error());
    for (const CountedStop& stop : *reached) {
      for (Search& search : searches) search.learn(stop);
    }
  }
  std::vector<CountedPoint> points;
  for (const Search& search : searches) points.push_back(search.result());
  return points;
}

}  // namespace unravel
