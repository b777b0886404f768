/// Starts gdb with our script, in the place of this process.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace unravel {

struct GdbRequest {
  std::vector<std::string> replay;     // arguments of `unravel replay` that say which run and how
  std::vector<std::string> arguments;  // for gdb
};

/// Returns only if gdb cannot be started, or could not debug: it is missing, has no Python, is too
/// old, or may not attach to processes here.
Error become_gdb(const GdbRequest& request);

/// Whether gdb, started with these arguments, needs a terminal to be used.
bool needs_terminal(const std::vector<std::string>& arguments);

/// A command of gdb with arguments that it takes apart like a shell.
std::string gdb_command(const std::string& command, const std::vector<std::string>& arguments);

/// The script: beside this executable, installed or built.
Result<std::string> find_gdb_script();

}  // namespace unravel
