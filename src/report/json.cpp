#include "report/json.hpp"

#include <algorithm>

#include "data/print.hpp"
#include "report/checkup_text.hpp"
#include "report/explanation_json.hpp"
#include "report/hunt_text.hpp"
#include "report/json_parts.hpp"

namespace unravel {

namespace {

Json to_json(const std::vector<OutcomeCount>& counts) {
  Json json = Json::object();
  for (const OutcomeCount& count : counts) json[std::string(name(count.outcome))] = count.runs;
  return json;
}

Json to_json(const Error& error) {
  return {{"what", error.what}, {"why", error.why}, {"hint", error.hint}};
}

/// Why a result is unresolved: a fixed word, and a sentence.
void add_reason(Json& json, Outcome outcome, Reason reason, const std::string& why) {
  if (outcome != Outcome::kUnresolved) return;
  json["reason"] = name(reason);
  if (!why.empty()) json["explanation"] = why;
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
  if (run.failure) json["verified"] = !run.unverified;
  if (report.unkept) json["error"] = to_json(*report.unkept);
  if (report.reproduced) json["reproduced"] = *report.reproduced;
  if (report.reproduced_by) json["reproduced_by"] = to_json(*report.reproduced_by);
  if (report.runs) json["runs"] = *report.runs;
  if (!report.outcomes.empty()) json["outcomes"] = to_json(report.outcomes);
  if (report.with_operations && !run.steps.empty()) {
    json["operations"] = Json::array();
    for (const Step& step : run.steps) json["operations"].push_back(to_json(step));
  }
  return json;
}

std::string_view in_name(Difference::In in) {
  switch (in) {
    case Difference::In::kEvent: return "event";
    case Difference::In::kOutcome: return "outcome";
    case Difference::In::kOutput: return "output";
    case Difference::In::kErrorOutput: return "error output";
    case Difference::In::kSchedule: return "schedule";
  }
  __builtin_unreachable();
}

std::string_view started_name(Started started) {
  switch (started) {
    case Started::kForked: return "forked";
    case Started::kAnew: return "anew";
    case Started::kLater: return "later";
  }
  __builtin_unreachable();
}

std::string_view weight_name(Concern::Weight weight) {
  switch (weight) {
    case Concern::Weight::kCertain: return "certain";
    case Concern::Weight::kPossible: return "possible";
    case Concern::Weight::kNote: return "note";
  }
  __builtin_unreachable();
}

Json side_to_json(const std::optional<wire::Event>& event, const std::string& text) {
  if (!event) return text_or_null(text);
  return {{"thread", event->thread.ordinal},
          {"clock", print(event->clock)},
          {"operation", wire::traits(event->operation).name},
          {"object", event->object},
          {"value", event->value}};
}

Json to_json(const Difference& difference) {
  const SourceText source = source_text(difference);
  return {{"in", in_name(difference.in)},
          {"position", difference.position},
          {"run", difference.run},
          {"started", started_name(difference.started)},
          {"before", side_to_json(difference.event_before, difference.before)},
          {"now", side_to_json(difference.event_now, difference.now)},
          {"stack", to_json(difference.stack)},
          {"source", name(difference.source)},
          {"meaning", source.meaning},
          {"advice", source.advice}};
}

Json to_json(const Concern& concern) {
  return {{"name", concern.name},
          {"weight", weight_name(concern.weight)},
          {"evidence", concern.evidence},
          {"meaning", concern.meaning},
          {"advice", concern.advice}};
}

Json to_json(const HuntReport& report) {
  const Explored& explored = *report.explored;
  Json failures = Json::array();
  for (const HuntFailure& failure : report.failures) {
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
    failures.push_back(std::move(one));
  }
  const auto part = [](const Covered& one) {
    return Json{{"covered", one.covered}, {"total", one.total}};
  };
  Json strategies = Json::object();
  for (const StrategyShare& share : explored.shares) {
    strategies[share.strategy] = {{"runs", share.runs}, {"new_behaviours", share.new_behaviours}};
  }
  const double rate =
      explored.seconds > 0 ? static_cast<double>(explored.runs) / explored.seconds : 0;
  Json json = {
      {"version", kJsonVersion},
      {"outcome", name(report.outcome)},
      {"runs", explored.runs},
      {"seconds", explored.seconds},
      {"runs_per_second", rate},
      {"seed", report.seed},
      {"ended", report.ended},
      {"failures", failures},
      {"known_failures", report.known_failures},
      {"earlier_failures", report.earlier_failures},
      {"unresolved", explored.unresolved},
      {"coverage",
       {{"schedules", explored.schedules},
        {"behaviours", explored.behaviours},
        {"site_pairs", explored.pairs},
        {"runs_since_new", explored.since_new},
        {"data_pairs", part(explored.data_pairs)},
        {"sync_pairs", part(explored.sync_pairs)},
        {"functions", part(explored.functions)},
        {"longest_run", explored.longest},
        {"threads", explored.threads},
        {"missed_at_most",
         {{"depth_1", missed_at_most(explored, 1)}, {"depth_2", missed_at_most(explored, 2)}}}}},
      {"strategies", strategies}};
  if (report.trouble) json["error"] = to_json(*report.trouble);
  add_reason(json, report.outcome, report.reason, report.why);
  return json;
}

/// Names and messages of programs need not be UTF-8; JSON must.

}  // namespace

std::string run_json(const RunReport& report) { return dump(to_json(report)); }

std::string hunt_json(const HuntReport& report) { return dump(to_json(report)); }

std::string tests_json(const std::vector<TestReport>& tests) {
  Json all = Json::array();
  Json failures = Json::array();
  std::uint64_t runs = 0;
  double seconds = 0;
  bool tested = false;
  for (const TestReport& test : tests) {
    tested = tested || test.hunt.outcome == Outcome::kPassed;
    Json one = to_json(test.hunt);
    one.erase("version");
    for (Json failure : one["failures"]) {
      failure["test"] = test.test;
      failures.push_back(std::move(failure));
    }
    runs += test.hunt.explored->runs;
    seconds += test.hunt.explored->seconds;
    Json named = {{"test", test.test}};
    named.update(one);
    all.push_back(std::move(named));
  }
  const bool failed = std::any_of(tests.begin(), tests.end(), [](const TestReport& test) {
    return test.hunt.outcome == Outcome::kFailed;
  });
  const Outcome outcome = failed   ? Outcome::kFailed
                          : tested ? Outcome::kPassed
                                   : Outcome::kUnresolved;
  Json json = {{"version", kJsonVersion},
               {"outcome", name(outcome)},
               {"runs", runs},
               {"seconds", seconds},
               {"runs_per_second", seconds > 0 ? static_cast<double>(runs) / seconds : 0},
               {"failures", failures},
               {"coverage", Json::object()},
               {"tests", all}};
  if (!tests.empty()) {
    add_reason(json, outcome, tests.front().hunt.reason, tests.front().hunt.why);
  }
  return dump(json);
}

std::string check_json(const std::vector<Checked>& all) {
  Json results = Json::array();
  for (const Checked& one : all) {
    Json keys = Json::array();
    Json others = Json::array();
    for (const OtherFailure& other : one.others) {
      keys.push_back(other.key);
      others.push_back({{"run", other.run}, {"key", other.key}, {"verified", other.verified}});
    }
    results.push_back({{"run", one.run},
                       {"verdict", name(one.verdict)},
                       {"neighbours", one.neighbours},
                       {"unresolved", one.unresolved},
                       {"reproduced_by", to_json(one.reproduced_by)},
                       {"key", text_or_null(one.key)},
                       {"reason", text_or_null(one.reason)},
                       {"other_failures", keys},
                       {"others", others}});
  }
  return dump({{"version", kJsonVersion}, {"results", results}});
}

std::string list_json(const std::vector<RunReport>& runs) {
  Json array = Json::array();
  for (const RunReport& run : runs) array.push_back(to_json(run));
  return dump({{"version", kJsonVersion}, {"runs", array}});
}

std::string snapshot_json(const Snapshot& snapshot) {
  return dump({{"version", kJsonVersion},
               {"at", print(snapshot.thread, snapshot.clock)},
               {"step", snapshot.step},
               {"threads", to_json(snapshot.threads)}});
}

std::string races_json(const RaceReport& report) {
  Json races = Json::array();
  for (const FoundRace& race : report.races) {
    Json sites = Json::array();
    Json stacks = Json::array();
    Json kinds = Json::array();
    Json accesses = Json::array();
    for (const RaceSide& side : race.sides) {
      sites.push_back(to_json(side.site));
      stacks.push_back(to_json(side.stack));
      kinds.push_back(wire::traits(side.operation).name);
      accesses.push_back(print(side.thread, side.clock));
    }
    races.push_back({{"key", race.key},
                     {"variable", text_or_null(race.variable)},
                     {"sites", sites},
                     {"stacks", stacks},
                     {"kinds", kinds},
                     {"accesses", accesses},
                     {"count", race.count}});
  }
  return dump({{"version", kJsonVersion},
               {"events", report.events},
               {"seconds", report.seconds},
               {"runs", report.runs},
               {"suppressed", report.suppressed},
               {"races", races}});
}

std::string checkup_json(const Checkup& checkup) {
  Json concerns = Json::array();
  for (const Concern& concern : checkup.concerns) concerns.push_back(to_json(concern));
  return dump(
      {{"version", kJsonVersion},
       {"controlled", checkup.controlled()},
       {"runs", checkup.runs()},
       {"outcome", name(checkup.first.outcome)},
       {"events", checkup.events},
       {"hooks", checkup.has_hooks},
       {"differed", checkup.differed()},
       {"later",
        {{"runs", checkup.later.runs},
         {"differed", checkup.later.differed},
         {"seconds", checkup.seconds_later}}},
       {"first_difference", checkup.difference ? to_json(*checkup.difference) : Json(nullptr)},
       {"uncontrolled", concerns}});
}

std::string error_json(const Error& error) {
  return dump({{"version", kJsonVersion}, {"error", to_json(error)}});
}

}  // namespace unravel
