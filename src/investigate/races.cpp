#include "investigate/races.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "investigate/build_ids.hpp"
#include "investigate/race_places.hpp"
#include "investigate/stored_run.hpp"
#include "predict/races.hpp"

namespace unravel {

namespace {

using Clock = std::chrono::steady_clock;

// A detector that needs more memory ignores the rest of the run. Chosen by hand: the largest
// measured program needed a tenth of it.
constexpr std::size_t kMostMemory = std::size_t{4} << 30;

/// Searches runs for races. A race that occurs again is only counted.
class Search {
 public:
  Search(Runner& runner, Suppressions suppressions)
      : runner_(runner), suppressions_(std::move(suppressions)) {}

  /// Makes one run with a trace, and repeats it to find the places of new races.
  Result<Run> search(RunRequest request) {
    RaceDetector detector;
    TraceDecoder decoder([&](std::span<const TraceEvent> events) {
      detector.take(events);
      if (detector.shadow_bytes() <= kMostMemory) return;
      report_.is_cut = true;
      decoder.stop();
    });
    request.trace = wire::TraceLevel::kMemory;
    request.sink = &decoder;
    Result<Run> run = runner_.run(request);
    if (!run) return run;
    ++report_.runs;
    report_.events += decoder.events();
    std::vector<Race> fresh;
    for (const Race& race : detector.races()) {
      const Sites sites = sites_of(race, decoder);
      const auto [known, is_new] = by_sites_.try_emplace(sites);
      if (is_new) fresh.push_back(race);
      // Suppressed races, and new races of this run, have no index in the report.
      if (!is_new && known->second) report_.races[*known->second].count += race.count;
    }
    if (fresh.empty()) return run;
    Result<std::vector<FoundRace>> placed = place_races(runner_, *run, decoder.sites(), fresh);
    if (!placed) return fail(placed.error());
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      by_sites_[sites_of(fresh[i], decoder)] = add(std::move((*placed)[i]));
    }
    return run;
  }

  bool found_any() const { return !report_.races.empty(); }

  RaceReport report(Clock::time_point began) {
    report_.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    return std::move(report_);
  }

 private:
  using Sites = std::pair<std::uint64_t, std::uint64_t>;
  static Sites sites_of(const Race& race, const TraceDecoder& decoder) {
    return std::minmax(
        {decoder.sites()[race.earlier.site].packed, decoder.sites()[race.later.site].packed});
  }

  bool is_suppressed(const FoundRace& race) const {
    return suppressions_.match(race.sides[0].stack, race.sides[1].stack, race.variable);
  }

  /// Returns its index in the report; nothing if it is suppressed.
  std::optional<std::size_t> add(FoundRace race) {
    if (is_suppressed(race)) {
      ++report_.suppressed;
      return std::nullopt;
    }
    // Several instructions of one line count as one place.
    for (std::size_t i = 0; i < report_.races.size(); ++i) {
      if (report_.races[i].key != race.key) continue;
      report_.races[i].count += race.count;
      return i;
    }
    report_.races.push_back(std::move(race));
    return report_.races.size() - 1;
  }

  Runner& runner_;
  Suppressions suppressions_;
  RaceReport report_;
  std::map<Sites, std::optional<std::size_t>> by_sites_;
};

void tell(const RaceReport& report, Observer& observer) {
  if (report.is_cut) {
    observer.warn(
        "a run was too large for the race detector: races in the rest of it were not seen");
  }
  for (const FoundRace& race : report.races) observer.found(finding_of(race));
}

}  // namespace

Result<RacesFound> find_races_in_run(const RacesRequest& request, Observer& observer) {
  Result<OpenedRun> opened = open_run(request.run, request.store);
  if (!opened) return fail(opened.error());
  const Run& run = opened->stored.run;
  const Result<void> same = check_same_build(*opened);
  if (!same) return fail(same.error());
  const Result<void> has_hooks = check_hooks(run.program);
  if (!has_hooks) return fail(has_hooks.error());
  Result<std::unique_ptr<RunnerLease>> lease = start_like(*opened, {}, observer);
  if (!lease) return fail(lease.error());
  const auto began = Clock::now();
  Search search((*lease)->get(), request.suppressions);
  RunRequest once;
  once.schedule = run.schedule;
  once.following = wire::Following::kStrict;
  const Result<Run> again = search.search(std::move(once));
  if (!again) return fail(again.error());
  if (again->summary.outcome == Outcome::kDiverged) {
    return user_error("run " + run.id + " could not be followed", again->explanation,
                      "`unravel doctor -- PROGRAM` shows what differs");
  }
  RacesFound found{.report = search.report(began), .odd = {}, .trouble = {}};
  tell(found.report, observer);
  return found;
}

Result<RacesFound> find_races_in_program(const RacesRequest& request, const Program& program,
                                         Observer& observer) {
  const Result<void> has_hooks = check_hooks(program);
  if (!has_hooks) return fail(has_hooks.error());
  Result<Store> store = Store::open(request.store, Store::Access::kWrite);
  if (!store) return fail(store.error());
  Result<std::unique_ptr<RunnerLease>> lease =
      lease_runner({.program = program,
                    .settings = settings_from(request.judging, default_settings()),
                    .timeouts = request.judging.timeouts.value_or(wire::Timeouts::kNear),
                    .points = wire::PointSet::kMemory,
                    .store = request.store,
                    .input = request.input},
                   observer);
  if (!lease) return fail(lease.error());

  const auto began = Clock::now();
  Search search((*lease)->get(), request.suppressions);
  RacesFound found;
  for (std::uint64_t i = 0; i < request.runs; ++i) {
    if (observer.interrupted()) return fail(interrupted_error());
    RunRequest once;
    // The first run has as few switches as possible; every other run has its own seed.
    once.schedule.then.kind = i == 0 ? wire::RuleKind::kStay : wire::RuleKind::kRandom;
    once.schedule.then.seed = wire::seed_of(request.seed, i);
    once.schedule.points = wire::PointSet::kMemory;
    Result<Run> run = search.search(std::move(once));
    if (!run) {
      // Races that were found before are still reported.
      if (!search.found_any()) return fail(run.error());
      found.trouble = run.error();
      break;
    }
    if (!found.odd && (i == 0 || run->summary.outcome != Outcome::kPassed)) {
      if (run->summary.outcome != Outcome::kPassed || !run->warnings.empty()) found.odd = *run;
    }
    observer.progress(i + 1, request.runs);
  }
  found.report = search.report(began);
  tell(found.report, observer);
  return found;
}

}  // namespace unravel
