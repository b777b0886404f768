/// `unravel doctor`: is this program controlled, and if not, why?
#include <algorithm>
#include <cstdlib>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/standard_input.hpp"
#include "cli/worker.hpp"
#include "report/diagnosis_text.hpp"
#include "report/json.hpp"
#include "run/diagnosis.hpp"
#include "run/machine.hpp"
#include "run/mapped_file.hpp"
#include "run/standstill.hpp"
#include "run/uses.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

// Every event of two runs is held in memory: this many take about 100 MB each.
constexpr std::uint64_t kMostSteps = 2'000'000;

/// Everything that the parts of the command share.
struct Examination {
  const DoctorOptions& options;
  const Console& console;
  Interruption& interruption;
  Program program;
  RunSettings settings;
  std::string input;
  Diagnosis diagnosis;
  Run first;
  std::vector<LinkedFile> files;
};

Result<std::unique_ptr<Worker>> start(Examination& examination, bool fork_server,
                                      const Schedule* like) {
  RunSettings settings = examination.settings;
  settings.fork_server = fork_server;
  return Worker::start(
      {.program = examination.program,
       .settings = settings,
       .timeouts = wire::Timeouts::kNear,
       .points = examination.diagnosis.has_hooks ? wire::PointSet::kMemory : wire::PointSet::kSync,
       .store = examination.console.options().store,
       .input = examination.input,
       .like = like},
      examination.interruption);
}

/// A thread's end has none: nobody called it.
bool has_place(const wire::Event& event) { return event.site.module() != wire::kNoModule; }

/// The event whose place tells where two runs parted: what one of them did there, or else what the
/// same thread did last.
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

/// The place of an event, and an instruction close to it that would explain a difference.
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
      // Two suspects are none.
      if (found.size() == 1) difference.source = found[0];
      if (found.size() > 1) difference.causes = {"rdtsc", "rdrand"};
    }
  }
  for (std::string& call : varying_calls(examination.files)) {
    difference.causes.push_back(std::move(call));
  }
}

/// Repeats the first run once; says whether it could be done in time.
Result<bool> repeat(Examination& examination, Runner& runner, Started started) {
  RunRequest request;
  request.schedule = examination.first.schedule;
  request.following = wire::Following::kStrict;
  request.trace = wire::TraceLevel::kSync;
  Result<Run> now = runner.run(request);
  if (!now) return fail(now.error());

  Diagnosis& diagnosis = examination.diagnosis;
  Diagnosis::Repeats& repeats = started == Started::kForked ? diagnosis.forked : diagnosis.anew;
  ++repeats.runs;
  std::optional<Difference> difference = first_difference(examination.first, *now);
  if (!difference) return true;
  ++repeats.differed;
  if (!diagnosis.difference) {
    difference->run = diagnosis.runs();
    difference->started = started;
    explain(examination, *difference);
    diagnosis.difference = std::move(*difference);
  }
  return !concern_about_standstill(*now).has_value();
}

// Enough for a loop that waits for another thread to be met by some of them.
constexpr std::uint64_t kProbes = 8;

/// Other schedules, once each: some programs stand still under some of them only.
Result<void> probe(Examination& examination, Runner& runner) {
  for (std::uint64_t ordinal = 0; ordinal < kProbes; ++ordinal) {
    BatchRequest request;
    request.first_ordinal = ordinal;
    request.master_seed = examination.options.seed;
    request.rule.kind = wire::RuleKind::kRandom;
    const Result<BatchResult> result = runner.run_batch(request);
    if (!result) return fail(result.error());
    for (const Run& run : result->unsettled) {
      auto concern = concern_about_standstill(run);
      if (!concern) continue;
      concern->evidence = "under another schedule, " + concern->evidence;
      examination.diagnosis.concerns.push_back(std::move(*concern));
      return {};
    }
  }
  return {};
}

/// The first run, and those that are forked beside it.
Result<bool> run_beside(Examination& examination, Progress& progress) {
  Result<std::unique_ptr<Worker>> worker = start(examination, true, nullptr);
  if (!worker) return fail(worker.error());
  Runner& runner = (*worker)->runner();
  RunRequest request;
  // A run with many switches meets more of what may differ than one with few.
  request.schedule.then.kind = wire::RuleKind::kRandom;
  request.schedule.then.seed = examination.options.seed;
  request.trace = wire::TraceLevel::kSync;
  Result<Run> first = runner.run(request);
  if (!first) return fail(first.error());
  examination.first = std::move(*first);

  Diagnosis& diagnosis = examination.diagnosis;
  diagnosis.first = examination.first.summary;
  diagnosis.explanation = examination.first.explanation;
  diagnosis.events = examination.first.events.size();
  if (!runner.forks()) diagnosis.why_not_forked = runner.why_not_forking();
  if (examination.first.summary.outcome == Outcome::kError) {
    return internal_error("the program could not be examined", examination.first.explanation);
  }
  // Where real time ended a run is chance: there is nothing to repeat.
  if (concern_about_standstill(examination.first)) return false;

  // With two runs in all, starting anew shows more.
  const std::uint64_t forked = runner.forks() ? (examination.options.runs - 1) / 2 : 0;
  bool goes_on = true;
  for (std::uint64_t i = 0; i < forked && goes_on; ++i) {
    progress.show(diagnosis.runs());
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

Result<void> run_anew(Examination& examination, Progress& progress) {
  Result<std::unique_ptr<Worker>> worker = start(examination, false, &examination.first.schedule);
  if (!worker) return fail(worker.error());
  bool goes_on = true;
  while (goes_on && examination.diagnosis.runs() < examination.options.runs) {
    progress.show(examination.diagnosis.runs());
    const Result<bool> repeated = repeat(examination, (*worker)->runner(), Started::kAnew);
    if (!repeated) return fail(repeated.error());
    goes_on = *repeated;
  }
  return {};
}

/// The files that were loaded, or those that are named if none were.
std::vector<LinkedFile> files_of(const Examination& examination) {
  std::vector<std::string> paths;
  for (const ModuleId& module : examination.first.schedule.modules) paths.push_back(module.path);
  std::vector<LinkedFile> files = read_links(paths);
  return files.empty() ? program_links(examination.program.path) : files;
}

void gather_concerns(Examination& examination) {
  std::vector<Concern>& concerns = examination.diagnosis.concerns;
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

void tell(const Diagnosis& diagnosis, const Console& console) {
  const Paint paint = console.out_paint();
  if (console.options().json) {
    console.out(diagnosis_json(diagnosis));
  } else if (console.options().quiet) {
    console.out(diagnosis_line(diagnosis, paint) + "\n");
  } else {
    console.out(diagnosis_text(diagnosis, console.columns(), paint));
  }
}

}  // namespace

Result<int> doctor_command(const DoctorOptions& options, const Console& console,
                           Interruption& interruption) {
  Result<Program> program = find_program(options.program);
  if (!program) return fail(program.error());
  Result<std::string> input = read_standard_input(console, interruption);
  if (!input) return fail(input.error());

  Examination examination{.options = options,
                          .console = console,
                          .interruption = interruption,
                          .program = std::move(*program),
                          .settings = settings_from(options.judge, default_settings()),
                          .input = std::move(*input),
                          .diagnosis = {},
                          .first = {},
                          .files = {}};
  examination.settings.most_steps = options.judge.most_steps.value_or(kMostSteps);
  examination.diagnosis.program = examination.program;
  examination.diagnosis.has_hooks = instrumentation_of(examination.program).has_hooks;
  examination.files = program_links(examination.program.path);

  Progress progress(console, options.runs);
  Result<bool> goes_on = run_beside(examination, progress);
  if (goes_on && !examination.diagnosis.has_hooks &&
      have_hooks(examination.first.schedule.modules)) {
    // A wrapper: now it is known what it becomes, and where that can be switched.
    examination.diagnosis = {};
    examination.diagnosis.program = examination.program;
    examination.diagnosis.has_hooks = true;
    goes_on = run_beside(examination, progress);
  }
  if (!goes_on) return fail(goes_on.error());
  if (*goes_on) {
    const Result<void> done = run_anew(examination, progress);
    if (!done) return fail(done.error());
  }
  progress.clear();
  examination.files = files_of(examination);
  gather_concerns(examination);
  tell(examination.diagnosis, console);
  return examination.diagnosis.controlled() ? kNoFailure : kFailure;
}

}  // namespace unravel
