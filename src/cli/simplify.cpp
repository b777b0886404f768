/// `unravel simplify`: a failing run made as simple as it can be.
#include "cli/commands.hpp"
#include "cli/inquiry.hpp"
#include "cli/simplifying.hpp"
#include "cli/tell_run.hpp"
#include "report/explanation_json.hpp"
#include "report/failure_text.hpp"
#include "report/simplify_text.hpp"
#include "report/table.hpp"

namespace unravel {

namespace {

constexpr std::size_t kRows = 40;

// Of a run that could not be kept.
constexpr const char* kNoId = "(not kept)";

void tell(const SimplifiedRun& simple, const Console& console) {
  const Paint paint = console.note_paint();
  const Simplification& told = simple.told;
  const std::string line = simplification_line(told);
  console.note(
      told.run == told.from
          ? "unravel: nothing simpler than run " + told.run + " fails alike: " + line + "\n"
          : "unravel: run " + told.run + " fails as run " + told.from + " does: " + line + "\n");
  // A run that was not replayed has no table.
  if (console.options().quiet || simple.run.steps.empty()) return;
  std::string text =
      "\n" + render_table(simple.run, {.columns = console.columns(), .rows = kRows}, paint);
  text += "\n" + failure_text(*simple.run.failure, paint);
  text += "\n" + preemptions_text(told, paint);
  if (told.run != kNoId)
    text += "replay it with `unravel replay " + told.run +
            "`; which switch decides, and by how much, says `unravel isolate " + told.run + "`\n";
  console.note(text);
}

}  // namespace

Result<int> simplify_command(const SimplifyOptions& options, const Console& console,
                             Interruption& interruption) {
  Result<std::unique_ptr<Inquiry>> inquiry =
      Inquiry::into_failure(options.run, console, options.jobs, interruption);
  if (!inquiry) return fail(inquiry.error());
  const Run& failing = (*inquiry)->failing();
  Result<SimplifiedRun> simple = make_simple((*inquiry)->pool(), failing,
                                             {.usual = !options.runs && !options.time,
                                              .runs = options.runs,
                                              .time = options.time,
                                              .suffix = options.suffix},
                                             interruption);
  if (!simple) return fail(simple.error());
  simple->told.from = failing.id;
  simple->told.run = failing.id;
  std::optional<Error> unkept;
  if (simple->told.after < simple->told.before) {
    const Result<std::string> id = (*inquiry)->keep(simple->run);
    simple->told.run = simple->run.id = id.value_or(kNoId);
    if (!id) unkept = id.error();
  }
  if (console.options().json) {
    console.out(simplification_json(simple->told));
  } else {
    tell(*simple, console);
  }
  if (unkept) return tell_unkept(simple->run, *unkept, console);
  if (interruption.happened()) {
    console.note("unravel: interrupted; run " + simple->told.run +
                 " is the simplest that was found\n");
    return kUserOrEnvironment;
  }
  return kNoFailure;
}

}  // namespace unravel
