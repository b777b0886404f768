#include "report/prediction_json.hpp"

#include "report/json.hpp"
#include "report/json_parts.hpp"
#include "report/run_json.hpp"

namespace unravel {

namespace {

Json to_json(const AnomalyCounts& counts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json[name(static_cast<AnomalyKind>(i))] = counts[i];
  }
  return json;
}

Json to_json(const FoundAnomaly& anomaly) {
  Json sites = Json::array();
  Json stacks = Json::array();
  Json threads = Json::array();
  Json operations = Json::array();
  Json variables = Json::array();
  for (const std::string& one : anomaly.variables) variables.push_back(text_or_null(one));
  for (const RaceSide& side : anomaly.sides) {
    sites.push_back(to_json(side.site));
    stacks.push_back(to_json(side.stack));
    threads.push_back(side.thread.ordinal);
    operations.push_back(wire::traits(side.operation).name);
  }
  return {{"key", anomaly.key},
          {"kind", name(anomaly.kind)},
          {"pattern", text_or_null(anomaly.pattern)},
          {"variable", text_or_null(anomaly.variable())},
          {"variables", variables},
          {"sites", sites},
          {"stacks", stacks},
          {"threads", threads},
          {"operations", operations},
          {"confirmed", anomaly.is_confirmed()},
          {"status", anomaly.looks_benign ? "looks benign" : name(anomaly.status)},
          {"rung", text_or_null(anomaly.rung)},
          {"why", text_or_null(anomaly.why)},
          {"run", text_or_null(anomaly.run)},
          {"failure", anomaly.failure ? to_json(*anomaly.failure) : Json(nullptr)}};
}

}  // namespace

std::string prediction_json(const PredictionReport& report) {
  Json anomalies = Json::array();
  for (const FoundAnomaly& anomaly : report.anomalies) anomalies.push_back(to_json(anomaly));
  Json failed_runs = Json::array();
  for (const FoundFailure& failure : report.failures) {
    failed_runs.push_back(to_json(report_of(failure, report.store)));
  }
  return dump({{"version", kJsonVersion},
               {"events", report.events},
               {"kept_events", report.kept_events},
               {"seconds", report.seconds},
               {"analysis_seconds", report.analysis_seconds},
               {"runs", report.runs},
               {"traces", report.traces},
               {"predicted", to_json(report.predicted)},
               {"seen", to_json(report.seen)},
               {"confirmed", to_json(report.confirmed)},
               {"refuted", to_json(report.refuted)},
               {"no_witness", to_json(report.no_witness)},
               {"failures", report.failures.size()},
               {"failed_runs", failed_runs},
               {"suppressed", report.suppressed},
               {"not_searched", report.not_searched},
               {"anomalies", anomalies}});
}

}  // namespace unravel
