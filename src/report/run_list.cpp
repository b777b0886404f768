#include "report/run_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/failure_text.hpp"

namespace unravel {

namespace {

std::string age(std::int64_t seconds) {
  if (seconds < 60) return fmt::format("{} s ago", std::max<std::int64_t>(seconds, 0));
  if (seconds < 60 * 60) return fmt::format("{} min ago", seconds / 60);
  if (seconds < 48 * 60 * 60) return fmt::format("{} h ago", seconds / (60 * 60));
  return fmt::format("{} days ago", seconds / (24 * 60 * 60));
}

std::string what_happened(const Run& run) {
  const std::string mark = run.unverified ? " (not verified)" : "";
  if (run.failure) return failure_title(*run.failure) + mark;
  return clean(run.explanation);
}

std::string program_name(const Run& run) {
  std::string text;
  for (const std::string& argument : run.program.arguments) {
    text += (text.empty() ? "" : " ") + clean(argument);
  }
  return text;
}

std::string painted(Outcome outcome, const std::string& text, Paint paint) {
  switch (outcome) {
    case Outcome::kPassed: return paint.green(text);
    case Outcome::kFailed:
    case Outcome::kError: return paint.red(text);
    case Outcome::kUnresolved:
    case Outcome::kDiverged: return paint.yellow(text);
  }
  __builtin_unreachable();
}

}  // namespace

std::string render_list(const std::vector<ListedRun>& runs, std::int64_t now, std::size_t columns,
                        Paint paint) {
  constexpr std::size_t kWidestProgram = 32;
  std::size_t program = 7;
  for (const ListedRun& listed : runs) {
    program = std::max(program, std::min(width(program_name(*listed.run)), kWidestProgram));
  }
  std::string text =
      paint.bold(fmt::format("{:<6}  {:<10}  {:<11}  {}  {:>7}  {}", "run", "when", "outcome",
                             pad("program", program), "threads", "what")) +
      "\n";
  const std::size_t left = 6 + 2 + 10 + 2 + 11 + 2 + program + 2 + 7 + 2;
  const std::size_t room = std::max<std::size_t>(columns > left ? columns - left : 0, 16);
  for (const ListedRun& listed : runs) {
    const Run& run = *listed.run;
    const std::string outcome = fmt::format("{:<11}", name(run.summary.outcome));
    std::string line = fmt::format(
        "{:<6}  {:<10}  {}  {}  {:>7}  {}", run.id, age(now - listed.created),
        painted(run.summary.outcome, outcome, paint), pad(cut(program_name(run), program), program),
        run.summary.threads, cut(what_happened(run), room));
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
  }
  return text;
}

}  // namespace unravel
