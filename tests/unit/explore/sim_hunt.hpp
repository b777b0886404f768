/// A strategy at work on a simulated program, as a loop has it: propose, run, observe.
#pragma once

#include <map>
#include <unordered_set>
#include <vector>

#include "explore/strategy.hpp"
#include "sim/sim_program.hpp"

namespace unravel {

/// Sites of different threads at the same object, in the order in which this run had them.
inline std::vector<SitePair> pairs_of(const sim::SimRun& run) {
  std::vector<SitePair> pairs;
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const wire::Event& earlier = run.events[i];
    const bool is_data = earlier.operation == wire::Operation::kOnce;
    if (earlier.object == 0 || !(is_data || earlier.operation == wire::Operation::kLock)) continue;
    for (std::size_t j = i + 1; j < run.events.size(); ++j) {
      const wire::Event& later = run.events[j];
      const bool meets = later.operation == earlier.operation && later.object == earlier.object &&
                         later.thread != earlier.thread;
      if (meets) pairs.push_back({earlier.site, later.site, is_data, /*seen_first=*/true});
    }
  }
  return pairs;
}

class SimHunt {
 public:
  SimHunt(const sim::SimProgram& program, Strategy& strategy, std::uint64_t seed)
      : program_(program), strategy_(strategy), seed_(seed), met_(wire::kSiteMapBits / 64) {
    note(run({}));
  }

  /// One run more; nothing if there is none to propose.
  std::optional<sim::SimRun> next() {
    std::optional<Proposal> proposal = strategy_.propose(known_, wire::seed_of(seed_, runs_));
    if (!proposal) return std::nullopt;
    sim::SimRun seen = run(*proposal);
    strategy_.observe(*proposal, note(seen));
    proposals_.push_back(std::move(*proposal));
    return seen;
  }

  /// The number of the first run that fails; 0 if it is none of the first `most`.
  std::uint64_t find(std::uint64_t most) {
    while (failed_at_ == 0 && runs_ < most && next()) {
    }
    return failed_at_;
  }

  [[nodiscard]] const Knowledge& known() const { return known_; }
  [[nodiscard]] const std::vector<Proposal>& proposals() const { return proposals_; }

 private:
  sim::SimRun run(const Proposal& proposal) {
    sim::SimLimits limits;
    limits.met = met_.data();
    return sim::run(program_, proposal.schedule, proposal.following, limits);
  }

  Observation note(const sim::SimRun& seen) {
    Observation one;
    one.run.outcome = seen.failed() ? Outcome::kFailed : Outcome::kPassed;
    one.run.steps = seen.counts.steps;
    one.run.threads = seen.counts.threads;
    one.run.schedule_hash = seen.counts.schedule_hash;
    one.run.behaviour = seen.counts.behaviour;
    one.run.pairs = seen.counts.pairs;
    one.run.new_pairs = seen.counts.new_pairs;
    one.is_new_schedule = schedules_.insert(one.run.schedule_hash).second;
    one.is_new_behaviour = behaviours_.insert(one.run.behaviour).second;
    known_.add(one.run);
    if (one.run.new_pairs) known_.add(pairs_of(seen));
    ++runs_;
    if (seen.failed() && failed_at_ == 0) failed_at_ = runs_;
    return one;
  }

  const sim::SimProgram& program_;
  Strategy& strategy_;
  const std::uint64_t seed_;
  std::vector<std::uint64_t> met_;
  std::unordered_set<std::uint64_t> schedules_;
  std::unordered_set<std::uint64_t> behaviours_;
  Knowledge known_;
  std::vector<Proposal> proposals_;
  std::uint64_t runs_ = 0;
  std::uint64_t failed_at_ = 0;
};

/// The mean number of runs that a strategy takes, over `seeds` hunts. Those that find nothing in
/// `most` runs count as that.
inline double mean_runs(const sim::SimProgram& program, std::string_view strategy,
                        std::uint64_t seeds, std::uint64_t most) {
  std::uint64_t runs = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto one = make_strategy(strategy);
    const std::uint64_t found = SimHunt(program, *one, seed).find(most);
    runs += found ? found : most;
  }
  return static_cast<double>(runs) / static_cast<double>(seeds);
}

}  // namespace unravel
