#include "investigate/races.hpp"

#include <fstream>

#include "investigated.hpp"

namespace unravel {
namespace {

class RacesTest : public Investigated {
 protected:
  RacesRequest request() {
    RacesRequest request;
    request.judging.timeout = kPatience;
    request.store = store_.path();
    request.runs = 5;
    return request;
  }
};

TEST_F(RacesTest, AreToldOnceForEachPairOfPlaces) {
  const auto found = find_races_in_program(request(), program("counter"), observer_);

  ASSERT_TRUE(found) << found.error().what;
  EXPECT_FALSE(found->trouble);
  EXPECT_EQ(found->report.runs, 5u);
  EXPECT_GT(found->report.events, 0u);
  ASSERT_EQ(found->report.races.size(), 1u) << "all accesses are in one line";
  const FoundRace& race = found->report.races[0];
  EXPECT_EQ(race.variable, "counter");
  EXPECT_TRUE(race.key.starts_with("race: add ")) << race.key;
  EXPECT_GE(race.count, 5u) << "in every run at least once";
  EXPECT_EQ(race.sides[0].site.function, "add");
  EXPECT_EQ(race.sides[1].site.function, "add");
  EXPECT_EQ(race.sides[1].size, 4u);
  ASSERT_EQ(observer_.findings.size(), 1u);
  EXPECT_EQ(observer_.findings[0].kind, FindingKind::kRace);
  EXPECT_EQ(observer_.findings[0].key, race.key);
  EXPECT_EQ(observer_.steps.back(), (std::pair<std::uint64_t, std::uint64_t>{5, 5}));
}

TEST_F(RacesTest, OfAKeptRunAreFoundByItsSchedule) {
  RacesRequest of_run = request();
  of_run.run = keep_failure_of("counter");

  const auto found = find_races_in_run(of_run, observer_);

  ASSERT_TRUE(found) << found.error().what;
  EXPECT_EQ(found->report.runs, 1u);
  ASSERT_EQ(found->report.races.size(), 1u);
  EXPECT_EQ(found->report.races[0].variable, "counter");
}

TEST_F(RacesTest, ThatAreSuppressedAreOnlyCounted) {
  RacesRequest quiet = request();
  quiet.suppressions = Suppressions::parse("variable:count*", "known").value();

  const auto found = find_races_in_program(quiet, program("counter"), observer_);

  ASSERT_TRUE(found) << found.error().what;
  EXPECT_TRUE(found->report.races.empty());
  EXPECT_GT(found->report.suppressed, 0u);
  EXPECT_TRUE(observer_.findings.empty());
}

TEST_F(RacesTest, TellOfARunThatDidNotPass) {
  RacesRequest expecting = request();
  expecting.judging.expected_output = store_.home() / "expected";
  std::ofstream(*expecting.judging.expected_output) << "something else\n";

  const auto found = find_races_in_program(expecting, program("counter"), observer_);

  ASSERT_TRUE(found) << found.error().what;
  ASSERT_TRUE(found->odd);
  EXPECT_EQ(found->odd->summary.outcome, Outcome::kFailed);
  EXPECT_EQ(found->report.races.size(), 1u) << "races count all the same";
}

TEST_F(RacesTest, AreNotSeenInAProgramWithoutHooks) {
  const auto in_program = find_races_in_program(request(), program("account"), observer_);
  RacesRequest of_run = request();
  of_run.run = keep_failure_of("account");
  const auto in_run = find_races_in_run(of_run, observer_);

  ASSERT_FALSE(in_program);
  EXPECT_NE(in_program.error().what.find("has no hooks at memory accesses"), std::string::npos);
  ASSERT_FALSE(in_run);
  EXPECT_EQ(in_run.error(), in_program.error());
}

TEST_F(RacesTest, OfAnotherBuildAreRefused) {
  RacesRequest of_run = request();
  of_run.run = keep_failure_of("counter");
  install("account");

  EXPECT_FALSE(find_races_in_run(of_run, observer_));
}

TEST_F(RacesTest, EndWithAnInterruption) {
  observer_.interrupts_at_run = 1;

  const auto found = find_races_in_program(request(), program("counter"), observer_);

  ASSERT_FALSE(found);
  EXPECT_EQ(found.error(), interrupted_error());
}

}  // namespace
}  // namespace unravel
