#include "report/explanation_json.hpp"

#include "data/print.hpp"
#include "report/json.hpp"
#include "report/json_parts.hpp"

namespace unravel {

namespace {

Json to_json(const Cost& cost) {
  return {{"steps", cost.steps},
          {"threads", cost.threads},
          {"switches", cost.switches},
          {"preemptions", cost.preemptions},
          {"forced", cost.forced()}};
}

Json clock_or_null(const std::optional<Place>& place) {
  return place ? Json(print(place->thread, place->clock)) : Json(nullptr);
}

Json site_or_null(const std::optional<Place>& place) {
  return place ? site_json(place->stack) : Json(nullptr);
}

Json to_json(const Conflict::Side& side) {
  return {{"thread", side.place.thread.ordinal},
          {"clock", print(side.place.thread, side.place.clock)},
          {"operation", side.operation},
          {"site", site_json(side.place.stack)}};
}

Json to_json(const Conflict& conflict) {
  return {{"object", text_or_null(conflict.object)},
          {"before", conflict.before ? to_json(*conflict.before) : Json(nullptr)},
          {"between", to_json(conflict.between)},
          {"after", conflict.after ? to_json(*conflict.after) : Json(nullptr)}};
}

Json stack_or_null(const std::optional<Place>& place) {
  return place ? to_json(place->stack) : Json(nullptr);
}

Json to_json(const DecidingSwitch& one) {
  const std::optional<Place>& left = one.failing ? one.failing : one.passing;
  const auto to = one.failing ? one.failing_to : one.passing_to;
  return {{"switch", one.number},
          {"from", left ? Json(left->thread.ordinal) : Json(nullptr)},
          {"to", to ? Json(to->ordinal) : Json(nullptr)},
          {"passing_at", clock_or_null(one.passing)},
          {"failing_at", clock_or_null(one.failing)},
          {"passing_site", site_or_null(one.passing)},
          {"failing_site", site_or_null(one.failing)},
          {"passing_stack", stack_or_null(one.passing)},
          {"failing_stack", stack_or_null(one.failing)}};
}

}  // namespace

Json to_json(const Simplification& simplified) {
  Json preempted = Json::array();
  for (const Preemption& one : simplified.preemptions) {
    preempted.push_back({{"from", one.place.thread.ordinal},
                         {"to", one.to.ordinal},
                         {"clock", print(one.place.clock)},
                         {"site", site_json(one.place.stack)},
                         {"variable", text_or_null(one.place.variable)},
                         {"stack", to_json(one.place.stack)}});
  }
  Json json = {{"version", kJsonVersion},
               {"run", simplified.run},
               {"from", simplified.from},
               {"before", to_json(simplified.before)},
               {"after", to_json(simplified.after)},
               {"runs", simplified.runs},
               {"rounds", simplified.rounds},
               {"seconds", simplified.seconds},
               {"complete", simplified.complete},
               {"operations",
                {{"remove_last", simplified.remove_last},
                 {"consolidate_up", simplified.consolidate_up},
                 {"consolidate_down", simplified.consolidate_down}}},
               {"preempted_at", std::move(preempted)}};
  if (simplified.on_record) json["inputs"] = "recorded";
  return json;
}

Json to_json(const SmallestDifference& difference) {
  Json differences = Json::array();
  for (const DecidingSwitch& one : difference.switches) differences.push_back(to_json(one));
  Json conflicts = Json::array();
  for (const Conflict& one : difference.conflicts) conflicts.push_back(to_json(one));
  Json narrowing = Json::array();
  for (const NarrowingTest& one : difference.narrowing) {
    narrowing.push_back({{"deltas", one.deltas}, {"outcome", one.outcome}});
  }
  Json window = nullptr;
  if (difference.window) {
    const Window& seen = *difference.window;
    window = {{"thread", seen.first.thread.ordinal},
              {"first", print(seen.first.thread, seen.first.clock)},
              {"last", print(seen.last.thread, seen.last.clock)},
              {"first_site", site_json(seen.first.stack)},
              {"last_site", site_json(seen.last.stack)},
              {"points", seen.points}};
  }
  Json json = {{"version", kJsonVersion},
               {"failing", difference.failing},
               {"passing", difference.passing},
               {"deltas", difference.deltas},
               {"deltas_left", difference.deltas_left},
               {"tests", difference.tests},
               {"neighbour_tests", difference.neighbour_tests},
               {"unresolved", difference.unresolved},
               {"minimal", difference.minimal},
               {"seconds", difference.seconds},
               {"differences", std::move(differences)},
               {"choices", difference.choices},
               {"flips", difference.flips},
               {"conflicts", std::move(conflicts)},
               {"window", std::move(window)},
               {"narrowing", std::move(narrowing)}};
  if (difference.on_record) json["inputs"] = "recorded";
  return json;
}

std::string difference_json(const SmallestDifference& difference) {
  return dump(to_json(difference));
}

std::string simplification_json(const Simplification& simplified) {
  return dump(to_json(simplified));
}

}  // namespace unravel
