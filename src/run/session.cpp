#include "run/session.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <cstring>

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

void note_error(Performed& performed, const std::string& text) {
  wire::LastWords& words = performed.ending.words;
  words = {};
  words.kind = wire::LastWords::Kind::kError;
  std::strncpy(words.text, text.c_str(), sizeof words.text - 1);
  performed.ending.slot.noted = wire::LastWords::Kind::kError;
  performed.slots.push_back(performed.ending.slot);
}

// A run that ended by itself just before we would have ended it was not stopped by us.
void forget_stop_if_too_late(Performed& performed) {
  const int status = performed.ending.slot.wait_status;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return;
  performed.ending.stopped.clear();
  performed.ending.out_of_time = false;
  performed.stuck.clear();
}

std::string describe_status(int status) {
  if (WIFSIGNALED(status)) return signal_name(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Result<std::unique_ptr<Session>> Session::create(const Program& program,
                                                 const RunnerOptions& options,
                                                 const std::string& runtime) {
  auto channel = Channel::create();
  if (!channel) return fail(channel.error());
  auto capture = Capture::create(options.scratch_directory);
  if (!capture) return fail(capture.error());
  return std::unique_ptr<Session>(
      new Session(program, options, runtime, std::move(*channel), std::move(*capture)));
}

Session::Session(Program program, RunnerOptions options, std::string runtime, Channel channel,
                 Capture capture)
    : program_(std::move(program)),
      options_(std::move(options)),
      runtime_(std::move(runtime)),
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
  // A server that died while it had nothing to do is nobody's fault and costs nothing but a new
  // one; if that happens twice something is wrong.
  for (int tries = 0; tries < 2; ++tries) {
    auto performed = attempt(job);
    if (!performed) return fail(performed.error());
    if (*performed) return std::move(**performed);
  }
  return environment_error("the program's process keeps being killed from outside",
                           "it ended twice while it was waiting for work",
                           "look for the out-of-memory killer in the system's log");
}

Result<void> Session::start(const Job& job) {
  channel_.reset(settings_);
  // The program may fail before it asks for work: it must know by then what to do about it.
  channel_.prepare(job.batch);
  capture_.clear();
  auto launched = launch({.program = &program_,
                          .runtime = runtime_,
                          .standard_input = options_.standard_input,
                          .channel = channel_.descriptor(),
                          .output = capture_.descriptor(Capture::kOutput),
                          .error_output = capture_.descriptor(Capture::kErrorOutput),
                          .cpu = cpu_});
  if (!launched) return fail(launched.error());
  child_ = std::move(launched->child);
  addresses_fixed_ = launched->addresses_fixed;
  pinned_ = launched->pinned;
  return {};
}

/// Nothing if the server was lost before it did anything for this job.
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
    if (*met == Met::kEnded) return finished_process(job, std::move(progress), began);
    mode_ = channel_.control().mode.load();
    why_direct_ = text_of(channel_.control().why_direct);
    if (mode_ == wire::Mode::kServer) capture_.end_start();
    progress.is_starting = false;
    progress.watchdog = Watchdog(options_.limits.timeout, Clock::now());
  }
  capture_.trim();

  wire::Batch batch = job.batch;
  if (mode_ == wire::Mode::kDirect) batch.count = 1;
  if (auto written = channel_.write_schedules(job.schedules); !written) {
    return fail(written.error());
  }
  channel_.prepare(batch);
  progress.output_before = capture_.sizes();
  channel_.ask(wire::Request::kRun);
  const auto met = await(job, progress);
  if (!met) return fail(met.error());
  if (*met == Met::kServing) return finished_batch(std::move(progress));
  if (mode_ == wire::Mode::kDirect) return finished_process(job, std::move(progress), began);

  const bool began_a_run =
      channel_.control().runs_ended.load() > 0 || channel_.control().run_process.load() != 0;
  if (!began_a_run) {
    child_.end();
    return std::optional<Performed>();
  }
  return lost_server(std::move(progress));
}

Result<Session::Met> Session::await(const Job& job, Progress& progress) {
  wire::Control& control = channel_.control();
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

Performed Session::finished_batch(Progress progress) {
  Performed& performed = progress.performed;
  const std::uint32_t count =
      std::min(channel_.control().runs_ended.load(), channel_.control().batch.count);
  for (std::uint32_t i = 0; i < count; ++i) performed.slots.push_back(channel_.run(i));
  performed.ending.words = channel_.control().last_words;
  if (count == 0) {
    note_error(performed, "the runtime ended a batch without a run");
    return std::move(performed);
  }
  const std::uint32_t last = count - 1;
  if (progress.streamed_run != last) performed.streamed = {};
  channel_.drain(performed.streamed);
  performed.ending.slot = performed.slots.back();
  forget_stop_if_too_late(performed);
  if (!wire::went_wrong(performed.ending.slot)) performed.threads.clear();
  return std::move(performed);
}

Performed Session::finished_process(const Job& job, Progress progress, Clock::time_point began) {
  Performed& performed = progress.performed;
  const bool runtime_was_loaded = channel_.control().thread_slots > 0;
  const int status = child_.end();
  wire::RunSlot& slot = channel_.run(0);
  slot.wait_status = status;
  slot.ended = 1;
  slot.threads = std::max(slot.threads, 1u);
  slot.ordinal = job.batch.first_ordinal;
  if (slot.seed == 0) {
    slot.seed = job.schedules.empty()
                    ? wire::seed_of(job.batch.master_seed, job.batch.first_ordinal)
                    : job.schedules[0].schedule->then.seed;
  }
  slot.nanoseconds = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began).count());
  const Capture::Sizes written = capture_.sizes();
  for (std::size_t i = 0; i < written.size(); ++i) {
    slot.output_begin[i] = 0;
    slot.output_end[i] = written[i];
  }
  performed.ending.slot = slot;
  forget_stop_if_too_late(performed);
  if (!runtime_was_loaded && performed.ending.stopped.empty()) {
    note_error(performed,
               "the runtime was not loaded into the program (" + describe_status(status) +
                   "): something removes or overwrites LD_PRELOAD, or the program itself could "
                   "not be loaded");
    return std::move(performed);
  }
  performed.ending.words = channel_.control().last_words;
  channel_.drain(performed.streamed);
  performed.slots.push_back(slot);
  return std::move(performed);
}

Performed Session::lost_server(Progress progress) {
  Performed& performed = progress.performed;
  const std::uint32_t ended =
      std::min(channel_.control().runs_ended.load(), channel_.control().batch.count - 1);
  for (std::uint32_t i = 0; i < ended; ++i) performed.slots.push_back(channel_.run(i));
  performed.ending.slot = channel_.run(ended);
  performed.streamed = {};
  performed.threads.clear();
  const std::string stopped = performed.ending.stopped;
  const std::string how = describe_status(child_.end());
  note_error(performed, stopped.empty()
                            ? "the process that forks the runs was ended from outside (" + how +
                                  ") while a run was in progress"
                            : stopped);
  performed.ending.stopped.clear();
  performed.ending.out_of_time = false;
  return std::move(performed);
}

}  // namespace unravel
