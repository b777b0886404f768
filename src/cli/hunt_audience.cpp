#include "cli/hunt_audience.hpp"

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

std::optional<Error> HuntAudience::verify(Kept& kept) {
  Result<Verification> verification = unravel::verify(
      kept.run, [&](RunRequest request) { return keeping_.pool.submit(std::move(request)).get(); });
  if (!verification) return verification.error();
  kept.verification = std::move(*verification);
  return std::nullopt;
}

std::optional<Error> HuntAudience::explain(Kept& kept) {
  Result<Explained> explained = unravel::explain({.pool = keeping_.pool,
                                                  .store = keeping_.store,
                                                  .settings = keeping_.settings,
                                                  .input = keeping_.input,
                                                  .interruption = keeping_.interruption,
                                                  .deadline = keeping_.deadline,
                                                  .depends_on_order = others_passed_},
                                                 kept.run);
  if (!explained) return explained.error();
  kept.explained = std::move(*explained);
  return std::nullopt;
}

Result<bool> HuntAudience::found(Run run, std::uint64_t at_run) {
  if (run.failure && keeping_.known.knows(run.failure->key)) return true;
  clear();
  Kept kept{std::move(run), at_run, std::nullopt, std::nullopt, std::nullopt};
  // What was found is kept and told, whatever becomes of the rest.
  std::optional<Error> trouble = verify(kept);
  Result<std::string> id = keeping_.store.add(kept.run, keeping_.settings, keeping_.input);
  if (!id) {
    // Where one failure cannot be kept, there is no use in looking for more.
    kept.unkept = id.error();
    kept_.push_back(std::move(kept));
    tell(kept_.back());
    tell_unkept(kept_.back().run, id.error(), keeping_.console);
    if (trouble) return fail(*trouble);
    return false;
  }
  kept.run.id = std::move(*id);
  if (keeping_.explains && kept.verified() && !trouble) trouble = explain(kept);
  kept_.push_back(std::move(kept));
  tell(kept_.back());
  if (trouble) return fail(*trouble);
  return keeping_.explore;
}

void HuntAudience::tell(const Kept& kept) {
  const Console& console = keeping_.console;
  const Run& run = kept.run;
  const Paint paint = console.note_paint();
  if (!kept.verification) {
    console.note("unravel: run " + run.id + " failed: " + failure_title(*run.failure) +
                 "\n  it could not be replayed any more: `unravel replay " + run.id +
                 "` does that\n");
    return;
  }
  if (!kept.verified()) {
    console.note("unravel: " + outcome_line(run, paint) + "\n  " + clean(kept.verification->why()) +
                 "\n");
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
                     "), and replayed " + std::to_string(kReplays) + " times; " +
                     numbers_line(run) + "\n\n";
  console.note(text + explanation(kept));
}

/// What decides, as far as it was found out.
std::string HuntAudience::cause(const Kept& kept) const {
  const Paint paint = keeping_.console.note_paint();
  const Explained& explained = *kept.explained;
  const std::string& id = kept.run.id;
  if (!explained.order.depends) return order_line(explained.order) + "\n";
  std::string text;
  if (explained.simplified && explained.difference) {
    text += difference_text(*explained.difference, paint);
  } else if (explained.simplified) {
    text += preemptions_text(*explained.simplified, paint);
  }
  const std::string why = keeping_.interruption.happened() ? "interrupted" : "stopped at a limit";
  if (!explained.simplified) {
    text += why + " before it was explained: `unravel simplify " + id + "` and `unravel isolate " +
            id + "` do that\n";
  } else if (!explained.difference && explained.stopped) {
    text += why + " before the switch that decides was found: `unravel isolate " +
            explained.run.id + "` looks for it\n";
  } else if (!explained.difference) {
    text += "no run near it passes: " + plural(explained.neighbours, "run") + " were tried\n";
  }
  return text + "explained with " + std::to_string(explained.runs) + " of at most " +
         plural(explained.most_runs, "run") + "\n";
}

std::string HuntAudience::explanation(const Kept& kept) const {
  const Console& console = keeping_.console;
  const Paint paint = console.note_paint();
  const bool is_simplified = kept.explained && kept.explained->simplified;
  const Run& run = is_simplified ? kept.explained->run : kept.run;
  std::string text;
  if (run.id != kept.run.id) {
    text += "simplified, as run " + run.id + ": " +
            simplification_line(*kept.explained->simplified) + "\n\n";
  }
  // A program that never started a second thread has no steps to show.
  if (!run.steps.empty()) {
    text += render_table(run, {.columns = console.columns(), .rows = kRows}, paint) + "\n";
  }
  text += failure_text(*run.failure, paint) + "\n";
  if (kept.explained) text += cause(kept);
  if (kept.unkept) return text;
  return text + "replay it with `unravel replay " + run.id +
         "`, see all its steps with `unravel show " + run.id + " --rows all`\n";
}

void HuntAudience::progress(const Explored& explored) {
  const Console& console = keeping_.console;
  others_passed_ = explored.passed > 0;
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
