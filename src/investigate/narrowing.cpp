#include "investigate/narrowing.hpp"

#include <chrono>

#include "data/print.hpp"
#include "investigate/simplification.hpp"
#include "investigate/whole_trace.hpp"
#include "isolate/isolate.hpp"
#include "isolate/window.hpp"
#include "predict/separated.hpp"
#include "run/pool_laboratory.hpp"

namespace unravel {

namespace {

std::string name_of(DeltaOutcome outcome) {
  switch (outcome) {
    case DeltaOutcome::kPass: return "passed";
    case DeltaOutcome::kFail: return "failed";
    case DeltaOutcome::kUnresolved:
    case DeltaOutcome::kInvalid: break;
  }
  return "unresolved";
}

// The trace of a longer run takes too long. Chosen by hand.
constexpr std::uint64_t kMostTraced = 1'000'000;

class Narrower {
 public:
  Narrower(Pool& pool, const Run& failing, const Narrowing& narrowing, Observer& observer)
      : pool_(pool),
        start_(failing),
        laboratory_(pool, failing.failure->key),
        narrowing_(narrowing) {
    settings_.others_fail = narrowing.others_fail;
    settings_.first_width = narrowing.first_width;
    const auto interrupted = [&observer, allowance = narrowing.allowance] {
      return observer.interrupted() || (allowance && !allowance->is_left());
    };
    settings_.search = {.runs = narrowing.tests, .interrupted = interrupted};
    settings_.narrowing = settings_.search;
  }

  Result<NarrowedRuns> run() {
    const Clock::time_point start = Clock::now();
    Result<Isolated> isolated = isolate_nearest();
    if (!isolated) return fail(isolated.error());
    if (isolated->error) return fail(*isolated->error);
    NarrowedRuns result{.failing = isolated->failing->run};
    result.failing.strategy = "isolate";
    result.told.neighbour_tests = isolated->neighbour_tests;
    if (isolated->passing) {
      result.passing = isolated->passing->run;
      result.passing->strategy = "isolate";
      const Result<void> described = describe(*isolated, result.told);
      if (!described) return fail(described.error());
    }
    result.told.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;

  Result<Isolated> isolate_nearest() {
    const KnownRun failing = realised(start_);
    const Run* nearest = nullptr;
    std::uint64_t least = 0;
    for (const Run& run : narrowing_.passing) {
      const std::uint64_t deltas = ScheduleDifference(realised(run).form, failing.form).deltas();
      if (deltas == 0 || (nearest && deltas >= least)) continue;
      nearest = &run;
      least = deltas;
    }
    if (nearest) return isolate(laboratory_, realised(*nearest), failing, settings_);
    if (narrowing_.must_take && !narrowing_.passing.empty()) {
      return isolate(laboratory_, realised(narrowing_.passing.front()), failing, settings_);
    }
    return isolate_from_failing(laboratory_, start_, settings_);
  }

  Result<void> describe(const Isolated& isolated, SmallestDifference& told) {
    told.deltas = isolated.deltas;
    told.deltas_left = isolated.deltas_left;
    told.tests = isolated.tests;
    told.unresolved = isolated.unresolved;
    told.minimal = isolated.minimal;
    for (const DeltaTest& test : isolated.history) {
      told.narrowing.push_back({.deltas = test.deltas, .outcome = name_of(test.outcome)});
    }
    for (const ChoiceDifference& one : isolated.choices) {
      const wire::Choice& choice = one.failing ? *one.failing : *one.passing;
      told.choices.push_back(print(choice.thread, choice.clock));
    }
    for (const SwitchDifference& one : isolated.switches) {
      DecidingSwitch decides{.number = one.index + 1};
      decides.passing = place_of(isolated.passing->run, one.passing_slice);
      decides.failing = place_of(isolated.failing->run, one.failing_slice);
      decides.passing_to = receiver_of(isolated.passing->run, one.passing_slice);
      decides.failing_to = receiver_of(isolated.failing->run, one.failing_slice);
      told.switches.push_back(decides);
    }
    const Result<void> seen = probe_places(isolated.passing->run, told, &DecidingSwitch::passing);
    if (!seen) return seen;
    const Result<void> too = probe_places(isolated.failing->run, told, &DecidingSwitch::failing);
    if (!too) return too;
    if (isolated.switches.size() != 1 || !isolated.choices.empty()) return {};
    const Result<void> flipped = try_flip(isolated, told);
    if (!flipped) return flipped;
    const Result<void> separated = find_conflicts(isolated, told);
    if (!separated) return separated;
    return find_window_of(isolated, told);
  }

  static std::optional<Place> place_of(const Run& run, std::optional<std::uint32_t> slice) {
    if (!slice || *slice >= run.schedule.slices.size()) return std::nullopt;
    return unravel::place_of(run.schedule.slices[*slice]);
  }

  static std::optional<wire::ThreadId> receiver_of(const Run& run,
                                                   std::optional<std::uint32_t> slice) {
    if (!slice || *slice + 1 >= run.schedule.slices.size()) return std::nullopt;
    return run.schedule.slices[*slice + 1].thread;
  }

  Result<void> probe_places(const Run& run, SmallestDifference& told,
                            std::optional<Place> DecidingSwitch::*side) {
    std::vector<Place*> places;
    for (DecidingSwitch& one : told.switches) {
      if (one.*side) places.push_back(&*(one.*side));
    }
    return unravel::probe_places(pool_, run, places);
  }

  /// Moves only the end of that slice; later switches stay where they are.
  Result<void> try_flip(const Isolated& isolated, SmallestDifference& told) {
    const DecidingSwitch& decides = told.switches.front();
    if (!decides.passing || !decides.failing) return {};
    if (decides.passing->thread != decides.failing->thread) return {};
    Proposal proposal{.schedule = isolated.failing->run.schedule,
                      .following = wire::Following::kLenient};
    proposal.schedule.slices[*isolated.switches.front().failing_slice].until =
        decides.passing->clock;
    proposal.schedule.complete = false;
    proposal.schedule.then = {.kind = wire::RuleKind::kStay};
    const Result<std::vector<Attempt>> attempts = laboratory_.perform({proposal});
    if (!attempts) return fail(attempts.error());
    told.flips = attempts->front().shown == Shown::kPasses;
    return {};
  }

  /// Finds the operations that the deciding switch separates, in a trace of the failing run.
  Result<void> find_conflicts(const Isolated& isolated, SmallestDifference& told) {
    const auto slice = isolated.switches.front().failing_slice;
    const Run& failing = isolated.failing->run;
    if (!slice || *slice >= failing.schedule.slices.size()) return {};
    if (failing.summary.steps > kMostTraced) return {};
    WholeTrace sink;
    RunRequest request;
    request.schedule = failing.schedule;
    request.following = wire::Following::kStrict;
    request.trace = wire::TraceLevel::kMemory;
    request.sink = &sink;
    const Result<Run> again = pool_.submit(std::move(request)).get();
    if (!again) return fail(again.error());
    if (!sink.is_whole()) return {};
    for (const Separated& one : separated_by(sink.trace(), failing.schedule.slices, *slice)) {
      const Result<void> named =
          name_conflict(failing, failing.schedule.slices[*slice].until, one, told);
      if (!named) return named;
    }
    return {};
  }

  /// `until` is where the thread was preempted.
  Result<void> name_conflict(const Run& failing, wire::Clock until, const Separated& one,
                             SmallestDifference& told) {
    Conflict conflict;
    std::vector<std::pair<const SeparatedEvent*, Conflict::Side*>> sides;
    if (one.before) sides.emplace_back(&*one.before, &conflict.before.emplace());
    sides.emplace_back(&one.between, &conflict.between);
    if (one.after) {
      // If this operation was pending at the switch, it is probed before the others' operations.
      const bool is_next = one.after->before == until ||
                           (one.after->before.hooks == wire::kBeforeNext && until.hooks > 0 &&
                            one.after->before.operations == until.operations);
      sides.emplace(is_next ? sides.end() - 1 : sides.end(), &*one.after,
                    &conflict.after.emplace());
    }
    RunRequest request;
    request.schedule = failing.schedule;
    request.following = wire::Following::kStrict;
    for (const auto& [event, side] : sides) {
      side->operation = wire::traits(event->operation).name;
      side->place.thread = {.ordinal = event->thread};
      side->place.clock = event->before;
      side->place.pending = event->operation;
      request.probes.push_back({side->place.thread, event->before});
    }
    const Result<Run> again = pool_.submit(std::move(request)).get();
    if (!again) return fail(again.error());
    if (again->probes.size() != sides.size()) return {};  // the run ended before
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const Probe& probe = again->probes[i];
      Place& place = sides[i].second->place;
      place.clock = probe.clock;
      place.stack = probe.stack;
      place.variable = without_parts(probe.variable);
      if (conflict.object.empty()) conflict.object = place.variable;
    }
    told.conflicts.push_back(std::move(conflict));
    return {};
  }

  Result<void> find_window_of(const Isolated& isolated, SmallestDifference& told) {
    const Result<SwitchWindow> window = find_window(
        laboratory_, *isolated.failing, isolated.switches.front().index, settings_.narrowing);
    if (!window) return fail(window.error());
    if (!window->first_slice || !window->last_slice) return {};
    Window seen;
    seen.first = *place_of(window->first.run, window->first_slice);
    seen.last = *place_of(window->last.run, window->last_slice);
    seen.points = window->points;
    const Result<void> first = unravel::probe_places(pool_, window->first.run, {&seen.first});
    if (!first) return first;
    const Result<void> last = unravel::probe_places(pool_, window->last.run, {&seen.last});
    if (!last) return last;
    told.window = std::move(seen);
    return {};
  }

  Pool& pool_;
  const Run& start_;
  PoolLaboratory laboratory_;
  const Narrowing& narrowing_;
  IsolateSettings settings_;
};

}  // namespace

Result<NarrowedRuns> narrow_down(Pool& pool, const Run& failing, const Narrowing& narrowing,
                                 Observer& observer) {
  return Narrower(pool, failing, narrowing, observer).run();
}

}  // namespace unravel
