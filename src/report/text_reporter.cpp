#include "report/text_reporter.hpp"

#include <fmt/format.h>

#include "report/check_text.hpp"
#include "report/checkup_text.hpp"
#include "report/diff_text.hpp"
#include "report/difference_text.hpp"
#include "report/failure_text.hpp"
#include "report/finding_text.hpp"
#include "report/hunt_text.hpp"
#include "report/pack_text.hpp"
#include "report/prediction_text.hpp"
#include "report/races_text.hpp"
#include "report/replay_text.hpp"
#include "report/run_list.hpp"
#include "report/show_text.hpp"
#include "report/simplify_text.hpp"
#include "report/std_trace.hpp"
#include "report/step_diff.hpp"
#include "report/table.hpp"

namespace unravel {

namespace {

// All numbers were chosen by hand.
constexpr auto kEveryOnTerminal = std::chrono::milliseconds(200);
constexpr auto kEveryInLog = std::chrono::seconds(10);

constexpr std::size_t kRowsOfSimplified = 40;

}  // namespace

std::unique_ptr<Reporter> make_text_reporter(Terminal& terminal, bool quiet) {
  return std::make_unique<TextReporter>(terminal, quiet, /*words_only=*/false);
}

// --- During a command ---

void TextReporter::out(std::string_view text) {
  clear_line();
  if (!words_only_) terminal_.out(text);
}

void TextReporter::say(std::string_view text) {
  clear_line();
  terminal_.note(text);
}

void TextReporter::warn(const std::string& text) {
  if (quiet_ || !warnings_.emplace(text).second) return;
  say("unravel: " + terminal_.note_paint().yellow("warning") + ": " + clean(text) + "\n");
}

void TextReporter::note(const std::string& sentence) {
  if (!quiet_) say("unravel: " + clean(sentence) + "\n");
}

void TextReporter::repeats_in(double seconds) {
  note("repeating the run once more in " + fmt::format("{:.0f}", seconds) + " s");
}

void TextReporter::clear_line() {
  if (line_is_shown_) terminal_.note("\r\033[K");
  line_is_shown_ = false;
}

void TextReporter::line(const std::string& text) {
  const bool is_interactive = terminal_.is_interactive();
  terminal_.note((is_interactive ? "\r\033[K" : "") + ("unravel: " + text) +
                 (is_interactive ? "" : "\n"));
  line_is_shown_ = is_interactive;
}

bool TextReporter::is_due(Clock::time_point now) {
  const Clock::duration every =
      terminal_.is_interactive() ? Clock::duration(kEveryOnTerminal) : Clock::duration(kEveryInLog);
  if (quiet_ || now - last_line_ < every) return false;
  last_line_ = now;
  return true;
}

void TextReporter::progress(std::uint64_t done, std::uint64_t total) {
  const Clock::time_point now = Clock::now();
  if (!terminal_.is_interactive() || !is_due(now)) return;
  const double rate =
      static_cast<double>(done) / std::chrono::duration<double>(now - began_).count();
  line(fmt::format("{} of {} runs, {:.0f}/s, {:.0f} s left", done, total, rate,
                   static_cast<double>(total - done) / rate));
}

void TextReporter::progress(const Explored& explored) {
  if (is_due(Clock::now())) line(hunt_line(explored));
}

void TextReporter::found(const Finding& finding) {
  if (finding.kind == FindingKind::kRace) return;  // races() reports all of them at the end
  const Paint paint = terminal_.note_paint();
  const auto* failure = std::get_if<FoundFailure>(&finding.evidence);
  if (!failure) return say(finding_text(finding, paint));
  if (quiet_ || !failure->verified()) {
    say(failure_finding_line(finding, paint));
  } else {
    out(failure->run.output);
    for (const std::string& warning : failure->run.warnings) warn(warning);
    say(failure_finding_text(finding, terminal_.columns(), paint));
  }
  if (failure->unkept) {
    say(unkept_text(failure->run));
    error(*failure->unkept);
  }
}

void TextReporter::checked(const Checked& checked) {
  if (!quiet_) out(check_line(checked, terminal_.out_paint()));
}

void TextReporter::test(const std::string& name, std::size_t number, std::size_t total) {
  note("test " + std::to_string(number) + " of " + std::to_string(total) + ": " + name);
}

// --- Runs ---

void TextReporter::output_of(const Run& run) {
  if (quiet_ || words_only_) return;
  out(run.output);
  say(run.error_output);
}

void TextReporter::outcome_of(const Run& run) {
  const Paint paint = terminal_.note_paint();
  if (quiet_) return say("unravel: " + outcome_line(run, paint) + "\n");
  for (const std::string& warning : run.warnings) warn(warning);
  std::string text = "unravel: " + outcome_line(run, paint) + "\n  " + numbers_line(run) + "\n";
  if (run.summary.outcome != Outcome::kPassed) text += client_text(run);
  if (run.failure) text += failure_text(*run.failure, paint);
  say(text);
}

void TextReporter::how_to_allow(bool allows_untested) {
  if (allows_untested || quiet_) return;
  say("  to exit with 0 in this case, add --allow-untested\n");
}

void TextReporter::ran(const Ran& ran, bool allows_untested) {
  if (!ran.run) return tally(ran, allows_untested);
  const Run& run = *ran.run;
  if (ran.tally && run.failure) {
    note("run " + std::to_string(ran.tally->runs) + " of " + std::to_string(ran.tally->asked_for) +
         " failed");
  }
  output_of(run);
  outcome_of(run);
  if (ran.unkept) {
    say(unkept_text(run));
    error(*ran.unkept);
  }
  if (ran.trouble()) return;
  if (run.summary.outcome == Outcome::kUnresolved) how_to_allow(allows_untested);
  if (ran.is_doubtful()) {
    say("  " + clean(run.explanation) + "\n");
  } else if (!ran.unkept && run.failure && !quiet_) {
    say("replay it with `unravel replay " + run.id + "`, see its steps with `unravel show " +
        run.id + "`\n");
  }
}

void TextReporter::tally(const Ran& ran, bool allows_untested) {
  const Tally& tally = *ran.tally;
  const std::uint64_t unresolved = tally.runs_that(Outcome::kUnresolved);
  if (tally.tested() && 2 * unresolved > tally.runs) {
    warn(std::to_string(unresolved) + " of " + plural(tally.runs, "run") +
         " are unresolved: " + clean(tally.explanation));
  }
  for (const std::string& warning : ran.warnings) warn(warning);
  std::string text = "unravel: " + plural(tally.runs, "run") +
                     (tally.tested() ? ", no failure" : ", none of them resolved");
  for (const Outcome outcome : {Outcome::kUnresolved, Outcome::kDiverged, Outcome::kError}) {
    if (const std::uint64_t runs = tally.runs_that(outcome)) {
      text += ", " + std::to_string(runs) + " " + std::string(name(outcome));
    }
  }
  if (!tally.explanation.empty()) text += " (" + clean(tally.explanation) + ")";
  say(text + "\n");
  if (!tally.tested()) return how_to_allow(allows_untested);
  if (!quiet_) say("  to search more systematically, use `unravel hunt`\n");
}

void TextReporter::replayed(const Replayed& replayed) {
  const Paint paint = terminal_.note_paint();
  output_of(replayed.now);
  if (quiet_ && replayed.reproduced()) return outcome_of(replayed.now);
  if (quiet_) return say(replayed_text(replayed, quiet_, paint));
  if (replayed.now.summary.outcome != Outcome::kDiverged) {
    outcome_of(replayed.now);
  } else {
    for (const std::string& warning : replayed.now.warnings) warn(warning);
  }
  say(replayed_text(replayed, quiet_, paint));
}

// --- Hunts ---

void TextReporter::hunted(const Hunted& hunted, bool allows_untested, bool among_tests) {
  what_was_explored(hunted, allows_untested, among_tests);
  if (!hunted.interrupted()) return;
  say(among_tests ? "unravel: interrupted; the same command starts again with the first test\n"
                  : "unravel: interrupted; to continue, run the same command with --resume\n");
}

void TextReporter::what_was_explored(const Hunted& hunted, bool allows_untested, bool among_tests) {
  const Explored& explored = hunted.explored;
  if (hunted.earlier_failures) {
    say("unravel: " + plural(hunted.earlier_failures, "failure") +
        " found before the hunt was interrupted; `unravel list` shows them\n");
  }
  const bool has_one_thread = hunted.ended == "one thread";
  const bool found = hunted.failed() || !hunted.found.empty();
  if (!found) {
    const std::string most = mostly_unresolved(explored);
    if (!most.empty() && !has_one_thread) warn(most);
    for (const std::string& warning : hunted.warnings) warn(warning);
  }
  if (found && !hunted.goes_on) return clear_line();
  if (has_one_thread && !found && !explored.tested()) {
    say("unravel: nothing was tested: " + clean(explored.why_unresolved) + "\n");
    if (!among_tests) how_to_allow(allows_untested);
    return;
  }
  say("unravel: " + hunt_line(explored) + "\n");
  if (!quiet_) say(explored_text(explored));
  if (hunted.known_failures) {
    say("  " + plural(hunted.known_failures, "run") + " failed with a known failure\n");
  }
  if (found || hunted.interrupted() || !explored.tested()) return;
  const bool has_more = hunted.ended != "nothing left";
  if (has_more && !quiet_ && !among_tests) {
    say("  next       to search longer, raise --runs or --for\n");
  }
  for (const std::string& warning : {points_warning(hunted), slow_warning(explored)}) {
    if (!warning.empty()) warn(warning);
  }
}

void TextReporter::tests(const std::vector<HuntedTest>& tests) { say(tests_text(tests)); }

// --- Results of other commands ---

void TextReporter::checks(const std::vector<Checked>& all) { out(check_summary(all)); }

void TextReporter::races(const RaceReport& report) {
  if (!quiet_) out(races_text(report, terminal_.out_paint()));
  out(races_line(report) + "\n");
  if (report.races.empty() && report.suppressed == 0) {
    note("no race was found; `unravel races --runs N -- PROGRAM` tries more schedules");
  }
}

void TextReporter::predicted(const PredictionReport& report, bool all) {
  if (!quiet_) out(prediction_text(report, all, terminal_.columns(), terminal_.out_paint()));
  out(prediction_line(report) + "\n");
}

void TextReporter::simplified(const SimplifiedReport& report) {
  const Paint paint = terminal_.note_paint();
  const Simplification& told = *report.told;
  const std::string line = simplification_line(told);
  say(told.run == told.from
          ? "unravel: no simpler run than " + told.run + " fails in the same way: " + line + "\n"
          : "unravel: run " + told.run + " fails in the same way as run " + told.from + ": " +
                line + "\n");
  // The run has no table if it was not replayed.
  if (!quiet_ && !report.run->steps.empty()) {
    std::string text =
        "\n" + render_table(*report.run,
                            {.columns = terminal_.columns(), .rows = kRowsOfSimplified}, paint);
    text += "\n" + failure_text(*report.run->failure, paint);
    text += "\n" + preemptions_text(told, paint);
    if (!report.unkept) {
      text += "replay it with `unravel replay " + told.run +
              "`, find the switch that decides with `unravel isolate " + told.run + "`\n";
    }
    say(text);
  }
  if (report.unkept) {
    say(unkept_text(*report.run));
    error(*report.unkept);
  } else if (report.interrupted) {
    interrupted_simplify(told);
  }
}

void TextReporter::interrupted_simplify(const Simplification& told) {
  say("unravel: interrupted; run " + told.run + " is the simplest so far; continue with `unravel " +
      "simplify " + told.run + "`\n");
}

void TextReporter::isolated(const IsolatedReport& report) {
  if (report.nearby) {
    say("unravel: " + (report.nearby->id.empty() ? "a run" : "run " + report.nearby->id) +
        " near it fails: " + failure_title(*report.nearby->failure) + "\n");
  }
  if (report.told) {
    say("unravel: " + difference_line(*report.told) + "\n");
    if (!quiet_) say(difference_text(*report.told, terminal_.note_paint()));
  }
  for (const Run* run : report.unkept) say(unkept_text(*run));
  if (report.why_unkept) return error(*report.why_unkept);
  if (report.interrupted && report.told) interrupted_isolate(*report.told);
}

void TextReporter::interrupted_isolate(const SmallestDifference& told) {
  say("unravel: interrupted; continue with `unravel isolate " + told.failing + " --passing " +
      told.passing + "`\n");
}

void TextReporter::list(const KeptRuns& kept) {
  std::vector<ListedRun> lines;
  for (const KeptRun& one : kept.runs) lines.push_back({one.run, one.created});
  out(lines.empty()
          ? "no runs are stored in " + clean(kept.store) +
                "; `unravel hunt -- PROGRAM` looks for a failure and stores its run\n"
          : render_list(lines, ::time(nullptr), terminal_.columns(), terminal_.out_paint()));
  if (!quiet_ && kept.counted > 0) {
    out(plural(kept.counted, "further run") + " without a failure (not stored)\n");
  }
}

void TextReporter::show(const ShownRun& shown) {
  const Run& run = *shown.run;
  const Paint paint = terminal_.out_paint();
  if (quiet_) return out(outcome_line(run, paint) + "\n");
  out(run_text(run, {.columns = terminal_.columns(), .rows = shown.rows}, shown.schedule_file,
               paint));
  if (run.steps.empty() && !shown.may_run) {
    say("unravel: no table of run " + run.id + " was stored; `unravel show --run " + run.id +
        "` runs the program again to make it\n");
  }
}

void TextReporter::trace(const Trace& trace) {
  StdTrace text;
  text.prepare(trace.events);
  constexpr std::size_t kAtATime = 1 << 16;
  for (std::span<const TraceEvent> left = trace.events; !left.empty();) {
    const std::size_t count = std::min(left.size(), kAtATime);
    terminal_.out(text.lines(left.first(count)));
    left = left.subspan(count);
  }
}

void TextReporter::diff(const Run& left, const Run& right, std::size_t rows_around) {
  const StepDiff diff = diff_steps(left, right);
  if (!quiet_) {
    out("program: " + program_text(left.program) + "\n\n" +
        diff_text(left, right, diff, {.columns = terminal_.columns(), .around = rows_around},
                  terminal_.out_paint()) +
        "\n");
  }
  out(first_difference_line(diff) + "\n");
}

void TextReporter::snapshots(const std::vector<Snapshot>& snapshots) {
  for (const Snapshot& snapshot : snapshots) {
    if (!quiet_ && &snapshot != &snapshots.front()) out("\n");
    out(snapshot_line(snapshot) + (quiet_ ? "\n" : ":\n"));
    if (!quiet_) out(snapshot_text(snapshot, terminal_.out_paint()));
  }
}

void TextReporter::checkup(const Checkup& checkup) {
  const Paint paint = terminal_.out_paint();
  out(quiet_ ? checkup_line(checkup, paint) + "\n"
             : checkup_text(checkup, terminal_.columns(), paint));
}

void TextReporter::packed(const PackedReport& report) {
  if (!quiet_) out(pack_text(report));
}

void TextReporter::error(const Error& error) {
  std::string text = "unravel: " + clean(error.what) + "\n";
  if (!error.why.empty()) text += "    " + clean(error.why) + "\n";
  if (!error.hint.empty()) text += "    " + clean(error.hint) + "\n";
  if (error.kind == Error::Kind::kInternal) text += "    this is a bug in unravel\n";
  say(text);
}

}  // namespace unravel
