#include "investigate/divergence.hpp"

#include <algorithm>

#include "investigate/recorded_inputs.hpp"
#include "investigate/repetition.hpp"
#include "run/checkup.hpp"

namespace unravel {

namespace {

using wire::DivergenceKind;

const ModuleId* find(const Schedule& schedule, const std::string& path) {
  const auto found = std::find_if(schedule.modules.begin(), schedule.modules.end(),
                                  [&](const ModuleId& module) { return module.path == path; });
  return found == schedule.modules.end() ? nullptr : &*found;
}

/// A file of the program that is another one in the replay; empty: none.
std::string other_library(const Schedule& before, const Schedule& now) {
  for (const ModuleId& module : now.modules) {
    if (!module.path.starts_with("/")) continue;
    const ModuleId* recorded = find(before, module.path);
    if (!recorded) return module.path + " was not loaded in the recorded run";
    if (recorded->build_id != module.build_id) {
      return module.path + " has another build id than in the recorded run";
    }
  }
  return {};
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string likely_cause(const Run& before, const Run& now, const ReplayConditions& conditions) {
  if (std::string other = other_library(before.schedule, now.schedule); !other.empty()) {
    return other;
  }
  if (!conditions.changed_variables.empty()) {
    return "environment variables differ from the recording: " + list(conditions.changed_variables);
  }
  if (asks_outside(before.schedule) && !conditions.has_recorded_inputs) {
    return "the run got something from outside, and this replay did not take it from a record";
  }
  for (const Concern& concern : concerns_about_escapes(now)) return concern.evidence;
  if (!conditions.has_recorded_files) {
    return "the contents of files, directories and /proc are not recorded, and may have changed; "
           "or "
           "something is not controlled: `unravel doctor` names it";
  }
  return "something is not controlled and not recorded: `unravel doctor` names it";
}

}  // namespace

Divergence explain_divergence(const Run& before, const Run& now, const std::string& differs,
                              const ReplayConditions& conditions) {
  Divergence divergence;
  if (now.divergence) {
    divergence = *now.divergence;
  } else {
    const bool is_same = before.summary.outcome == now.summary.outcome;
    divergence.kind =
        is_same && !before.failure ? DivergenceKind::kSteps : DivergenceKind::kOutcome;
    if (is_same && before.failure && now.failure && before.failure->key == now.failure->key) {
      divergence.kind = DivergenceKind::kSteps;
    }
    const bool has_same_steps = before.summary.schedule_hash == now.summary.schedule_hash;
    if (divergence.kind == DivergenceKind::kSteps && has_same_steps) {
      divergence.kind = DivergenceKind::kOutput;
    }
    divergence.recorded = {.text = described(before), .place = {}};
    divergence.now = {.text = is_same ? differs : described(now), .place = {}};
    if (before.failure) divergence.recorded.place = before.failure->site;
    if (now.failure) divergence.now.place = now.failure->site;
  }
  divergence.cause = likely_cause(before, now, conditions);
  return divergence;
}

}  // namespace unravel
