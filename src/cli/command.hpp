/// Cli: commands, from a command line to an exit status.
///
/// One file per command: its flags, its help, and a body that reads the flags, calls `investigate`
/// and reports. Does not know how anything is done, or in which format it is told.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/exit_status.hpp"
#include "cli/reporting_observer.hpp"
#include "report/reporter.hpp"

namespace CLI {
class App;
}

namespace unravel {

/// What every command is given.
struct CommandContext {
  std::string store;  // a directory
  Reporter& reporter;
  ReportingObserver& observer;
};

class Command {
 public:
  virtual ~Command() = default;

  /// Adds its flags, its arguments and the end of its help.
  virtual void add_flags(CLI::App& app) = 0;

  /// The flags are read. Refuses what does not go together, and a missing program.
  virtual Result<void> check() { return {}; }

  /// Does it; returns the exit status.
  virtual Result<int> run(const CommandContext& context) = 0;

  /// Where the program and its arguments go that stand behind `--`; null: it takes none.
  virtual std::vector<std::string>* program() { return nullptr; }
};

/// One line of the list of commands.
struct CommandEntry {
  const char* name;
  const char* summary;
  std::unique_ptr<Command> (*make)();
};

/// All commands, in the order in which help shows them.
const std::vector<CommandEntry>& all_commands();

}  // namespace unravel
