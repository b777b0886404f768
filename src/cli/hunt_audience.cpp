#include "cli/hunt_audience.hpp"

#include "cli/essence.hpp"
#include "cli/reproduce.hpp"
#include "cli/tell_run.hpp"
#include "report/difference_text.hpp"
#include "report/failure_text.hpp"
#include "report/hunt_text.hpp"
#include "report/simplify_text.hpp"
#include "report/table.hpp"

namespace unravel {

namespace {

constexpr auto kEveryOnTerminal = std::chrono::milliseconds(200);  // faster than one can read
constexpr auto kEveryInLog = std::chrono::seconds(10);

// The last operations before a failure; `unravel show --rows all` has the rest.
constexpr std::size_t kRows = 20;

}  // namespace

HuntAudience::HuntAudience(Keeping keeping) : keeping_(std::move(keeping)) {}

/// A failure counts once it was seen twice: the second time step by step.
Result<std::string> HuntAudience::verify(Run& run) {
  Result<Run> again = keeping_.pool.submit(request_for_table(run)).get();
  if (!again) return fail(again.error());
  const std::string differs = difference(run, *again);
  if (!differs.empty()) return differs;
  run.failure = std::move(again->failure);
  run.steps = std::move(again->steps);
  run.events = std::move(again->events);
  const Result<void> found = find_constraints_of(
      run, [&](RunRequest request) { return keeping_.pool.submit(std::move(request)).get(); });
  if (!found) return fail(found.error());
  return std::string();
}

Result<bool> HuntAudience::found(Run run, std::uint64_t at_run) {
  if (run.failure && keeping_.known.knows(run.failure->key)) return true;
  clear();
  Result<std::string> differs = verify(run);
  run.unverified = !differs || !differs->empty();
  Result<std::string> id = keeping_.store.add(run, keeping_.settings, keeping_.input);
  if (id) run.id = std::move(*id);
  if (!differs) {
    // What happened is told before what went wrong afterwards.
    tell_outcome(run, keeping_.console);
    if (!id) tell_unkept(run, id.error(), keeping_.console);
    return fail(differs.error());
  }
  std::optional<Error> trouble;
  Kept kept{std::move(run), at_run, std::move(*differs), std::nullopt, std::nullopt};
  if (!id) {
    // Where one failure cannot be kept, there is no use in looking for more.
    kept.unkept = id.error();
    kept_.push_back(std::move(kept));
    tell(kept_.back());
    tell_unkept(kept_.back().run, id.error(), keeping_.console);
    return false;
  }
  if (keeping_.explains && kept.differs.empty()) {
    Result<Explained> explained = explain(
        {keeping_.pool, keeping_.store, keeping_.settings, keeping_.input, keeping_.interruption},
        kept.run);
    // What was found is told and kept, whatever becomes of the rest.
    if (explained) {
      kept.explained = std::move(*explained);
    } else if (!keeping_.interruption.happened()) {
      trouble = explained.error();
    }
  }
  kept_.push_back(std::move(kept));
  tell(kept_.back());
  if (trouble) return fail(*trouble);
  return keeping_.explore;
}

void HuntAudience::tell(const Kept& kept) {
  const Console& console = keeping_.console;
  const Run& run = kept.run;
  const Paint paint = console.note_paint();
  if (!kept.differs.empty()) {
    console.note("unravel: run " + run.id +
                 " failed, and did not when it was replayed: " + clean(kept.differs) + "\n");
    return;
  }
  if (console.options().quiet) {
    console.note("unravel: " + outcome_line(run, paint) + "\n");
    return;
  }
  if (!console.options().json) console.out(run.output);
  for (const std::string& warning : run.warnings) console.warn(warning);
  std::string text = "unravel: " + outcome_line(run, paint) + "\n  found in run " +
                     std::to_string(kept.found_at_run) + " of the hunt (" + run.strategy +
                     "), and replayed; " + numbers_line(run) + "\n\n";
  console.note(text + explanation(kept));
}

std::string HuntAudience::explanation(const Kept& kept) const {
  const Console& console = keeping_.console;
  const Paint paint = console.note_paint();
  const Run& run = kept.explained ? kept.explained->run : kept.run;
  std::string text;
  if (kept.explained && run.id != kept.run.id) {
    text += "simplified, as run " + run.id + ": " +
            simplification_line(kept.explained->simplified) + "\n\n";
  }
  text += render_table(run, {.columns = console.columns(), .rows = kRows}, paint) + "\n";
  text += failure_text(*run.failure, paint) + "\n";
  if (kept.explained && kept.explained->difference) {
    text += difference_text(*kept.explained->difference, paint);
  } else if (kept.explained) {
    text += preemptions_text(kept.explained->simplified, paint);
    text += "no run near it passes: " + plural(kept.explained->neighbours, "run") + " were tried\n";
  }
  if (kept.unkept) return text;
  return text + "replay it with `unravel replay " + run.id +
         "`, see all its steps with `unravel show " + run.id + " --rows all`\n";
}

void HuntAudience::progress(const Explored& explored) {
  const Console& console = keeping_.console;
  if (console.options().quiet) return;
  const Clock::time_point now = Clock::now();
  const bool is_terminal = console.note_is_terminal();
  if (now - last_line_ <
      (is_terminal ? Clock::duration(kEveryOnTerminal) : Clock::duration(kEveryInLog))) {
    return;
  }
  last_line_ = now;
  console.note((is_terminal ? "\r\033[K" : "") + ("unravel: " + hunt_line(explored)) +
               (is_terminal ? "" : "\n"));
  is_shown_ = is_terminal;
}

void HuntAudience::clear() {
  if (is_shown_) keeping_.console.note("\r\033[K");
  is_shown_ = false;
}

}  // namespace unravel
