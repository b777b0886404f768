/// Options as they were typed: what the reader of the command line fills in.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace unravel {

struct ParsedFlags {
  CommandLine line;
  RunOptions run;
  HuntOptions hunt;
  CheckOptions check;
  SimplifyOptions simplify;
  IsolateOptions isolate;
  ReplayOptions replay;
  ShowOptions show;
  DiffOptions diff;
  QueryOptions query;
  RacesOptions races;
  DoctorOptions doctor;
  // Texts that it cannot check.
  std::string points;
  std::string timeout;
  std::string skip_status;
  std::string most_output;
  std::string tick = "10ms";  // as long as on many a machine of one processor
  std::string later = "20s";  // more than the clocks of programs that were seen to matter: 15 s
  std::string rows = "40";
  std::string rows_around = "3";
  std::vector<std::string> two_runs;
  std::string most_time;
  std::string at;
  std::string window;
  bool trace = false;
  bool values = false;
  std::vector<std::string> targets;
  bool strict = false;
  bool lenient = false;
  bool no_fork = false;
  bool no_sandbox = false;
};

/// Turns texts into values, and refuses what does not go together. `program` stood behind `--`.
Result<CommandLine> to_command(const std::string& command, ParsedFlags& flags,
                               const std::vector<std::string>& program);

}  // namespace unravel
