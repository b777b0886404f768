#include "isolate/other_run.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace unravel {

DeltaOutcome outcome_of(const Attempt& attempt, bool others_fail) {
  switch (attempt.shown) {
    case Shown::kPasses: return DeltaOutcome::kPass;
    case Shown::kFails: return DeltaOutcome::kFail;
    case Shown::kOther: break;
  }
  const bool fails = others_fail && attempt.run.summary.outcome == Outcome::kFailed;
  return fails ? DeltaOutcome::kFail : DeltaOutcome::kUnresolved;
}

KnownRun realised(Run run) {
  ClockForm form = clock_form_of(run);
  return {.run = std::move(run), .form = std::move(form)};
}

namespace {

/// A random run, far from `base`: used if there is no switch to move, or if moving does not help.
Proposal any_run(const Schedule& base, std::uint64_t seed) {
  Proposal proposal{.schedule = in_clock_form(base, {}), .strategy = "random"};
  proposal.schedule.then = {.kind = wire::RuleKind::kRandom, .seed = seed};
  return proposal;
}

}  // namespace

Result<OtherRun> find_other_run(Laboratory& laboratory, const Run& from,
                                const OtherRunSearch& search, const ExperimentLimits& limits) {
  const ClockForm start = clock_form_of(from);
  Neighbours neighbours(start.switches, start.choices, search.first_width);
  Knowledge knowledge;
  knowledge.length = std::max<std::uint64_t>(1, start.steps);

  Random seeds(search.seed);
  OtherRun other;
  while (true) {
    std::vector<Proposal> proposals;
    while (proposals.size() < laboratory.workers() &&
           limits.allow(other.tests + proposals.size())) {
      const std::uint64_t seed = seeds.next();
      std::optional<Proposal> proposal = neighbours.propose(knowledge, seed);
      if (proposal) {
        proposal->schedule = in_clock_form(
            from.schedule,
            {.switches = proposal->schedule.clock_switches, .choices = start.choices});
      } else {
        proposal = any_run(from.schedule, seed);
      }
      proposals.push_back(std::move(*proposal));
    }
    if (proposals.empty()) return other;
    Result<std::vector<Attempt>> attempts = laboratory.perform(proposals);
    if (!attempts) return fail(attempts.error());
    other.tests += proposals.size();
    for (std::size_t i = 0; i < attempts->size(); ++i) {
      Attempt& attempt = (*attempts)[i];
      if (outcome_of(attempt, search.others_fail) != search.wanted) continue;
      if (proposals[i].following != wire::Following::kClockForm) {
        other.found = realised(std::move(attempt.run));
        return other;
      }
      ClockForm form{.switches = std::move(proposals[i].schedule.clock_switches),
                     .choices = start.choices,
                     .steps = attempt.run.summary.steps};
      other.found = KnownRun{.run = std::move(attempt.run), .form = std::move(form)};
      return other;
    }
  }
}

}  // namespace unravel
