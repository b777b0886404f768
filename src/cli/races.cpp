/// `unravel races`: accesses that nothing orders, in a kept run or in new ones of a program.
#include "predict/races.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "base/files.hpp"
#include "cli/build_ids.hpp"
#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/race_places.hpp"
#include "cli/standard_input.hpp"
#include "cli/stored_run.hpp"
#include "cli/tell_run.hpp"
#include "predict/suppressions.hpp"
#include "report/failure_text.hpp"
#include "report/json.hpp"
#include "report/races_text.hpp"

namespace unravel {

namespace {

using Clock = std::chrono::steady_clock;

// Of ours, for what a run's memory went through: a tenth of that is a large program.
constexpr std::size_t kMostMemory = std::size_t{4} << 30;

/// Looks for races run by run; one that is seen again is counted, not told twice.
class Search {
 public:
  Search(Runner& runner, Suppressions suppressions)
      : runner_(runner), suppressions_(std::move(suppressions)) {}

  /// One run with a trace, and more of the same to see where it raced.
  Result<Run> look_at(RunRequest request) {
    RaceDetector detector;
    TraceDecoder decoder([&](std::span<const TraceEvent> events) {
      detector.take(events);
      if (detector.shadow_bytes() <= kMostMemory) return;
      is_cut_ = true;
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
      // Its place in the report is known once it was looked at.
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

  /// Whether a run was too large to be looked at to its end.
  bool is_cut() const { return is_cut_; }

  bool found_any() const { return !report_.races.empty(); }

  RaceReport finish(double seconds) {
    report_.seconds = seconds;
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

  /// Where it is in the report now; nothing if nobody wants to see it.
  std::optional<std::size_t> add(FoundRace race) {
    if (is_suppressed(race)) {
      ++report_.suppressed;
      return std::nullopt;
    }
    // Several instructions of one line are one place.
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
  bool is_cut_ = false;
  std::map<Sites, std::optional<std::size_t>> by_sites_;
};

Result<Suppressions> read_suppressions(const std::string& file) {
  if (file.empty()) return Suppressions{};
  const Result<std::string> text = read_text_file(file);
  if (!text) return fail(text.error());
  Result<Suppressions> parsed = Suppressions::parse(*text, file);
  return parsed;
}

int tell(const RaceReport& report, bool is_cut, const Console& console) {
  if (is_cut) {
    console.warn("a run used more memory than can be looked at: races behind that were not seen");
  }
  if (console.options().json) {
    console.out(races_json(report));
  } else {
    if (!console.options().quiet) console.out(races_text(report, console.out_paint()));
    console.out(races_line(report) + "\n");
  }
  return report.races.empty() ? kNoFailure : kFailure;
}

/// A run that has no outcome says nothing about races behind the place where it ended.
void warn_of(const Run& run, const Console& console) {
  for (const std::string& warning : run.warnings) console.warn(warning);
  if (run.summary.outcome == Outcome::kPassed) return;
  if (run.summary.reason == Reason::kNoSecondThread || run.summary.reason == Reason::kChildren) {
    console.warn("nothing can race: " + run.explanation);
    return;
  }
  console.warn("a run did not pass; races behind its end were not seen: " +
               outcome_line(run, Paint(false)));
}

Result<int> races_of_run(const RacesOptions& options, const Console& console,
                         Interruption& interruption, Suppressions suppressions) {
  Result<OpenedRun> opened = open_run(options.run, console.options().store);
  if (!opened) return fail(opened.error());
  const Run& run = opened->stored.run;
  const Result<void> same = check_same_build(run.schedule);
  if (!same) return fail(same.error());
  const Result<void> has_hooks = check_hooks(run.program);
  if (!has_hooks) return fail(has_hooks.error());
  Result<std::unique_ptr<RunnerLease>> worker = start_like(*opened, {}, interruption);
  if (!worker) return fail(worker.error());
  const auto began = Clock::now();
  Search search((*worker)->runner(), std::move(suppressions));
  RunRequest request;
  request.schedule = run.schedule;
  request.following = wire::Following::kStrict;
  const Result<Run> again = search.look_at(std::move(request));
  if (!again) return fail(again.error());
  if (again->summary.outcome == Outcome::kDiverged) {
    return user_error("run " + run.id + " could not be followed", again->explanation,
                      "`unravel doctor -- PROGRAM` tells what differs");
  }
  const std::chrono::duration<double> took = Clock::now() - began;
  return tell(search.finish(took.count()), search.is_cut(), console);
}

Result<int> races_of_program(const RacesOptions& options, const Console& console,
                             Interruption& interruption, Suppressions suppressions) {
  Result<Program> program = find_program(options.program);
  if (!program) return fail(program.error());
  const Result<void> has_hooks = check_hooks(*program);
  if (!has_hooks) return fail(has_hooks.error());
  Result<Store> store = Store::open(console.options().store, Store::Access::kWrite);
  if (!store) return fail(store.error());
  Result<std::string> input = read_standard_input(console, interruption);
  if (!input) return fail(input.error());
  Result<std::unique_ptr<RunnerLease>> worker =
      RunnerLease::start({.program = *program,
                          .settings = settings_from(options.judge, default_settings()),
                          .timeouts = options.judge.timeouts.value_or(wire::Timeouts::kNear),
                          .points = wire::PointSet::kMemory,
                          .store = console.options().store,
                          .input = std::move(*input)},
                         interruption);
  if (!worker) return fail(worker.error());

  const auto began = Clock::now();
  Search search((*worker)->runner(), std::move(suppressions));
  Progress progress(console, options.runs);
  std::optional<Run> odd;  // the first that did not pass
  std::optional<Error> trouble;
  for (std::uint64_t i = 0; i < options.runs; ++i) {
    if (interruption.happened()) return fail(Interruption::error());
    RunRequest request;
    // First as undisturbed as can be, then differently each time.
    request.schedule.then.kind = i == 0 ? wire::RuleKind::kStay : wire::RuleKind::kRandom;
    request.schedule.then.seed = wire::seed_of(options.seed, i);
    request.schedule.points = wire::PointSet::kMemory;
    Result<Run> run = search.look_at(std::move(request));
    if (!run) {
      // What was found before it is told all the same.
      if (!search.found_any()) return fail(run.error());
      trouble = run.error();
      break;
    }
    if (!odd && (i == 0 || run->summary.outcome != Outcome::kPassed)) {
      if (run->summary.outcome != Outcome::kPassed || !run->warnings.empty()) odd = *run;
    }
    progress.show(i + 1);
  }
  progress.clear();
  if (odd) warn_of(*odd, console);
  const std::chrono::duration<double> took = Clock::now() - began;
  const int status = tell(search.finish(took.count()), search.is_cut(), console);
  return trouble ? graver(status, console.complain_in_words(*trouble)) : status;
}

}  // namespace

Result<int> races_command(const RacesOptions& options, const Console& console,
                          Interruption& interruption) {
  Result<Suppressions> suppressions = read_suppressions(options.suppressions);
  if (!suppressions) return fail(suppressions.error());
  return options.program.empty()
             ? races_of_run(options, console, interruption, std::move(*suppressions))
             : races_of_program(options, console, interruption, std::move(*suppressions));
}

}  // namespace unravel
