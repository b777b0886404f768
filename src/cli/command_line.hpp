/// The command line: which command, with which flags.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "base/result.hpp"
#include "cli/command.hpp"

namespace unravel {

struct CommandLine {
  std::unique_ptr<Command> command;
  std::string store;
  ReportOptions report;
  Color color = Color::kAuto;
};

/// The text to print for --help and --version.
struct Text {
  std::string text;
};

Result<std::variant<CommandLine, Text>> parse(int argc, const char* const* argv);

}  // namespace unravel
