#include "investigate/examination.hpp"

#include <algorithm>
#include <cstdlib>

#include "investigate/lease.hpp"
#include "run/busy_process.hpp"
#include "run/checkup.hpp"
#include "run/launch.hpp"
#include "run/machine.hpp"
#include "run/mapped_file.hpp"
#include "run/standstill.hpp"
#include "run/uses.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

// All events of two runs are in memory: 2 million events of 56 bytes are about 100 MB. Chosen by
// hand.
constexpr std::uint64_t kMostSteps = 2'000'000;

// Milliseconds are an int; longer waits are split.
constexpr std::chrono::milliseconds kLongestWait{3'600'000};

/// The state that all parts of the examination share.
struct Examination {
  using Clock = std::chrono::steady_clock;

  const ExaminationRequest& request;
  Observer& observer;
  Program program;
  RunSettings settings;
  std::string input;
  Checkup checkup;
  Run first;
  Clock::time_point first_ended = {};
  int cpu = 0;  // for all runs
  std::vector<LinkedFile> files;

  double seconds_since_first() const {
    return std::chrono::duration<double>(Clock::now() - first_ended).count();
  }
};

Result<std::unique_ptr<RunnerLease>> start(Examination& examination, bool fork_server,
                                           const Schedule* like) {
  RunSettings settings = examination.settings;
  settings.fork_server = fork_server;
  return lease_runner(
      {.program = examination.program,
       .settings = settings,
       .timeouts = wire::Timeouts::kNear,
       .points = examination.checkup.has_hooks ? wire::PointSet::kMemory : wire::PointSet::kSync,
       .store = examination.request.store,
       .input = examination.input,
       .like = like,
       .sandbox = true,
       .cpu = examination.cpu},
      examination.observer);
}

/// The end of a thread has no place: it is not a call.
bool has_place(const wire::Event& event) { return event.site.module() != wire::kNoModule; }

/// The event whose place shows where two runs began to differ: an event of the difference, or the
/// thread's last event before it.
std::optional<wire::Event> parting(const Run& first, const Difference& difference) {
  for (const auto& event : {difference.event_before, difference.event_now}) {
    if (event && has_place(*event)) return event;
  }
  const auto& ended = difference.event_before ? difference.event_before : difference.event_now;
  if (!ended) return std::nullopt;
  for (std::uint64_t i = difference.position - 1; i > 0; --i) {
    const wire::Event& event = first.events[i - 1];
    if (event.thread == ended->thread && has_place(event)) return event;
  }
  return std::nullopt;
}

/// Adds the place of the difference and a nearby instruction that could be its cause.
void explain(Examination& examination, Difference& difference) {
  const std::optional<wire::Event> event = parting(examination.first, difference);
  const auto& modules = examination.first.schedule.modules;
  if (event && event->site.module() < modules.size()) {
    const std::string& path = modules[event->site.module()].path;
    const bool exact = event->operation == wire::Operation::kStart;
    difference.stack = Symbolizer().frames(path, event->site.offset(), exact);
    const auto file = MappedFile::open(path);
    if (file && difference.source == Source::kUnknown) {
      const auto found = varying_instructions(file->bytes(), event->site.offset());
      // With two candidates, neither is the likely cause.
      if (found.size() == 1) difference.source = found[0];
      if (found.size() > 1) difference.causes = {"rdtsc", "rdrand"};
    }
  }
  // The run repeated immediately but not later: the cause depends on time.
  const bool is_late = difference.started == Started::kLater;
  if (is_late && difference.source == Source::kUnknown) difference.source = Source::kTime;
  for (std::string& call :
       is_late ? dating_calls(examination.files) : varying_calls(examination.files)) {
    difference.causes.push_back(std::move(call));
  }
}

/// Repeats the first run once. Returns false if the repetition hung.
Result<bool> repeat(Examination& examination, Runner& runner, Started started) {
  RunRequest request;
  request.schedule = examination.first.schedule;
  request.following = wire::Following::kStrict;
  request.trace = wire::TraceLevel::kSync;
  Result<Run> now = runner.run(request);
  if (!now) return fail(now.error());

  Checkup& checkup = examination.checkup;
  Checkup::Repeats& repeats = started == Started::kForked ? checkup.forked
                              : started == Started::kAnew ? checkup.anew
                                                          : checkup.later;
  ++repeats.runs;
  std::optional<Difference> difference =
      first_difference(examination.first, *now, examination.seconds_since_first());
  if (!difference) return true;
  ++repeats.differed;
  if (!checkup.difference) {
    difference->run = checkup.runs();
    difference->started = started;
    explain(examination, *difference);
    checkup.difference = std::move(*difference);
  }
  return !concern_about_standstill(*now).has_value();
}

// Enough for some of them to reach a loop that waits for another thread. Chosen by hand.
constexpr std::uint64_t kProbes = 8;

/// Tries other schedules, once each: some programs hang only under some schedules.
Result<void> probe(Examination& examination, Runner& runner) {
  for (std::uint64_t ordinal = 0; ordinal < kProbes; ++ordinal) {
    BatchRequest request;
    request.first_ordinal = ordinal;
    request.master_seed = examination.request.seed;
    request.rule.kind = wire::RuleKind::kRandom;
    const Result<BatchResult> result = runner.run_batch(request);
    if (!result) return fail(result.error());
    for (const Run& run : result->unsettled) {
      auto concern = concern_about_standstill(run);
      if (!concern) continue;
      concern->evidence = "under another schedule, " + concern->evidence;
      examination.checkup.concerns.push_back(std::move(*concern));
      return {};
    }
  }
  return {};
}

/// Makes the first run and repeats it by forking.
Result<bool> run_beside(Examination& examination) {
  Result<std::unique_ptr<RunnerLease>> lease = start(examination, true, nullptr);
  if (!lease) return fail(lease.error());
  Runner& runner = (*lease)->get();
  RunRequest request;
  // A run with many switches shows more differences than one with few.
  request.schedule.then.kind = wire::RuleKind::kRandom;
  request.schedule.then.seed = examination.request.seed;
  request.trace = wire::TraceLevel::kSync;
  Result<Run> first = runner.run(request);
  if (!first) return fail(first.error());
  examination.first = std::move(*first);
  examination.first_ended = Examination::Clock::now();

  Checkup& checkup = examination.checkup;
  checkup.first = examination.first.summary;
  checkup.explanation = examination.first.explanation;
  checkup.events = examination.first.events.size();
  if (!runner.forks()) checkup.why_not_forked = runner.why_not_forking();
  if (examination.first.summary.outcome == Outcome::kError) {
    return internal_error("the program could not be examined", examination.first.explanation);
  }
  // A run that real time ended cannot be repeated: it may end anywhere.
  if (concern_about_standstill(examination.first)) return false;

  // If there are only two runs, a restart shows more than a fork.
  const std::uint64_t forked = runner.forks() ? (examination.request.runs - 1) / 2 : 0;
  bool goes_on = true;
  for (std::uint64_t i = 0; i < forked && goes_on; ++i) {
    examination.observer.progress(checkup.runs(), examination.request.runs);
    const Result<bool> repeated = repeat(examination, runner, Started::kForked);
    if (!repeated) return fail(repeated.error());
    goes_on = *repeated;
  }
  if (goes_on && runner.forks()) {
    const Result<void> probed = probe(examination, runner);
    if (!probed) return fail(probed.error());
  }
  return goes_on;
}

/// Whether to make one repetition later: not if there is already a difference.
bool is_later_wanted(const Examination& examination) {
  return examination.request.later.count() > 0 && !examination.checkup.difference;
}

Result<bool> run_anew(Examination& examination) {
  Result<std::unique_ptr<RunnerLease>> lease =
      start(examination, false, &examination.first.schedule);
  if (!lease) return fail(lease.error());
  bool goes_on = true;
  const auto left = [&] { return examination.request.runs - examination.checkup.runs(); };
  while (goes_on && left() > (is_later_wanted(examination) ? 1 : 0)) {
    examination.observer.progress(examination.checkup.runs(), examination.request.runs);
    const Result<bool> repeated = repeat(examination, (*lease)->get(), Started::kAnew);
    if (!repeated) return fail(repeated.error());
    goes_on = *repeated;
  }
  return goes_on;
}

/// Returns false if interrupted.
bool wait_until_later(const Examination& examination) {
  using std::chrono::milliseconds;
  const auto until = examination.first_ended + examination.request.later;
  while (!examination.observer.interrupted()) {
    const auto left = std::chrono::ceil<milliseconds>(until - Examination::Clock::now());
    if (left.count() <= 0) return true;
    examination.observer.wait(static_cast<int>(std::min(left, kLongestWait).count()));
  }
  return false;
}

/// Repeats the run after a while, beside a busy process that slows it down.
Result<void> run_later(Examination& examination) {
  const double left = static_cast<double>(examination.request.later.count()) / 1e3 -
                      examination.seconds_since_first();
  if (left >= 1) examination.observer.repeats_in(left);
  if (!wait_until_later(examination)) return fail(interrupted_error());
  Result<std::unique_ptr<RunnerLease>> lease =
      start(examination, false, &examination.first.schedule);
  if (!lease) return fail(lease.error());
  const Child load = start_busy_process(examination.cpu);
  examination.checkup.seconds_later = examination.seconds_since_first();
  const Result<bool> repeated = repeat(examination, (*lease)->get(), Started::kLater);
  if (!repeated) return fail(repeated.error());
  return {};
}

/// The files that the run loaded; if none are known, the files that the program links to.
std::vector<LinkedFile> files_of(const Examination& examination) {
  std::vector<std::string> paths;
  for (const ModuleId& module : examination.first.schedule.modules) paths.push_back(module.path);
  std::vector<LinkedFile> files = read_links(paths);
  return files.empty() ? program_links(examination.program.path) : files;
}

void gather_concerns(Examination& examination) {
  std::vector<Concern>& concerns = examination.checkup.concerns;
  if (auto standstill = concern_about_standstill(examination.first)) {
    concerns.push_back(std::move(*standstill));
  }
  for (Concern& concern : concerns_about_escapes(examination.first)) {
    concerns.push_back(std::move(concern));
  }
  if (examination.first.summary.threads == 1) {
    concerns.push_back(concern_about_one_thread(examination.first));
  }
  if (examination.first.summary.threads == 1 && examination.first.summary.children == 0) {
    if (auto children = concern_about_children(examination.files)) {
      concerns.push_back(std::move(*children));
    }
  }
  const char* preloaded = std::getenv("LD_PRELOAD");
  for (Concern& concern : concerns_about(examination.files, preloaded ? preloaded : "")) {
    const bool is_told = std::any_of(concerns.begin(), concerns.end(), [&](const Concern& told) {
      return told.name == concern.name;
    });
    if (!is_told) concerns.push_back(std::move(concern));
  }
  for (Concern& concern : concerns_about_machine(examination.first)) {
    concerns.push_back(std::move(concern));
  }
}

}  // namespace

Result<Checkup> examine(const ExaminationRequest& request, const Program& program,
                        Observer& observer) {
  Examination examination{.request = request,
                          .observer = observer,
                          .program = program,
                          .settings = settings_from(request.judging, default_settings()),
                          .input = request.input,
                          .checkup = {},
                          .first = {},
                          .cpu = choose_cpu(),
                          .files = {}};
  examination.settings.most_steps = request.judging.most_steps.value_or(kMostSteps);
  examination.checkup.program = program;
  examination.checkup.has_hooks = instrumentation_of(program).has_hooks;
  examination.files = program_links(program.path);

  Result<bool> goes_on = run_beside(examination);
  if (goes_on && !examination.checkup.has_hooks && have_hooks(examination.first.schedule.modules)) {
    // The program is a wrapper, and the program that it executes has hooks: start over.
    examination.checkup = {};
    examination.checkup.program = program;
    examination.checkup.has_hooks = true;
    goes_on = run_beside(examination);
  }
  if (!goes_on) return fail(goes_on.error());
  bool repeats = *goes_on;
  if (repeats) {
    const Result<bool> done = run_anew(examination);
    if (!done) return fail(done.error());
    repeats = *done;
  }
  if (repeats && is_later_wanted(examination)) {
    const Result<void> done = run_later(examination);
    if (!done) return fail(done.error());
  }
  examination.files = files_of(examination);
  gather_concerns(examination);
  return std::move(examination.checkup);
}

}  // namespace unravel
