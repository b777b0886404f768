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

void tell_how_to_allow(const JudgeOptions& judge, const Console& console) {
  if (judge.allow_untested || console.options().quiet) return;
  console.note("  for an exit status of 0 all the same, add --allow-untested\n");
}

}  // namespace unravel
