/// The command line as values. Only files of options know CLI11: it takes seconds to compile.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "run/runner.hpp"

namespace unravel {

enum class Color { kAuto, kAlways, kNever };

/// What every command takes.
struct CommonOptions {
  std::string store;
  bool json = false;
  bool quiet = false;
  Color color = Color::kAuto;
};

/// What a run is limited and judged by. A replay takes what is left out from the stored run.
struct JudgeOptions {
  std::optional<std::uint64_t> most_steps;
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<wire::Timeouts> timeouts;
  std::optional<wire::PointSet> points;  // nothing: what the program is built for
  std::optional<std::string> oracle;
  std::optional<std::string> expected_output;  // a file
  std::optional<std::uint64_t> most_output;    // bytes of each stream that are kept
  Targets targets;
  // An exit status, or none at all, by which a program says that it skipped its test.
  std::optional<std::optional<int>> skip_status;
  bool allow_untested = false;  // that nothing was tested is no reason to complain
};

/// How a given schedule is followed; nothing: strictly, if it is a whole run's.
using StrictOrLenient = std::optional<wire::Following>;

/// `run`, and `record`, which has a tick and no rule.
struct RunOptions {
  JudgeOptions judge;
  std::string schedule;  // its string, or a file; empty: none
  StrictOrLenient following;
  wire::RuleKind rule = wire::RuleKind::kRandom;
  std::optional<std::uint64_t> seed;
  std::optional<double> probability;
  std::optional<std::uint64_t> runs;
  std::optional<std::chrono::milliseconds> tick;
  bool fork_server = true;
  bool sandbox = true;
  std::string keep_files;  // a directory; empty: they vanish
  std::vector<std::string> program;
};

/// What is recorded of every memory access.
struct TraceOptions {
  bool values = false;
  std::optional<TraceWindow> window;  // nothing: all of the run
};

/// Which environment, umask and limits a kept run is repeated in.
enum class EnvironmentOf { kRecording, kNow };

struct ReplayOptions {
  JudgeOptions judge;
  std::string run;  // empty: the latest that failed
  StrictOrLenient following;
  std::string keep_files;             // a directory; empty: they vanish
  std::optional<TraceOptions> trace;  // keep one of the run
  EnvironmentOf environment = EnvironmentOf::kRecording;
};

struct HuntOptions {
  JudgeOptions judge;
  std::string strategy = "portfolio";  // or names, with commas between
  std::optional<std::uint64_t> runs;
  std::optional<std::chrono::milliseconds> time;
  std::optional<std::uint64_t> stale;
  std::optional<std::uint64_t> jobs;
  std::optional<std::uint64_t> seed;
  bool explore = false;
  bool find_only = false;
  bool each_test = false;
  bool resume = false;
  std::string known;  // a file of failures' keys; empty: none
  bool fork_server = true;
  bool sandbox = true;
  std::vector<std::string> program;
};

struct CheckOptions {
  std::vector<std::string> runs;  // empty: all verified failures
  std::uint64_t neighbours = 200;
};

struct SimplifyOptions {
  std::string run;  // empty: the latest that failed
  std::uint64_t suffix = 0;
  std::optional<std::uint64_t> runs;
  std::optional<std::chrono::milliseconds> time;
  std::optional<std::uint64_t> jobs;
};

struct IsolateOptions {
  std::string run;      // empty: the latest that failed
  std::string passing;  // empty: one is looked for
  std::uint64_t width = 1;
  std::uint64_t tests = 1000;
  bool others_fail = false;
  std::optional<std::uint64_t> jobs;
};

struct ListOptions {};

struct ShowOptions {
  enum class Format { kTable, kStd };

  std::string run;
  std::size_t rows = 40;
  Format format = Format::kTable;
  bool runs = false;  // its program, for what was not kept
};

struct DiffOptions {
  std::string left;
  std::string right;
  std::size_t around = 3;  // rows that are alike, around those that are not
  bool runs = false;       // their program, for tables that were not kept
};

struct QueryOptions {
  std::string run;  // empty: the latest that failed
  wire::StopAt at;
};

struct RacesOptions {
  JudgeOptions judge;
  std::string run;           // empty: the latest that failed
  std::string suppressions;  // a file; empty: none
  std::uint64_t runs = 10;
  std::uint64_t seed = 1;
  std::vector<std::string> program;  // empty: a kept run
};

struct DoctorOptions {
  JudgeOptions judge;
  std::uint64_t runs = 5;
  std::uint64_t seed = 1;
  std::chrono::milliseconds later{0};  // after the first run, once more; 0: not at all
  std::vector<std::string> program;
};

struct CommandLine {
  CommonOptions common;
  std::variant<RunOptions, HuntOptions, CheckOptions, SimplifyOptions, IsolateOptions,
               ReplayOptions, ListOptions, ShowOptions, DiffOptions, RacesOptions, QueryOptions,
               DoctorOptions>
      command;
};

/// A command line that asks for text, such as --help.
struct Text {
  std::string text;
};

Result<std::variant<CommandLine, Text>> parse(int argc, const char* const* argv);

}  // namespace unravel
