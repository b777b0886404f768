/// `unravel run`: one controlled run, or many until one fails. `unravel record`: one in which
/// threads take turns as they would by themselves.
#include "base/random.hpp"
#include "cli/build_ids.hpp"
#include "cli/commands.hpp"
#include "cli/keep_files.hpp"
#include "cli/points_learner.hpp"
#include "cli/progress.hpp"
#include "cli/runner_lease.hpp"
#include "cli/schedule_argument.hpp"
#include "cli/standard_input.hpp"
#include "cli/tell_run.hpp"
#include "cli/verification.hpp"
#include "data/print.hpp"
#include "report/failure_text.hpp"
#include "store/store.hpp"

namespace unravel {

namespace {

// So many at a time that starting a batch costs nothing beside it, so few that progress shows. The
// first ones are smaller: most of what there is to learn about a program shows early.
constexpr std::uint64_t kRunsInBatch = 500;
constexpr std::uint64_t kGrowth = 5;

/// Everything that the parts of the command share.
struct Command {
  const RunOptions& options;
  const Console& console;
  Interruption& interruption;
  Program program;
  Store store;
  RunSettings settings;
  wire::PointSet points;
  std::string input;
  std::unique_ptr<RunnerLease> worker;
  std::optional<PointsLearner> learner;  // if the set of points is `auto`
};

wire::Rule rule_from(const RunOptions& options, std::uint64_t seed) {
  wire::Rule rule;
  rule.kind = options.rule;
  rule.seed = seed;
  if (options.probability) {
    // 0 is "draw one"; the smallest probability is as good as none.
    rule.switch_probability = std::max<std::uint32_t>(
        1, static_cast<std::uint32_t>(*options.probability * wire::kCertain));
  }
  return rule;
}

/// Verifies, keeps and tells.
Result<int> conclude(Command& command, Run run, std::optional<std::uint64_t> runs,
                     std::vector<OutcomeCount> outcomes) {
  Result<Verification> verification;
  if (run.failure) {
    verification = verify(
        run, [&](const RunRequest& request) { return command.worker->runner().run(request); });
  }
  Result<std::string> id = command.store.add(run, command.settings, command.input);
  if (id) run.id = std::move(*id);

  tell_output(run, command.console);
  if (!verification) {
    // What happened is told before what went wrong afterwards.
    tell_outcome(run, command.console);
    if (!id) tell_unkept(run, id.error(), command.console);
    return fail(verification.error());
  }
  if (!verification->verified()) run.explanation = verification->why();
  tell_outcome(run, command.console);
  int status = kNoFailure;
  if (!id) status = graver(status, tell_unkept(run, id.error(), command.console));
  if (verification->is_our_fault()) return fail(not_reproduced(run, *verification));
  const bool is_doubtful = !verification->verified();
  if (run.summary.outcome == Outcome::kUnresolved) {
    tell_how_to_allow(command.options.judge, command.console);
  }
  if (is_doubtful) {
    command.console.note("  " + clean(run.explanation) + "\n");
    run.summary.outcome = Outcome::kUnresolved;
    run.summary.reason = Reason::kNotReproduced;
  }
  // A failure that was seen is not nothing.
  const bool allow_untested = command.options.judge.allow_untested && !is_doubtful;
  status = graver(status, exit_status(run.summary.outcome, allow_untested));
  if (id && run.failure && !is_doubtful && !command.console.options().quiet) {
    command.console.note("replay it with `unravel replay " + run.id +
                         "`, see its steps with `unravel show " + run.id + "`\n");
  }
  const Result<void> kept =
      keep_files(command.worker->runner(), command.options.keep_files, command.console);
  if (!kept) status = graver(status, command.console.complain_in_words(kept.error()));
  if (command.console.options().json) {
    command.console.out(run_json(
        {.run = &run,
         .schedule_file = id ? command.store.schedule_file(run.id).string() : std::string(),
         .runs = runs,
         .outcomes = std::move(outcomes),
         .unkept = id ? nullptr : &id.error()}));
  }
  return status;
}

Result<int> run_once(Command& command, RunRequest request) {
  Result<Run> run = command.worker->runner().run(request);
  if (!run) return fail(run.error());
  return conclude(command, std::move(*run), std::nullopt, {});
}

/// Runs that passed are counted; only what failed is kept.
class Tally {
 public:
  explicit Tally(const Command& command) : command_(command) {
    for (const std::string& argument : command.program.arguments) {
      line_ += (line_.empty() ? "" : " ") + argument;
    }
  }

  void add(const RunSummary& run) {
    ++runs_;
    last_ = run;
    if (run.outcome == Outcome::kFailed) {
      ++failed_;
      return;
    }
    for (RunCount& count : counts_) {
      if (count.outcome != run.outcome) continue;
      ++count.runs;
      count.steps += run.steps;
      count.seconds += run.seconds;
      return;
    }
    counts_.push_back(
        {line_, std::string(name(command_.options.rule)), run.outcome, 1, run.steps, run.seconds});
  }

  /// A run without a clear outcome; the first one's explanation stands for all.
  void note(const Run& run) {
    if (explanation_.empty()) {
      explanation_ = run.explanation;
      reason_ = run.summary.reason;
    }
  }

  std::uint64_t runs() const { return runs_; }
  const std::string& explanation() const { return explanation_; }
  Reason reason() const { return reason_; }
  bool tested() const { return runs_ > runs_that(Outcome::kUnresolved); }
  /// Nothing to interleave: another run would be the same.
  bool has_one_thread() const {
    return !tested() && (reason_ == Reason::kNoSecondThread || reason_ == Reason::kChildren);
  }
  const RunSummary& last() const { return last_; }
  const std::vector<RunCount>& counts() const { return counts_; }

  std::vector<OutcomeCount> outcomes() const {
    std::vector<OutcomeCount> all;
    for (const Outcome outcome : {Outcome::kPassed, Outcome::kFailed, Outcome::kUnresolved,
                                  Outcome::kDiverged, Outcome::kError}) {
      all.push_back({outcome, runs_that(outcome)});
    }
    return all;
  }

  std::uint64_t runs_that(Outcome outcome) const {
    if (outcome == Outcome::kFailed) return failed_;
    for (const RunCount& count : counts_) {
      if (count.outcome == outcome) return count.runs;
    }
    return 0;
  }

 private:
  const Command& command_;
  std::string line_;
  std::uint64_t runs_ = 0;
  std::uint64_t failed_ = 0;
  RunSummary last_;
  std::vector<RunCount> counts_;
  std::string explanation_;
  Reason reason_ = Reason::kNone;
};

/// No run failed: one line about all of them, or the last one's numbers as JSON.
Result<int> tell_tally(const Command& command, const Tally& tally) {
  const std::uint64_t unresolved = tally.runs_that(Outcome::kUnresolved);
  if (tally.tested() && 2 * unresolved > tally.runs()) {
    command.console.warn(std::to_string(unresolved) + " of " + plural(tally.runs(), "run") +
                         " are unresolved: " + clean(tally.explanation()));
  }
  for (const std::string& warning : command.worker->runner().warnings()) {
    command.console.warn(warning);
  }
  std::string text = "unravel: " + plural(tally.runs(), "run") +
                     (tally.tested() ? ", no failure" : ", none of them resolved");
  for (const Outcome outcome : {Outcome::kUnresolved, Outcome::kDiverged, Outcome::kError}) {
    if (const std::uint64_t runs = tally.runs_that(outcome)) {
      text += ", " + std::to_string(runs) + " " + std::string(name(outcome));
    }
  }
  if (!tally.explanation().empty()) text += " (" + clean(tally.explanation()) + ")";
  command.console.note(text + "\n");
  const Outcome outcome = tally.tested() ? Outcome::kPassed : Outcome::kUnresolved;
  if (!tally.tested()) tell_how_to_allow(command.options.judge, command.console);
  if (command.console.options().json) {
    Run last;
    last.summary = tally.last();
    last.summary.outcome = outcome;
    last.summary.reason = tally.tested() ? Reason::kNone : tally.reason();
    if (!tally.tested()) last.explanation = tally.explanation();
    last.strategy = name(command.options.rule);
    last.program = command.program;
    last.schedule.points = command.points;
    command.console.out(run_json({.run = &last,
                                  .with_schedule = false,
                                  .runs = tally.runs(),
                                  .outcomes = tally.outcomes()}));
  }
  return exit_status(outcome, command.options.judge.allow_untested);
}

Result<int> run_many(Command& command, std::uint64_t seed) {
  BatchRequest batch;
  batch.master_seed = seed;
  batch.rule = rule_from(command.options, seed);
  Tally tally(command);
  Progress progress(command.console, *command.options.runs);
  std::optional<Run> notable;  // the first that failed, or in which we did
  // The first tells whether there is anything to interleave.
  std::uint64_t most = 1;
  while (tally.runs() < *command.options.runs && !notable && !tally.has_one_thread()) {
    if (command.interruption.happened()) return fail(Interruption::error());
    batch.first_ordinal = tally.runs();
    batch.count = std::min(most, *command.options.runs - tally.runs());
    most = command.learner ? std::min(kGrowth * most, kRunsInBatch) : kRunsInBatch;
    Result<BatchResult> result = command.worker->runner().run_batch(batch);
    if (!result) {
      // What was done before counts.
      static_cast<void>(command.store.count(tally.counts()));
      return fail(result.error());
    }
    if (result->runs.empty()) return internal_error("a batch of runs came back empty");
    for (const RunSummary& run : result->runs) tally.add(run);
    for (Run& run : result->unsettled) {
      tally.note(run);
      if (run.summary.outcome == Outcome::kError) notable = std::move(run);
    }
    if (!result->failures.empty()) notable = std::move(result->failures.front());
    progress.show(tally.runs());
    if (command.learner && !notable && tally.runs() < *command.options.runs) {
      const Result<void> learnt = command.learner->look_again(batch, result->runs);
      if (!learnt) return fail(learnt.error());
    }
  }
  progress.clear();
  const Result<void> counted = command.store.count(tally.counts());
  // Counts are the least that can be lost; a failure is not lost with them.
  if (!counted && !notable) return fail(counted.error());
  if (!notable) return tell_tally(command, tally);
  if (notable->failure && !command.console.options().quiet) {
    command.console.note("unravel: run " + std::to_string(tally.runs()) + " of " +
                         std::to_string(*command.options.runs) + " failed\n");
  }
  return conclude(command, std::move(*notable), tally.runs(), tally.outcomes());
}

/// The request for a schedule that was given.
Result<RunRequest> following_request(const RunOptions& options, const Program& program,
                                     Schedule schedule) {
  RunRequest request;
  request.following = options.following.value_or(following_for(schedule));
  if (request.following == wire::Following::kStrict) {
    const Result<void> fits = check_same_program(schedule, program);
    if (!fits) return fail(fits.error());
    const Result<void> same = check_same_build(schedule);
    if (!same) return fail(same.error());
  }
  request.schedule = std::move(schedule);
  return request;
}

}  // namespace

Result<int> run_command(const RunOptions& options, const Console& console,
                        Interruption& interruption) {
  const Result<void> free = check_keep_files(options.keep_files);
  if (!free) return fail(free.error());
  Result<Program> program = find_program(options.program);
  if (!program) return fail(program.error());
  std::optional<RunRequest> request;
  if (!options.schedule.empty()) {
    Result<Schedule> schedule = read_schedule_argument(options.schedule);
    if (!schedule) return fail(schedule.error());
    Result<RunRequest> made = following_request(options, *program, std::move(*schedule));
    if (!made) return fail(made.error());
    request = std::move(*made);
    fit_to_build(request->schedule, *program, request->following, console);
  }
  const Result<wire::PointSet> points = points_for(*program, options.judge, console);
  if (!points) return fail(points.error());
  Result<Store> store = Store::open(console.options().store, Store::Access::kWrite);
  if (!store) return fail(store.error());
  Result<std::string> input = read_standard_input(console, interruption);
  if (!input) return fail(input.error());

  RunSettings settings = settings_from(options.judge, default_settings());
  settings.fork_server = options.fork_server;
  const wire::Timeouts timeouts =
      options.judge.timeouts.value_or(request ? request->schedule.timeouts : wire::Timeouts::kNear);
  Result<std::unique_ptr<RunnerLease>> worker =
      RunnerLease::start({.program = *program,
                          .settings = settings,
                          .timeouts = timeouts,
                          .points = *points,
                          .store = console.options().store,
                          .input = *input,
                          .like = request ? &request->schedule : nullptr,
                          .sandbox = options.sandbox,
                          .most_output = options.judge.most_output},
                         interruption);
  if (!worker) return fail(worker.error());
  Command command{.options = options,
                  .console = console,
                  .interruption = interruption,
                  .program = std::move(*program),
                  .store = std::move(*store),
                  .settings = settings,
                  .points = *points,
                  .input = std::move(*input),
                  .worker = std::move(*worker),
                  .learner = {}};
  if (request) return run_once(command, std::move(*request));
  if (*points == wire::PointSet::kAuto) {
    command.learner.emplace(command.worker->runner(), command.program, console.options().store,
                            console);
    const Result<void> learnt = command.learner->begin();
    if (!learnt) return fail(learnt.error());
  }

  const std::uint64_t seed = options.seed.value_or(any_seed());
  if (options.runs) return run_many(command, seed);
  RunRequest fresh;
  if (options.tick) {
    fresh.following = wire::Following::kClockForm;
    fresh.tick = options.tick;
  } else {
    fresh.schedule.then = rule_from(options, seed);
  }
  fresh.schedule.timeouts = timeouts;
  fresh.schedule.points = *points;
  return run_once(command, std::move(fresh));
}

}  // namespace unravel
