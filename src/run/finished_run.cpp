/// From a program process that has ended to a Run: outcome, failure, output and realised schedule.
#include <algorithm>

#include "run/checkup.hpp"
#include "run/expected_output.hpp"
#include "run/failure_key.hpp"
#include "run/oracle.hpp"
#include "run/plain_command.hpp"
#include "run/process_runner.hpp"

namespace unravel {
namespace {

// Read this much of an unexpected line: more than a report shows.
constexpr std::uint64_t kMoreShown = 4096;

/// Whether the words that would make the failure a target may be in output that was left out.
bool is_text_unseen(const Targets& targets, const Run& run) {
  Targets others = targets;
  others.texts.clear();
  return run.error_output_left_out > 0 && !targets.texts.empty() &&
         others.match(*run.failure, run.error_output);
}

}  // namespace

void close_last_slice(std::vector<wire::Slice>& slices, const wire::ThreadRecord& current) {
  if (slices.empty() && current.clock == wire::Clock{}) return;  // it never reached a point
  if (!slices.empty()) {
    const wire::Slice& last = slices.back();
    const bool is_closed = last.thread == current.thread &&
                           (last.end == wire::End::kEnded || last.until == current.clock);
    if (is_closed) return;
  }
  slices.push_back(
      {.thread = current.thread, .until = current.clock, .site = {}, .end = wire::End::kEnded});
}

Result<Run> ProcessRunner::whole_run(Performed& performed, const wire::Rule& rule,
                                     const wire::Batch& batch) {
  const wire::RunSlot& slot = performed.ending.slot;
  Run run;
  run.program = program_;
  run.environment = process_->environment();
  run.inputs = process_->take_inputs();
  run.client = performed.client;
  const auto read = [&](Capture::Stream stream) {
    return process_->capture().read(stream, slot.output_begin[stream], slot.output_end[stream]);
  };
  KeptOutput output = read(Capture::kOutput);
  KeptOutput error_output = read(Capture::kErrorOutput);
  run.output = std::move(output.text);
  run.output_left_out = output.left_out;
  run.error_output = std::move(error_output.text);
  run.error_output_left_out = error_output.left_out;
  auto verdict = verdict_of(performed);
  if (!verdict) return fail(verdict.error());

  run.strategy = wire::name(rule.kind);
  run.warnings = warnings();
  std::string escaped;
  for (const Concern& escape : concerns_about_escapes(run)) {
    if (escape.weight != Concern::Weight::kCertain) continue;
    if (escaped.empty()) escaped = escape.evidence;
    if (performed.ending.words.cycle_length == 0) {
      *verdict = doubt(std::move(*verdict), escape.evidence);
    }
  }
  run.explanation = verdict->explanation;
  run.failure = std::move(verdict->failure);
  explain_place(performed, *verdict, run);
  if (run.failure && !options_.targets.match(*run.failure, run.error_output)) {
    *verdict = is_text_unseen(options_.targets, run)
                   ? Verdict{Outcome::kUnresolved, std::nullopt,
                             "it failed, and " + std::to_string(run.error_output_left_out) +
                                 " bytes of its error output were not kept, which may have the "
                                 "text of a target; --max-output SIZE keeps more",
                             Reason::kLimit}
                   : no_target(run.failure->kind, run.failure->detail);
    run.explanation = verdict->explanation;
    run.failure.reset();
  }
  if (run.failure && performed.ending.late) {
    *verdict = cannot_tell(*run.failure, *performed.ending.late);
    run.explanation = verdict->explanation;
    run.failure.reset();
  }
  if (verdict->outcome == Outcome::kPassed) {
    *verdict = if_tested(std::move(*verdict), slot, escaped);
    run.explanation = verdict->explanation;
  }
  run.summary = summary_of(slot, verdict->outcome,
                           run.failure ? std::optional(run.failure->kind) : std::nullopt);
  run.summary.reason = verdict->reason;
  run.schedule = realised(performed, rule, batch);
  run.clock_form = std::move(performed.streamed.clock_switches);
  run.events = std::move(performed.streamed.events);
  return run;
}

Result<Verdict> ProcessRunner::verdict_of(const Performed& performed) {
  Verdict verdict = judge(performed.ending, options_.targets, options_.skip_status);
  const bool ended_well = !wire::went_wrong(performed.ending.slot) &&
                          verdict.outcome == Outcome::kPassed && verdict.explanation.empty();
  if (!ended_well) return verdict;
  if (performed.client) {
    auto told = client_verdict(*performed.client);
    if (!told || told->outcome != Outcome::kPassed) return told;
  }
  const Capture& capture = process_->capture();
  const wire::RunSlot& slot = performed.ending.slot;
  const std::uint64_t begin = slot.output_begin[Capture::kOutput];
  const std::uint64_t end = slot.output_end[Capture::kOutput];
  if (options_.expected_output) {
    const std::string& expected = *options_.expected_output;
    const std::string differs = first_difference(
        expected, capture.read_front(Capture::kOutput, begin, end, expected.size() + kMoreShown));
    if (!differs.empty()) return judge_output(differs, options_.targets);
  }
  if (options_.oracle.empty()) return verdict;
  const Result<UniqueFd> output = capture.copy(Capture::kOutput, begin, end);
  if (!output) return fail(output.error());
  const auto status = ask({.command = options_.oracle,
                           .directory = program_.directory,
                           .timeout = options_.limits.timeout,
                           .sandbox = process_->lend_sandbox(),
                           .environment = &process_->environment()->variables},
                          output->get(), process_->interrupted());
  if (!status) return fail(status.error());
  if (!*status) {
    return Verdict{Outcome::kUnresolved, std::nullopt,
                   "the oracle did not end within " + describe_seconds(options_.limits.timeout),
                   Reason::kOracle};
  }
  return judge_oracle(**status, options_.targets);
}

Result<Verdict> ProcessRunner::client_verdict(const ClientEnd& end) const {
  const bool is_shells = end.kind == ClientEnd::Kind::kExited &&
                         (end.number == kCannotStart || end.number == kNotFound);
  if (is_shells) {
    const std::string first_line = end.output.substr(0, end.output.find('\n'));
    return user_error("the client '" + options_.client.command + "' could not be run",
                      "its exit status is " + std::to_string(end.number) +
                          (first_line.empty() ? "" : ": " + first_line),
                      "check its spelling and permissions");
  }
  return judge_client(end, options_.targets, options_.skip_status);
}

void ProcessRunner::explain_place(const Performed& performed, const Verdict& verdict, Run& run) {
  const wire::LastWords& words = performed.ending.words;
  StackReader& stacks = process_->stacks();
  if (run.failure) {
    if (performed.stuck.empty()) {
      place_failure(*run.failure, words, performed.threads, process_->channel(), stacks);
    } else {
      wire::LastWords silent;
      silent.thread.ordinal = run.failure->thread;
      place_failure(*run.failure, silent, performed.stuck, process_->channel(), stacks);
    }
  } else if (verdict.outcome == Outcome::kDiverged) {
    run.divergence = divergence_of(words);
    if (run.divergence->now.place) {
      run.explanation += " (" + describe_place(*run.divergence->now.place) + ")";
    }
  }
}

Divergence ProcessRunner::divergence_of(const wire::LastWords& words) {
  const auto side = [&](wire::ThreadId thread, wire::Clock clock, wire::Operation pending,
                        wire::Site site) {
    Divergence::Side told{.text = describe(thread, clock), .place = {}};
    if (pending != wire::Operation::kNone) {
      told.text += std::string(" before ") + wire::traits(pending).name;
    }
    if (site == wire::Site{}) return told;
    const Stack stack = process_->stacks().at(process_->channel().modules().path_of(site), site);
    const Frame* own = own_frame(stack);
    if (own || !stack.empty()) told.place = own ? *own : stack.front();
    return told;
  };
  Divergence divergence{.kind = words.divergence,
                        .at = describe(words.thread, words.clock),
                        .recorded = {},
                        .now = side(words.thread, words.clock, words.pending, words.site),
                        .cause = {}};
  if (words.has_expected) {
    const wire::Slice& expected = words.expected;
    divergence.recorded = side(expected.thread, expected.until, expected.pending, expected.site);
  }
  return divergence;
}

Schedule ProcessRunner::realised(Performed& performed, const wire::Rule& rule,
                                 const wire::Batch& batch) const {
  const ChannelReading& channel = process_->channel();
  Schedule schedule;
  schedule.slices = std::move(performed.streamed.slices);
  const wire::ThreadRecord current = channel.current_thread();
  if (performed.ending.is_damaged) {
    schedule.slices.clear();
  } else if (performed.ending.stopped.empty()) {
    close_last_slice(schedule.slices, current);
  } else if (performed.standstill == Standstill::kOutside) {
    // The last waiting thread had reached the end of its slice; the rule decides the rest.
    close_last_slice(schedule.slices, current);
    if (current.state == wire::ThreadState::kBlocked && !schedule.slices.empty()) {
      schedule.slices.back().end = wire::End::kBlocked;
      schedule.slices.back().pending = current.pending;
      schedule.slices.back().site = current.site;
    }
  } else if (!performed.stuck.empty() && current.clock != wire::Clock{}) {
    // It was on the way to a point that it never reached.
    wire::Slice open{.thread = current.thread, .until = current.clock, .site = {}};
    ++open.until.hooks;
    schedule.slices.push_back(open);
  }
  schedule.choices = std::move(performed.streamed.choices);
  schedule.then = rule;
  // If the driver ended the run, it would have continued.
  schedule.complete = performed.ending.stopped.empty() && !performed.ending.is_damaged;
  schedule.timeouts = batch.timeouts;
  schedule.points = batch.points;
  if (batch.points == wire::PointSet::kAuto) schedule.marks = marks_;
  schedule.modules = channel.modules().ids();
  schedule.cpu_count = process_->settings().cpu_count;
  schedule.start_realtime = process_->settings().start_realtime;
  schedule.start_monotonic = process_->settings().start_monotonic;
  schedule.time_model = process_->settings().time_model;
  schedule.start = channel.start();
  schedule.addresses_fixed = process_->addresses_fixed();
  schedule.sandboxed = process_->sandboxed();
  return schedule;
}

}  // namespace unravel
