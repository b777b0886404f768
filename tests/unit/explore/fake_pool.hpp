/// Who works in a loop, without programs: workers that answer by a script, a learner, an
/// audience, and a strategy that notes what it is told.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "explore/hunt_loop.hpp"

namespace unravel {

/// How the run of each ordinal ends. What is not said passes and shows nothing new but the first.
struct Script {
  std::function<void(RunSummary& run, std::uint64_t ordinal)> plays = [](RunSummary&, auto) {};
  std::function<std::string(std::uint64_t ordinal)> key = [](auto) { return "key"; };
  std::function<std::string(std::uint64_t ordinal)> breaks = [](auto) { return ""; };

  [[nodiscard]] Run run(std::uint64_t ordinal) const {
    Run run;
    run.summary.ordinal = ordinal;
    run.summary.steps = 10;
    run.summary.threads = 2;
    run.summary.seconds = 0.001;
    plays(run.summary, ordinal);
    if (run.summary.outcome == Outcome::kFailed) {
      run.failure.emplace();
      run.failure->key = key(ordinal);
    }
    if (run.summary.outcome != Outcome::kPassed) {
      run.explanation = "of run " + std::to_string(ordinal);
    }
    return run;
  }
};

/// What all workers have done.
struct Done {
  std::mutex mutex;
  std::vector<std::uint64_t> ordinals;  // in the order in which they were made
  std::vector<std::size_t> pieces;      // their sizes, as they were asked for
  std::vector<std::uint64_t> seeds;     // by ordinal
};

class ScriptedRunner final : public Runner {
 public:
  ScriptedRunner(const Script& script, Done& done) : script_(script), done_(done) {}

  Result<Run> run(const RunRequest&) override { return user_error("not asked for"); }

  Result<BatchResult> run_batch(const BatchRequest& request) override {
    const std::lock_guard lock(done_.mutex);
    done_.pieces.push_back(request.proposals.size());
    BatchResult result;
    for (std::size_t i = 0; i < request.proposals.size(); ++i) {
      const std::uint64_t ordinal = request.first_ordinal + i;
      if (const std::string why = script_.breaks(ordinal); !why.empty()) return user_error(why);
      done_.ordinals.push_back(ordinal);
      if (done_.seeds.size() <= ordinal) done_.seeds.resize(ordinal + 1);
      done_.seeds[ordinal] = request.proposals[i].schedule.then.seed;
      Run run = script_.run(ordinal);
      const Outcome outcome = run.summary.outcome;
      result.runs.push_back(run.summary);
      if (outcome == Outcome::kFailed) result.failures.push_back(std::move(run));
      if (outcome == Outcome::kUnresolved || outcome == Outcome::kError) {
        result.unsettled.push_back(std::move(run));
      }
      if (outcome == Outcome::kError) break;
      if (outcome == Outcome::kFailed && request.stop_at_failure) break;
    }
    return result;
  }
  void interrupt() override {}
  [[nodiscard]] bool forks() const override { return true; }
  [[nodiscard]] std::string why_not_forking() const override { return {}; }

 private:
  const Script& script_;
  Done& done_;
};

/// Makes the run of the next ordinal, and shows a pair that nobody knew.
class FakeLearner final : public Learner {
 public:
  explicit FakeLearner(const Script& script, const Done& done) : script_(script), done_(done) {}

  Result<Lesson> learn(const Proposal& proposal) override {
    // All runs before it were told of, so that their number is this one's ordinal.
    Lesson lesson;
    lesson.run = script_.run(done_.ordinals.size() + proposals.size() + runs_before);
    lesson.run.summary.new_pairs = 0;
    ordinals.push_back(lesson.run.summary.ordinal);
    proposals.push_back(proposal);
    lesson.pairs.push_back(
        {wire::Site::of(1, 1), wire::Site::of(1, 1 + proposals.size() + lessons_before)});
    return lesson;
  }

  std::vector<Proposal> proposals;
  std::vector<std::uint64_t> ordinals;
  // Of an earlier loop that this one goes on with.
  std::uint64_t runs_before = 0;
  std::uint64_t lessons_before = 0;

 private:
  const Script& script_;
  const Done& done_;
};

class FakeAudience final : public Audience {
 public:
  Result<bool> found(Run run, std::uint64_t at_run) override {
    found_at.push_back({run.failure->key, at_run});
    return explores;
  }
  void progress(const Explored& explored) override { told.push_back(explored.runs); }

  bool explores = false;
  std::vector<std::pair<std::string, std::uint64_t>> found_at;
  std::vector<std::uint64_t> told;
};

/// Proposes its seeds, as many as it has, and notes what came of them.
class NotingStrategy final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "noting"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override {
    if (seeds.size() == has) return std::nullopt;
    seeds.push_back(seed);
    pairs_known.push_back(known.pairs.size());
    return by_rule(*this, {.kind = wire::RuleKind::kRandom, .seed = seed});
  }
  void observe(const Proposal& proposal, const Observation& seen) override {
    observed.push_back(proposal.schedule.then.seed);
    observations.push_back(seen);
  }

  std::uint64_t has = ~std::uint64_t{0};
  std::vector<std::uint64_t> seeds;
  std::vector<std::size_t> pairs_known;  // when each was proposed
  std::vector<std::uint64_t> observed;
  std::vector<Observation> observations;
};

/// A loop and all who take part.
struct FakeHuntLoop {
  FakeHuntLoop(Script how, Budget budget, unsigned workers = 1, bool explores = false)
      : script(std::move(how)),
        learner(script, done),
        pool([this](const RunnerOptions&) { return start(); }, {}, workers),
        loop(pool, strategy, learner, audience, /*seed=*/9, budget) {
    audience.explores = explores;
  }

  Result<std::unique_ptr<Runner>> start() { return std::make_unique<ScriptedRunner>(script, done); }

  Script script;
  Done done;
  NotingStrategy strategy;
  FakeLearner learner;
  FakeAudience audience;
  Pool pool;
  HuntLoop loop;
};

}  // namespace unravel
