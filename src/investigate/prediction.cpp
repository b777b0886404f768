#include "investigate/prediction.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <set>

#include "investigate/anomalies.hpp"
#include "investigate/atomic_functions.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/hunt_failures.hpp"
#include "investigate/pursuits.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

namespace {

using Clock = std::chrono::steady_clock;

// Histories of runs that are still to be pursued may take this much memory. Chosen by hand.
constexpr std::size_t kMostMemory = std::size_t{2} << 30;

// Searches for a witness, for each run that may be made. Those that find none take longest: without
// a limit, a program with many locks keeps the analysis busy for minutes between two runs. The same
// number as after a lesson of a hunt. Chosen by hand.
constexpr std::size_t kSearchesPerRun = 64;

class Prediction {
 public:
  struct Setting {
    const PredictRequest& request;
    Pool& pool;
    Store& store;
    RunSettings settings;
    wire::PointSet points = wire::PointSet::kSync;
    std::string input;
    std::string program;  // a file
    Observer& observer;
  };

  explicit Prediction(const Setting& setting)
      : setting_(setting),
        request_(setting.request),
        began_(Clock::now()),
        searches_left_(most_searches(setting.request)),
        patterns_(patterns_of(setting.request)),
        functions_(setting.request.atomic),
        anomalies_(setting.request.suppressions, patterns_),
        pursuits_({.rungs = rungs_of(setting.request), .seed = setting.request.seed}),
        failures_({.pool = setting.pool,
                   .store = setting.store,
                   .known = nothing_known_,
                   .settings = setting.settings,
                   .points = setting.points,
                   .input = setting.input,
                   .observer = setting.observer,
                   .predicts = true,
                   .goes_on = true,
                   .explains = setting.request.explains,
                   .deadline = deadline_of(setting.request)}) {}

  /// Makes the run that is to be analysed, and then all that follows from it.
  Result<PredictionReport> predict(RunRequest first) {
    std::unique_ptr<AnalysedRun> analysed = std::make_unique<AnalysedRun>();
    analysed->sink = std::make_unique<HistorySink>();
    trace(first, *analysed->sink);
    Result<Run> run = setting_.pool.submit(std::move(first)).get();
    if (!run) return fail(run.error());
    if (run->summary.outcome == Outcome::kError) return internal_error(run->explanation);
    ++report_.runs;
    const Result<void> told = take_failure(*run);
    if (!told) return fail(told.error());
    warn_of(*run);
    report_.is_tested =
        run->summary.outcome == Outcome::kPassed || run->summary.outcome == Outcome::kFailed;
    analysed->run = std::move(*run);
    read(*analysed);
    for (const std::string& one : anomalies_.warnings_about_marks(*analysed)) {
      setting_.observer.warn(one);
    }
    report_.events = analysed->history.traced;
    report_.kept_events = analysed->history.events.size();
    base_ = analysed.get();
    analyse(std::move(analysed));
    if (request_.confirms) pursue();
    return finish();
  }

 private:
  static std::vector<Pattern> patterns_of(const PredictRequest& request) {
    std::vector<Pattern> patterns;
    const auto add = [&](std::vector<Pattern> some) {
      for (Pattern& one : some) {
        if (!request.kinds || (*request.kinds)[static_cast<std::size_t>(one.kind)]) {
          patterns.push_back(std::move(one));
        }
      }
    };
    add(race_patterns());
    add(conflict_cycles());
    add(request.patterns);
    return patterns;
  }

  static std::vector<Rung> rungs_of(const PredictRequest& request) {
    if (!request.rungs.empty()) return request.rungs;
    return {Rung::kSyncPreserving, Rung::kLockReordering, Rung::kSameValue, Rung::kSpeculative,
            Rung::kConstraints};
  }

  static std::size_t most_searches(const PredictRequest& request) {
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    return request.runs > most / kSearchesPerRun ? most : request.runs * kSearchesPerRun;
  }

  static std::optional<Clock::time_point> deadline_of(const PredictRequest& request) {
    if (!request.time) return std::nullopt;
    return Clock::now() + *request.time;
  }

  void trace(RunRequest& request, HistorySink& sink) const {
    request.trace = wire::TraceLevel::kMemory;
    request.sink = &sink;
    request.values = true;
    request.calls = !functions_.empty();
    request.pairs = false;
  }

  void warn_of(const Run& run) {
    for (const std::string& warning : run.warnings) setting_.observer.warn(warning);
    if (run.summary.outcome == Outcome::kPassed || run.summary.outcome == Outcome::kFailed) return;
    setting_.observer.warn(
        "the run did not pass, so that only what came before its end is analysed: " +
        run.explanation);
  }

  /// Failures are verified, stored, explained and told once. The run gets the id that it is stored
  /// under.
  Result<void> take_failure(Run& run) {
    if (run.summary.outcome != Outcome::kFailed || !run.failure) return {};
    if (!failure_keys_.insert(run.failure->key).second) return {};
    const Result<bool> goes_on = failures_.found(run, report_.runs);
    if (!goes_on) return fail(goes_on.error());
    const Run& stored = failures_.found_so_far().back().run;
    run.id = stored.id;
    run.failure = stored.failure;  // with the names of its objects
    return {};
  }

  void read(AnalysedRun& analysed) {
    const Clock::time_point began = Clock::now();
    analysed.history = analysed.sink->history(functions_);
    analysed.fingerprints = fingerprints_of(analysed.history);
    analysis_ += Clock::now() - began;
    report_.is_cut |= analysed.history.is_cut;
  }

  void analyse(std::unique_ptr<AnalysedRun> analysed) {
    const Clock::time_point began = Clock::now();
    ++report_.traces;
    memory_ += analysed->history.bytes();
    const std::size_t number = pursuits_.add(std::move(analysed));
    const AnalysedRun& run = pursuits_.run_at(number);
    std::vector<Candidate> candidates = find_candidates(run.history, patterns_, request_.kinds);
    std::map<std::size_t, std::uint32_t> instances;  // by finding
    for (Candidate& candidate : candidates) {
      const std::size_t finding = anomalies_.add(run, candidate);
      // The run shows it: what it leads to is known. The other order of a race is not, and in a
      // marked region it is wrong in any case.
      const bool is_known = candidate.is_seen && candidate.kind != AnomalyKind::kRace;
      if (is_known && !candidate.is_marked) continue;
      pursuits_.add({.run = number,
                     .candidate = std::move(candidate),
                     .finding = finding,
                     .instance = instances[finding]++});
    }
    analysis_ += Clock::now() - began;
  }

  [[nodiscard]] bool is_over() const {
    if (report_.trouble || setting_.observer.interrupted()) return true;
    if (report_.runs >= request_.runs) return true;
    return request_.time && Clock::now() - began_ >= *request_.time;
  }

  /// The next run to make. Nothing: all was tried, or a limit was reached. One search at a time, so
  /// that the user's time limit and an interruption also end the analysis.
  std::optional<PursuitAttempt> next_attempt() {
    const Clock::time_point began = Clock::now();
    std::optional<PursuitAttempt> attempt;
    while (!attempt && searches_left_ > 0 && pursuits_.has_waiting() && !is_over()) {
      std::size_t one = 1;
      attempt = pursuits_.next(one);
      searches_left_ -= 1 - one;
    }
    analysis_ += Clock::now() - began;
    return attempt;
  }

  /// Rounds of as many runs as there are workers. Results are taken in the order of the attempts.
  void pursue() {
    struct Going {
      PursuitAttempt attempt;
      std::unique_ptr<HistorySink> sink;
      std::future<Result<Run>> run;
    };
    while (!is_over()) {
      std::vector<Going> round;
      const std::uint64_t most =
          std::min<std::uint64_t>(setting_.pool.workers(), request_.runs - report_.runs);
      while (round.size() < most) {
        std::optional<PursuitAttempt> attempt = next_attempt();
        if (!attempt) break;
        Going going{.attempt = std::move(*attempt), .sink = nullptr, .run = {}};
        going.sink = std::make_unique<HistorySink>(going.attempt.expected);
        RunRequest request;
        request.schedule = going.attempt.proposal.schedule;
        request.following = going.attempt.proposal.following;
        trace(request, *going.sink);
        going.run = setting_.pool.submit(std::move(request));
        round.push_back(std::move(going));
      }
      if (round.empty()) {
        report_.is_over = pursuits_.not_searched() == 0;
        return;
      }
      for (Going& going : round) {
        Result<Run> run = going.run.get();
        if (!run) {
          if (!setting_.observer.interrupted()) report_.trouble = run.error();
          continue;
        }
        take(going.attempt, std::move(*run), std::move(going.sink));
      }
      setting_.observer.progress(report_.runs, request_.runs);
    }
    report_.is_over = false;
  }

  void take(const PursuitAttempt& attempt, Run run, std::unique_ptr<HistorySink> sink) {
    ++report_.runs;
    run.strategy = "predicted";
    if (run.summary.outcome == Outcome::kError) {
      report_.trouble = internal_error(run.explanation).value();
      return;
    }
    const Result<void> told = take_failure(run);
    if (!told) {
      report_.trouble = told.error();
      return;
    }
    auto analysed = std::make_unique<AnalysedRun>();
    analysed->run = std::move(run);
    analysed->sink = std::move(sink);
    read(*analysed);
    const AnalysedRun& base = pursuits_.run_of(attempt.pursuit);
    analysed->depth = base.depth + 1;
    const Pursuit& pursuit = pursuits_.at(attempt.pursuit);
    if (Anomalies::is_shown(attempt, base, *analysed)) {
      anomalies_.confirm(pursuit.finding, attempt, *analysed, *base_);
      pursuits_.take(attempt.pursuit, true, {});
    } else {
      std::string why = anomalies_.why_not_shown(attempt, base, *analysed);
      anomalies_.refute(pursuit.finding, attempt, why);
      pursuits_.take(attempt.pursuit, false, std::move(why));
    }
    follow(std::move(analysed));
  }

  /// Where the run went another way, its trace is analysed in turn.
  void follow(std::unique_ptr<AnalysedRun> analysed) {
    if (analysed->run.summary.outcome != Outcome::kPassed || analysed->depth > request_.rounds)
      return;
    if (!pursuits_.is_new(*analysed)) return;
    if (memory_ + analysed->history.bytes() > kMostMemory) {
      report_.is_cut = true;
      return;
    }
    analyse(std::move(analysed));
  }

  Result<PredictionReport> finish() {
    for (const Pursuit& pursuit : pursuits_.all()) {
      if (pursuit.is_settled && !pursuit.has_run) anomalies_.no_witness(pursuit.finding);
    }
    for (const std::string& one : functions_.warnings(setting_.program)) {
      setting_.observer.warn(one);
    }
    report_.interrupted = setting_.observer.interrupted();
    if (request_.confirms) report_.not_searched = pursuits_.not_searched();
    if (!report_.interrupted && !report_.trouble && request_.confirms) {
      const Result<void> placed =
          anomalies_.place(setting_.pool, setting_.store, setting_.settings, setting_.input);
      if (!placed) report_.trouble = placed.error();
    }
    anomalies_.tell(report_);
    report_.failures = failures_.found_so_far();
    report_.store = setting_.store.directory();
    report_.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    report_.analysis_seconds = std::chrono::duration<double>(analysis_).count();
    return std::move(report_);
  }

  const Setting setting_;
  const PredictRequest& request_;
  const Clock::time_point began_;
  std::size_t searches_left_;
  const std::vector<Pattern> patterns_;
  AtomicFunctions functions_;
  const KnownFailures nothing_known_;
  Anomalies anomalies_;
  Pursuits pursuits_;
  HuntFailures failures_;
  PredictionReport report_;
  const AnalysedRun* base_ = nullptr;  // the first one
  std::set<std::string> failure_keys_;
  std::size_t memory_ = 0;
  Clock::duration analysis_{};
};

void tell_hooks(bool has_hooks, Observer& observer) {
  if (has_hooks) return;
  observer.warn(
      "the program has no hooks at memory accesses: only deadlocks and orders of operations can "
      "be predicted (build it with unravel-cc or unravel-c++)");
}

bool is_hooked(const Program& program) {
  const Instrumentation built = instrumentation_of(program);
  return built.has_hooks || built.loads_libraries;
}

}  // namespace

Result<PredictionReport> predict_in_run(const PredictRequest& request, Observer& observer) {
  Result<OpenedRun> opened = open_run(request.run, request.store);
  if (!opened) return fail(opened.error());
  const Run& run = opened->stored.run;
  const Result<void> same = check_same_build(*opened);
  if (!same) return fail(same.error());
  Result<RunnerRequest> like = request_like(*opened, request.judging);
  if (!like) return fail(like.error());
  const std::string input = like->input;
  Result<std::unique_ptr<PoolLease>> lease = lease_pool(*like, request.jobs, observer);
  if (!lease) return fail(lease.error());
  const bool has_hooks = is_hooked(run.program);
  tell_hooks(has_hooks, observer);
  RunRequest first;
  first.schedule = run.schedule;
  first.following = wire::Following::kStrict;
  Prediction prediction({.request = request,
                         .pool = (*lease)->get(),
                         .store = opened->store,
                         .settings = like->settings,
                         .points = run.schedule.points,
                         .input = input,
                         .program = run.program.path,
                         .observer = observer});
  Result<PredictionReport> report = prediction.predict(std::move(first));
  if (report) report->has_hooks = has_hooks;
  return report;
}

Result<PredictionReport> predict_in_program(const PredictRequest& request, const Program& program,
                                            Observer& observer) {
  Result<Store> store = Store::open(request.store, Store::Access::kWrite);
  if (!store) return fail(store.error());
  const bool has_hooks = is_hooked(program);
  tell_hooks(has_hooks, observer);
  const wire::PointSet all = has_hooks ? wire::PointSet::kMemory : wire::PointSet::kSync;
  const wire::PointSet points = request.judging.points.value_or(all);
  const RunSettings settings = settings_from(request.judging, default_settings());
  Result<std::unique_ptr<PoolLease>> lease =
      lease_pool({.program = program,
                  .settings = settings,
                  .timeouts = request.judging.timeouts.value_or(wire::Timeouts::kNear),
                  .points = points,
                  .store = request.store,
                  .input = request.input},
                 request.jobs, observer);
  if (!lease) return fail(lease.error());
  Prediction prediction({.request = request,
                         .pool = (*lease)->get(),
                         .store = *store,
                         .settings = settings,
                         .points = points,
                         .input = request.input,
                         .program = program.path,
                         .observer = observer});
  // The first run has as few switches as possible: it passes, mostly.
  RunRequest first;
  first.schedule.then.watches = 1;
  Result<PredictionReport> report = prediction.predict(std::move(first));
  if (report) report->has_hooks = has_hooks;
  return report;
}

}  // namespace unravel
