/// A hunt in words and as JSON.
#include "report/hunt_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/json.hpp"
#include "sample_runs.hpp"

namespace unravel {
namespace {

Explored explored() {
  Explored explored;
  explored.runs = 812;
  explored.steps = 40'000;
  explored.seconds = 0.6;
  explored.schedules = 410;
  explored.behaviours = 35;
  explored.pairs = 77;
  explored.since_new = 200;
  explored.data_pairs = {7, 12};
  explored.sync_pairs = {5, 8};
  explored.functions = {3, 4};
  explored.longest = 50;
  explored.threads = 3;
  for (int i = 0; i < 20; ++i) explored.pct.add(1, 50, 50);
  for (int i = 0; i < 30; ++i) explored.pct.add(2, 50, 50);
  for (int i = 0; i < 40; ++i) explored.pct.add(3, 50, 50);
  explored.shares = {{"pairs", 100, 20}, {"pos", 712, 15}};
  return explored;
}

TEST(HuntText, HasALineOfHowItGoes) {
  EXPECT_EQ(hunt_line(explored()),
            "812 runs, 1353/s, 410 schedules, 35 behaviours, 12 of 20 pairs in both orders, "
            "no failure, 0.6 s");
}

TEST(HuntText, CountsFailuresOfAllKeys) {
  Explored one = explored();
  one.failures = {{"a", 1}};
  EXPECT_NE(hunt_line(one).find(", 1 failure, "), std::string::npos);
  one.failures = {{"a", 2}, {"b", 3}};
  EXPECT_NE(hunt_line(one).find(", 5 failures, "), std::string::npos);
}

TEST(HuntText, OfAHuntThatHasJustBegun) {
  EXPECT_EQ(
      hunt_line({}),
      "0 runs, 0/s, 0 schedules, 0 behaviours, 0 of 0 pairs in both orders, no failure, 0.0 s");
  EXPECT_EQ(explored_text({}),
            "  explored   0 distinct interleavings, 0 distinct behaviours; "
            "nothing new in the last 0 runs\n");
}

TEST(HuntText, SaysWhatWasExploredAndHowSureOneMayBe) {
  EXPECT_EQ(
      explored_text(explored()),
      "  explored   410 distinct interleavings, 35 distinct behaviours; "
      "nothing new in the last 200 runs\n"
      "  accesses   7 of 12 conflicting pairs met in both orders\n"
      "  operations 5 of 8 contending pairs met in both orders\n"
      "  preempted  3 of 4 functions with points\n"
      // (1 - 1/3)^20 and (1 - 1/150)^30.
      "  missed     chance that a bug of depth 1 was missed: at most 0.0301 %; of depth 2: at most "
      "81.8 % (PCT bound, 3 threads, 50 steps, at synchronisation calls)\n");
}

TEST(HuntText, TellsWhyRunsHadNoClearOutcomeWithoutWhatTerminalsObey) {
  Explored one;
  one.unresolved = 2;
  EXPECT_NE(explored_text(one).find("  unresolved 2 runs\n"), std::string::npos);
  one.why_unresolved = "step\033limit";
  EXPECT_NE(explored_text(one).find("  unresolved 2 runs: step?limit\n"), std::string::npos);
}

TEST(HuntText, NeverSaysThatNothingWasMissedForCertain) {
  Explored one = explored();
  one.pct = {};
  for (int i = 0; i < 100'000; ++i) one.pct.add(1, 50, 50);
  one.pct.add(2, 1'000'000, 50);
  const std::string text = explored_text(one);
  EXPECT_NE(text.find("missed: at most one in a million; of depth 2"), std::string::npos) << text;
  EXPECT_NE(text.find("of depth 2: at most 100.0 %"), std::string::npos) << text;
}

TEST(HuntText, ClaimsNothingWhereNoRunWasResolved) {
  Explored one = explored();
  one.unresolved = one.runs;
  one.why_unresolved = "a loop";
  EXPECT_NE(hunt_line(one).find(", none of them resolved, "), std::string::npos);
  EXPECT_EQ(hunt_line(one).find("no failure"), std::string::npos);
  EXPECT_EQ(mostly_unresolved(one), "no run was resolved: a loop");
}

TEST(HuntText, WarnsOnlyIfMostRunsSayNothing) {
  Explored one = explored();
  one.unresolved = one.runs / 2;
  EXPECT_EQ(mostly_unresolved(one), "");
  EXPECT_NE(hunt_line(one).find(", no failure, 406 unresolved, "), std::string::npos);
  one.unresolved = one.runs / 2 + 1;
  one.why_unresolved = "a loop";
  EXPECT_EQ(mostly_unresolved(one), "407 of 812 runs are unresolved: a loop");
  EXPECT_EQ(mostly_unresolved({}), "");
}

TEST(HuntText, HasNoBoundForAProgramOfOneThread) {
  Explored one = explored();
  one.threads = 1;
  EXPECT_EQ(missed_at_most(one, 1), 1);
  EXPECT_EQ(explored_text(one).find("PCT bound"), std::string::npos);
}

TEST(MissedAtMost, IsTheChanceThatEveryRunOfThatDepthMissed) {
  EXPECT_NEAR(missed_at_most(explored(), 1), std::pow(2.0 / 3, 20), 1e-12);
  EXPECT_NEAR(missed_at_most(explored(), 2), std::pow(149.0 / 150, 30), 1e-12);
  EXPECT_NEAR(missed_at_most(explored(), 3), std::pow(1 - 1 / 7500.0, 40), 1e-12);
}

TEST(HuntText, HasNoBoundIfNoTwoThreadsMet) {
  Explored one = explored();
  one.pairs = 0;
  EXPECT_EQ(missed_at_most(one, 1), 1);
  EXPECT_EQ(explored_text(one).find("PCT bound"), std::string::npos);
}

TEST(HuntText, SaysAtWhichPointsTheBoundHolds) {
  Explored one = explored();
  one.points = wire::PointSet::kAuto;
  EXPECT_NE(explored_text(one).find("steps, at synchronisation calls and conflicting accesses)"),
            std::string::npos);
}

TEST(MissedAtMost, IsOneWithoutRunsOfThatDepth) {
  EXPECT_EQ(missed_at_most(explored(), 4), 1);
  EXPECT_EQ(missed_at_most(explored(), 9), 1);
  EXPECT_EQ(missed_at_most({}, 1), 1);
}

// --- JSON ---

TEST(HuntJson, HasTheFieldsThatAreDocumented) {
  const Explored one = explored();
  unravel::Run run = deadlocked_run();
  run.unverified = true;
  HuntReport report;
  report.outcome = Outcome::kFailed;
  report.explored = &one;
  report.failures = {{{.run = &run}, 17}};
  report.known_failures = 3;
  report.seed = 42;
  report.ended = "found";

  const auto json = nlohmann::json::parse(hunt_json(report));

  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["outcome"], "failed");
  EXPECT_EQ(json["runs"], 812);
  EXPECT_EQ(json["seconds"], 0.6);
  EXPECT_NEAR(json["runs_per_second"].get<double>(), 1353.3, 0.1);
  EXPECT_EQ(json["seed"], 42);
  EXPECT_EQ(json["ended"], "found");
  EXPECT_EQ(json["known_failures"], 3);
  EXPECT_EQ(json["unresolved"], 0);
  ASSERT_EQ(json["failures"].size(), 1u);
  const auto& failure = json["failures"][0];
  EXPECT_EQ(failure["found_at_run"], 17);
  EXPECT_EQ(failure["verified"], false);
  EXPECT_EQ(failure["failure"]["kind"], "deadlock");
  EXPECT_FALSE(failure.contains("version")) << "the whole has one";
  const auto& coverage = json["coverage"];
  EXPECT_EQ(coverage["schedules"], 410);
  EXPECT_EQ(coverage["behaviours"], 35);
  EXPECT_EQ(coverage["site_pairs"], 77);
  EXPECT_EQ(coverage["runs_since_new"], 200);
  EXPECT_EQ(coverage["data_pairs"], (nlohmann::json{{"covered", 7}, {"total", 12}}));
  EXPECT_EQ(coverage["sync_pairs"], (nlohmann::json{{"covered", 5}, {"total", 8}}));
  EXPECT_EQ(coverage["functions"], (nlohmann::json{{"covered", 3}, {"total", 4}}));
  EXPECT_EQ(coverage["longest_run"], 50);
  EXPECT_EQ(coverage["threads"], 3);
  EXPECT_DOUBLE_EQ(coverage["missed_at_most"]["depth_1"].get<double>(), missed_at_most(one, 1));
  EXPECT_DOUBLE_EQ(coverage["missed_at_most"]["depth_2"].get<double>(), missed_at_most(one, 2));
  EXPECT_EQ(json["strategies"]["pos"], (nlohmann::json{{"runs", 712}, {"new_behaviours", 15}}));
  EXPECT_EQ(json["strategies"]["pairs"]["runs"], 100);
}

TEST(HuntJson, SaysInAWordAndInASentenceWhyNothingIsKnown) {
  const Explored one = explored();
  HuntReport report;
  report.outcome = Outcome::kUnresolved;
  report.reason = Reason::kChildren;
  report.why = "what runs in children is not tested";
  report.explored = &one;
  const auto json = nlohmann::json::parse(hunt_json(report));
  EXPECT_EQ(json["outcome"], "unresolved");
  EXPECT_EQ(json["reason"], "children");
  EXPECT_EQ(json["explanation"], "what runs in children is not tested");
}

TEST(HuntJson, SaysOfAFailureThatItDoesNotDependOnOrder) {
  const Explored one = explored();
  const unravel::Run run = deadlocked_run();
  const OrderCheck order{.depends = false, .schedules = 20};
  HuntReport report;
  report.outcome = Outcome::kFailed;
  report.explored = &one;
  report.failures = {{{.run = &run}, 1, &order}};
  const auto failure = nlohmann::json::parse(hunt_json(report))["failures"][0];
  EXPECT_EQ(failure["depends_on_order"], false);
  EXPECT_EQ(failure["schedules_tried"], 20);
  EXPECT_FALSE(failure.contains("explained_with"));
}

TEST(HuntJson, OfAHuntThatMadeNoRunHasNoRate) {
  const Explored none;
  HuntReport report;
  report.explored = &none;
  const auto json = nlohmann::json::parse(hunt_json(report));
  EXPECT_EQ(json["outcome"], "passed");
  EXPECT_EQ(json["runs_per_second"], 0);
  EXPECT_TRUE(json["failures"].empty());
  EXPECT_TRUE(json["strategies"].is_object());
}

}  // namespace
}  // namespace unravel
