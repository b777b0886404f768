/// The whole: from a run to the difference that decides, with whatever laboratory there is.
#include "isolate/isolate.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "sim/sim_laboratory.hpp"

namespace unravel {
namespace {

using sim::repeat;

/// Two threads add to a counter in two steps each, with others before, between and after.
sim::SimProgram lost_update() {
  const sim::Steps steps =
      sim::in_order(sim::in_order(repeat("step", 10), {"read x", "$x = $result"}),
                    sim::in_order({"step", "step", "write x $x + 1"}, repeat("step", 10)));
  return {.threads = {{"a", steps}, {"b", steps}}, .fails_if = "x != 2"};
}

Run run_that(const sim::SimProgram& program, bool fails) {
  for (std::uint64_t seed = 1;; ++seed) {
    const sim::SimRun run = sim::run(program, wire::Rule{.kind = wire::RuleKind::kRandom,
                                                         .switch_probability = wire::kCertain / 4,
                                                         .seed = seed});
    if (run.failed() == fails && run.clock_form.size() >= 4) return sim::whole(run);
  }
}

/// As a difference would be told: switches and where they are.
std::string text_of(const Isolated& isolated) {
  std::string text;
  for (const SwitchDifference& one : isolated.switches) {
    text += "#" + std::to_string(one.index) + " " + std::to_string(one.passing.count) + "/" +
            std::to_string(one.failing.count) + (one.receiver_differs ? " to another; " : "; ");
  }
  return text;
}

/// Whether the difference is what it is said to be.
void expect_true(const sim::SimProgram& program, const Isolated& isolated) {
  const auto repeated = [&](const KnownRun& known) {
    return sim::run(program, in_clock_form(known.run.schedule, known.form),
                    wire::Following::kClockForm);
  };
  const sim::SimRun passing = repeated(*isolated.passing);
  const sim::SimRun failing = repeated(*isolated.failing);
  EXPECT_TRUE(passing.passed());
  EXPECT_TRUE(failing.failed());
  EXPECT_EQ(passing.schedule.slices, isolated.passing->run.schedule.slices);
  EXPECT_EQ(failing.schedule.slices, isolated.failing->run.schedule.slices);
  EXPECT_EQ(ScheduleDifference(isolated.passing->form, isolated.failing->form).deltas(),
            isolated.deltas_left);
  // Whatever lies within a run was made.
  for (const SwitchDifference& one : isolated.switches) {
    EXPECT_EQ(one.passing_slice.has_value(), one.passing.count <= passing.counts.steps);
    EXPECT_EQ(one.failing_slice.has_value(), one.failing.count <= failing.counts.steps);
    EXPECT_LT(one.passing_slice.value_or(0), passing.schedule.slices.size());
    EXPECT_LT(one.failing_slice.value_or(0), failing.schedule.slices.size());
  }
}

TEST(Isolate, FindsAPassingRunNearAFailingOneAndWhatDecides) {
  const sim::SimProgram program = lost_update();
  const auto failing = run_that(program, /*fails=*/true);
  sim::SimLaboratory laboratory(program, failing.failure->key);

  const Result<Isolated> found = isolate_from_failing(laboratory, failing);

  ASSERT_TRUE(found && found->passing && found->failing);
  EXPECT_GT(found->neighbour_tests, 0u);
  EXPECT_TRUE(found->minimal);
  EXPECT_EQ(found->deltas_left, 1u) << text_of(*found);
  EXPECT_EQ(laboratory.tried.size(), found->neighbour_tests + found->tests);
  expect_true(program, *found);
  for (const Proposal& proposal : laboratory.tried) {
    EXPECT_EQ(proposal.following, wire::Following::kClockForm);
    EXPECT_TRUE(proposal.schedule.slices.empty());
    EXPECT_EQ(proposal.schedule.modules, failing.schedule.modules);
  }
}

TEST(Isolate, FindsAFailingRunNearAPassingOneAndWhatDecides) {
  const sim::SimProgram program = lost_update();
  const std::string key = run_that(program, /*fails=*/true).failure->key;
  sim::SimLaboratory laboratory(program, key);

  const Result<Isolated> found =
      isolate_from_passing(laboratory, run_that(program, /*fails=*/false));

  ASSERT_TRUE(found && found->passing && found->failing);
  EXPECT_TRUE(found->minimal);
  EXPECT_EQ(found->deltas_left, 1u) << text_of(*found);
  expect_true(program, *found);
}

TEST(Isolate, FindsTheSameWithAnyNumberOfWorkers) {
  const sim::SimProgram program = lost_update();
  const auto failing = run_that(program, /*fails=*/true);
  std::vector<Isolated> all;
  for (const std::size_t workers : {1u, 2u, 3u}) {
    sim::SimLaboratory laboratory(program, failing.failure->key, workers);
    all.push_back(isolate_from_failing(laboratory, failing).value());
    EXPECT_EQ(laboratory.tried.size(), all.back().neighbour_tests + all.back().tests);
    EXPECT_EQ(all.back().neighbour_tests % workers, 0u) << "those tried beside it count";
  }
  for (const Isolated& one : all) {
    EXPECT_EQ(one.switches, all[0].switches);
    EXPECT_EQ(one.history, all[0].history);
    EXPECT_EQ(one.passing->form, all[0].passing->form);
    EXPECT_EQ(one.failing->form, all[0].failing->form);
    EXPECT_LT(one.neighbour_tests, all[0].neighbour_tests + 3);
  }
}

TEST(Isolate, TellsWhenNoOtherRunWasFound) {
  const sim::SimProgram program{.threads = {{"a", repeat("step", 5)}, {"b", repeat("step", 5)}},
                                .fails_if = "x == 0"};
  const auto failing = run_that(program, /*fails=*/true);
  sim::SimLaboratory laboratory(program, failing.failure->key, /*workers=*/3);

  const Result<Isolated> found =
      isolate_from_failing(laboratory, failing, {.search = {.runs = 20}});

  ASSERT_TRUE(found);
  EXPECT_FALSE(found->passing);
  ASSERT_TRUE(found->failing);
  EXPECT_EQ(found->failing->run.schedule, failing.schedule);
  EXPECT_FALSE(found->minimal);
  EXPECT_EQ(found->neighbour_tests, 20u);
  EXPECT_EQ(laboratory.tried.size(), 20u);
}

TEST(Isolate, RefusesTwoRunsOfOneSchedule) {
  const sim::SimProgram program = lost_update();
  const auto failing = run_that(program, /*fails=*/true);
  sim::SimLaboratory laboratory(program, failing.failure->key);
  const Result<Isolated> found = isolate(laboratory, realised(failing), realised(failing));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().what, "the passing and the failing run have the same schedule");
}

// --- Choices ---

TEST(Isolate, NamesTheChoiceThatDecides) {
  // Both waiters are asleep when the signal comes; it fails iff the first is woken.
  const sim::SimProgram program{
      .threads = {{"main",
                   {"create w", "create v", "sleep 1ms", "lock m", "signal c", "unlock m",
                    "sleep 1ms", "assert x != 1"}},
                  {"w", {"lock m", "wait c m", "x = 1", "unlock m"}},
                  {"v", {"lock m", "wait c m", "x = 2", "unlock m"}}}};
  const auto run_of = [&](std::uint64_t waiter) {
    const sim::SimRun natural = sim::run(program, wire::Rule{});
    sim::SimSchedule schedule{.choices = natural.schedule.choices,
                              .clock_switches = natural.clock_form};
    for (wire::Choice& one : schedule.choices) {
      if (one.kind == wire::ChoiceKind::kWaiter) one.value = waiter;
    }
    return sim::whole(sim::run(program, schedule, wire::Following::kClockForm));
  };
  const auto failing = run_of(1);
  const auto passing = run_of(2);
  ASSERT_TRUE(failing.failure);
  ASSERT_FALSE(passing.failure);
  sim::SimLaboratory laboratory(program, failing.failure->key);

  const Result<Isolated> found = isolate(laboratory, realised(passing), realised(failing));

  ASSERT_TRUE(found);
  EXPECT_TRUE(found->minimal);
  EXPECT_TRUE(found->switches.empty()) << text_of(*found);
  ASSERT_EQ(found->choices.size(), 1u);
  EXPECT_EQ(found->choices[0].passing->value, 2u);
  EXPECT_EQ(found->choices[0].failing->value, 1u);
  EXPECT_EQ(found->choices[0].failing->kind, wire::ChoiceKind::kWaiter);
}

// --- A laboratory without programs ---

/// Answers by a function of the switches.
class Fake final : public Laboratory {
 public:
  using Answer = std::function<Outcome(const std::vector<wire::ClockSwitch>&)>;
  explicit Fake(Answer answer) : answer_(std::move(answer)) {}

  Result<std::vector<Attempt>> perform(const std::vector<Proposal>& proposals) override {
    std::vector<Attempt> attempts;
    for (const Proposal& proposal : proposals) {
      if (++runs == fails_at) return environment_error("the program is gone");
      Run run;
      run.summary.steps = steps;
      run.clock_form = proposal.schedule.clock_switches;
      run.summary.outcome = answer_(run.clock_form);
      if (run.summary.outcome == Outcome::kFailed) run.failure.emplace().key = key(run.clock_form);
      const Shown shown = shown_by(run, "the one");
      attempts.push_back({.shown = shown, .run = std::move(run)});
    }
    return attempts;
  }
  Result<Observed> observe(const Proposal&) override { return environment_error("not asked for"); }
  [[nodiscard]] std::size_t workers() const override { return 1; }

  std::function<std::string(const std::vector<wire::ClockSwitch>&)> key = [](const auto&) {
    return "the one";
  };
  std::uint64_t steps = 100;
  std::uint64_t runs = 0;
  std::uint64_t fails_at = 0;  // 0: never

 private:
  Answer answer_;
};

KnownRun made_up(const std::vector<std::uint64_t>& counts, std::uint64_t steps = 100) {
  Run run;
  run.summary.steps = steps;
  for (const std::uint64_t count : counts) run.clock_form.push_back({.count = count});
  return realised(std::move(run));
}

TEST(Isolate, TakesLessThan45TestsForBillionsOfDifferences) {
  // As in the paper's case study: 3,000 switches of a run of 50 million points, each more than a
  // million points away from its partner.
  constexpr std::uint64_t kSteps = 50'000'000;
  std::vector<std::uint64_t> passing;
  std::vector<std::uint64_t> failing;
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    failing.push_back(1'000 + 16'000 * i);
    passing.push_back(failing.back() + 1'266'667);
  }
  const std::uint64_t decisive = failing[33] + 777'777;
  Fake laboratory([&](const std::vector<wire::ClockSwitch>& switches) {
    return switches[33].count <= decisive ? Outcome::kFailed : Outcome::kPassed;
  });
  laboratory.steps = kSteps;

  const Result<Isolated> found =
      isolate(laboratory, made_up(passing, kSteps), made_up(failing, kSteps));

  ASSERT_TRUE(found);
  EXPECT_EQ(found->deltas, 3'800'001'000u);
  EXPECT_LE(found->tests, 45u);
  EXPECT_EQ(found->tests, laboratory.runs);
  EXPECT_TRUE(found->minimal);
  EXPECT_EQ(found->deltas_left, 1u);
  ASSERT_EQ(found->switches.size(), 1u);
  EXPECT_EQ(found->switches[0].index, 33u);
  EXPECT_EQ(found->switches[0].passing.count, decisive + 1);
  EXPECT_EQ(found->switches[0].failing.count, decisive);
}

TEST(Isolate, TreatsOtherFailuresAsItIsTold) {
  // From 20 on another failure, from 10 on the one.
  const auto isolated = [](bool others_fail, Outcome between) {
    Fake laboratory([between](const std::vector<wire::ClockSwitch>& switches) {
      const std::uint64_t count = switches[0].count;
      return count > 20 ? Outcome::kPassed : count > 10 ? between : Outcome::kFailed;
    });
    laboratory.key = [](const std::vector<wire::ClockSwitch>& switches) {
      return switches[0].count > 10 ? "another" : "the one";
    };
    return isolate(laboratory, made_up({40}), made_up({8}), {.others_fail = others_fail}).value();
  };
  const Isolated apart = isolated(false, Outcome::kFailed);
  EXPECT_TRUE(apart.minimal);
  EXPECT_GT(apart.unresolved, 0u);
  EXPECT_EQ(text_of(apart), "#0 21/10; ");
  const Isolated together = isolated(true, Outcome::kFailed);
  EXPECT_EQ(together.unresolved, 0u);
  EXPECT_EQ(text_of(together), "#0 21/20; ");
  EXPECT_EQ(text_of(isolated(true, Outcome::kUnresolved)), "#0 21/10; ") << "that is no failure";
}

TEST(Isolate, GivesWhatItHasWhenItsRunsAreUsedUpOrItIsInterrupted) {
  const auto answer = [](const std::vector<wire::ClockSwitch>& switches) {
    return switches[0].count <= 10 ? Outcome::kFailed : Outcome::kPassed;
  };
  Fake few(answer);
  const Isolated at_limit =
      isolate(few, made_up({73}), made_up({9}), {.narrowing = {.runs = 3}}).value();
  EXPECT_EQ(few.runs, 3u);
  EXPECT_EQ(at_limit.tests, 3u);
  EXPECT_FALSE(at_limit.minimal);
  EXPECT_FALSE(at_limit.error);
  EXPECT_EQ(text_of(at_limit), "#0 17/9; ") << "64 deltas, halved three times";
  EXPECT_EQ(at_limit.passing->run.clock_form[0].count, 17u);
  EXPECT_EQ(at_limit.failing->run.clock_form[0].count, 9u);

  Fake interrupted(answer);
  const ExperimentLimits limits{.interrupted = [&] { return interrupted.runs == 2; }};
  const Isolated so_far =
      isolate(interrupted, made_up({73}), made_up({9}), {.narrowing = limits}).value();
  EXPECT_EQ(interrupted.runs, 2u);
  EXPECT_EQ(text_of(so_far), "#0 25/9; ");

  Fake broken(answer);
  broken.fails_at = 3;
  const Isolated until_then = isolate(broken, made_up({73}), made_up({9})).value();
  EXPECT_FALSE(until_then.minimal);
  ASSERT_TRUE(until_then.error);
  EXPECT_EQ(until_then.error->what, "the program is gone");
  EXPECT_EQ(text_of(until_then), "#0 25/9; ");
}

TEST(Isolate, SaysThatARunOfTheSearchCouldNotBeMade) {
  Fake laboratory([](const auto&) { return Outcome::kFailed; });
  laboratory.fails_at = 2;
  const Result<Isolated> found = isolate_from_failing(laboratory, made_up({50}).run);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().what, "the program is gone");
}

TEST(Isolate, BeginsToSearchAsFarAwayAsItIsTold) {
  Fake laboratory([](const std::vector<wire::ClockSwitch>& switches) {
    const std::uint64_t count = switches[0].count;
    return count > 400'000 && count < 600'000 ? Outcome::kFailed : Outcome::kPassed;
  });
  laboratory.steps = 1'000'000;
  const auto failing = made_up({500'000}, 1'000'000).run;
  const auto tests = [&](double width) {
    return isolate_from_failing(laboratory, failing, {.first_width = width})->neighbour_tests;
  };
  // Each misses with a chance of one in 13 or less.
  EXPECT_LE(tests(1'000'000), 8u);
  // Narrow ones widen by a factor of two in 16 runs.
  EXPECT_GT(tests(1), 100u);
}

}  // namespace
}  // namespace unravel
