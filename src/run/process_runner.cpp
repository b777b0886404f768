#include "run/process_runner.hpp"

#include <algorithm>
#include <cstring>

#include "run/checkup.hpp"
#include "run/environment.hpp"
#include "run/rest_of_schedule.hpp"
#include "run/uses.hpp"

namespace unravel {
namespace {

// The same text as the fork server's for runs that it forked.
constexpr std::string_view kOutlived = "a process that outlived its run";

/// Runs that are only counted do not keep their output and inputs, to save memory.
void forget_output(Run& run) {
  run.inputs.reset();
  run.output = run.error_output = std::string();
  run.output_left_out = run.error_output_left_out = 0;
}

}  // namespace

RunSummary summary_of(const wire::RunSlot& slot, Outcome outcome,
                      std::optional<FailureKind> failure) {
  return {.outcome = outcome,
          .failure = failure,
          .reason = Reason::kNone,
          .ordinal = slot.ordinal,
          .seed = slot.seed,
          .steps = slot.steps,
          .switches = slot.switches,
          .preemptions = slot.preemptions,
          .operations = slot.operations,
          .threads = slot.threads,
          .children = slot.children,
          .schedule_hash = slot.schedule_hash,
          .behaviour = slot.behaviour,
          .pairs = slot.pairs,
          .new_pairs = slot.new_pairs,
          .kept = slot.kept,
          .given_up = slot.given_up,
          .new_sites = slot.new_sites,
          .seconds = static_cast<double>(slot.nanoseconds) * 1e-9,
          .processor_seconds = static_cast<double>(slot.processor_nanoseconds) * 1e-9};
}

ProcessRunner::ProcessRunner(Program program, RunnerOptions options,
                             std::unique_ptr<ProgramProcess> session)
    : program_(std::move(program)),
      options_(std::move(options)),
      marks_(options_.marks),
      process_(std::move(session)),
      about_program_(warnings_about(program_)) {}

wire::Batch ProcessRunner::batch_of(const RunRequest& request) const {
  wire::Batch batch;
  batch.count = 1;
  batch.schedules = 1;
  batch.rule = request.schedule.then;
  batch.master_seed = request.schedule.then.seed;
  batch.most_steps = options_.limits.most_steps;
  batch.trace = request.table ? wire::TraceLevel::kSync : request.trace;
  batch.timeouts = request.following == wire::Following::kNothing ? options_.timeouts
                                                                  : request.schedule.timeouts;
  batch.points = request.following != wire::Following::kNothing
                     ? request.schedule.points
                     : request.points.value_or(options_.points);
  batch.livelock_is_failure = options_.targets.allow(FailureKind::kLivelock);
  batch.ticks = request.tick.has_value();
  batch.values = request.values;
  batch.calls = request.calls;
  batch.pairs = request.pairs;
  batch.debugger = request.debugger != nullptr;
  return batch;
}

Result<Run> ProcessRunner::run(const RunRequest& request) {
  if (request.table) return run_with_table(request);
  ObjectNames names;
  if (!request.snapshots.empty()) {
    std::vector<Snapshot> snapshots;
    auto run = perform_one(
        request, request.snapshots,
        [&](pid_t process) { snapshots.push_back(take_snapshot(process)); }, names);
    if (run) run->snapshots = std::move(snapshots);
    return run;
  }
  if (!request.counted.empty()) {
    std::vector<CountedStop> counted;
    auto run = perform_one(
        request, request.counted, [&](pid_t) { counted.push_back(count_stop()); }, names);
    if (run) run->counted = std::move(counted);
    return run;
  }
  if (!request.probes.empty()) {
    std::vector<Probe> probes;
    auto run = perform_one(
        request, request.probes, [&](pid_t process) { probes.push_back(probe_turn(process)); },
        names);
    if (run) run->probes = std::move(probes);
    return run;
  }
  return request.window ? run_with_window(request) : perform_one(request, {}, {}, names);
}

Result<Run> ProcessRunner::perform_one(const RunRequest& request,
                                       std::span<const wire::StopAt> stops,
                                       std::function<void(pid_t)> at_stop, ObjectNames& names) {
  BatchWork work{.batch = batch_of(request),
                 .schedules = {{&request.schedule, request.following, stops}},
                 .tick = request.tick,
                 .at_stop = std::move(at_stop),
                 .sink = request.sink,
                 .decisions = request.decisions,
                 .debugger = request.debugger,
                 .marks = request.following != wire::Following::kNothing ? request.schedule.marks
                          : request.marks                                ? *request.marks
                                                                         : marks_};
  auto performed = process_->perform(work);
  if (!performed) return fail(performed.error());
  auto run = whole_run(*performed, request.schedule.then, work.batch);
  if (!run) return run;
  if (run->schedule.points == wire::PointSet::kAuto) run->schedule.marks = std::move(work.marks);
  // A run that should repeat one with threads, but started none, did not repeat it.
  const Reason reason = run->summary.reason;
  const bool ended_well = run->summary.outcome == Outcome::kPassed ||
                          reason == Reason::kNoSecondThread || reason == Reason::kChildren;
  if (request.following == wire::Following::kStrict && ended_well) {
    std::string rest = rest_of_schedule(request.schedule, run->schedule, run->summary.threads);
    if (!rest.empty()) {
      run->summary.outcome = Outcome::kDiverged;
      run->summary.reason = {};
      run->explanation = std::move(rest);
    }
  }
  if (request.sink) run->maps = process_->channel().site_maps();
  run->summary.seed = request.schedule.then.seed;
  if (request.following != wire::Following::kNothing) {
    run->strategy = request.tick ? "record" : "replay";
  }
  if (run->failure && run->failure->kind == FailureKind::kDeadlock) {
    for (const wire::Event& event : run->events) names.name(event.operation, event.object);
    const auto cycle = cycle_of(performed->ending.words);
    if (!cycle.empty()) run->failure->detail = describe_cycle(cycle, names);
  }
  return run;
}

Result<BatchResult> ProcessRunner::run_batch(const BatchRequest& request) {
  BatchResult result;
  if (request.marks) marks_ = *request.marks;
  if (request.maps) process_->add_site_maps(*request.maps);
  const std::vector<Proposal>& proposals = request.proposals;
  const std::uint64_t count = proposals.empty() ? request.count : proposals.size();
  wire::Batch batch;
  batch.master_seed = request.master_seed;
  batch.rule = request.rule;
  batch.most_steps = options_.limits.most_steps;
  batch.timeouts = options_.timeouts;
  batch.points =
      proposals.empty() ? options_.points : proposals.front().points.value_or(options_.points);
  batch.livelock_is_failure = options_.targets.allow(FailureKind::kLivelock);

  // Only the last run of a batch can be read completely. So a batch ends at every run that goes
  // wrong and, if runs are judged by their output or their clients, after each run.
  const bool output_tells =
      !options_.oracle.empty() || options_.expected_output || !options_.client.command.empty();
  std::uint64_t most = output_tells ? 1 : wire::kMostRunsInBatch;
  while (result.runs.size() < count) {
    batch.first_ordinal = request.first_ordinal + result.runs.size();
    batch.count = static_cast<std::uint32_t>(std::min(most, count - result.runs.size()));
    const auto next = std::span(proposals).subspan(proposals.empty() ? 0 : result.runs.size());
    std::vector<ScheduleInput> schedules;
    for (const Proposal& proposal : next.first(proposals.empty() ? 0 : batch.count)) {
      schedules.push_back({&proposal.schedule, proposal.following, {}});
    }
    batch.schedules = static_cast<std::uint32_t>(schedules.size());
    auto performed = process_->perform({.batch = batch,
                                        .schedules = std::move(schedules),
                                        .at_stop = {},
                                        .decisions = request.decisions,
                                        .marks = marks_});
    if (!performed) return fail(performed.error());
    if (performed->ending.is_damaged && batch.count > 1) {
      // Repeat one by one, to find out which of the runs it is.
      most = 1;
      continue;
    }
    for (std::size_t i = 0; i < performed->slots.size() && !next.empty(); ++i) {
      performed->slots[i].seed = next[i].schedule.then.seed;
    }
    if (!next.empty()) performed->ending.slot.seed = performed->slots.back().seed;

    const wire::RunSlot last = performed->slots.back();
    for (std::size_t i = 0; i + 1 < performed->slots.size(); ++i) {
      result.runs.push_back(summary_of(performed->slots[i], Outcome::kPassed, std::nullopt));
    }
    const bool has_threads = last.threads > 1;
    if (!wire::went_wrong(last) && !output_tells && has_threads) {
      result.runs.push_back(summary_of(last, Outcome::kPassed, std::nullopt));
      continue;
    }
    wire::Rule rule = request.rule;
    rule.seed = last.seed;
    const Proposal* proposal = next.empty() ? nullptr : &next[performed->slots.size() - 1];
    auto run = whole_run(*performed, proposal ? proposal->schedule.then : rule, batch);
    if (!run) return fail(run.error());
    if (proposal && !proposal->strategy.empty()) run->strategy = proposal->strategy;
    result.runs.push_back(run->summary);
    const Outcome outcome = run->summary.outcome;
    if (outcome == Outcome::kFailed) {
      const bool is_known =
          std::any_of(result.failures.begin(), result.failures.end(),
                      [&](const Run& other) { return other.failure->key == run->failure->key; });
      if (is_known) forget_output(*run);
      result.failures.push_back(std::move(*run));
      if (request.stop_at_failure) break;
    } else if (outcome != Outcome::kPassed) {
      if (outcome != Outcome::kError) forget_output(*run);
      result.unsettled.push_back(std::move(*run));
      if (outcome == Outcome::kError) break;
    }
  }
  result.maps = process_->channel().site_maps();
  return result;
}

Notes ProcessRunner::notes() const { return read_notes(process_->channel().notes()); }

std::vector<std::string> ProcessRunner::warnings() const {
  std::vector<std::string> found = about_program_;
  if (!process_->addresses_fixed()) {
    found.push_back("addresses are randomised: personality(ADDR_NO_RANDOMIZE) was refused");
  }
  if (const std::string why = process_->why_partly_sandboxed(); !why.empty()) {
    found.push_back("runs are only partly sandboxed: " + why +
                    "; files that the program writes there are seen by later runs");
  }
  if (!process_->why_not_sandboxed().empty()) {
    const std::string files = describe_files(notes());
    found.push_back("runs are not sandboxed: " + process_->why_not_sandboxed() + "; " +
                    std::string(kSeenByLaterRuns) + (files.empty() ? "" : ": " + files));
  }
  if (!process_->pinned()) found.push_back("the program could not be pinned to one CPU");
  for (std::uint32_t resource = 0; resource < 32; ++resource) {
    if (!(process_->limits_refused() >> resource & 1)) continue;
    found.push_back("the recorded limit " + resource_name(resource) +
                    " is above what is permitted here: the program got a lower one");
  }
  std::vector<std::string> uncontrolled = notes().uncontrolled;
  if (process_->left_processes()) uncontrolled.emplace_back(kOutlived);
  for (const std::string& what : uncontrolled) {
    found.push_back(std::string(kNotControlled) + what);
  }
  return found;
}

Result<std::uint64_t> ProcessRunner::keep_files(const std::string& directory) {
  return process_->keep_files(directory);
}

bool ProcessRunner::forks() const { return process_->mode() == wire::Mode::kServer; }

std::string ProcessRunner::why_not_forking() const {
  switch (process_->mode()) {
    case wire::Mode::kServer: return {};
    case wire::Mode::kNotYet: return "the program has not created a thread";
    case wire::Mode::kDirect: break;
  }
  return process_->why_direct();
}

}  // namespace unravel
