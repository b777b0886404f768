#include "cli/isolating.hpp"

#include <chrono>

#include "cli/simplifying.hpp"
#include "data/print.hpp"
#include "isolate/isolate.hpp"
#include "isolate/window.hpp"
#include "run/pool_laboratory.hpp"

namespace unravel {

namespace {

class Narrower {
 public:
  Narrower(Pool& pool, const Run& failing, const Narrowing& narrowing, Interruption& interruption)
      : pool_(pool),
        start_(failing),
        laboratory_(pool, failing.failure->key),
        narrowing_(narrowing) {
    settings_.others_fail = narrowing.others_fail;
    settings_.first_width = narrowing.first_width;
    const auto interrupted = [&interruption] { return interruption.happened(); };
    settings_.search = {.runs = narrowing.tests, .interrupted = interrupted};
    settings_.narrowing = settings_.search;
  }

  Result<NarrowedRuns> run() {
    const Clock::time_point start = Clock::now();
    Result<Isolated> isolated = isolate_nearest();
    if (!isolated) return fail(isolated.error());
    if (isolated->error) return fail(*isolated->error);
    NarrowedRuns result{.failing = isolated->failing->run};
    result.told.neighbour_tests = isolated->neighbour_tests;
    if (isolated->passing) {
      result.passing = isolated->passing->run;
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
    if (!narrowing_.passing.empty()) {
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
    const Result<void> seen = look_at(isolated.passing->run, told, &DecidingSwitch::passing);
    if (!seen) return seen;
    const Result<void> too = look_at(isolated.failing->run, told, &DecidingSwitch::failing);
    if (!too) return too;
    if (isolated.switches.size() != 1 || !isolated.choices.empty()) return {};
    const Result<void> flipped = try_flip(isolated, told);
    if (!flipped) return flipped;
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

  Result<void> look_at(const Run& run, SmallestDifference& told,
                       std::optional<Place> DecidingSwitch::*side) {
    std::vector<Place*> places;
    for (DecidingSwitch& one : told.switches) {
      if (one.*side) places.push_back(&*(one.*side));
    }
    return unravel::look_at(pool_, run, places);
  }

  /// In per-thread form only that slice's end is moved; what comes later stays where it is.
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
    const Result<std::vector<Trial>> trials = laboratory_.perform({proposal});
    if (!trials) return fail(trials.error());
    told.flips = trials->front().shown == Shown::kPasses;
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
    const Result<void> first = unravel::look_at(pool_, window->first.run, {&seen.first});
    if (!first) return first;
    const Result<void> last = unravel::look_at(pool_, window->last.run, {&seen.last});
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
                                 Interruption& interruption) {
  return Narrower(pool, failing, narrowing, interruption).run();
}

}  // namespace unravel
