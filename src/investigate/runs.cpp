#include "investigate/runs.hpp"

#include "base/random.hpp"
#include "data/print.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/recorded_inputs.hpp"
#include "investigate/verification.hpp"

namespace unravel {

namespace {

// A batch of 500 runs makes its overhead small and still shows progress. The first batches are
// smaller while points are learnt: most new behaviour comes early. Chosen by hand.
constexpr std::uint64_t kRunsInBatch = 500;
constexpr std::uint64_t kGrowth = 5;

std::string line_of(const Program& program) {
  std::string line;
  for (const std::string& argument : program.arguments) {
    line += (line.empty() ? "" : " ") + argument;
  }
  return line;
}

void add(Tally& tally, const RunSummary& run) {
  ++tally.runs;
  ++tally.by_outcome[run.outcome];
  tally.last = run;
}

void explain(Tally& tally, const Run& run) {
  if (!tally.explanation.empty()) return;
  tally.explanation = run.explanation;
  tally.reason = run.summary.reason;
}

}  // namespace

Result<std::unique_ptr<Runs>> Runs::prepare(RunsRequest request, Observer& observer) {
  std::optional<wire::Following> following;
  if (request.schedule) {
    following = request.following.value_or(following_for(*request.schedule));
    if (*following == wire::Following::kStrict) {
      const Result<void> fits = check_same_program(*request.schedule, request.program);
      if (!fits) return fail(fits.error());
      const Result<void> same = check_same_build(*request.schedule);
      if (!same) return fail(same.error());
    }
    fit_to_build(*request.schedule, request.program, *following, observer);
  }
  const Result<wire::PointSet> points = points_for(request.program, request.judging, observer);
  if (!points) return fail(points.error());
  Result<Store> store = Store::open(request.store, Store::Access::kWrite);
  if (!store) return fail(store.error());

  std::unique_ptr<Runs> runs(new Runs(std::move(request), std::move(*store), observer));
  const RunsRequest& own = runs->request_;
  runs->points_ = *points;
  runs->following_ = following.value_or(wire::Following::kNothing);
  runs->settings_ = settings_from(own.judging, default_settings());
  runs->settings_.fork_server = own.fork_server;
  runs->settings_.client = own.client;
  runs->timeouts_ =
      own.judging.timeouts.value_or(own.schedule ? own.schedule->timeouts : wire::Timeouts::kNear);
  RunnerRequest recording = runs->runner_request();
  recording.like = own.schedule ? &*own.schedule : nullptr;
  // A client does not do the same again, so each run that it takes part in needs its inputs.
  recording.records_inputs = own.records_inputs && (!own.runs || !own.client.command.empty());
  recording.catch_calls = runs->catches_at_once() ? own.catch_calls : wire::CatchCalls::kNo;
  recording.most_input = own.most_input;
  Result<std::unique_ptr<RunnerLease>> lease = lease_runner(recording, observer);
  if (!lease) return fail(lease.error());
  runs->lease_ = std::move(*lease);
  return runs;
}

RunnerRequest Runs::runner_request() const {
  return {.program = request_.program,
          .settings = settings_,
          .timeouts = timeouts_,
          .points = points_,
          .store = request_.store,
          .input = request_.input,
          .sandbox = request_.sandbox,
          .most_output = request_.judging.most_output};
}

wire::Rule Runs::rule(std::uint64_t seed) const {
  wire::Rule rule;
  rule.kind = request_.rule;
  rule.seed = seed;
  if (request_.probability) {
    // 0 would mean "draw one", so the smallest probability stands for 0.
    rule.switch_probability = std::max<std::uint32_t>(
        1, static_cast<std::uint32_t>(*request_.probability * wire::kCertain));
  }
  return rule;
}

Result<Ran> Runs::perform() {
  if (request_.schedule) {
    RunRequest request;
    request.schedule = *request_.schedule;
    request.following = following_;
    return run_once(std::move(request));
  }
  if (points_ == wire::PointSet::kAuto) {
    learner_.emplace(lease_->get(), request_.program, request_.store, observer_);
    const Result<void> learnt = learner_->begin();
    if (!learnt) return fail(learnt.error());
  }
  const std::uint64_t seed = request_.seed.value_or(any_seed());
  if (request_.runs) return run_many(seed);
  RunRequest request;
  if (request_.tick) {
    request.following = wire::Following::kClockForm;
    request.tick = request_.tick;
  } else {
    request.schedule.then = rule(seed);
  }
  request.schedule.timeouts = timeouts_;
  request.schedule.points = points_;
  return run_once(std::move(request));
}

Result<Ran> Runs::run_once(RunRequest request) {
  Result<Run> run = lease_->get().run(request);
  if (!run) return fail(run.error());
  return conclude(std::move(*run));
}

Ran Runs::no_run() const {
  Ran ran;
  ran.program = request_.program;
  ran.rule = name(request_.rule);
  ran.points = points_;
  return ran;
}

Ran Runs::conclude(Run run) {
  Ran ran = no_run();
  if (run.failure) {
    Result<Verification> verification = verify_run(run);
    if (verification) {
      ran.verification = std::move(*verification);
    } else {
      ran.not_verified = verification.error();
    }
  }
  if (run.summary.outcome == Outcome::kPassed) {
    const Result<void> checked = drop_unless_repeatable(run, runner_request(), observer_);
    if (!checked) run.inputs = nullptr;
  }
  const bool is_verified = ran.verification && ran.verification->verified();
  if (is_verified && records_afterwards(run)) {
    // The failure is verified even if its inputs cannot be recorded.
    static_cast<void>(record_inputs(run, runner_request(), observer_));
  }
  if (run.inputs && !run.inputs->incomplete.empty()) {
    observer_.warn("the inputs of this run were not recorded: " + run.inputs->incomplete);
  }
  Result<std::string> id = store_.add(run, settings_, request_.input);
  if (id) {
    run.id = std::move(*id);
    ran.schedule_file = store_.schedule_file(run.id).string();
  } else {
    ran.unkept = id.error();
  }
  if (ran.is_doubtful()) run.explanation = ran.verification->why();
  ran.run = std::move(run);
  return ran;
}

bool Runs::records_afterwards(const Run& run) const {
  if (!request_.records_inputs || catches_at_once()) return false;
  if (request_.catch_calls == wire::CatchCalls::kNo) return false;
  // What came from outside may not come again.
  return !(usable(run.inputs) && asks_outside(run.schedule));
}

Result<Verification> Runs::verify_run(Run& run) {
  return verify_with_inputs(
      run, runner_request(), [&](const RunRequest& request) { return lease_->get().run(request); },
      observer_);
}

Result<Ran> Runs::run_many(std::uint64_t seed) {
  BatchRequest batch;
  batch.master_seed = seed;
  batch.rule = rule(seed);
  Tally tally;
  tally.asked_for = *request_.runs;
  std::vector<RunCount> counts;  // of runs without a failure, which are not stored
  const auto count = [&](const RunSummary& run) {
    add(tally, run);
    if (run.outcome == Outcome::kFailed) return;
    for (RunCount& one : counts) {
      if (one.outcome != run.outcome) continue;
      ++one.runs;
      one.steps += run.steps;
      one.seconds += run.seconds;
      return;
    }
    counts.push_back({line_of(request_.program), std::string(name(request_.rule)), run.outcome, 1,
                      run.steps, run.seconds});
  };
  std::optional<Run> notable;  // the first run with a failure or an internal error
  // The first run shows whether there is anything to interleave.
  std::uint64_t most = 1;
  while (tally.runs < tally.asked_for && !notable && !tally.has_one_thread()) {
    if (observer_.interrupted()) return fail(interrupted_error());
    batch.first_ordinal = tally.runs;
    batch.count = std::min(most, tally.asked_for - tally.runs);
    most = learner_ ? std::min(kGrowth * most, kRunsInBatch) : kRunsInBatch;
    Result<BatchResult> result = lease_->get().run_batch(batch);
    if (!result) {
      // Earlier batches count.
      static_cast<void>(store_.count(counts));
      return fail(result.error());
    }
    if (result->runs.empty()) return internal_error("a batch of runs came back empty");
    for (const RunSummary& run : result->runs) count(run);
    for (Run& run : result->unsettled) {
      explain(tally, run);
      if (run.summary.outcome == Outcome::kError) notable = std::move(run);
    }
    if (!result->failures.empty()) notable = std::move(result->failures.front());
    observer_.progress(tally.runs, tally.asked_for);
    if (learner_ && !notable && tally.runs < tally.asked_for) {
      const Result<void> learnt = learner_->learn_from(batch, result->runs);
      if (!learnt) return fail(learnt.error());
    }
  }
  const Result<void> counted = store_.count(counts);
  // A failure is still reported if the counts cannot be stored.
  if (!counted && !notable) return fail(counted.error());
  Ran ran = notable ? conclude(std::move(*notable)) : no_run();
  if (!ran.run) ran.warnings = lease_->get().warnings();
  ran.tally = std::move(tally);
  return ran;
}

}  // namespace unravel
