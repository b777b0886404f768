#include "report/failure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "data/print.hpp"
#include "report/cycle.hpp"
#include "report/places.hpp"
#include "symbolize/source_lines.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

std::string thread_name(std::uint32_t thread) { return "T" + std::to_string(thread); }

std::string place_text(const Failure& failure, Paint paint) {
  if (!failure.site) return {};
  std::string text = "  at " + paint.cyan(long_place(*failure.site)) + "\n";
  SourceLines sources;
  if (const auto line = sources.line(failure.site->file, failure.site->line)) {
    text += fmt::format("{:>8} │ {}\n", failure.site->line, *line);
  }
  return text;
}

std::string threads_text(const std::vector<ThreadAtFailure>& threads, Paint paint) {
  std::string text;
  for (const ThreadAtFailure& thread : threads) {
    text += "  " + paint.bold(thread_name(thread.thread)) + " " + clean(thread.state) + "\n";
    text += stack_text(thread.stack, paint);
  }
  return text;
}

std::string threads_text(const Failure& failure, Paint paint) {
  std::string text = threads_text(failure.threads, paint);
  if (failure.threads.empty() && !failure.stack.empty()) {
    text += "  " + paint.bold(thread_name(failure.thread)) + "\n";
    text += stack_text(failure.stack, paint);
  }
  return text;
}

}  // namespace

std::string stack_text(const Stack& stack, Paint paint) {
  std::string text;
  std::size_t folded = 0;
  const auto unfold = [&] {
    if (folded > 0) text += "      " + paint.dim("… " + plural(folded, "system frame")) + "\n";
    folded = 0;
  };
  for (const Frame& frame : stack) {
    if (is_system(frame)) {
      ++folded;
      continue;
    }
    unfold();
    text += "      " + long_place(frame) + (frame.inlined ? paint.dim("  (inlined)") : "") + "\n";
  }
  // The frames below main() or the thread's function are the same everywhere: they are left out.
  if (text.empty()) unfold();
  return text;
}

std::string failure_text(const Failure& failure, Paint paint) {
  const std::string cycle = cycle_text(failure);
  // A cycle has one place per thread; none of them is the place of the failure.
  std::string text = cycle.empty() ? place_text(failure, paint) : cycle;
  const std::string threads = threads_text(failure, paint);
  if (!threads.empty()) text += "threads:\n" + threads;
  if (failure.weak_key) {
    text +=
        paint.dim("  (this failure is hard to tell apart: another bug may look the same)") + "\n";
  }
  return text;
}

std::string snapshot_line(const Snapshot& snapshot) {
  return fmt::format("at {}, step {}", print(snapshot.thread, snapshot.clock), snapshot.step);
}

std::string snapshot_text(const Snapshot& snapshot, Paint paint) {
  return threads_text(snapshot.threads, paint);
}

std::string outcome_line(const Run& run, Paint paint) {
  const std::string name = run.id.empty() ? std::string("run") : "run " + run.id;
  const std::string why = run.explanation.empty() ? "" : ": " + clean(run.explanation);
  switch (run.summary.outcome) {
    case Outcome::kPassed: return name + " " + paint.green("passed") + why;
    case Outcome::kFailed:
      return name + " " + paint.red("failed") +
             (run.unverified ? ", but replays did not reproduce it" : "") +
             (run.failure ? ": " + failure_title(*run.failure) : why);
    case Outcome::kUnresolved: return name + " is " + paint.yellow("unresolved") + why;
    case Outcome::kDiverged: return name + " " + paint.yellow("diverged") + why;
    case Outcome::kError:
      return name + " ended in " + paint.red("an internal error of unravel") + why;
  }
  __builtin_unreachable();
}

std::string client_text(const Run& run) {
  if (!run.client) return {};
  std::string text =
      "  client: " + clean(run.client->command) + " (" + describe(*run.client) + ")\n";
  std::string_view rest = run.client->output;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text += "    " + clean(std::string(rest.substr(0, end))) + "\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

std::string numbers_line(const Run& run) {
  const RunSummary& summary = run.summary;
  std::string text = plural(summary.threads, "thread") + ", " + plural(summary.steps, "step") +
                     ", " + plural(summary.switches, "switch") + " (" +
                     plural(summary.preemptions, "preemption") + ")";
  // These are not random, so a seed would mean nothing.
  const bool certain = run.strategy == "replay" || run.strategy == "stay" ||
                       run.strategy == "record" || run.strategy == "predicted";
  if (!run.strategy.empty()) text += ", " + clean(run.strategy);
  if (!run.strategy.empty() && !certain) text += fmt::format(" seed {}", summary.seed);
  return text + fmt::format(", {:.2g} s", summary.seconds);
}

}  // namespace unravel
