#include "investigate/repetition.hpp"

namespace unravel {

std::string described(const Run& run) {
  std::string text(name(run.summary.outcome));
  if (run.failure) text += " (" + std::string(name(run.failure->kind)) + ")";
  if (!run.explanation.empty()) text += " (" + run.explanation + ")";
  return text;
}

std::string difference(const Run& before, const Run& now) {
  const bool same_kind = before.failure.has_value() == now.failure.has_value() &&
                         (!before.failure || before.failure->kind == now.failure->kind);
  if (before.summary.outcome != now.summary.outcome || !same_kind) {
    return "recorded: " + described(before) + "; replay: " + described(now);
  }
  // A timeout ends a run at a random step.
  if (before.failure && before.failure->kind == FailureKind::kTimeout) return {};
  if (before.failure && before.failure->key != now.failure->key) {
    return "it fails at another place; recorded: " + before.failure->key +
           "; replay: " + now.failure->key;
  }
  if (before.summary.schedule_hash != now.summary.schedule_hash) {
    return "it reaches the same outcome by other steps";
  }
  return {};
}

RunRequest request_for_table(const Run& run) {
  RunRequest request;
  request.schedule = run.schedule;
  request.following = wire::Following::kStrict;
  request.trace = wire::TraceLevel::kSync;
  request.table = true;
  return request;
}

Result<Run> replay_for_table(Runner& runner, const Run& run) {
  return runner.run(request_for_table(run));
}

}  // namespace unravel
