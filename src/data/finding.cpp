#include "data/finding.hpp"

#include <algorithm>

#include "data/failure_title.hpp"

namespace unravel {

namespace {

void add_variable(Finding& finding, const std::string& variable) {
  if (variable.empty()) return;
  if (std::find(finding.variables.begin(), finding.variables.end(), variable) ==
      finding.variables.end()) {
    finding.variables.push_back(variable);
  }
}

void add_place(Finding& finding, PlaceRole role, const Place& place, std::string does) {
  add_variable(finding, place.variable);
  finding.places.push_back({role, place, std::move(does)});
}

void add_failing_place(Finding& finding, const Failure& failure) {
  if (failure.stack.empty() && !failure.site) return;
  Place place;
  place.thread = wire::ThreadId{.ordinal = failure.thread};
  place.stack = failure.stack;
  if (place.stack.empty()) place.stack.push_back(*failure.site);
  add_place(finding, PlaceRole::kFails, place, "fails");
}

/// Adds the switch that decides and what other threads did to the same memory; if that is not
/// known, the preemptions of the simplest run.
void add_causes(Finding& finding, const Explained& explained) {
  if (!explained.difference) {
    if (!explained.simplified) return;
    for (const Preemption& one : explained.simplified->preemptions) {
      add_place(finding, PlaceRole::kPreempted, one.place, {});
    }
    return;
  }
  for (const DecidingSwitch& one : explained.difference->switches) {
    if (one.failing) add_place(finding, PlaceRole::kPreempted, *one.failing, {});
  }
  for (const Conflict& conflict : explained.difference->conflicts) {
    add_variable(finding, conflict.object);
    add_place(finding, PlaceRole::kMet, conflict.between.place, conflict.between.operation);
    if (conflict.after) {
      add_place(finding, PlaceRole::kResumed, conflict.after->place, conflict.after->operation);
    }
  }
}

void add_race_side(Finding& finding, PlaceRole role, const RaceSide& side,
                   const std::string& variable) {
  Place place;
  place.thread = side.thread;
  place.clock = side.clock;
  place.stack = side.stack.empty() ? Stack{side.site} : side.stack;
  place.pending = side.operation;
  place.variable = variable;
  add_place(finding, role, place, std::string(wire::traits(side.operation).name));
}

}  // namespace

std::string_view name(FindingKind kind) {
  switch (kind) {
    case FindingKind::kFailure: return "failure";
    case FindingKind::kRace: return "race";
    case FindingKind::kAnomaly: return "anomaly";
    case FindingKind::kConflict: return "conflict";
    case FindingKind::kDivergence: return "divergence";
  }
  __builtin_unreachable();
}

std::string_view name(PlaceRole role) {
  switch (role) {
    case PlaceRole::kFails: return "fails";
    case PlaceRole::kPreempted: return "preempted";
    case PlaceRole::kMet: return "met";
    case PlaceRole::kResumed: return "resumed";
    case PlaceRole::kEarlier: return "earlier";
    case PlaceRole::kLater: return "later";
  }
  __builtin_unreachable();
}

Finding finding_of(FoundFailure found) {
  Finding finding;
  finding.kind = FindingKind::kFailure;
  finding.failure = found.run.failure;
  if (finding.failure) {
    finding.key = finding.failure->key;
    finding.title = failure_title(*finding.failure);
    add_failing_place(finding, *finding.failure);
  }
  if (!found.unkept) finding.runs.found = found.run.id;
  std::string best = finding.runs.found;
  if (found.explained) {
    add_causes(finding, *found.explained);
    if (found.explained->simplified) best = found.explained->run.id;
    if (best != found.run.id) finding.runs.simplified = best;
    if (const auto& difference = found.explained->difference) {
      finding.runs.fails = difference->failing;
      finding.runs.passes = difference->passing;
    }
  }
  if (!best.empty()) {
    finding.next = {{"unravel replay " + best, "run it again, step by step"},
                    {"unravel show " + best + " --rows all", "see all its steps"}};
  }
  finding.evidence = std::move(found);
  return finding;
}

Finding finding_of(FoundRace race) {
  Finding finding;
  finding.kind = FindingKind::kRace;
  finding.key = race.key;
  finding.title = "data race on " + (race.variable.empty() ? "memory" : race.variable);
  finding.count = race.count;
  add_race_side(finding, PlaceRole::kEarlier, race.sides[0], race.variable);
  add_race_side(finding, PlaceRole::kLater, race.sides[1], race.variable);
  finding.evidence = std::move(race);
  return finding;
}

}  // namespace unravel
