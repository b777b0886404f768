/// How commands tell what they do and find. Text and JSON are two implementations; `main` chooses
/// one, and no command knows which. A further format is one more file.
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
#include "data/ran.hpp"
#include "data/replayed.hpp"
#include "data/run.hpp"
#include "data/trace.hpp"
#include "report/terminal.hpp"

namespace unravel {

/// A run from the store, with what a list says about it.
struct KeptRun {
  const Run* run = nullptr;
  std::int64_t created = 0;  // seconds since 1970
  std::string schedule_file;
};

/// What `list` shows.
struct KeptRuns {
  std::vector<KeptRun> runs;
  std::uint64_t counted = 0;  // further runs without a failure, which are only counted
  std::string store;
};

/// What `show` shows.
struct ShownRun {
  const Run* run = nullptr;
  std::string schedule_file;
  std::size_t rows = 40;
  bool may_run = false;  // the program, for what was not kept
};

/// What `simplify` tells.
struct SimplifiedReport {
  const Run* run = nullptr;  // the simplest
  const Simplification* told = nullptr;
  const Error* unkept = nullptr;
  bool interrupted = false;
};

/// What `isolate` tells.
struct IsolatedReport {
  const SmallestDifference* told = nullptr;  // null: it did not come so far
  const Run* nearby = nullptr;               // that fails, if the kept run passed
  std::vector<const Run*> unkept;
  const Error* why_unkept = nullptr;
  bool interrupted = false;
};

class Reporter {
 public:
  virtual ~Reporter() = default;

  // --- While a command goes on ---

  /// Something that the user should know. A text that was told before is not told again.
  virtual void warn(const std::string& text) = 0;
  /// One sentence about what was done, such as that files were kept.
  virtual void note(const std::string& sentence) = 0;
  /// `done` of `total` runs are made.
  virtual void progress(std::uint64_t done, std::uint64_t total) = 0;
  virtual void progress(const Explored& explored) = 0;
  /// A finding, as soon as it is complete.
  virtual void found(const Finding& finding) = 0;
  /// One kept failure was tried; the others follow.
  virtual void checked(const Checked& checked) = 0;
  /// One test of several is about to be hunted in.
  virtual void test(const std::string& name, std::size_t number, std::size_t total) = 0;

  // --- What a command ends with ---

  virtual void ran(const Ran& ran, bool allows_untested) = 0;
  virtual void replayed(const Replayed& replayed) = 0;
  /// `among_tests`: one of several tests, of which tests() tells the rest.
  virtual void hunted(const Hunted& hunted, bool allows_untested, bool among_tests) = 0;
  virtual void tests(const std::vector<HuntedTest>& tests) = 0;
  virtual void checks(const std::vector<Checked>& all) = 0;
  virtual void races(const RaceReport& report) = 0;
  virtual void simplified(const SimplifiedReport& report) = 0;
  virtual void isolated(const IsolatedReport& report) = 0;
  virtual void list(const KeptRuns& kept) = 0;
  virtual void show(const ShownRun& shown) = 0;
  virtual void trace(const Trace& trace) = 0;
  virtual void diff(const Run& left, const Run& right, std::size_t rows_around) = 0;
  virtual void snapshot(const Snapshot& snapshot) = 0;
  virtual void checkup(const Checkup& checkup) = 0;

  /// The command failed, and tells nothing else.
  virtual void error(const Error& error) = 0;
  /// Something went wrong after, or beside, what the command tells.
  virtual void trouble(const Error& error) = 0;

  /// Whether it wants the steps of a run that is replayed.
  [[nodiscard]] virtual bool wants_steps() const = 0;
};

struct ReportOptions {
  bool json = false;
  bool quiet = false;
};

std::unique_ptr<Reporter> make_reporter(const ReportOptions& options, Terminal& terminal);
std::unique_ptr<Reporter> make_text_reporter(Terminal& terminal, bool quiet);
std::unique_ptr<Reporter> make_json_reporter(Terminal& terminal, bool quiet);

}  // namespace unravel
