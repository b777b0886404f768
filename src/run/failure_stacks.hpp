/// Reads the stacks of a stopped program, and locates its failure.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "data/outcome.hpp"
#include "run/channel_reading.hpp"
#include "symbolize/symbolizer.hpp"
#include "symbolize/unwinder.hpp"
#include "symbolize/variables.hpp"
#include "wire/control.hpp"

namespace unravel {

/// One live thread of a stopped run.
struct StillThread {
  wire::ThreadRecord record;
  bool has_turn = false;
  Stack stack;  // without the runtime's frames; empty if it could not be unwound
};

/// A thread that is stopped before an operation, or at a hook.
struct StoppedThreadView {
  wire::ThreadRecord record;
  Stack stack;
  std::optional<Variable> variable;  // the variable of the operation or access, if it has a name
};

/// Reads stacks, and caches the program's files.
class StackReader {
 public:
  Stack unwind(pid_t process, const wire::ThreadRecord& thread);
  Stack unwind(pid_t process, const Registers& registers);
  /// The frames at a site alone: its inlined calls, not its callers. Sites are return addresses,
  /// unless `exact`.
  Stack at(const std::string& module_path, wire::Site site, bool exact = false);

  /// The thread at a stop.
  StoppedThreadView view_stopped(const ChannelReading& channel, pid_t process,
                                 const wire::ThreadRecord& thread);

  /// The innermost frame of a thread in the program or its own libraries, with the registers that
  /// it gets back; nothing if it cannot be unwound.
  std::optional<FrameState> program_frame(pid_t process, const wire::ThreadRecord& thread);

  /// Bytes of the process's memory; empty if they cannot be read.
  static std::vector<std::byte> read(pid_t process, std::uint64_t address, std::size_t size);
  /// The name of the global variable there; empty if there is none.
  std::string global_at(pid_t process, std::uint64_t address) {
    return variables_.global_name(process, address);
  }

  /// All live threads of a stopped run.
  std::vector<StillThread> look(const ChannelReading& channel, pid_t process);

 private:
  Stack symbolized(const std::vector<RawFrame>& stack);

  Symbolizer symbolizer_;
  Unwinder unwinder_;
  Variables variables_{symbolizer_, unwinder_};
};

/// "running", "runnable", "blocked in lock", "waiting in wait".
std::string describe_state(const StillThread& thread);

std::vector<ThreadAtFailure> describe(const std::vector<StillThread>& threads);

/// Fills in threads, stack, site and key of a failure.
void place_failure(Failure& failure, const wire::LastWords& words,
                   const std::vector<StillThread>& threads, const ChannelReading& channel,
                   StackReader& stacks);

}  // namespace unravel
