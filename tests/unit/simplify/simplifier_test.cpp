#include "simplify/simplifier.hpp"

#include <gtest/gtest.h>

#include "property/property.hpp"
#include "sim/sim_laboratory.hpp"

namespace unravel {
namespace {

/// A lost update among bystanders that lock, wait and are joined.
sim::SimProgram crowded(std::size_t bystanders, std::size_t steps) {
  sim::SimProgram program;
  sim::Steps main{"create A", "create B"};
  sim::Steps end{"join A", "join B"};
  const sim::Steps adds = sim::in_order(
      sim::in_order(sim::repeat("step", steps), {"read x", "$seen = $result", "write x $seen + 1"}),
      sim::repeat("step", steps));
  program.threads = {{"main", {}}, {"A", adds}, {"B", adds}};
  for (std::size_t i = 0; i < bystanders; ++i) {
    const std::string name = "C" + std::to_string(i);
    program.threads.push_back({name, sim::repeat({"lock m", "step", "unlock m"}, steps)});
    main.push_back("create " + name);
    end.push_back("join " + name);
  }
  end.push_back("assert x == 2");
  program.threads[0].steps = sim::in_order(main, end);
  return program;
}

/// The first run of the random rule, from this seed on, that fails.
std::optional<Run> failing_run(const sim::SimProgram& program, std::uint64_t seed) {
  for (std::uint64_t tries = 0; tries < 1000; ++tries) {
    const sim::SimRun seen =
        sim::run(program, {.kind = wire::RuleKind::kRandom, .seed = seed + tries});
    if (seen.failed()) return sim::whole(seen);
  }
  return std::nullopt;
}

Simplified simplified_by(const sim::SimProgram& program, const Run& failing, std::size_t workers,
                         const SimplifyLimits& limits = {}) {
  sim::SimLaboratory laboratory(program, failing.failure->key, workers);
  return simplify(laboratory, failing, limits);
}

TEST(Simplify, LeavesWhatALostUpdateNeeds) {
  const sim::SimProgram program = crowded(4, 5);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto failing = failing_run(program, 1000 * seed);
    ASSERT_TRUE(failing);
    const Simplified simple = simplified_by(program, *failing, 1);
    EXPECT_TRUE(simple.complete);
    // Somebody is left between reading and writing.
    EXPECT_EQ(simple.after.preemptions, 1u) << "seed " << seed;
    EXPECT_EQ(simple.before.switches - simple.after.switches,
              simple.remove_last + simple.consolidate_up + simple.consolidate_down);
  }
}

PROPERTY(Simplify, NeverGivesAWorseOrAnotherFailure, ()) {
  const sim::SimProgram program =
      crowded(*rc::gen::inRange<std::size_t>(0, 4), *rc::gen::inRange<std::size_t>(1, 4));
  const auto failing = failing_run(program, *rc::gen::inRange<std::uint64_t>(0, 1'000'000));
  RC_PRE(failing.has_value());
  SimplifyLimits limits;
  limits.suffix = *rc::gen::inRange<std::uint64_t>(0, 10);
  const std::uint64_t most = *rc::gen::inRange<std::uint64_t>(0, 60);
  limits.goes_on = [=](std::uint64_t runs, const Cost&) { return runs < most; };
  const Simplified simple = simplified_by(program, *failing, 1, limits);
  RC_ASSERT(simple.after <= simple.before);
  RC_ASSERT(simple.run.failure.has_value());
  RC_ASSERT(simple.run.failure->key == failing->failure->key);
  RC_ASSERT(cost_of(simple.run.summary) == simple.after);

  // What it gives is a run: followed strictly it comes out the same.
  const sim::SimRun again = sim::run(program, simple.run.schedule, wire::Following::kStrict);
  RC_ASSERT(again.failed());
  RC_ASSERT(sim::key_of(again) == failing->failure->key);
  RC_ASSERT(again.counts.schedule_hash == simple.run.summary.schedule_hash);
}

PROPERTY(Simplify, GivesTheSameWithAnyNumberOfWorkers, ()) {
  const sim::SimProgram program = crowded(2, 3);
  const auto failing = failing_run(program, *rc::gen::inRange<std::uint64_t>(0, 1'000'000));
  RC_PRE(failing.has_value());
  const Simplified one = simplified_by(program, *failing, 1);
  const Simplified three = simplified_by(program, *failing, 3);
  RC_ASSERT(one.run.schedule == three.run.schedule);
  RC_ASSERT(one.rounds == three.rounds);
  RC_ASSERT(one.runs <= three.runs);
}

TEST(Simplify, KeepsTheBeginningIfOnlyTheEndIsToBeChanged) {
  const sim::SimProgram program = crowded(2, 5);
  const auto failing = failing_run(program, 7);
  ASSERT_TRUE(failing);
  const std::size_t slices = failing->schedule.slices.size();
  ASSERT_GT(slices, 10u);
  const Simplified simple = simplified_by(program, *failing, 1, {.suffix = 5});
  for (std::size_t i = 0; i + 6 < slices; ++i) {
    EXPECT_EQ(simple.run.schedule.slices[i].until, failing->schedule.slices[i].until) << i;
  }
}

TEST(Simplify, TellsWhichChangesMadeItPass) {
  const sim::SimProgram program = crowded(0, 3);
  const auto failing = failing_run(program, 3);
  ASSERT_TRUE(failing);
  const Simplified simple = simplified_by(program, *failing, 1);
  ASSERT_FALSE(simple.passed.empty());
  for (const unravel::Run& run : simple.passed) EXPECT_EQ(run.summary.outcome, Outcome::kPassed);
}

/// Fails whenever it is asked.
class BrokenLaboratory final : public Laboratory {
 public:
  Result<std::vector<Attempt>> perform(const std::vector<Proposal>&) override {
    return environment_error("no more processes");
  }
  Result<Observed> observe(const Proposal&) override { return environment_error("not asked for"); }
  [[nodiscard]] std::size_t workers() const override { return 1; }
};

TEST(Simplify, GivesWhatItHasIfNothingCanBeTried) {
  const auto failing = failing_run(crowded(1, 2), 3);
  ASSERT_TRUE(failing);
  BrokenLaboratory laboratory;
  const Simplified simple = simplify(laboratory, *failing);
  EXPECT_FALSE(simple.complete);
  ASSERT_TRUE(simple.trouble);
  EXPECT_EQ(simple.trouble->what, "no more processes");
  EXPECT_EQ(simple.run.schedule, failing->schedule);
}

}  // namespace
}  // namespace unravel
