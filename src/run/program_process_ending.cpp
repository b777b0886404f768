// The part of a program process that determines the result of a batch once the process has answered
// or ended.

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>

#include "run/program_process.hpp"

namespace unravel {
namespace {

// The same text as the fork server's, for cases in which the kernel does not say which it was.
constexpr char kEndedOrReplaced[] =
    "the run ended behind the C library's back, or went on as another program, which is not "
    "controlled";

void note(Performed& performed, wire::LastWords::Kind kind, const std::string& text) {
  wire::LastWords& words = performed.ending.words;
  words = {};
  words.kind = kind;
  std::strncpy(words.text, text.c_str(), sizeof words.text - 1);
  performed.ending.slot.last_words = kind;
}

void note_error(Performed& performed, const std::string& text) {
  note(performed, wire::LastWords::Kind::kError, text);
  performed.slots.push_back(performed.ending.slot);
}

std::string describe_status(int status) {
  if (WIFSIGNALED(status)) return signal_name(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

bool left_no_word(const Ending& ending) {
  return ending.slot.last_words == wire::LastWords::Kind::kNothing &&
         ending.words.kind == wire::LastWords::Kind::kNothing && ending.stopped.empty();
}

/// A kill that neither unravel nor the program requested says nothing about the program.
Result<void> check_not_killed(const Ending& ending) {
  const int status = ending.slot.wait_status;
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (!killed || !left_no_word(ending)) return {};
  return environment_error("a run was killed from outside (SIGKILL)",
                           "neither the program nor unravel sent it, as far as can be seen",
                           "look for the out-of-memory killer in the system's log, and try again");
}

}  // namespace

void ProgramProcess::forget_stop(Performed& performed) {
  performed.ending.stopped.clear();
  performed.ending.out_of_time = false;
  performed.stuck.clear();
  performed.standstill.reset();
}

/// A run that ended by itself just before we ended it was not stopped by us. Of a run that we
/// stopped, only what it had recorded before counts.
void ProgramProcess::settle_stop(Progress& progress) const {
  Ending& ending = progress.performed.ending;
  const int status = ending.slot.wait_status;
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) return forget_stop(progress.performed);
  if (ending.stopped.empty()) return;
  ending.slot.last_words = progress.slot_at_stop.last_words;
  ending.slot.failure = progress.slot_at_stop.failure;
  ending.words = progress.words_at_stop;
}

Result<Performed> ProgramProcess::finished_batch(Progress progress) {
  Performed& performed = progress.performed;
  const std::uint32_t count = channel().runs_ended();
  for (std::uint32_t i = 0; i < count; ++i) performed.slots.push_back(channel().run(i));
  performed.ending.words = channel().last_words();
  if (count == 0) {
    // A server reports that it serves again only after a run has ended.
    channel().note_damage("the number of runs");
    return std::move(performed);
  }
  const std::uint32_t last = count - 1;
  if (progress.streamed_run != last) performed.streamed = {};
  channel_.drain(performed.streamed);
  performed.ending.slot = performed.slots.back();
  performed.ending.late = progress.late.of_run(last);
  settle_stop(progress);
  performed.slots.back() = performed.ending.slot;
  if (auto good = check_not_killed(performed.ending); !good) return fail(good.error());
  forgive_signal(performed);
  if (!wire::went_wrong(performed.ending.slot)) performed.threads.clear();
  return std::move(performed);
}

bool ProgramProcess::went_on_elsewhere(const Ending& ending) const {
  return WIFEXITED(ending.slot.wait_status) && !channel().exit_seen() && left_no_word(ending);
}

Result<void> ProgramProcess::check_controlled(const Ending& ending) const {
  if (!ending.stopped.empty()) return {};
  // A runtime of another version leaves its own version and size in the channel.
  const std::uint32_t version = channel().version();
  const std::uint32_t size = channel().control_size();
  if (version != wire::kVersion || size != sizeof(wire::Control)) {
    return environment_error(
        "the runtime " + runtime_ + " is of another version than unravel itself",
        "it speaks version " + std::to_string(version) + " (" + std::to_string(size) +
            " bytes), and unravel version " + std::to_string(wire::kVersion) + " (" +
            std::to_string(sizeof(wire::Control)) + " bytes)",
        "install both from the same build");
  }
  const int status = ending.slot.wait_status;
  // Also if that happened before the runtime was loaded.
  if (auto good = check_not_killed(ending); !good) return good;
  if (!channel().was_met()) {
    return environment_error(
        "the runtime was not loaded into the program (" + describe_status(status) + ")",
        "something removes or overwrites LD_PRELOAD, the program itself could not be loaded, or "
        "the runtime is of another version than unravel",
        "see what the program prints when it is started without unravel");
  }
  if (went_on_elsewhere(ending)) {
    return environment_error(
        "the program replaced itself by one that is not controlled (" + describe_status(status) +
            ")",
        "it called exec without LD_PRELOAD naming the runtime, or ended behind the C library's "
        "back",
        "keep LD_PRELOAD in the environment that it passes on, or run the other program itself");
  }
  return {};
}

Result<Performed> ProgramProcess::finished_process(const BatchWork& work, Progress progress,
                                                   Clock::time_point began) {
  Performed& performed = progress.performed;
  // Processes that it started may still exist. If the keeper is gone, the next start will notice.
  // This comes first, because the rest of the program's process group dies with the program.
  if (sandbox_) left_processes_ = sandbox_->end_processes().value_or(false);
  const int status = child_.end();
  wire::RunSlot slot = channel().run(0);
  slot.wait_status = status;
  slot.ended = 1;
  slot.threads = std::max(slot.threads, 1u);
  slot.children = channel().children();
  slot.processor_nanoseconds = static_cast<std::uint64_t>(child_.processor_time().count());
  slot.ordinal = work.batch.first_ordinal;
  if (slot.seed == 0) {
    slot.seed = work.schedules.empty()
                    ? wire::seed_of(work.batch.master_seed, work.batch.first_ordinal)
                    : work.schedules[0].schedule->then.seed;
  }
  slot.nanoseconds = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began).count());
  const Capture::Sizes written = capture_.sizes();
  for (std::size_t i = 0; i < written.size(); ++i) {
    slot.output_begin[i] = 0;
    slot.output_end[i] = written[i];
  }
  performed.ending.slot = slot;
  performed.ending.late = progress.late.of_run(0);
  performed.ending.words = channel().last_words();
  settle_stop(progress);
  slot = performed.ending.slot;
  if (mode_ == wire::Mode::kDirect && went_on_elsewhere(performed.ending)) {
    note(performed, wire::LastWords::Kind::kUnresolved, kEndedOrReplaced);
    slot.last_words = performed.ending.slot.last_words;
  }
  if (auto good = check_controlled(performed.ending); !good) return fail(good.error());
  channel_.drain(performed.streamed);
  performed.slots.push_back(slot);
  forgive_signal(performed);
  return std::move(performed);
}

/// The runs that were complete before the server was lost; nothing if there is none.
std::optional<Performed> ProgramProcess::lost_server(const BatchWork& work, Progress progress) {
  Performed& performed = progress.performed;
  const std::uint32_t count = work.batch.count;
  const std::uint32_t ended = std::min(channel().runs_ended(), count);
  child_.end();
  performed.streamed = {};
  performed.threads.clear();
  if (const std::string stopped = performed.ending.stopped; !stopped.empty()) {
    performed.ending.slot = channel().run(std::min(ended, count - 1));
    note_error(performed, stopped);
    performed.ending.stopped.clear();
    performed.ending.out_of_time = false;
    return std::move(performed);
  }
  // A run that went wrong, or a single requested run, needs more data than numbers.
  for (std::uint32_t i = 0; i < ended && count > 1; ++i) {
    if (wire::went_wrong(channel().run(i))) break;
    performed.slots.push_back(channel().run(i));
  }
  if (performed.slots.empty()) return std::nullopt;
  performed.ending.slot = performed.slots.back();
  return std::move(performed);
}

/// The program overwrote the channel during this batch. Returns the first run, since it is not
/// known which run did it. The process is not used again: it works with damaged data.
Performed ProgramProcess::damaged(const BatchWork& work) {
  const std::string what = channel().damage();
  client_.reset();
  if (sandbox_) left_processes_ = sandbox_->end_processes().value_or(false);
  Performed performed;
  wire::RunSlot& slot = performed.ending.slot;
  slot.ordinal = work.batch.first_ordinal;
  slot.seed = work.schedules.empty() ? wire::seed_of(work.batch.master_seed, slot.ordinal)
                                     : work.schedules[0].schedule->then.seed;
  slot.threads = 1;
  slot.ended = 1;
  if (child_) slot.wait_status = child_.end();
  performed.ending.is_damaged = true;
  note(performed, wire::LastWords::Kind::kUnresolved,
       "the program overwrote unravel's memory (" + what +
           "): it writes through a pointer that leads nowhere, to addresses from 0x6e0000000000 "
           "on; look for that with valgrind or AddressSanitizer, without unravel");
  performed.slots.push_back(slot);
  return performed;
}

}  // namespace unravel
