/// Results and messages of commands as text.
#pragma once

#include <chrono>
#include <set>
#include <string>

#include "report/reporter.hpp"

namespace unravel {

/// Results and the program's own output go to standard output, messages go to standard error. With
/// `words_only` nothing is written to standard output.
class TextReporter final : public Reporter {
 public:
  TextReporter(Terminal& terminal, bool quiet, bool words_only)
      : terminal_(terminal), quiet_(quiet), words_only_(words_only) {}

  void warn(const std::string& text) override;
  void note(const std::string& sentence) override;
  void repeats_in(double seconds) override;
  void progress(std::uint64_t done, std::uint64_t total) override;
  void progress(const Explored& explored) override;
  void found(const Finding& finding) override;
  void checked(const Checked& checked) override;
  void test(const std::string& name, std::size_t number, std::size_t total) override;
  void ran(const Ran& ran, bool allows_untested) override;
  void replayed(const Replayed& replayed) override;
  void hunted(const Hunted& hunted, bool allows_untested, bool among_tests) override;
  void tests(const std::vector<HuntedTest>& tests) override;
  void checks(const std::vector<Checked>& all) override;
  void races(const RaceReport& report) override;
  void predicted(const PredictionReport& report, bool all) override;
  void simplified(const SimplifiedReport& report) override;
  void isolated(const IsolatedReport& report) override;
  void list(const KeptRuns& kept) override;
  void show(const ShownRun& shown) override;
  void trace(const Trace& trace) override;
  void diff(const Run& left, const Run& right, std::size_t rows_around) override;
  void snapshots(const std::vector<Snapshot>& snapshots) override;
  void checkup(const Checkup& checkup) override;
  void packed(const PackedReport& report) override;
  void error(const Error& error) override;
  void trouble(const Error& error) override { this->error(error); }
  [[nodiscard]] bool wants_steps() const override { return false; }

  /// How to continue after an interruption.
  void interrupted_simplify(const Simplification& told);
  void interrupted_isolate(const SmallestDifference& told);

 private:
  using Clock = std::chrono::steady_clock;

  void out(std::string_view text);
  void say(std::string_view text);  // to standard error
  void output_of(const Run& run);
  void outcome_of(const Run& run);
  void tally(const Ran& ran, bool allows_untested);
  void how_to_allow(bool allows_untested);
  void what_was_explored(const Hunted& hunted, bool allows_untested, bool among_tests);
  bool is_due(Clock::time_point now);
  void line(const std::string& text);  // shows progress
  void clear_line();

  Terminal& terminal_;
  const bool quiet_;
  const bool words_only_;
  std::set<std::string, std::less<>> warnings_;  // already reported
  Clock::time_point began_ = Clock::now();
  Clock::time_point last_line_ = began_;
  bool line_is_shown_ = false;
};

}  // namespace unravel
