#include "run/program_process.hpp"

#include <time.h>

#include <algorithm>
#include <cstring>

#include "data/served_inputs.hpp"
#include "run/environment.hpp"
#include "run/launch.hpp"
#include "run/program_state.hpp"
#include "run/watched_process.hpp"

namespace unravel {
namespace {

// Time for a process to end after it is asked to. It has nothing else to do; this covers a loaded
// machine, not the program's own work. Chosen by hand.
constexpr std::chrono::milliseconds kGrace{200};

// Nothing signals the death of a process, so it is polled: often at first, because short programs
// end soon. Chosen by hand.
constexpr std::chrono::milliseconds kFirstGlance{1}, kLastGlance{20};

// The content of a larger file is recorded only if the user asks for everything: a run must not
// take long, and fill the disk, because of a file of which it reads a little. Chosen by hand.
constexpr std::uint64_t kMostUsualContent = 16 << 20;

std::uint64_t nanoseconds_now(clockid_t clock) {
  timespec now = {};
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

wire::Settings settings_of(const RunnerOptions& options) {
  wire::Settings settings;
  settings.start_realtime = options.start_realtime.value_or(nanoseconds_now(CLOCK_REALTIME));
  settings.start_monotonic = options.start_monotonic.value_or(nanoseconds_now(CLOCK_MONOTONIC));
  settings.cpu_count = options.cpu_count.value_or(static_cast<std::uint32_t>(usable_cpus().size()));
  settings.fork_server = options.fork_server;
  if (options.inputs) {
    const bool served = is_served(*options.inputs);
    settings.inputs = served ? wire::InputMode::kServe : wire::InputMode::kReplay;
    settings.input_words = options.inputs->words.size();
    settings.catch_calls =
        options.inputs->has_calls() ? wire::CatchCalls::kYes : wire::CatchCalls::kNo;
  } else if (options.records_inputs) {
    settings.inputs = wire::InputMode::kRecord;
    settings.catch_calls = options.catch_calls;
    settings.most_content = options.catch_calls == wire::CatchCalls::kYes
                                ? options.limits.most_input
                                : std::min(options.limits.most_input, kMostUsualContent);
  }
  settings.client_signal = static_cast<std::uint8_t>(options.client.signal);
  settings.time_model = options.time_model;
  settings.start = options.start;
  return settings;
}

/// Without a sandbox, a program cannot see files at paths where they are not.
Error no_stand_ins(const Error& error) {
  return {Error::Kind::kEnvironment,
          "the program, or its working directory, cannot be shown at its recorded path",
          "that needs a sandbox: " + (error.why.empty() ? error.what : error.why),
          "put the program at its recorded path and make the directory, or permit namespaces"};
}

}  // namespace

Result<std::unique_ptr<ProgramProcess>> ProgramProcess::create(const Program& program,
                                                               const RunnerOptions& options,
                                                               const std::string& runtime) {
  auto channel = Channel::create();
  if (!channel) return fail(channel.error());
  // An oracle or an expected output needs everything that a run wrote.
  const bool sheds = options.oracle.empty() && !options.expected_output;
  auto capture = Capture::create(options.scratch_directory, options.limits.most_kept_output, sheds);
  if (!capture) return fail(capture.error());
  return std::unique_ptr<ProgramProcess>(
      new ProgramProcess(program, options, runtime, std::move(*channel), std::move(*capture)));
}

ProgramProcess::ProgramProcess(Program program, RunnerOptions options, std::string runtime,
                               Channel channel, Capture capture)
    : program_(std::move(program)),
      options_(std::move(options)),
      runtime_(std::move(runtime)),
      environment_(options_.environment
                       ? options_.environment
                       : std::make_shared<const Environment>(current_environment())),
      wrappers_(options_.wrappers ? options_.wrappers : std::make_shared<WrapperTable>()),
      cpu_(options_.cpu.value_or(choose_cpu())),
      settings_(settings_of(options_)),
      channel_(std::move(channel)),
      capture_(std::move(capture)),
      inputs_(options_.limits.most_input) {}

ProgramProcess::~ProgramProcess() { end(); }

std::shared_ptr<const InputLog> ProgramProcess::take_inputs() {
  if (!options_.records_inputs) return nullptr;
  return std::make_shared<InputLog>(inputs_.finish());
}

void ProgramProcess::end() {
  client_.reset();
  if (!child_) return;
  const wire::State state = channel().state();
  const bool listens = state == wire::State::kServing || state == wire::State::kStopped ||
                       state == wire::State::kFull;
  if (listens && !interrupted_.load()) {
    channel_.ask(wire::Request::kEnd);
    child_.ended(kGrace);
  }
  kill_run();
  child_.end();
}

// Waits for the runtime check this flag every few milliseconds.
void ProgramProcess::interrupt() { interrupted_.store(true); }

Result<Performed> ProgramProcess::perform(const BatchWork& work) {
  // If the server died, a new one repeats the current run. If that happens twice, something is
  // wrong.
  for (int tries = 0; tries < 2; ++tries) {
    channel_.set_sink(work.sink);
    channel_.set_decision_sink(work.decisions);
    if (work.sink) work.sink->begin();
    if (work.decisions) work.decisions->begin();
    auto performed = attempt(work);
    channel_.set_sink(nullptr);
    channel_.set_decision_sink(nullptr);
    if (!performed) return fail(performed.error());
    if (*performed) return std::move(**performed);
  }
  return environment_error("the process that forks the runs keeps being killed from outside",
                           "it ended twice in the same run, or before that run began",
                           "look for the out-of-memory killer in the system's log");
}

/// Prepares the sandbox for a new process of the program, in the same state as for the first.
Result<void> ProgramProcess::isolate() {
  if (!options_.sandbox || !why_not_sandboxed_.empty()) return {};
  was_lent_ = false;
  if (sandbox_ && sandbox_->renew()) return {};
  // There is no sandbox yet, or its keeper was killed, which is not a refusal by the system.
  const bool was_there = sandbox_ != nullptr;
  sandbox_.reset();
  auto made = Sandbox::create({.directory = program_.directory,
                               .needed = {program_.path, runtime_, options_.standard_input},
                               .stand_ins = options_.stand_ins});
  if (!made && !options_.stand_ins.empty()) return fail(no_stand_ins(made.error()));
  if (!made && was_there) return fail(made.error());
  if (made) sandbox_ = std::move(*made);
  if (!made) why_not_sandboxed_ = made.error().why.empty() ? made.error().what : made.error().why;
  return {};
}

/// Removes what the last run of this process left behind.
Result<void> ProgramProcess::forget_last_run() {
  if (!sandbox_ || !(channel().wrote() || was_lent_)) return {};
  channel_.forget_what_was_written();
  was_lent_ = false;
  return sandbox_->reset();
}

const Sandbox* ProgramProcess::lend_sandbox() {
  was_lent_ = true;
  return sandbox_.get();
}

Result<std::uint64_t> ProgramProcess::keep_files(const std::string& directory) {
  if (sandbox_) return sandbox_->keep_files(directory);
  return user_error("the files of this run cannot be kept apart",
                    why_not_sandboxed_.empty() ? "it was not sandboxed" : why_not_sandboxed_,
                    "they are where the program wrote them");
}

/// Prepares the channel for a new process, with the recorded inputs.
Result<void> ProgramProcess::write_inputs() {
  if (settings_.inputs != wire::InputMode::kServe) {
    channel_.reset(settings_);
    return options_.inputs ? channel_.write_inputs(options_.inputs->words) : Result<void>();
  }
  const auto words = served_words(*options_.inputs);
  if (!words) return fail(words.error());
  settings_.input_words = words->size();
  channel_.reset(settings_);
  return channel_.write_inputs(*words);
}

/// `keepers_left`: how many more keepers may be killed while the program is being started.
Result<void> ProgramProcess::start(const BatchWork& work, int keepers_left) {
  if (auto sandboxed = isolate(); !sandboxed) return sandboxed;
  settings_.sandboxed = sandbox_ != nullptr;
  settings_.own_processes = sandbox_ && sandbox_->has_own_processes();
  if (auto written = write_inputs(); !written) return written;
  client_.reset();
  expect_client();
  inputs_ = InputCollector(options_.limits.most_input);
  channel_.set_input_collector(options_.records_inputs ? &inputs_ : nullptr);
  // The program may fail before it asks for work, and must then know what to do.
  channel_.prepare(work.batch);
  capture_.clear();
  auto launched = launch({.program = &program_,
                          .environment = environment_.get(),
                          .runtime = runtime_,
                          .standard_input = options_.standard_input,
                          .channel = channel_.descriptor(),
                          .output = capture_.descriptor(Capture::kOutput),
                          .error_output = capture_.descriptor(Capture::kErrorOutput),
                          .cpu = cpu_,
                          .sandbox = sandbox_.get()});
  // A keeper that was killed does not answer; that is not a refusal by the system.
  const bool is_lost = !launched && sandbox_ && !sandbox_->end_processes();
  if (is_lost && keepers_left > 0) {
    sandbox_.reset();
    return start(work, keepers_left - 1);
  }
  if (!launched && sandbox_ && !is_lost && !was_inside_ && options_.stand_ins.empty()) {
    // If the program cannot start outside the sandbox either, that is the error to report.
    const Error& error = launched.error();
    why_not_sandboxed_ = error.why.empty() ? error.what : error.what + ": " + error.why;
    sandbox_.reset();
    return start(work);
  }
  if (!launched) return fail(launched.error());
  was_inside_ = was_inside_ || sandbox_;
  child_ = std::move(launched->child);
  addresses_fixed_ = launched->addresses_fixed;
  pinned_ = launched->pinned;
  limits_refused_ = launched->limits_refused;
  return {};
}

/// Nothing if the server was lost and the work must be repeated.
Result<std::optional<Performed>> ProgramProcess::attempt(const BatchWork& work) {
  if (interrupted_.load()) return user_error("interrupted");
  if (child_ && child_.ended()) child_.end();
  const auto began = Clock::now();
  Progress progress{.watchdog = Watchdog(options_.limits.timeout)};
  progress.performed.ending.most_steps = work.batch.most_steps;

  if (!child_) {
    if (auto started = start(work); !started) return fail(started.error());
    progress.is_starting = true;
    const auto met = await(work, progress);
    if (!met) return fail(met.error());
    if (*met == Met::kDamaged) return damaged(work);
    if (*met == Met::kEnded) {
      if (auto finished = finish_client(progress); !finished) return fail(finished.error());
      auto finished = finished_process(work, std::move(progress), began);
      if (!finished) return fail(finished.error());
      if (!channel().damage().empty()) return damaged(work);
      return std::move(*finished);
    }
    mode_ = channel().mode();
    why_direct_ = channel().why_direct();
    if (mode_ == wire::Mode::kServer) {
      capture_.end_start();
      if (sandbox_) {
        if (auto kept = sandbox_->end_start(); !kept) return fail(kept.error());
      }
    }
    channel_.drain_inputs();
    inputs_.end_start();
    wrapper_rows_ = channel_.write_wrappers(wrappers_->rows(channel().modules().loaded()));
    progress.is_starting = false;
    progress.watchdog = Watchdog(options_.limits.timeout);
    progress.next_look = {};
  }
  capture_.trim();
  inputs_.begin_run();

  wire::Batch batch = work.batch;
  if (mode_ == wire::Mode::kDirect) batch.count = 1;
  if (auto written = channel_.write_schedules(work.schedules); !written) {
    return fail(written.error());
  }
  // After the schedules: these may have given the memory of the marks back.
  batch.marks = channel_.write_marks(work.marks);
  batch.wrapper_rows = wrapper_rows_;
  batch.decisions = work.decisions ? 1 : 0;
  if (auto forgotten = forget_last_run(); !forgotten) return fail(forgotten.error());
  channel_.prepare(batch);
  expect_client();
  progress.output_before = capture_.sizes();
  if (work.debugger) channel_.stop_for_debugger(work.debugger->first_stop());
  channel_.ask(wire::Request::kRun);
  const auto met = await(work, progress);
  if (!met) return fail(met.error());
  channel().check_own_words();
  if (!channel().damage().empty()) return damaged(work);
  if (auto finished = finish_client(progress); !finished) return fail(finished.error());
  if (*met == Met::kEnded && mode_ == wire::Mode::kServer) {
    auto saved = lost_server(work, std::move(progress));
    if (!channel().damage().empty()) return damaged(work);
    return saved;
  }
  auto finished = *met == Met::kServing ? finished_batch(std::move(progress))
                                        : finished_process(work, std::move(progress), began);
  if (!finished) return fail(finished.error());
  if (!channel().damage().empty()) return damaged(work);
  return std::move(*finished);
}

Result<ProgramProcess::Met> ProgramProcess::await(const BatchWork& work, Progress& progress) {
  auto next_tick = Clock::now() + work.tick.value_or(std::chrono::milliseconds(0));
  for (auto pause = kFirstGlance;; pause = std::min(2 * pause, kLastGlance)) {
    const std::uint32_t bell = channel().bell();
    if (interrupted_.load()) {
      end();
      return user_error("interrupted");
    }
    if (auto attended = attend_client(progress); !attended) return fail(attended.error());
    const wire::State state = channel().state();
    if (!channel().damage().empty()) return Met::kDamaged;
    switch (state) {
      case wire::State::kServing: return Met::kServing;
      case wire::State::kStopped:
      case wire::State::kFull:
        if (state == wire::State::kStopped) attend_stop(work, progress);
        if (state == wire::State::kFull) drain(progress);
        channel_.ask(wire::Request::kContinue);
        pause = kFirstGlance;
        // A run that comes here repeatedly also uses up its time.
        watch(progress);
        continue;
      case wire::State::kStarting:
      case wire::State::kRunning: break;
    }
    if (child_.ended()) return Met::kEnded;
    watch(progress);
    if (client_ && !client_end_) pause = kFirstGlance;
    if (work.tick) {
      const auto now = Clock::now();
      if (now >= next_tick) {
        channel_.tick();
        next_tick = now + *work.tick;
      }
      pause = std::min(pause, *work.tick);
    }
    if (attend_debugger(work, progress)) continue;
    channel_.wait(bell, pause);
  }
}

void ProgramProcess::attend_stop(const BatchWork& work, Progress& progress) {
  const auto began = Clock::now();
  switch (channel().stop_reason()) {
    case wire::StopReason::kFailure:
      if (is_ended_by_client()) break;
      progress.performed.threads = stacks_.look(channel(), run_process(progress.is_starting));
      break;
    case wire::StopReason::kClock:
      if (work.at_stop) work.at_stop(run_process(progress.is_starting));
      break;
    case wire::StopReason::kRound: look_at_round(progress); break;
    case wire::StopReason::kNot:
    case wire::StopReason::kDivergence:
    case wire::StopReason::kDebugger:
    case wire::StopReason::kError: break;
  }
  if (work.debugger && channel().stop_reason() != wire::StopReason::kRound) {
    WatchedProcess run(*this, progress.is_starting);
    work.debugger->stopped(run, channel().stop_reason());
  }
  progress.watchdog.forgive(Clock::now() - began);
}

/// Returns whether it has waited.
bool ProgramProcess::attend_debugger(const BatchWork& work, const Progress& progress) {
  if (!work.debugger || progress.is_starting) return false;
  WatchedProcess run(*this, progress.is_starting);
  return work.debugger->attend(run);
}

/// No thread makes progress: tells the run whether its state is the same as at the last question.
void ProgramProcess::look_at_round(Progress& progress) {
  const std::optional<std::uint64_t> state =
      state_of_program(channel(), run_process(progress.is_starting), stacks_);
  const bool first = channel().round().first != 0;
  channel_.answer_round(!first && state && state == progress.round);
  progress.round = state;
}

void ProgramProcess::drain(Progress& progress) {
  const auto began = Clock::now();
  const std::uint32_t run = channel().runs_ended();
  if (run != progress.streamed_run) progress.performed.streamed = {};
  progress.streamed_run = run;
  channel_.drain(progress.performed.streamed);
  progress.watchdog.forgive(Clock::now() - began);
}

}  // namespace unravel
