#include "report/races_text.hpp"

#include <fmt/format.h>

#include "data/print.hpp"
#include "report/failure_text.hpp"
#include "report/places.hpp"
#include "symbolize/source_lines.hpp"

namespace unravel {

namespace {

/// The verb of an access: "T1 reads x".
std::string verb(wire::Operation operation) {
  const wire::OperationTraits& traits = wire::traits(operation);
  return traits.verb ? traits.verb : traits.name;
}

std::string side_text(const RaceSide& side, const std::string& variable, SourceLines& sources,
                      Paint paint) {
  const std::string bytes = side.size ? " (" + plural(side.size, "byte") + ")" : "";
  std::string text = fmt::format("  {} {} {}{} at {}\n", paint.bold(print(side.thread, side.clock)),
                                 verb(side.operation), variable.empty() ? "it" : clean(variable),
                                 bytes, paint.cyan(long_place(side.site)));
  if (const auto line = sources.line(side.site.file, side.site.line)) {
    text += fmt::format("{:>8} │ {}\n", side.site.line, *line);
  }
  return text + stack_text(side.stack, paint);
}

}  // namespace

std::string races_line(const RaceReport& report) {
  const std::string suppressed =
      report.suppressed ? fmt::format(", {} suppressed", report.suppressed) : std::string();
  return fmt::format("{}{} in {} ({}, {:.2f} s)", plural(report.races.size(), "race"), suppressed,
                     plural(report.runs, "run"), plural(report.events, "event"), report.seconds);
}

std::string races_text(const RaceReport& report, Paint paint) {
  SourceLines sources;
  std::string text;
  for (std::size_t i = 0; i < report.races.size(); ++i) {
    const FoundRace& race = report.races[i];
    text += paint.red(fmt::format("race {}", i + 1)) +
            (race.variable.empty() ? std::string() : " on " + paint.bold(clean(race.variable))) +
            ": these two accesses are not ordered\n";
    for (const RaceSide& side : race.sides) {
      text += side_text(side, race.variable, sources, paint);
    }
    text += "\n";
  }
  return text;
}

}  // namespace unravel
