#include "report/failure_text.hpp"

#include <fmt/format.h>

#include <vector>

#include "data/print.hpp"
#include "report/cycle.hpp"
#include "report/places.hpp"
#include "symbolize/source_lines.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

std::string thread_name(std::uint32_t thread) { return "T" + std::to_string(thread); }

/// One sentence per thread of the cycle; empty if there is none.
std::string cycle_text(const Failure& failure) {
  std::string text;
  for (const Waiting& waiting : cycle_of(failure)) {
    text += fmt::format("  {} {}", waiting.thread, waiting.wait);
    if (waiting.holder == waiting.thread) {
      text += ", which it holds itself";
    } else if (!waiting.object.empty()) {
      text += ", which " + waiting.holder + " holds";
    }
    text += "\n";
  }
  return text;
}

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
  // What called main() or the thread's function is the same everywhere.
  if (text.empty()) unfold();
  return text;
}

std::string failure_text(const Failure& failure, Paint paint) {
  const std::string cycle = cycle_text(failure);
  // Each thread of a cycle stands somewhere else; no one place is where it failed.
  std::string text = cycle.empty() ? place_text(failure, paint) : cycle;
  const std::string threads = threads_text(failure, paint);
  if (!threads.empty()) text += "threads:\n" + threads;
  if (failure.weak_key) {
    text += paint.dim("  (failures of this kind look alike: another bug may end here too)") + "\n";
  }
  return text;
}

std::string snapshot_line(const Snapshot& moment) {
  return fmt::format("at {}, step {}", print(moment.thread, moment.clock), moment.step);
}

std::string snapshot_text(const Snapshot& moment, Paint paint) {
  return threads_text(moment.threads, paint);
}

std::string outcome_line(const Run& run, Paint paint) {
  const std::string name = run.id.empty() ? std::string("run") : "run " + run.id;
  const std::string why = run.explanation.empty() ? "" : ": " + clean(run.explanation);
  switch (run.summary.outcome) {
    case Outcome::kPassed: return name + " " + paint.green("passed") + why;
    case Outcome::kFailed:
      return name + " " + paint.red("failed") +
             (run.unverified ? ", but not when it was replayed" : "") +
             (run.failure ? ": " + failure_title(*run.failure) : why);
    case Outcome::kUnresolved: return name + " is " + paint.yellow("unresolved") + why;
    case Outcome::kDiverged: return name + " " + paint.yellow("diverged") + why;
    case Outcome::kError: return name + " ended in " + paint.red("an error of unravel's own") + why;
  }
  __builtin_unreachable();
}

std::string numbers_line(const Run& run) {
  const RunSummary& summary = run.summary;
  std::string text = plural(summary.threads, "thread") + ", " + plural(summary.steps, "step") +
                     ", " + plural(summary.switches, "switch") + " (" +
                     plural(summary.preemptions, "preemption") + ")";
  // None of them draws lots, so a seed would say nothing.
  const bool certain =
      run.strategy == "replay" || run.strategy == "stay" || run.strategy == "record";
  if (!run.strategy.empty()) text += ", " + clean(run.strategy);
  if (!run.strategy.empty() && !certain) text += fmt::format(" seed {}", summary.seed);
  return text + fmt::format(", {:.2g} s", summary.seconds);
}

}  // namespace unravel
