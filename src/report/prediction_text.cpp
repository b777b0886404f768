#include "report/prediction_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "data/print.hpp"
#include "report/clip_text.hpp"
#include "report/failure_text.hpp"
#include "report/places.hpp"
#include "symbolize/source_lines.hpp"

namespace unravel {

namespace {

std::string verb(wire::Operation operation) {
  const wire::OperationTraits& traits = wire::traits(operation);
  return traits.verb ? traits.verb : traits.name;
}

/// " on x", " on x and y", " on x, y and z"; empty: none has a name.
std::string on_variables(const FoundAnomaly& anomaly) {
  std::vector<std::string> names;
  for (const std::string& one : anomaly.variables) {
    if (!one.empty()) names.push_back(short_variable(one));
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? " on " : i + 1 < names.size() ? ", " : " and ") + names[i];
  }
  return text;
}

/// What the anomaly is, in words.
std::string headline(const FoundAnomaly& anomaly) {
  const std::string on = on_variables(anomaly);
  switch (anomaly.kind) {
    case AnomalyKind::kRace: return "data race" + on;
    case AnomalyKind::kAtomicity:
      return "atomicity violation" + on + " (" + anomaly.pattern +
             "): another thread comes between two accesses";
    case AnomalyKind::kSet:
      return "atomic-set violation" + on + " (" + anomaly.pattern +
             "): variables that belong together are seen or left in different states";
    case AnomalyKind::kDeadlock: return "deadlock: threads wait for each other";
    case AnomalyKind::kPattern: return "pattern '" + clean(anomaly.pattern) + "'" + on;
    case AnomalyKind::kOrder: return "operations" + on + " in the other order";
  }
  __builtin_unreachable();
}

/// What the thread does: "writes x", "lock mutex", "is blocked in lock mutex".
std::string deed_text(const RaceSide& side, bool is_blocked) {
  std::string text = (is_blocked ? "is blocked in " : "") + verb(side.operation);
  if (!side.variable.empty()) return text + " " + short_variable(side.variable);
  return wire::is_access(side.operation) ? text + " memory" : text;
}

std::string side_text(const RaceSide& side, bool is_blocked, SourceLines& sources, Paint paint) {
  std::string text = fmt::format("  {} {} at {}\n", paint.bold(print(side.thread, side.clock)),
                                 deed_text(side, is_blocked), paint.cyan(long_place(side.site)));
  if (const auto line = sources.line(side.site.file, side.site.line)) {
    text += fmt::format("{:>8} │ {}\n", side.site.line, *line);
  }
  return text + stack_text(side.stack, paint);
}

std::uint64_t sum(const AnomalyCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// One line of an anomaly that does not matter by itself.
std::string short_text(const FoundAnomaly& anomaly) {
  std::string text = anomaly.looks_benign ? "looks benign" : name(anomaly.status);
  text += fmt::format(": {}", name(anomaly.kind));
  if (!anomaly.pattern.empty()) text += " " + clean(anomaly.pattern);
  for (std::size_t i = 0; i < anomaly.sides.size(); ++i) {
    text += fmt::format("{} T{} {} {}", i == 0 ? ":" : ",", anomaly.sides[i].thread.ordinal,
                        verb(anomaly.sides[i].operation), short_location(anomaly.sides[i].site));
  }
  if (!anomaly.why.empty()) text += " (" + clean(anomaly.why) + ")";
  return text + "\n";
}

}  // namespace

std::string prediction_line(const PredictionReport& report) {
  const auto benign = std::count_if(report.anomalies.begin(), report.anomalies.end(),
                                    [](const FoundAnomaly& one) { return one.looks_benign; });
  std::string text = fmt::format(
      "{} predicted in {}: {} confirmed{}, {} seen, {} refuted, {} without a witness",
      sum(report.predicted) == 1 ? "1 anomaly" : fmt::format("{} anomalies", sum(report.predicted)),
      plural(report.traces, "trace"), sum(report.confirmed),
      benign > 0 ? fmt::format(" ({} look{} benign)", benign, benign == 1 ? "s" : "") : "",
      sum(report.seen), sum(report.refuted), sum(report.no_witness));
  const std::uint64_t left = sum(report.predicted) - sum(report.confirmed) - sum(report.seen) -
                             sum(report.refuted) - sum(report.no_witness);
  if (left > 0) text += fmt::format(", {} not tried", left);
  if (report.suppressed > 0) text += fmt::format(", {} suppressed", report.suppressed);
  text += fmt::format("; {} ({}, {:.2f} s)", plural(report.failures.size(), "failure"),
                      plural(report.runs, "run"), report.seconds);
  if (report.not_searched > 0) {
    text += fmt::format(
        "\na limit ended the search: other orders of {} were not looked for; raise --runs or --for",
        plural(report.not_searched, "predicted instance"));
  }
  return text;
}

std::string prediction_text(const PredictionReport& report, bool all, std::size_t columns,
                            Paint paint) {
  SourceLines sources;
  std::string text;
  std::size_t number = 0;
  for (const FoundAnomaly& anomaly : report.anomalies) {
    if (!anomaly.matters()) continue;
    text += paint.red(fmt::format("anomaly {}", ++number)) + ": " + headline(anomaly) + "\n";
    const bool is_blocked = anomaly.kind == AnomalyKind::kDeadlock;
    for (const RaceSide& side : anomaly.sides) text += side_text(side, is_blocked, sources, paint);
    text += clip_text(anomaly.clip, columns, paint);
    text += fmt::format("  {}\n",
                        anomaly.failure ? "it fails: " + clean(anomaly.why) : clean(anomaly.why));
    if (!anomaly.run.empty()) {
      text += fmt::format("  to see it again: unravel replay {}\n", anomaly.run);
    }
    text += "\n";
  }
  if (!all) return text;
  for (const FoundAnomaly& anomaly : report.anomalies) {
    if (!anomaly.matters()) text += short_text(anomaly);
  }
  return text;
}

}  // namespace unravel
