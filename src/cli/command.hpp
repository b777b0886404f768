/// Cli: commands, from a command line to an exit status.
///
/// Each command is one file with its flags, its help, and a body that reads the flags, calls
/// `investigate` and reports. This room does not do the work itself and does not know the output
/// format.
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

/// What every command gets.
struct CommandContext {
  std::string store;  // a directory
  Reporter& reporter;
  ReportingObserver& observer;
  std::string format = {};  // the name of the output format
};

class Command {
 public:
  virtual ~Command() = default;

  /// Adds the command's flags, arguments and the last part of its help.
  virtual void add_flags(CLI::App& app) = 0;

  /// Called after the flags are read. Rejects conflicting flags and a missing program.
  virtual Result<void> check() { return {}; }

  /// Runs the command; returns the exit status.
  virtual Result<int> run(const CommandContext& context) = 0;

  /// Receives the program and its arguments, which come after `--`; null: the command takes none.
  virtual std::vector<std::string>* program() { return nullptr; }
};

/// One entry in the list of commands.
struct CommandEntry {
  const char* name;
  const char* summary;
  std::unique_ptr<Command> (*make)();
};

/// All commands, in the order in which help shows them.
const std::vector<CommandEntry>& all_commands();

}  // namespace unravel
