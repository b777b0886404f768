#include "investigate/simplification.hpp"

#include "investigate/portable_constraints.hpp"
#include "investigate/repetition.hpp"
#include "run/pool_laboratory.hpp"

namespace unravel {

namespace {

using Clock = std::chrono::steady_clock;

/// The default number of runs: 18 plus two for every five switches; some more after progress; up to
/// four times as many while there are more preemptions than most failures need. Chosen so that
/// bench/simplify stays below 20 runs plus one for every two switches (see bench/README.md).
class UsualEffort {
 public:
  explicit UsualEffort(std::uint64_t switches) : runs_(2 * switches / 5 + 18) {}

  bool goes_on(std::uint64_t runs, const Cost& best) {
    if (!best_ || best < *best_) {
      best_ = best;
      since_ = runs;
    }
    if (runs < runs_) return true;
    if (best.preemptions > kEnoughPreemptions) return runs < kLong * runs_;
    return runs < since_ + kRunsAfterProgress;
  }

 private:
  static constexpr std::uint64_t kRunsAfterProgress = 8;
  static constexpr std::uint64_t kLong = 4;

  std::uint64_t runs_;
  std::optional<Cost> best_;
  std::uint64_t since_ = 0;
};

/// Whether neither the runs nor the time are used up.
Attempts::GoesOn until_spent(const Effort& effort, std::uint64_t switches, Observer& observer) {
  const auto end = effort.time ? std::optional(Clock::now() + *effort.time) : std::nullopt;
  return
      [=, &observer, usual = UsualEffort(switches)](std::uint64_t runs, const Cost& best) mutable {
        if (observer.interrupted() || (end && Clock::now() >= *end)) return false;
        if (effort.allowance && !effort.allowance->is_left()) return false;
        if (effort.runs && runs >= *effort.runs) return false;
        return !effort.usual || usual.goes_on(runs, best);
      };
}

}  // namespace

Place place_of(const wire::Slice& slice) {
  return {.thread = slice.thread,
          .clock = slice.until,
          .stack = {},
          .pending = slice.pending,
          .variable = {}};
}

std::string without_parts(const std::string& variable) {
  std::string_view rest = variable;
  // Only the last parts: the elements of a std::array are in a member `_M_elems`.
  for (std::size_t dot; (dot = rest.rfind('.')) != rest.npos;) {
    const std::string_view part = rest.substr(dot + 1);
    if (!part.starts_with("__") && !part.starts_with("_M_")) break;
    rest = rest.substr(0, dot);
  }
  return std::string(rest);
}

Result<void> probe_places(Pool& pool, const Run& run, const std::vector<Place*>& places) {
  if (places.empty()) return {};
  RunRequest request;
  request.schedule = run.schedule;
  request.following = wire::Following::kStrict;
  for (const Place* place : places) request.probes.push_back({place->thread, place->clock});
  const Result<Run> again = pool.submit(std::move(request)).get();
  if (!again) return fail(again.error());
  for (const Probe& probe : again->probes) {
    for (Place* place : places) {
      if (place->thread != probe.thread || place->clock != probe.clock) continue;
      place->stack = probe.stack;
      place->variable = without_parts(probe.variable);
    }
  }
  return {};
}

Result<std::vector<Preemption>> preemptions_of(Pool& pool, const Run& run) {
  std::vector<Preemption> found;
  const Slices& slices = run.schedule.slices;
  for (std::size_t i = 0; i + 1 < slices.size(); ++i) {
    if (is_preempted(slices[i])) found.push_back({place_of(slices[i]), slices[i + 1].thread});
  }
  std::vector<Place*> places;
  for (Preemption& one : found) places.push_back(&one.place);
  const Result<void> seen = probe_places(pool, run, places);
  if (!seen) return fail(seen.error());
  return found;
}

Result<SimplifiedRun> make_simple(Pool& pool, const Run& failing, const Effort& effort,
                                  Observer& observer) {
  const Clock::time_point start = Clock::now();
  PoolLaboratory laboratory(pool, failing.failure->key);
  Simplified simplified =
      simplify(laboratory, failing,
               {.suffix = effort.suffix,
                .goes_on = until_spent(effort, failing.summary.switches, observer)});
  if (simplified.trouble && !observer.interrupted()) return fail(*simplified.trouble);

  SimplifiedRun result{.run = std::move(simplified.run), .passed = std::move(simplified.passed)};
  result.run.strategy = "simplify";
  result.run.program = failing.program;
  Simplification& told = result.told;
  told.before = simplified.before;
  told.after = simplified.after;
  told.runs = simplified.runs;
  told.rounds = simplified.rounds;
  told.remove_last = simplified.remove_last;
  told.consolidate_up = simplified.consolidate_up;
  told.consolidate_down = simplified.consolidate_down;
  told.complete = simplified.complete;
  if (!observer.interrupted()) {
    Result<Run> again = pool.submit(request_for_table(result.run)).get();
    if (!again && observer.interrupted()) return result;
    if (!again) return fail(again.error());
    if (const std::string differs = difference(result.run, *again); !differs.empty()) {
      return internal_error("the replay of the simplified run did not reproduce it", differs,
                            "please report this; the original run is still stored");
    }
    result.run.failure = std::move(again->failure);
    result.run.steps = std::move(again->steps);
    result.run.events = std::move(again->events);
    if (!again->why_no_table.empty()) observer.warn(again->why_no_table);
    result.run.constraints.clear();
    const Result<void> found = find_constraints_of(
        result.run, [&](RunRequest request) { return pool.submit(std::move(request)).get(); });
    if (!found) return fail(found.error());
    Result<std::vector<Preemption>> preemptions = preemptions_of(pool, result.run);
    if (!preemptions) return fail(preemptions.error());
    told.preemptions = std::move(*preemptions);
  }
  told.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace unravel
