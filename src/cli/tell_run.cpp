#include "cli/tell_run.hpp"

#include <string>

#include "report/failure_text.hpp"

namespace unravel {

std::string program_text(const Program& program) {
  std::string text;
  for (const std::string& argument : program.arguments) {
    text += (text.empty() ? "" : " ") + clean(argument);
  }
  return text;
}

void tell_output(const Run& run, const Console& console) {
  if (console.options().quiet || console.options().json) return;
  console.out(run.output);
  console.note(run.error_output);
}

void tell_outcome(const Run& run, const Console& console) {
  const Paint paint = console.note_paint();
  std::string text;
  if (console.options().quiet) {
    text = "unravel: " + outcome_line(run, paint) + "\n";
  } else {
    for (const std::string& warning : run.warnings) console.warn(warning);
    text = "unravel: " + outcome_line(run, paint) + "\n  " + numbers_line(run) + "\n";
    if (run.failure) text += failure_text(*run.failure, paint);
  }
  console.note(text);
}

void tell_schedule(const Run& run, const Console& console) {
  console.note(
      "this run could not be kept; run it again by its schedule:\n  unravel run --schedule " +
      to_string(run.schedule) + " -- " + program_text(run.program) + "\n");
}

int tell_unkept(const Run& run, const Error& why, const Console& console) {
  tell_schedule(run, console);
  return console.complain_in_words(why);
}

int exit_status(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPassed:
    case Outcome::kUnresolved: return kNoFailure;
    case Outcome::kFailed: return kFailure;
    case Outcome::kDiverged: return kUserOrEnvironment;
    case Outcome::kError: return kOurFault;
  }
  __builtin_unreachable();
}

}  // namespace unravel
