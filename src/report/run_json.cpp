#include "report/run_json.hpp"

#include "data/print.hpp"
#include "report/explanation_json.hpp"

namespace unravel {

namespace {

Json to_json(const std::vector<OutcomeCount>& counts) {
  Json json = Json::object();
  for (const OutcomeCount& count : counts) json[std::string(name(count.outcome))] = count.runs;
  return json;
}

Json to_json(const Divergence::Side& side) {
  return {{"text", text_or_null(side.text)},
          {"site", side.place ? to_json(*side.place) : Json(nullptr)}};
}

Json to_json(const Divergence& divergence) {
  return {{"kind", wire::kDivergenceNames[static_cast<std::size_t>(divergence.kind)]},
          {"at", text_or_null(divergence.at)},
          {"recorded", to_json(divergence.recorded)},
          {"now", to_json(divergence.now)},
          {"cause", divergence.cause}};
}

}  // namespace

Json to_json(const Error& error) {
  return {{"what", error.what}, {"why", error.why}, {"hint", error.hint}};
}

Json to_json(ReproducedBy means) {
  switch (means) {
    case ReproducedBy::kNothing: return nullptr;
    case ReproducedBy::kSchedule: return "schedule";
    case ReproducedBy::kConstraints: return "constraints";
    case ReproducedBy::kNeighbours: return "neighbours";
  }
  __builtin_unreachable();
}

void add_reason(Json& json, Outcome outcome, Reason reason, const std::string& why) {
  if (outcome != Outcome::kUnresolved) return;
  json["reason"] = name(reason);
  if (!why.empty()) json["explanation"] = why;
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
               {"pairs", summary.pairs},
               {"points", name(run.schedule.points)},
               {"strategy", run.strategy},
               {"seed", summary.seed}};
  const std::string schedule = report.with_schedule ? to_string(run.schedule) : std::string();
  // A schedule that is not in a file must be complete.
  const bool fits = !schedule.empty() &&
                    (schedule.size() <= kLongestScheduleString || report.schedule_file.empty());
  json["schedule"] = fits ? Json(schedule) : Json(nullptr);
  if (!report.schedule_file.empty()) json["schedule_file"] = report.schedule_file;
  json["seconds"] = summary.seconds;
  json["program"] = {{"arguments", run.program.arguments}, {"directory", run.program.directory}};
  if (!run.explanation.empty()) json["explanation"] = run.explanation;
  // A stored run has only the sentence.
  if (summary.reason != Reason::kNone) {
    add_reason(json, summary.outcome, summary.reason, run.explanation);
  }
  if (summary.children) json["children"] = summary.children;
  if (!run.warnings.empty()) json["warnings"] = run.warnings;
  if (run.output_left_out) json["output_left_out"] = run.output_left_out;
  if (run.error_output_left_out) json["error_output_left_out"] = run.error_output_left_out;
  if (run.client) {
    json["client"] = {{"command", run.client->command},
                      {"ended", describe(*run.client)},
                      {"output", run.client->output}};
  }
  if (run.failure) json["verified"] = !run.unverified;
  if (report.unkept) json["error"] = to_json(*report.unkept);
  if (report.reproduced) json["reproduced"] = *report.reproduced;
  if (report.reproduced_by) json["reproduced_by"] = to_json(*report.reproduced_by);
  if (report.has_recorded_inputs) json["inputs"] = "recorded";
  if (report.divergence) json["divergence"] = to_json(*report.divergence);
  if (report.runs) json["runs"] = *report.runs;
  if (!report.outcomes.empty()) json["outcomes"] = to_json(report.outcomes);
  if (report.with_operations && !run.steps.empty()) {
    json["operations"] = Json::array();
    for (const Step& step : run.steps) json["operations"].push_back(to_json(step));
  }
  return json;
}

Json to_json(const HuntFailure& failure) {
  Json one = to_json(failure.run);
  one.erase("version");
  one["found_at_run"] = failure.found_at_run;
  one["verified"] = !failure.run.run->unverified;
  if (failure.order && !failure.order->depends) {
    one["depends_on_order"] = false;
    one["schedules_tried"] = failure.order->schedules;
  }
  if (failure.explained_at_most) {
    one["explained_with"] = {{"runs", failure.explained_with},
                             {"at_most", failure.explained_at_most}};
  }
  if (failure.simplified) {
    one["simplified"] = to_json(*failure.simplified);
    one["simplified"].erase("version");
  }
  if (failure.difference) {
    one["isolated"] = to_json(*failure.difference);
    one["isolated"].erase("version");
  }
  return one;
}

HuntFailure report_of(const FoundFailure& failure, const std::filesystem::path& store) {
  const std::filesystem::path file = store / "runs" / (failure.run.id + ".sched");
  HuntFailure report{{.run = &failure.run,
                      .schedule_file = failure.unkept ? std::string() : file.string(),
                      .unkept = failure.unkept ? &*failure.unkept : nullptr},
                     failure.found_at_run};
  if (!failure.explained) return report;
  const Explained& explained = *failure.explained;
  report.order = &explained.order;
  if (explained.simplified) report.simplified = &*explained.simplified;
  if (explained.difference) report.difference = &*explained.difference;
  report.explained_with = explained.runs;
  report.explained_at_most = explained.most_runs;
  return report;
}

}  // namespace unravel
