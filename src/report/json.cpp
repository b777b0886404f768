#include "report/json.hpp"

#include <algorithm>

#include "data/print.hpp"
#include "report/checkup_text.hpp"
#include "report/hunt_text.hpp"
#include "report/json_parts.hpp"
#include "report/run_json.hpp"

namespace unravel {

namespace {

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
    failures.push_back(to_json(failure));
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

Json snapshot_fields(const Snapshot& snapshot) {
  return {{"at", print(snapshot.thread, snapshot.clock)},
          {"step", snapshot.step},
          {"threads", to_json(snapshot.threads)}};
}

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
  Json json = {{"version", kJsonVersion}};
  json.update(snapshot_fields(snapshot));
  return dump(json);
}

std::string snapshots_json(const std::vector<Snapshot>& snapshots) {
  Json moments = Json::array();
  for (const Snapshot& snapshot : snapshots) moments.push_back(snapshot_fields(snapshot));
  return dump({{"version", kJsonVersion}, {"moments", moments}});
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
