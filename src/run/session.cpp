#include "run/session.hpp"

#include <time.h>

#include <algorithm>
#include <cstring>

#include "run/environment.hpp"
#include "run/launch.hpp"

namespace unravel {
namespace {

// A process that is asked to end has nothing to do but to end: this is time for a loaded machine
// to schedule it, not for the program to finish anything.
constexpr std::chrono::milliseconds kGrace{200};

// Nothing rings when a process dies, so it is looked at ever so often: soon at first, because
// short programs end soon.
constexpr std::chrono::milliseconds kFirstGlance{1}, kLastGlance{20};

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
  return settings;
}

template <std::size_t size>
std::string text_of(const char (&text)[size]) {
  return {text, ::strnlen(text, size)};
}

}  // namespace

Result<std::unique_ptr<Session>> Session::create(const Program& program,
                                                 const RunnerOptions& options,
                                                 const std::string& runtime) {
  auto channel = Channel::create();
  if (!channel) return fail(channel.error());
  // An oracle and the expected output are compared with all that a run wrote.
  const bool sheds = options.oracle.empty() && !options.expected_output;
  auto capture = Capture::create(options.scratch_directory, options.limits.most_kept_output, sheds);
  if (!capture) return fail(capture.error());
  return std::unique_ptr<Session>(
      new Session(program, options, runtime, std::move(*channel), std::move(*capture)));
}

Session::Session(Program program, RunnerOptions options, std::string runtime, Channel channel,
                 Capture capture)
    : program_(std::move(program)),
      options_(std::move(options)),
      runtime_(std::move(runtime)),
      environment_(options_.environment
                       ? options_.environment
                       : std::make_shared<const Environment>(current_environment())),
      cpu_(options_.cpu.value_or(choose_cpu())),
      settings_(settings_of(options_)),
      channel_(std::move(channel)),
      capture_(std::move(capture)) {}

Session::~Session() { end(); }

void Session::end() {
  if (!child_) return;
  const wire::State state = channel_.control().state.load();
  const bool listens =
      state == wire::State::kServing || state == wire::State::kHeld || state == wire::State::kFull;
  if (listens && !interrupted_.load()) {
    channel_.ask(wire::Request::kEnd);
    child_.ended(kGrace);
  }
  kill_run();
  child_.end();
}

void Session::interrupt() {
  interrupted_.store(true);
  channel_.ring_driver();
}

Result<Performed> Session::perform(const Job& job) {
  // A server that died is nobody's fault and costs nothing but a new one, which repeats the run
  // that was in progress; if that happens twice something is wrong.
  for (int tries = 0; tries < 2; ++tries) {
    channel_.set_sink(job.sink);
    if (job.sink) job.sink->begin();
    auto performed = attempt(job);
    channel_.set_sink(nullptr);
    if (!performed) return fail(performed.error());
    if (*performed) return std::move(**performed);
  }
  return environment_error("the process that forks the runs keeps being killed from outside",
                           "it ended twice in the same run, or before that run began",
                           "look for the out-of-memory killer in the system's log");
}

/// A place for a new process of the program, like the first one's.
Result<void> Session::isolate() {
  if (!options_.isolation || !why_not_isolated_.empty()) return {};
  was_lent_ = false;
  if (isolation_ && isolation_->renew()) return {};
  // There is none yet, or its keeper was killed, which must not be taken for a refusal.
  const bool was_there = isolation_ != nullptr;
  isolation_.reset();
  auto made = Isolation::create({.directory = program_.directory,
                                 .needed = {program_.path, runtime_, options_.standard_input}});
  if (!made && was_there) return fail(made.error());
  if (made) isolation_ = std::move(*made);
  if (!made) why_not_isolated_ = made.error().why;
  return {};
}

/// What the last run of this process left behind is gone.
Result<void> Session::forget_last_run() {
  if (!isolation_ || !(channel_.control().wrote || was_lent_)) return {};
  channel_.control().wrote = 0;
  was_lent_ = false;
  return isolation_->reset();
}

const Isolation* Session::lend_isolation() {
  was_lent_ = true;
  return isolation_.get();
}

Result<std::uint64_t> Session::keep_files(const std::string& directory) {
  if (isolation_) return isolation_->keep_files(directory);
  return user_error("the files of this run cannot be kept apart",
                    why_not_isolated_.empty() ? "it was not isolated" : why_not_isolated_,
                    "they are where the program wrote them");
}

Result<void> Session::start(const Job& job) {
  if (auto isolated = isolate(); !isolated) return isolated;
  settings_.isolated = isolation_ != nullptr;
  settings_.own_processes = isolation_ && isolation_->has_own_processes();
  channel_.reset(settings_);
  // The program may fail before it asks for work: it must know by then what to do about it.
  channel_.prepare(job.batch);
  capture_.clear();
  auto launched = launch({.program = &program_,
                          .environment = environment_.get(),
                          .runtime = runtime_,
                          .standard_input = options_.standard_input,
                          .channel = channel_.descriptor(),
                          .output = capture_.descriptor(Capture::kOutput),
                          .error_output = capture_.descriptor(Capture::kErrorOutput),
                          .cpu = cpu_,
                          .isolation = isolation_.get()});
  if (!launched) return fail(launched.error());
  child_ = std::move(launched->child);
  addresses_fixed_ = launched->addresses_fixed;
  pinned_ = launched->pinned;
  limits_refused_ = launched->limits_refused;
  return {};
}

/// Nothing if the server was lost, and the job has to be done once more.
Result<std::optional<Performed>> Session::attempt(const Job& job) {
  if (interrupted_.load()) return user_error("interrupted");
  if (child_ && child_.ended()) child_.end();
  const auto began = Clock::now();
  Progress progress{.watchdog = Watchdog(options_.limits.timeout, began)};
  progress.performed.ending.most_steps = job.batch.most_steps;

  if (!child_) {
    if (auto started = start(job); !started) return fail(started.error());
    progress.is_starting = true;
    const auto met = await(job, progress);
    if (!met) return fail(met.error());
    if (*met == Met::kEnded) {
      auto finished = finished_process(job, std::move(progress), began);
      if (!finished) return fail(finished.error());
      return std::move(*finished);
    }
    mode_ = channel_.control().mode.load();
    why_direct_ = text_of(channel_.control().why_direct);
    if (mode_ == wire::Mode::kServer) {
      capture_.end_start();
      if (isolation_) {
        if (auto kept = isolation_->end_start(); !kept) return fail(kept.error());
      }
    }
    progress.is_starting = false;
    progress.watchdog = Watchdog(options_.limits.timeout, Clock::now());
  }
  capture_.trim();

  wire::Batch batch = job.batch;
  if (mode_ == wire::Mode::kDirect) batch.count = 1;
  batch.marks = channel_.write_marks(job.marks);
  if (auto written = channel_.write_schedules(job.schedules); !written) {
    return fail(written.error());
  }
  if (auto forgotten = forget_last_run(); !forgotten) return fail(forgotten.error());
  channel_.prepare(batch);
  progress.output_before = capture_.sizes();
  channel_.ask(wire::Request::kRun);
  const auto met = await(job, progress);
  if (!met) return fail(met.error());
  if (*met == Met::kEnded && mode_ == wire::Mode::kServer) {
    return lost_server(job, std::move(progress));
  }
  auto finished = *met == Met::kServing ? finished_batch(std::move(progress))
                                        : finished_process(job, std::move(progress), began);
  if (!finished) return fail(finished.error());
  return std::move(*finished);
}

Result<Session::Met> Session::await(const Job& job, Progress& progress) {
  wire::Control& control = channel_.control();
  auto next_tick = Clock::now() + job.tick.value_or(std::chrono::milliseconds(0));
  for (auto pause = kFirstGlance;; pause = std::min(2 * pause, kLastGlance)) {
    const std::uint32_t bell = control.driver_bell.load();
    if (interrupted_.load()) {
      end();
      return user_error("interrupted");
    }
    switch (control.state.load()) {
      case wire::State::kServing: return Met::kServing;
      case wire::State::kHeld:
        attend_hold(job, progress);
        channel_.ask(wire::Request::kContinue);
        pause = kFirstGlance;
        continue;
      case wire::State::kFull:
        drain(progress);
        channel_.ask(wire::Request::kContinue);
        pause = kFirstGlance;
        continue;
      case wire::State::kStarting:
      case wire::State::kRunning: break;
    }
    if (child_.ended()) return Met::kEnded;
    watch(progress);
    if (job.tick) {
      const auto now = Clock::now();
      if (now >= next_tick) {
        control.tick.store(1);
        next_tick = now + *job.tick;
      }
      pause = std::min(pause, *job.tick);
    }
    channel_.wait(bell, pause);
  }
}

void Session::attend_hold(const Job& job, Progress& progress) {
  const auto began = Clock::now();
  switch (channel_.control().held.load()) {
    case wire::Held::kFailure:
      progress.performed.threads = stacks_.look(channel_, run_process());
      break;
    case wire::Held::kClock:
      if (job.at_hold) job.at_hold(run_process());
      break;
    case wire::Held::kNot:
    case wire::Held::kDivergence:
    case wire::Held::kError: break;
  }
  progress.watchdog.forgive(Clock::now() - began);
}

void Session::drain(Progress& progress) {
  const std::uint32_t run = channel_.control().runs_ended.load();
  if (run != progress.streamed_run) progress.performed.streamed = {};
  progress.streamed_run = run;
  channel_.drain(progress.performed.streamed);
}

}  // namespace unravel
