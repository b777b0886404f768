// The part of a program process that starts the client of a run and waits for its end.

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "run/program_process.hpp"

namespace unravel {
namespace {

// Of the client's output; for people. Chosen by hand.
constexpr std::uint64_t kMostClientOutput = 64 * 1024;

// How often to look whether the client has ended, after the run has. Chosen by hand.
constexpr std::chrono::milliseconds kGlance{2};

ClientEnd end_of(int wait_status) {
  ClientEnd end;
  end.kind = WIFSIGNALED(wait_status) ? ClientEnd::Kind::kKilled : ClientEnd::Kind::kExited;
  end.number = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
  return end;
}

bool died_of(int wait_status, int signal) {
  return WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == signal;
}

}  // namespace

wire::Client ProgramProcess::client_at_start() const {
  if (options_.client.command.empty()) return wire::Client::kNone;
  return options_.inputs ? wire::Client::kRecorded : wire::Client::kExpected;
}

/// For the next run. A client that was started before the program's first thread stays.
void ProgramProcess::expect_client() {
  if (client_) return;
  client_end_.reset();
  channel_.set_client(client_at_start());
}

/// Starts the client if the run asks for it, and sends the run its signal if the client has ended.
Result<void> ProgramProcess::attend_client(Progress& progress) {
  if (client_at_start() != wire::Client::kExpected) return {};
  if (!client_ && channel().client() == wire::Client::kWanted) return start_client();
  if (!client_ || client_end_) return {};
  const std::optional<int> status = client_->wait_status();
  if (!status) return {};
  client_end_ = end_of(*status);
  // Before the state: a run that knows that the client is over must have got its signal.
  client_end_->has_signal = signal_run(progress.is_starting);
  channel_.set_client(wire::Client::kOver);
  return {};
}

Result<void> ProgramProcess::start_client() {
  if (!client_output_) {
    auto output = Capture::create(options_.scratch_directory, kMostClientOutput, /*sheds=*/true);
    if (!output) return fail(output.error());
    client_output_ = std::move(*output);
  }
  client_output_->clear();
  auto client = Client::start({.command = options_.client.command,
                               .directory = program_.directory,
                               .environment = &environment_->variables,
                               .sandbox = sandbox_.get(),
                               .output = client_output_->descriptor(Capture::kOutput)});
  if (!client) return fail(client.error());
  client_ = std::move(*client);
  // It may write files that the next run must not see.
  was_lent_ = true;
  channel_.set_client(wire::Client::kRunning);
  return {};
}

/// Returns whether the run got the signal that follows the client's end.
bool ProgramProcess::signal_run(bool is_starting) const {
  const int signal = options_.client.signal;
  const bool is_server = mode_ == wire::Mode::kServer && !is_starting;
  const pid_t process = run_process(is_starting);
  if (signal == 0 || process <= 0) return false;
  if (status_of("/proc/" + std::to_string(process)).state == 'Z') return false;
  const UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  // The number still belongs to the run, so the descriptor does.
  if (!pidfd || (is_server && run_process(is_starting) != process)) return false;
  return ::syscall(SYS_pidfd_send_signal, pidfd.get(), signal, nullptr, 0) == 0;
}

/// A run in which nothing can go on by itself has waited for its client for too long. Tells it that
/// nothing comes from there any more; it then says how it is stuck. Returns false if it may wait
/// for something else.
bool ProgramProcess::give_up_client() {
  if (!client_ || client_end_ || channel().client() != wire::Client::kRunning) return false;
  for (const wire::ThreadRecord& thread : channel().threads()) {
    const bool is_live =
        thread.state == wire::ThreadState::kBlocked || thread.state == wire::ThreadState::kRunnable;
    const bool may_go_on = thread.state == wire::ThreadState::kRunnable ||
                           wire::traits(thread.pending).outside != wire::Outside::kNever;
    if (is_live && may_go_on) return false;
  }
  channel_.set_client(wire::Client::kOver);
  return true;
}

/// Whether the run is about to die by the signal that followed its client's end. That is no
/// failure, and needs no stacks.
bool ProgramProcess::is_ended_by_client() const {
  const wire::LastWords words = channel().last_words();
  const bool has_signal = (client_end_ && client_end_->has_signal) ||
                          (options_.client_end && options_.client_end->has_signal);
  return has_signal && words.failure == FailureKind::kSignal &&
         words.number == options_.client.signal;
}

/// Why the run must be stopped because of what its client writes; empty if it need not.
std::string ProgramProcess::watch_client_output() {
  if (!client_) return {};
  client_output_->shed({}, {});
  if (client_output_->disk_use() <= options_.limits.most_output) return {};
  return "its client wrote more than " + std::to_string(options_.limits.most_output) +
         " bytes of output";
}

/// Whether the run ended by itself and as it should: then its client may end by itself, too.
bool ProgramProcess::has_ended_well(const Progress& progress) const {
  if (!progress.performed.ending.stopped.empty()) return false;
  int status = channel().run(0).wait_status;
  if (mode_ != wire::Mode::kServer || progress.is_starting) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(child_.pid()), &info, WEXITED | WNOWAIT) != 0)
      return false;
    if (info.si_code != CLD_EXITED) return false;
    status = info.si_status << 8;
  }
  return status == 0 && channel().last_words().kind == wire::LastWords::Kind::kNothing;
}

/// The run has ended. Waits for its client if there is reason to, and ends what is left of it.
Result<void> ProgramProcess::finish_client(Progress& progress) {
  if (client_at_start() != wire::Client::kExpected) {
    progress.performed.client = options_.client_end;
    return {};
  }
  if (client_ && !client_end_ && has_ended_well(progress)) {
    Watchdog watchdog(options_.limits.timeout);
    std::optional<int> status;
    while (!(status = client_->wait_status()) && !watchdog.expired()) {
      if (interrupted_.load()) return user_error("interrupted");
      if (!watch_client_output().empty()) break;
      std::this_thread::sleep_for(kGlance);
      watchdog.observe(0, 0, activity_of(client_->keeper()), Clock::now());
    }
    if (status) client_end_ = end_of(*status);
  }
  if (client_ && !client_end_) client_end_ = ClientEnd{.kind = ClientEnd::Kind::kUnfinished};
  client_.reset();
  ClientEnd& end = progress.performed.client.emplace(client_end_.value_or(ClientEnd{}));
  client_end_.reset();
  end.command = options_.client.command;
  if (end.kind != ClientEnd::Kind::kNotStarted) {
    end.output = client_output_->read(Capture::kOutput, 0, client_output_->sizes()[0]).text;
  }
  return {};
}

/// The signal that follows the client's end may end the program: that is how a server ends.
void ProgramProcess::forgive_signal(Performed& performed) const {
  const int signal = options_.client.signal;
  if (!performed.client || !performed.client->has_signal || signal == 0) return;
  Ending& ending = performed.ending;
  const wire::LastWords& words = ending.words;
  const bool has_words = ending.slot.last_words != wire::LastWords::Kind::kNothing ||
                         words.kind != wire::LastWords::Kind::kNothing;
  const bool is_by_signal = words.kind == wire::LastWords::Kind::kFailure &&
                            words.failure == FailureKind::kSignal && words.number == signal;
  if (!died_of(ending.slot.wait_status, signal) || (has_words && !is_by_signal)) return;
  ending.words = {};
  ending.slot.last_words = wire::LastWords::Kind::kNothing;
  ending.slot.failure = FailureKind::kNone;
  ending.slot.wait_status = 0;
  performed.threads.clear();
  if (!performed.slots.empty()) performed.slots.back() = ending.slot;
}

}  // namespace unravel
