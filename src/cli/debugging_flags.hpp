/// The flags of `replay` for debuggers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "data/named_stop.hpp"
#include "investigate/debug_session.hpp"
#include "investigate/run_for_debugger.hpp"

namespace unravel {

struct DebuggingFlags {
  bool gdb = false;     // become gdb
  bool serves = false;  // be the driver that gdb has started
  bool waits = false;   // hold the run for another debugger
  std::optional<NamedStop> at;
  std::vector<std::string> gdb_arguments;

  void add_flags(CLI::App& app);
  /// `others`: flags that have no meaning in a debugger, and whether they were given.
  Result<void> check(const std::vector<std::pair<std::string_view, bool>>& others) const;
  /// Starts gdb, or serves it.
  Result<int> run(const DebugRequest& request, const CommandContext& context) const;
};

/// Where the run is held, and what to do now.
std::string held_text(const HeldAt& at);

}  // namespace unravel
