#include "report/replay_text.hpp"

namespace unravel {

namespace {

std::string constrained_runs(const BroughtBack& tried) {
  return plural(tried.tries, "more run") + " with the recorded order of accesses and locks";
}

std::string reproduced_text(const Replayed& replayed, Paint paint) {
  std::string text = "unravel: run " + replayed.run + " " + paint.green("reproduced") + ": ";
  const std::string end = replayed.had_failed ? "failure" : "outcome";
  if (replayed.reproduced_by == ReproducedBy::kConstraints) {
    text += "the same failure in another build; its schedule alone did not reproduce it, but " +
            constrained_runs(*replayed.with_constraints) + " did";
  } else if (replayed.is_other_build) {
    text += "the same " + end + " in another build";
  } else {
    text += "the same steps, the same " + end;
    if (replayed.has_recorded_inputs) text += ", with the recorded inputs";
  }
  return text + "\n";
}

/// "  recorded: T1:3 before lock (run.cpp:12)", if there is something to tell
std::string side_text(const std::string& title, const Divergence::Side& side) {
  if (side.text.empty()) return {};
  std::string text = "  " + title + ": " + clean(side.text);
  if (side.place && !side.place->file.empty()) {
    text += " (" + clean(side.place->file) + ":" + std::to_string(side.place->line) + ")";
  }
  return text + "\n";
}

std::string divergence_text(const Divergence& divergence) {
  // Without a place, both sides are in the first line already.
  const std::string sides = divergence.at.empty() ? std::string()
                                                  : side_text("recorded", divergence.recorded) +
                                                        side_text("replay", divergence.now);
  return sides + "  likely cause: " + clean(divergence.cause) + "\n";
}

}  // namespace

std::string replayed_text(const Replayed& replayed, bool quiet, Paint paint) {
  if (replayed.reproduced()) return reproduced_text(replayed, paint);
  std::string text =
      "unravel: run " + replayed.run + " was " + paint.yellow("not reproduced") + ": ";
  if (replayed.now.summary.outcome == Outcome::kDiverged &&
      replayed.now.explanation != replayed.differs) {
    text += "its schedule could not be followed: " + clean(replayed.now.explanation);
  } else {
    text += clean(replayed.differs);
  }
  if (quiet) return text + "\n";
  if (const auto& tried = replayed.with_constraints) {
    text +=
        "\n  " +
        (tried->constraints > 0 ? constrained_runs(*tried) + " did not reproduce it"
                                : "this build does not contain the recorded accesses and locks") +
        "; `unravel check " + replayed.run + "` tries more";
  }
  text += "\n";
  if (replayed.divergence) text += divergence_text(*replayed.divergence);
  if (replayed.changed_variables.empty()) return text;
  // Only names, because values may be secret.
  std::string names;
  for (const std::string& name : replayed.changed_variables) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return text + "  these environment variables differ from the recording: " + clean(names) +
         "\n  leave out --environment now to restore them\n";
}

}  // namespace unravel
