#include "report/json.hpp"

#include <nlohmann/json.hpp>

#include "data/print.hpp"

namespace unravel {

namespace {

// Fields in the order in which they were put, as documents show them.
using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json to_json(const Frame& frame) {
  return {{"file", text_or_null(frame.file)},
          {"line", frame.line == 0 ? Json(nullptr) : Json(frame.line)},
          {"function", text_or_null(frame.function)},
          {"module", text_or_null(frame.module)},
          {"offset", frame.offset}};
}

Json to_json(const Stack& stack) {
  Json array = Json::array();
  for (const Frame& frame : stack) array.push_back(to_json(frame));
  return array;
}

Json to_json(const Failure& failure) {
  Json threads = Json::array();
  for (const ThreadAtFailure& thread : failure.threads) {
    threads.push_back(
        {{"thread", thread.thread}, {"state", thread.state}, {"stack", to_json(thread.stack)}});
  }
  return {{"kind", name(failure.kind)},
          {"detail", failure.detail},
          {"thread", failure.thread},
          {"site", failure.site ? to_json(*failure.site) : Json(nullptr)},
          {"stack", to_json(failure.stack)},
          {"threads", threads},
          {"key", failure.key},
          {"weak_key", failure.weak_key}};
}

Json to_json(const RunReport& report) {
  const Run& run = *report.run;
  const RunSummary& summary = run.summary;
  Json json = {{"version", kJsonVersion},
               {"run", text_or_null(run.id)},
               {"outcome", name(summary.outcome)},
               {"failure", run.failure ? to_json(*run.failure) : Json(nullptr)},
               {"threads", summary.threads},
               {"steps", summary.steps},
               {"switches", summary.switches},
               {"preemptions", summary.preemptions},
               {"points", name(run.schedule.points)},
               {"strategy", run.strategy},
               {"seed", summary.seed}};
  const std::string schedule = report.with_schedule ? to_string(run.schedule) : std::string();
  const bool fits = !schedule.empty() && schedule.size() <= kLongestScheduleString;
  json["schedule"] = fits ? Json(schedule) : Json(nullptr);
  if (!report.schedule_file.empty()) json["schedule_file"] = report.schedule_file;
  json["seconds"] = summary.seconds;
  json["program"] = {{"arguments", run.program.arguments}, {"directory", run.program.directory}};
  if (!run.explanation.empty()) json["explanation"] = run.explanation;
  if (!run.warnings.empty()) json["warnings"] = run.warnings;
  if (report.reproduced) json["reproduced"] = *report.reproduced;
  if (report.runs) json["runs"] = *report.runs;
  return json;
}

/// Names and messages of programs need not be UTF-8; JSON must.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string run_json(const RunReport& report) { return dump(to_json(report)); }

std::string list_json(const std::vector<RunReport>& runs) {
  Json array = Json::array();
  for (const RunReport& run : runs) array.push_back(to_json(run));
  return dump({{"version", kJsonVersion}, {"runs", array}});
}

std::string error_json(const Error& error) {
  return dump({{"version", kJsonVersion},
               {"error", {{"what", error.what}, {"why", error.why}, {"hint", error.hint}}}});
}

}  // namespace unravel
