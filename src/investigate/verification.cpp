#include "investigate/verification.hpp"

#include "base/text.hpp"
#include "data/input_log.hpp"
#include "investigate/portable_constraints.hpp"
#include "investigate/repetition.hpp"
#include "run/checkup.hpp"

namespace unravel {

std::string uncontrolled_in(const Run& run) {
  if (const auto escapes = concerns_about_escapes(run); !escapes.empty()) {
    return escapes.front().evidence;
  }
  // How long it computes varies from run to run, and may be near the limit.
  if (run.summary.reason == Reason::kLateDeadline) return "a computation without synchronisation";
  const bool has_client = run.client && run.client->kind != ClientEnd::Kind::kNotStarted;
  // Otherwise what came from it is repeated.
  if (has_client && (!run.inputs || !run.inputs->incomplete.empty())) return "its client";
  const std::uint32_t children = run.summary.children;
  if (children == 0) return {};
  return children == 1 ? "a child process" : std::to_string(children) + " child processes";
}

Result<Verification> verify(Run& run, const RunOnce& run_once) {
  Verification verification{.differs = {}, .uncontrolled = uncontrolled_in(run)};
  std::optional<Run> first;
  for (int replay = 0; replay < kReplays && verification.verified(); ++replay) {
    // The first replay also makes the table.
    RunRequest request = request_for_table(run);
    if (first) {
      request = RunRequest();
      request.schedule = run.schedule;
      request.following = wire::Following::kStrict;
    }
    Result<Run> again = run_once(std::move(request));
    if (!again) {
      run.unverified = true;
      return fail(again.error());
    }
    verification.differs = difference(run, *again);
    if (verification.uncontrolled.empty()) verification.uncontrolled = uncontrolled_in(*again);
    if (!first) first = std::move(*again);
  }
  run.unverified = !verification.verified();
  if (run.unverified) return verification;
  run.failure = std::move(first->failure);
  run.steps = std::move(first->steps);
  run.events = std::move(first->events);
  if (!first->why_no_table.empty()) run.warnings.push_back(std::move(first->why_no_table));
  // The failure is verified even if its constraints cannot be found.
  static_cast<void>(find_constraints_of(run, run_once));
  return verification;
}

}  // namespace unravel
