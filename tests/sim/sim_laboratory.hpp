/// A laboratory whose experiments are runs of a simulated program.
#pragma once

#include <string>

#include "run/laboratory.hpp"
#include "sim/sim_program.hpp"

namespace unravel::sim {

/// What tells one failure of a simulated program from another: its kind and where it was seen.
inline std::string key_of(const SimRun& run) {
  return std::to_string(static_cast<int>(run.words.failure)) + "@" +
         std::to_string(run.words.site.packed);
}

/// As a run of a real program would be handed over.
inline Run whole(const SimRun& seen) {
  Run run;
  run.summary.outcome = seen.passed()     ? Outcome::kPassed
                        : seen.failed()   ? Outcome::kFailed
                        : seen.diverged() ? Outcome::kDiverged
                                          : Outcome::kUnresolved;
  run.summary.steps = seen.counts.steps;
  run.summary.switches = seen.counts.switches;
  run.summary.preemptions = seen.counts.preemptions;
  run.summary.threads = seen.counts.threads;
  run.summary.schedule_hash = seen.counts.schedule_hash;
  if (seen.failed()) {
    run.failure.emplace();
    run.failure->key = key_of(seen);
  }
  run.schedule.slices = seen.schedule.slices;
  run.schedule.choices = seen.schedule.choices;
  run.schedule.then = seen.schedule.then;
  run.schedule.complete = seen.schedule.complete;
  run.clock_form = seen.clock_form;
  return run;
}

class SimLaboratory final : public Laboratory {
 public:
  SimLaboratory(const SimProgram& program, std::string key, std::size_t workers = 1,
                SimLimits limits = {})
      : program_(program), key_(std::move(key)), workers_(workers), limits_(limits) {}

  Result<std::vector<Attempt>> perform(const std::vector<Proposal>& proposals) override {
    std::vector<Attempt> attempts;
    for (const Proposal& proposal : proposals) {
      Run run = whole(sim::run(program_, proposal.schedule, proposal.following, limits_));
      const Shown shown = shown_by(run, key_);
      attempts.push_back({.shown = shown, .run = std::move(run)});
      tried.push_back(proposal);
    }
    return attempts;
  }
  /// Of hooks nothing is seen.
  Result<Observed> observe(const Proposal& proposal) override {
    const SimRun seen = sim::run(program_, proposal.schedule, proposal.following, limits_);
    Run run = whole(seen);
    Observed observed;
    observed.attempt.shown = shown_by(run, key_);
    observed.attempt.run = std::move(run);
    for (const wire::Event& event : seen.events) {
      if (event.clock.operations == 0) continue;
      observed.acts.push_back({.thread = event.thread,
                               .before = {event.clock.operations - 1, 1},
                               .after = event.clock,
                               .site = event.site,
                               .operation = event.operation});
    }
    tried.push_back(proposal);
    return observed;
  }
  [[nodiscard]] std::size_t workers() const override { return workers_; }

  std::vector<Proposal> tried;  // in order

 private:
  const SimProgram& program_;
  const std::string key_;
  const std::size_t workers_;
  const SimLimits limits_;
};

}  // namespace unravel::sim
