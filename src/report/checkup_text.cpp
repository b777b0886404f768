#include "report/checkup_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/print.hpp"
#include "report/places.hpp"
#include "symbolize/source_lines.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

using Weight = Concern::Weight;

// Longer lines are hard to read, even on a wide terminal. Chosen by hand.
constexpr std::size_t kWidest = 100;

/// A paragraph after a label: the label is in the first line, the other lines are indented.
std::string paragraph(std::string_view label, std::string_view text, std::size_t indent,
                      std::size_t columns) {
  const std::size_t most = std::max<std::size_t>(std::min(columns, kWidest), indent + 20) - indent;
  std::string result;
  std::string_view before = label;
  for (const std::string& line : wrap(clean(text), most)) {
    result += pad(before, indent) + line + "\n";
    before = {};
  }
  return result;
}

std::string_view started_text(Started started) {
  switch (started) {
    case Started::kForked: return "forked after the start";
    case Started::kAnew: return "started anew";
    case Started::kLater: return "started later, beside a busy process";
  }
  __builtin_unreachable();
}

std::string runs_text(const Checkup& checkup) {
  std::string text = plural(checkup.runs(), "run") + " of one schedule";
  std::vector<std::string> kinds;
  if (checkup.forked.runs) {
    kinds.push_back(fmt::format("{} forked after the start", checkup.forked.runs));
  }
  if (checkup.anew.runs) kinds.push_back(fmt::format("{} started anew", checkup.anew.runs));
  if (checkup.later.runs) {
    kinds.push_back(fmt::format("{} started {:.0f} s later, beside a busy process",
                                checkup.later.runs, checkup.seconds_later));
  }
  const bool alike = checkup.forked.runs == 0 && checkup.later.runs == 0;
  if (alike && !kinds.empty()) kinds = {"each started anew"};
  if (!kinds.empty()) text += fmt::format(" ({})", fmt::join(kinds, ", "));
  text += ": " + plural(checkup.first.threads, "thread") + ", " + plural(checkup.events, "event") +
          " in each";
  return text;
}

std::string_view heading(Difference::In in) {
  switch (in) {
    case Difference::In::kEvent: return "event";
    case Difference::In::kOutcome: return "how it ended";
    case Difference::In::kOutput: return "line of standard output";
    case Difference::In::kErrorOutput: return "line of standard error";
    case Difference::In::kSchedule: return "the schedule";
  }
  __builtin_unreachable();
}

std::string side(const std::optional<wire::Event>& event, const std::string& text) {
  return event ? describe(*event) : text.empty() ? std::string("(nothing)") : text;
}

std::string where_text(const Difference& difference, Paint paint) {
  const Frame* own = own_frame(difference.stack);
  if (!own && difference.stack.empty()) return {};
  const Frame& frame = own ? *own : difference.stack.front();
  std::string text = "  at " + paint.cyan(long_place(frame)) + "\n";
  SourceLines sources;
  if (const auto line = sources.line(frame.file, frame.line)) {
    text += fmt::format("{:>8} │ {}\n", frame.line, *line);
  }
  return text;
}

/// How many runs differed, and whether the start of the program or the time is the cause.
std::string pattern_text(const Checkup& checkup) {
  const auto& forked = checkup.forked;
  const auto& anew = checkup.anew;
  std::string text = fmt::format("{} of {} differed", checkup.differed(),
                                 plural(checkup.runs() - 1, "repetition"));
  if (checkup.difference->started == Started::kLater) {
    text += ", only after some time: the difference depends on time";
  }
  if (forked.runs > 0 && forked.differed == 0 && anew.differed > 0) {
    text += ", only those that started the program anew: the difference comes from its start";
  }
  return text + ".";
}

std::string difference_text(const Checkup& checkup, std::size_t columns, Paint paint) {
  const Difference& difference = *checkup.difference;
  std::string what(heading(difference.in));
  if (difference.position > 0) what += fmt::format(" {}", difference.position);
  std::string text = paint.bold("first difference: " + what) + "\n";
  text += where_text(difference, paint);
  const std::string other = fmt::format("run {}", difference.run);
  const std::size_t indent = 4 + other.size() + 2;
  text += paragraph("    run 1", side(difference.event_before, difference.before), indent, columns);
  text += paragraph("    " + other, side(difference.event_now, difference.now), indent, columns);
  text += paragraph("  ",
                    fmt::format("Run {} was {}. {}", difference.run,
                                started_text(difference.started), pattern_text(checkup)),
                    2, columns);
  const SourceText source = source_text(difference);
  text += "  likely source: " + paint.yellow(name(difference.source)) + "\n";
  text += paragraph("    what", source.meaning, 10, columns);
  text += paragraph("    do", source.advice, 10, columns);
  return text;
}

std::string concern_text(const Concern& concern, std::size_t columns, Paint paint) {
  std::string title = clean(concern.name);
  switch (concern.weight) {
    case Weight::kCertain: title = "  " + paint.red("✗ " + title); break;
    case Weight::kPossible: title = "  " + paint.yellow("? " + title); break;
    case Weight::kNote: title = "  " + paint.cyan("· " + title); break;
  }
  return title + "\n" + paragraph("    seen", concern.evidence, 10, columns) +
         paragraph("    what", concern.meaning, 10, columns) +
         paragraph("    do", concern.advice, 10, columns);
}

std::string concerns_text(const Checkup& checkup, Weight weight, std::string_view title,
                          std::size_t columns, Paint paint) {
  std::string text;
  for (const Concern& concern : checkup.concerns) {
    if (concern.weight == weight) text += concern_text(concern, columns, paint);
  }
  return text.empty() ? text : "\n" + paint.bold(title) + "\n" + text;
}

bool acts_on_descriptor(wire::Operation operation) {
  const wire::OperationTraits& traits = wire::traits(operation);
  return traits.object == wire::ObjectKind::kDescriptor &&
         (traits.effect == wire::Effect::kSend || traits.effect == wire::Effect::kReceive);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

}  // namespace

std::string describe(const wire::Event& event) {
  std::string text = print(event.thread, event.clock) + " " + wire::traits(event.operation).name;
  if (event.object != 0) {
    // Small numbers are ordinals of threads or descriptors; addresses are never that small.
    text += event.object >= 4096                  ? fmt::format(" {:#x}", event.object)
            : acts_on_descriptor(event.operation) ? fmt::format(" fd {}", event.object)
                                                  : fmt::format(" T{}", event.object);
  }
  if (event.result == wire::EventResult::kFailed) text += ", failed";
  if (event.result == wire::EventResult::kTimedOut) text += ", timed out";
  if (event.value != 0) text += fmt::format(", value {}", event.value);
  // Two calls may differ only in their place.
  text += fmt::format(" (code +{:#x})", event.site.offset());
  return text;
}

SourceText source_text(const Difference& difference) {
  const std::string causes = listed(difference.causes);
  switch (difference.source) {
    case Source::kAddress:
      return {
          "Objects have other addresses than before, and what the program does or prints depends "
          "on them: it hashes, sorts or prints pointers.",
          "Allow unravel to turn off address randomisation (see below if this was refused). "
          "Otherwise look for memory whose size or order depends on something outside."};
    case Source::kTime:
      if (difference.started == Started::kLater) {
        return {
            "The run repeats immediately, but not later. The program reads a clock that is not "
            "virtual, such as the processor's counter (rdtsc), a system call in inline assembly or "
            "/proc/uptime, or it reads the date of a file" +
                (causes.empty() ? std::string(".") : "; it calls " + causes + "."),
            "Use clock_gettime or std::chrono instead: under unravel they give the same answer in "
            "every run. Dates of files are real: compare them with each other, not with the "
            "current time."};
      }
      return {
          "The program reads a clock that is not virtual, such as the processor's counter "
          "(rdtsc).",
          "Use clock_gettime or std::chrono instead: under unravel they give the same answer in "
          "every run."};
    case Source::kRandom:
      return {
          "The program takes random numbers from the processor (rdrand or rdseed).",
          "Use getrandom, /dev/urandom or std::random_device, which under unravel give the same "
          "numbers in every run, or use a fixed seed."};
    case Source::kInput:
      return {"A thread took another path after it had read something" +
                  (causes.empty() ? std::string(".") : ": the program calls " + causes + "."),
              "Give it the same input in every run: a file instead of a network, and a fresh copy "
              "of the files that it changes."};
    case Source::kUncontrolledThread:
      return {
          "A thread that unravel does not control took part, and was at another place this time.",
          "See below what starts uncontrolled threads."};
    case Source::kUnknown: break;
  }
  std::string meaning =
      "The program read something, without a synchronisation call, that was different this time: a "
      "file that an earlier run changed, a process id, uninitialised memory, the processor's "
      "counter or random numbers.";
  if (!causes.empty()) meaning += " It calls " + causes + ", whose results may vary.";
  return {meaning,
          "Find out what the line above depends on. `valgrind` finds uninitialised memory."};
}

std::string checkup_line(const Checkup& checkup, Paint paint) {
  const std::string program =
      checkup.program.arguments.empty() ? "the program" : clean(checkup.program.arguments[0]);
  if (checkup.difference) {
    return program + " is " + paint.red("not controlled") + ": " +
           std::to_string(checkup.differed()) + " of " + plural(checkup.runs() - 1, "repetition") +
           " differed from the first run";
  }
  if (!checkup.controlled()) {
    std::vector<std::string> names;
    for (const Concern& concern : checkup.concerns) {
      if (concern.weight == Weight::kCertain) names.push_back(clean(concern.name));
    }
    return program + " is " + paint.red("not controlled") + ": " + listed(names);
  }
  return program + " is " + paint.green("controlled") + ": " + plural(checkup.runs(), "run") +
         " of one schedule, all the same";
}

std::string checkup_text(const Checkup& checkup, std::size_t columns, Paint paint) {
  std::string text = checkup_line(checkup, paint) + "\n";
  text += paragraph("  ", runs_text(checkup), 2, columns);
  const bool is_told =
      std::any_of(checkup.concerns.begin(), checkup.concerns.end(),
                  [&](const Concern& concern) { return concern.evidence == checkup.explanation; });
  if (!checkup.explanation.empty() && !is_told) {
    text += paragraph(
        "  ",
        "the first run is " + std::string(name(checkup.first.outcome)) + ": " + checkup.explanation,
        2, columns);
  }
  text +=
      paragraph("  ",
                checkup.has_hooks
                    ? "hooks: yes; threads are switched at memory accesses, too"
                    : "hooks: no; threads are switched only at synchronisation calls; to switch "
                      "at memory accesses, build with unravel-c++ or -fsanitize=thread",
                2, columns);
  if (!checkup.why_not_forked.empty()) {
    text += paragraph("  ", "runs are not forked: " + checkup.why_not_forked, 2, columns);
  }
  if (checkup.difference) text += "\n" + difference_text(checkup, columns, paint);
  text += concerns_text(checkup, Weight::kCertain, "not controlled", columns, paint);
  text += concerns_text(checkup, Weight::kPossible,
                        "may not be controlled, depending on how it is used", columns, paint);
  text += concerns_text(checkup, Weight::kNote, "this machine", columns, paint);
  return text;
}

}  // namespace unravel
