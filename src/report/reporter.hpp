/// The interface through which commands report progress and results. Text and JSON are two
/// implementations. `main` chooses one, and commands do not know which. A new format is one new
/// file, and a line in report/formats.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/checked.hpp"
#include "data/checkup.hpp"
#include "data/explanation.hpp"
#include "data/finding.hpp"
#include "data/hunted.hpp"
#include "data/packed_report.hpp"
#include "data/prediction.hpp"
#include "data/ran.hpp"
#include "data/replayed.hpp"
#include "data/run.hpp"
#include "data/trace.hpp"
#include "report/terminal.hpp"

namespace unravel {

/// A stored run as `list` shows it.
struct KeptRun {
  const Run* run = nullptr;
  std::int64_t created = 0;  // seconds since 1970
  std::string schedule_file;
};

/// What `list` shows.
struct KeptRuns {
  std::vector<KeptRun> runs;
  std::uint64_t counted = 0;  // runs without a failure that were only counted
  std::string store;
};

/// What `show` shows.
struct ShownRun {
  const Run* run = nullptr;
  std::string schedule_file;
  std::size_t rows = 40;
  bool may_run = false;  // run the program if its table was not stored
};

/// The result of `simplify`.
struct SimplifiedReport {
  const Run* run = nullptr;  // the simplest
  const Simplification* told = nullptr;
  const Error* unkept = nullptr;
  bool interrupted = false;
};

/// The result of `isolate`.
struct IsolatedReport {
  const SmallestDifference* told = nullptr;  // null: the search did not get so far
  const Run* nearby = nullptr;               // a failing run, if the stored run passed
  std::vector<const Run*> unkept;
  const Error* why_unkept = nullptr;
  bool interrupted = false;
};

class Reporter {
 public:
  virtual ~Reporter() = default;

  // --- During a command ---

  /// A warning. The same text is reported only once.
  virtual void warn(const std::string& text) = 0;
  /// One sentence about what was done, for example that files were stored.
  virtual void note(const std::string& sentence) = 0;
  /// The run will be repeated after this time; until then the command waits.
  virtual void repeats_in(double seconds) = 0;
  /// `done` of `total` runs have ended.
  virtual void progress(std::uint64_t done, std::uint64_t total) = 0;
  virtual void progress(const Explored& explored) = 0;
  /// A complete finding.
  virtual void found(const Finding& finding) = 0;
  /// One stored failure was checked; others may follow.
  virtual void checked(const Checked& checked) = 0;
  /// The hunt in one of several tests starts.
  virtual void test(const std::string& name, std::size_t number, std::size_t total) = 0;

  // --- At the end of a command ---

  virtual void ran(const Ran& ran, bool allows_untested) = 0;
  virtual void replayed(const Replayed& replayed) = 0;
  /// `among_tests`: the hunt was one of several; tests() reports all of them afterwards.
  virtual void hunted(const Hunted& hunted, bool allows_untested, bool among_tests) = 0;
  virtual void tests(const std::vector<HuntedTest>& tests) = 0;
  virtual void checks(const std::vector<Checked>& all) = 0;
  virtual void races(const RaceReport& report) = 0;
  /// `all`: also anomalies that look benign or were not confirmed.
  virtual void predicted(const PredictionReport& report, bool all) = 0;
  virtual void simplified(const SimplifiedReport& report) = 0;
  virtual void isolated(const IsolatedReport& report) = 0;
  virtual void list(const KeptRuns& kept) = 0;
  virtual void show(const ShownRun& shown) = 0;
  virtual void trace(const Trace& trace) = 0;
  virtual void diff(const Run& left, const Run& right, std::size_t rows_around) = 0;
  virtual void snapshots(const std::vector<Snapshot>& snapshots) = 0;
  virtual void checkup(const Checkup& checkup) = 0;
  virtual void packed(const PackedReport& report) = 0;

  /// The command failed and has no other result.
  virtual void error(const Error& error) = 0;
  /// An error in addition to the result of the command.
  virtual void trouble(const Error& error) = 0;

  /// Whether it reports the steps of a replayed run.
  [[nodiscard]] virtual bool wants_steps() const = 0;
};

/// One entry in the list of formats.
struct FormatEntry {
  const char* name;  // --NAME chooses it
  const char* help;
  std::unique_ptr<Reporter> (*make)(Terminal& terminal, bool quiet);
};

/// All formats. The first is used if no other is chosen.
const std::vector<FormatEntry>& all_formats();

struct ReportOptions {
  const FormatEntry* format = &all_formats().front();
  bool quiet = false;
};

std::unique_ptr<Reporter> make_reporter(const ReportOptions& options, Terminal& terminal);

}  // namespace unravel
