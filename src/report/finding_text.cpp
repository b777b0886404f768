#include "report/finding_text.hpp"

#include "data/print.hpp"
#include "report/difference_text.hpp"
#include "report/failure_text.hpp"
#include "report/simplify_text.hpp"
#include "report/table.hpp"

namespace unravel {

namespace {

// The last operations before a failure; `unravel show --rows all` shows all. Chosen by hand.
constexpr std::size_t kRows = 20;

/// What decides between passing and failing, as far as it is known.
std::string cause_text(const FoundFailure& found, Paint paint) {
  const Explained& explained = *found.explained;
  const std::string& id = found.run.id;
  if (!explained.order.depends) return order_line(explained.order) + "\n";
  std::string text;
  if (explained.simplified && explained.difference) {
    text += difference_text(*explained.difference, paint);
  } else if (explained.simplified) {
    text += preemptions_text(*explained.simplified, paint);
  }
  const std::string why = explained.interrupted ? "was interrupted" : "stopped at a limit";
  if (!explained.simplified) {
    text += "the explanation " + why + "; continue with `unravel simplify " + id +
            "` and `unravel isolate " + id + "`\n";
  } else if (!explained.difference && explained.stopped) {
    text += "the search for the switch that decides " + why + "; continue with `unravel isolate " +
            explained.run.id + "`\n";
  } else if (!explained.difference) {
    text += "no run near it passes (" + plural(explained.neighbours, "run") +
            " tried); search farther away with `unravel isolate " + explained.run.id +
            " --width 10`\n";
  }
  return text + "explained with " + std::to_string(explained.runs) + " of at most " +
         plural(explained.most_runs, "run") + "\n";
}

std::string explanation_text(const FoundFailure& found, std::size_t columns, Paint paint) {
  const bool is_simplified = found.explained && found.explained->simplified;
  const Run& run = is_simplified ? found.explained->run : found.run;
  std::string text;
  if (run.id != found.run.id) {
    text += "simplified to run " + run.id + ": " +
            simplification_line(*found.explained->simplified) + "\n\n";
  }
  // A program that started no second thread has no steps to show.
  if (!run.steps.empty()) {
    text += render_table(run, {.columns = columns, .rows = kRows}, paint) + "\n";
  }
  text += failure_text(*run.failure, paint) + "\n";
  if (found.explained) text += cause_text(found, paint);
  if (found.unkept) return text;
  return text + "replay it with `unravel replay " + run.id +
         "`, see all its steps with `unravel show " + run.id + " --rows all`\n";
}

}  // namespace

std::string failure_finding_line(const Finding& finding, Paint paint) {
  const auto& found = std::get<FoundFailure>(finding.evidence);
  const Run& run = found.run;
  if (!found.verification) {
    return "unravel: run " + run.id + " failed: " + failure_title(*run.failure) +
           "\n  it was not replayed; replay it with `unravel replay " + run.id + "`\n";
  }
  std::string text = "unravel: " + outcome_line(run, paint) + "\n";
  if (!found.verified()) text += "  " + clean(found.verification->why()) + "\n";
  return text;
}

std::string failure_finding_text(const Finding& finding, std::size_t columns, Paint paint) {
  const auto& found = std::get<FoundFailure>(finding.evidence);
  const Run& run = found.run;
  return "unravel: " + outcome_line(run, paint) + "\n  found in run " +
         std::to_string(found.found_at_run) + " of the " +
         (found.is_predicted ? "prediction" : "hunt") + " (" + run.strategy +
         (found.at_all_accesses ? ", switching at any memory access" : "") + ") and replayed " +
         std::to_string(kReplays) + " times; " + numbers_line(run) + "\n" + client_text(run) +
         "\n" + explanation_text(found, columns, paint);
}

std::string finding_text(const Finding& finding, Paint paint) {
  const std::string times = finding.count > 1 ? " (" + plural(finding.count, "time") + ")" : "";
  std::string text =
      "unravel: " + paint.red(name(finding.kind)) + ": " + clean(finding.title) + times + "\n";
  for (const FindingPlace& one : finding.places) {
    text += "  " + paint.bold(print(one.place.thread, one.place.clock)) +
            (one.does.empty() ? "" : " " + clean(one.does)) + " at " +
            paint.cyan(clean(place_text(one.place))) + " (" + std::string(name(one.role)) + ")\n";
  }
  for (const NextCommand& next : finding.next) {
    text += "  `" + next.command + "`: " + next.purpose + "\n";
  }
  return text;
}

std::string unkept_text(const Run& run) {
  return "this run could not be stored; repeat it by its schedule:\n  unravel run --schedule " +
         to_string(run.schedule) + " -- " + program_text(run.program) + "\n";
}

}  // namespace unravel
