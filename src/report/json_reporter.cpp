/// Results as JSON: one object on standard output. Progress, warnings and outcomes go to standard
/// error as text.
#include "report/diff_json.hpp"
#include "report/explanation_json.hpp"
#include "report/json.hpp"
#include "report/pack_text.hpp"
#include "report/prediction_json.hpp"
#include "report/run_json.hpp"
#include "report/step_diff.hpp"
#include "report/text_reporter.hpp"

namespace unravel {

namespace {

HuntReport report_of(const Hunted& hunted) {
  HuntReport report;
  report.outcome = hunted.outcome();
  report.reason = hunted.reason();
  report.why = hunted.why();
  report.explored = &hunted.explored;
  report.known_failures = hunted.known_failures;
  report.earlier_failures = hunted.earlier_failures;
  report.seed = hunted.seed;
  report.ended = hunted.ended;
  if (hunted.trouble) report.trouble = &*hunted.trouble;
  for (const FoundFailure& one : hunted.found) {
    report.failures.push_back(report_of(one, hunted.store));
  }
  return report;
}

std::vector<OutcomeCount> outcomes_of(const std::optional<Tally>& tally) {
  std::vector<OutcomeCount> all;
  if (!tally) return all;
  for (const Outcome outcome : {Outcome::kPassed, Outcome::kFailed, Outcome::kUnresolved,
                                Outcome::kDiverged, Outcome::kError}) {
    all.push_back({outcome, tally->runs_that(outcome)});
  }
  return all;
}

/// For several runs without a failure: the numbers of the last run represent all.
Run run_of(const Ran& ran) {
  Run last;
  last.summary = ran.tally->last;
  last.summary.outcome = ran.outcome();
  last.summary.reason = ran.tally->tested() ? Reason::kNone : ran.tally->reason;
  if (!ran.tally->tested()) last.explanation = ran.tally->explanation;
  last.strategy = ran.rule;
  last.program = ran.program;
  last.schedule.points = ran.points;
  return last;
}

class JsonReporter final : public Reporter {
 public:
  JsonReporter(Terminal& terminal, bool quiet)
      : terminal_(terminal), words_(terminal, quiet, /*words_only=*/true) {}

  void warn(const std::string& text) override { words_.warn(text); }
  void note(const std::string& sentence) override { words_.note(sentence); }
  void repeats_in(double seconds) override { words_.repeats_in(seconds); }
  void progress(std::uint64_t done, std::uint64_t total) override { words_.progress(done, total); }
  void progress(const Explored& explored) override { words_.progress(explored); }
  void found(const Finding& finding) override { words_.found(finding); }
  void checked(const Checked&) override {}
  void test(const std::string& name, std::size_t number, std::size_t total) override {
    words_.test(name, number, total);
  }

  void ran(const Ran& ran, bool allows_untested) override {
    words_.ran(ran, allows_untested);
    if (ran.trouble()) return;  // only the error is reported
    Run run = ran.run ? *ran.run : run_of(ran);
    if (ran.is_doubtful()) {
      run.summary.outcome = Outcome::kUnresolved;
      run.summary.reason = Reason::kNotReproduced;
    }
    std::optional<std::uint64_t> runs;
    if (ran.tally) runs = ran.tally->runs;
    out(run_json({.run = &run,
                  .schedule_file = ran.schedule_file,
                  .with_schedule = ran.run.has_value(),
                  .runs = runs,
                  .outcomes = outcomes_of(ran.tally),
                  .unkept = ran.unkept ? &*ran.unkept : nullptr}));
  }

  void replayed(const Replayed& replayed) override {
    words_.replayed(replayed);
    out(run_json({.run = &replayed.now,
                  .schedule_file = replayed.schedule_file,
                  .reproduced = replayed.reproduced(),
                  .reproduced_by = replayed.reproduced_by,
                  .has_recorded_inputs = replayed.has_recorded_inputs,
                  .divergence = replayed.divergence ? &*replayed.divergence : nullptr,
                  .with_operations = true}));
  }

  void hunted(const Hunted& hunted, bool allows_untested, bool among_tests) override {
    if (!among_tests) out(hunt_json(report_of(hunted)));
    words_.hunted(hunted, allows_untested, among_tests);
  }

  void tests(const std::vector<HuntedTest>& tests) override {
    words_.tests(tests);
    std::vector<TestReport> reports;
    for (const HuntedTest& one : tests) reports.push_back({one.name, report_of(one.hunted)});
    out(tests_json(reports));
  }

  void checks(const std::vector<Checked>& all) override { out(check_json(all)); }
  void races(const RaceReport& report) override { out(races_json(report)); }
  void predicted(const PredictionReport& report, bool) override { out(prediction_json(report)); }

  void simplified(const SimplifiedReport& report) override {
    out(simplification_json(*report.told));
    if (report.unkept) {
      words_.simplified(report);
    } else if (report.interrupted) {
      words_.interrupted_simplify(*report.told);
    }
  }

  void isolated(const IsolatedReport& report) override {
    if (report.told) out(difference_json(*report.told));
    IsolatedReport rest = report;
    rest.told = nullptr;
    words_.isolated(rest);
    if (report.interrupted && report.told && !report.why_unkept) {
      words_.interrupted_isolate(*report.told);
    }
  }

  void list(const KeptRuns& kept) override {
    std::vector<RunReport> reports;
    for (const KeptRun& one : kept.runs) {
      reports.push_back(
          {.run = one.run, .schedule_file = one.schedule_file, .with_schedule = false});
    }
    out(list_json(reports));
  }

  void show(const ShownRun& shown) override {
    out(run_json(
        {.run = shown.run, .schedule_file = shown.schedule_file, .with_operations = true}));
  }

  void trace(const Trace& trace) override { words_.trace(trace); }

  void diff(const Run& left, const Run& right, std::size_t) override {
    out(diff_json(left, right, diff_steps(left, right)));
  }

  void snapshots(const std::vector<Snapshot>& snapshots) override {
    out(snapshots.size() == 1 ? snapshot_json(snapshots.front()) : snapshots_json(snapshots));
  }
  void checkup(const Checkup& checkup) override { out(checkup_json(checkup)); }
  void packed(const PackedReport& report) override { out(pack_json(report)); }

  void error(const Error& error) override {
    words_.error(error);
    out(error_json(error));
  }
  void trouble(const Error& error) override { words_.error(error); }
  [[nodiscard]] bool wants_steps() const override { return true; }

 private:
  void out(const std::string& json) { terminal_.out(json); }

  Terminal& terminal_;
  TextReporter words_;
};

}  // namespace

std::unique_ptr<Reporter> make_json_reporter(Terminal& terminal, bool quiet) {
  return std::make_unique<JsonReporter>(terminal, quiet);
}

}  // namespace unravel
