#include "investigate/snapshot.hpp"

#include <algorithm>

#include "data/print.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/counted_points.hpp"
#include "investigate/stored_run.hpp"
#include "run/stop_order.hpp"

namespace unravel {

namespace {

/// The last clock of a thread; nothing if the run has no such thread.
std::optional<wire::Clock> last_clock(const Schedule& schedule, wire::ThreadId thread) {
  std::optional<wire::Clock> last;
  for (const wire::Slice& slice : schedule.slices) {
    if (slice.thread == thread) last = slice.until;
  }
  return last;
}

Result<void> check_clock(const Run& run, const wire::StopAt& at) {
  const std::optional<wire::Clock> last = last_clock(run.schedule, at.thread);
  if (!last) {
    std::uint32_t most = 0;
    for (const wire::Slice& slice : run.schedule.slices) {
      most = std::max(most, slice.thread.ordinal);
    }
    return user_error("run " + run.id + " has no thread " + print(at.thread),
                      "its last thread is " + print(wire::ThreadId{.ordinal = most}));
  }
  if (at.clock > *last) {
    return user_error(print(at.thread, at.clock) + " was never reached in run " + run.id,
                      "the last clock of that thread was " + print(at.thread, *last));
  }
  return {};
}

/// The error for a clock that the thread skipped. It is not after the thread's last clock.
Error passed_by(const Run& run, const wire::StopAt& at) {
  const wire::Clock last = *last_clock(run.schedule, at.thread);
  const std::string until = "the last clock of that thread was " + print(at.thread, last);
  return {
      Error::Kind::kUser, print(at.thread, at.clock) + " was never reached in run " + run.id,
      at.clock == last
          ? until + ", where it ended"
          : until +
                "; it made fewer hooks there, or made this operation before the first thread was "
                "created",
      "`unravel show --rows all " + run.id + "` shows the clocks of its operations"};
}

/// Refuses what can be seen to be wrong without a run.
Result<void> check(const Run& run, std::span<const NamedStop> moments) {
  for (auto moment = moments.begin(); moment != moments.end(); ++moment) {
    if (std::find(moments.begin(), moment, *moment) != moment) {
      return user_error("the moment " + print(*moment) + " was given twice", {},
                        "give each moment once");
    }
    const Result<void> exists = check_moment(run, *moment);
    if (!exists) return exists;
  }
  return {};
}

Error not_a_stop(const Run& run, std::uint64_t count, const CountedPoint& point) {
  const std::string what = "run " + run.id + " cannot be stopped at point " + std::to_string(count);
  const std::string before = point.before ? std::to_string(*point.before) : std::string();
  const std::string after = point.after ? std::to_string(*point.after) : std::string();
  if (before.empty() && after.empty()) return {Error::Kind::kUser, what, {}, {}};
  if (before.empty()) {
    return {Error::Kind::kUser, what, "it was passed before the first thread was created",
            "ask for " + after + " or a later one"};
  }
  if (after.empty()) {
    return {Error::Kind::kUser, what, "the run ended there",
            "ask for " + before + " or an earlier one"};
  }
  return {Error::Kind::kUser, what, "a thread ended there", "ask for " + before + " or " + after};
}

/// One stored run that is repeated.
class Repeated {
 public:
  Repeated(const Run& run, Runner& runner) : run_(run), runner_(runner) {}

  /// The stop for each moment, in the same order.
  Result<std::vector<wire::StopAt>> stops_for(std::span<const NamedStop> moments) {
    std::vector<std::uint64_t> counts;
    for (const NamedStop& moment : moments) {
      if (moment.points) counts.push_back(*moment.points);
    }
    std::vector<CountedPoint> found;
    if (!counts.empty()) {
      Result<std::vector<CountedPoint>> points = find_counted_points(
          counts, run_.schedule, [this](std::vector<wire::StopAt> stops) { return count(stops); });
      if (!points) return fail(points.error());
      found = std::move(*points);
    }
    std::vector<wire::StopAt> stops;
    auto point = found.begin();
    for (const NamedStop& moment : moments) {
      if (moment.points && !point->at) return fail(not_a_stop(run_, *moment.points, *point));
      stops.push_back(moment.points ? *(point++)->at : moment.at);
    }
    return stops;
  }

  Result<std::vector<Snapshot>> snapshots_at(std::vector<wire::StopAt> stops) {
    RunRequest request = strictly();
    request.snapshots = as_reached(stops, run_.schedule.slices);
    Result<Run> again = runner_.run(request);
    if (!again) return fail(again.error());
    // If the run never stops at one of them, it does not stop at later ones either.
    for (const wire::StopAt& stop : request.snapshots) {
      if (snapshot_of(*again, stop)) continue;
      return again->summary.outcome == Outcome::kDiverged ? fail(diverged(*again, stop))
                                                          : fail(passed_by(run_, stop));
    }
    std::vector<Snapshot> snapshots;
    for (const wire::StopAt& stop : stops) snapshots.push_back(*snapshot_of(*again, stop));
    return snapshots;
  }

 private:
  RunRequest strictly() const {
    RunRequest request;
    request.schedule = run_.schedule;
    request.following = wire::Following::kStrict;
    return request;
  }

  Result<std::vector<CountedStop>> count(const std::vector<wire::StopAt>& stops) {
    RunRequest request = strictly();
    request.counted = stops;
    Result<Run> again = runner_.run(request);
    if (!again) return fail(again.error());
    if (again->summary.outcome == Outcome::kDiverged) return fail(diverged(*again, stops.front()));
    return std::move(again->counted);
  }

  /// A run stops at the first point or hook that is not before the clock.
  static const Snapshot* snapshot_of(const Run& run, const wire::StopAt& stop) {
    for (const Snapshot& snapshot : run.snapshots) {
      if (snapshot.thread == stop.thread && snapshot.clock >= stop.clock &&
          snapshot.clock.operations == stop.clock.operations) {
        return &snapshot;
      }
    }
    return nullptr;
  }

  Error diverged(const Run& again, const wire::StopAt& stop) const {
    return {Error::Kind::kUser,
            "run " + run_.id + " could not be followed to " + print(stop.thread, stop.clock),
            again.explanation, "`unravel doctor -- PROGRAM` shows what differs"};
  }

  const Run& run_;
  Runner& runner_;
};

}  // namespace

Result<void> check_moment(const Run& run, const NamedStop& moment) {
  if (!moment.points) return check_clock(run, moment.at);
  if (*moment.points <= run.summary.steps) return {};
  return user_error("point " + print(moment) + " was never reached in run " + run.id,
                    "its threads passed " + std::to_string(run.summary.steps) + " points");
}

Result<std::vector<Snapshot>> take_snapshots(const RunName& name, const std::string& store,
                                             std::span<const NamedStop> moments,
                                             Observer& observer) {
  Result<OpenedRun> opened = open_run(name, store);
  if (!opened) return fail(opened.error());
  const Run& run = opened->stored.run;
  const Result<void> exist = check(run, moments);
  if (!exist) return fail(exist.error());
  const Result<void> same = check_same_build(*opened);
  if (!same) return fail(same.error());
  Result<std::unique_ptr<RunnerLease>> lease = start_like(*opened, {}, observer);
  if (!lease) return fail(lease.error());

  Repeated repeated(run, (*lease)->get());
  Result<std::vector<wire::StopAt>> stops = repeated.stops_for(moments);
  if (!stops) return fail(stops.error());
  return repeated.snapshots_at(std::move(*stops));
}

}  // namespace unravel
