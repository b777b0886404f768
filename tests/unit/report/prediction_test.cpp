/// What `predict` tells: as text and as JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "report/clip_text.hpp"
#include "report/prediction_json.hpp"
#include "report/prediction_text.hpp"
#include "sample_runs.hpp"

namespace unravel {
namespace {

constexpr std::size_t kColumns = 100;

Frame frame(const char* function, int line) {
  return {.function = function, .file = "/home/me/pair.c", .line = line, .module = "/home/me/prog"};
}

RaceSide side(std::uint32_t thread, wire::Clock clock, wire::Operation operation,
              const char* variable, int line) {
  RaceSide side;
  side.thread.ordinal = thread;
  side.clock = clock;
  side.operation = operation;
  side.site = frame(thread == 1 ? "write_both" : "read_both", line);
  side.stack = {side.site, frame(thread == 1 ? "writer" : "reader", 40)};
  side.variable = variable;
  return side;
}

/// x and y are read between their writes.
FoundAnomaly inconsistent_read() {
  FoundAnomaly anomaly;
  anomaly.kind = AnomalyKind::kSet;
  anomaly.pattern = "Wx-R'x-R'y-Wy";
  anomaly.key = "asv Wx-R'x-R'y-Wy: write_both pair.c:7";
  anomaly.status = AnomalyStatus::kConfirmed;
  anomaly.rung = "speculative";
  anomaly.sides = {side(1, {2, 1}, wire::Operation::kStore, "x", 7),
                   side(2, {2, 1}, wire::Operation::kLoad, "p->x", 14),
                   side(2, {2, 2}, wire::Operation::kLoad, "p->y", 15),
                   side(1, {2, 2}, wire::Operation::kStore, "y", 8)};
  anomaly.variables = {"x", "y"};
  anomaly.why = "the run passed, but wrote something else";
  anomaly.run = "3fa9c1";
  anomaly.clip.push_back({.event = side(1, {2, 0}, wire::Operation::kLock, "for_writers", 6)});
  for (const RaceSide& one : anomaly.sides) {
    anomaly.clip.push_back({.event = one, .is_side = true});
  }
  anomaly.clip[2].left_out = 3;
  return anomaly;
}

FoundAnomaly deadlock() {
  FoundAnomaly anomaly;
  anomaly.kind = AnomalyKind::kDeadlock;
  anomaly.status = AnomalyStatus::kConfirmed;
  anomaly.sides = {side(1, {2, 1}, wire::Operation::kLock, "second", 7),
                   side(2, {2, 1}, wire::Operation::kLock, "first", 14)};
  anomaly.variables = {"second", "first"};
  anomaly.failure = deadlocked_run().failure;
  anomaly.why = "deadlock: T1→second→T2→first→T1";
  anomaly.run = "3fa9c1";
  anomaly.clip = {{.event = side(1, {2, 0}, wire::Operation::kLock, "first", 6)},
                  {.event = side(2, {2, 0}, wire::Operation::kLock, "second", 13)},
                  {.event = anomaly.sides[0], .is_side = true, .is_blocked = true},
                  {.event = anomaly.sides[1], .is_side = true, .is_blocked = true}};
  return anomaly;
}

PredictionReport report() {
  PredictionReport report;
  report.anomalies = {deadlock(), inconsistent_read()};
  report.failures.emplace_back();
  report.failures[0].run = deadlocked_run();
  report.failures[0].found_at_run = 4;
  report.failures[0].is_predicted = true;
  report.store = "/home/me/.unravel";
  report.traces = 2;
  report.runs = 5;
  report.predicted[static_cast<std::size_t>(AnomalyKind::kSet)] = 1;
  report.confirmed[static_cast<std::size_t>(AnomalyKind::kSet)] = 1;
  report.predicted[static_cast<std::size_t>(AnomalyKind::kDeadlock)] = 1;
  report.confirmed[static_cast<std::size_t>(AnomalyKind::kDeadlock)] = 1;
  return report;
}

std::string text_of(FoundAnomaly anomaly) {
  PredictionReport report;
  report.anomalies = {std::move(anomaly)};
  return prediction_text(report, /*all=*/false, kColumns, Paint(false));
}

TEST(PredictionText, OfAnomalies) {
  expect_golden("prediction.txt", prediction_text(report(), /*all=*/false, kColumns, Paint(false)) +
                                      prediction_line(report()) + "\n");
}

TEST(PredictionText, NamesEachVariableOnce) {
  FoundAnomaly anomaly = inconsistent_read();
  anomaly.kind = AnomalyKind::kPattern;
  anomaly.pattern = "mine";
  anomaly.variables = {"x", "y", "z"};
  EXPECT_TRUE(text_of(anomaly).starts_with("anomaly 1: pattern 'mine' on x, y and z\n"));
  anomaly.variables = {"", "y"};
  EXPECT_TRUE(text_of(anomaly).starts_with("anomaly 1: pattern 'mine' on y\n"));
  anomaly.variables = {"", ""};
  EXPECT_TRUE(text_of(anomaly).starts_with("anomaly 1: pattern 'mine'\n"));
}

TEST(PredictionText, CallsAVariableWithoutANameMemory) {
  FoundAnomaly anomaly = inconsistent_read();
  anomaly.sides[1].variable.clear();
  EXPECT_NE(text_of(anomaly).find("  T2:2+1 reads memory at read_both()  /home/me/pair.c:14\n"),
            std::string::npos);
}

TEST(ClipText, OfNothingIsEmpty) { EXPECT_EQ(clip_text({}, kColumns, Paint(false)), ""); }

TEST(PredictionJson, NamesEachVariableInTheOrderOfThePattern) {
  PredictionReport one;
  one.anomalies = {inconsistent_read(), inconsistent_read(), inconsistent_read()};
  one.anomalies[1].variables = {"", "y"};
  one.anomalies[2].variables.clear();

  const auto anomalies = nlohmann::json::parse(prediction_json(one))["anomalies"];

  EXPECT_EQ(anomalies[0]["variable"], "x");
  EXPECT_EQ(anomalies[0]["variables"], (nlohmann::json{"x", "y"}));
  EXPECT_EQ(anomalies[1]["variable"], "y");
  EXPECT_EQ(anomalies[1]["variables"], (nlohmann::json{nullptr, "y"}));
  EXPECT_TRUE(anomalies[2]["variable"].is_null());
  EXPECT_EQ(anomalies[2]["variables"], nlohmann::json::array());
  EXPECT_EQ(anomalies[0]["stacks"][1].size(), 2u);
}

TEST(PredictionJson, HasEachFailureAsAHuntTellsIt) {
  const auto json = nlohmann::json::parse(prediction_json(report()));

  EXPECT_EQ(json["failures"], 1);
  ASSERT_EQ(json["failed_runs"].size(), 1u);
  const auto& failed = json["failed_runs"][0];
  EXPECT_EQ(failed["run"], "3fa9c1");
  EXPECT_EQ(failed["found_at_run"], 4);
  EXPECT_EQ(failed["verified"], true);
  EXPECT_EQ(failed["failure"]["kind"], "deadlock");
  EXPECT_EQ(failed["schedule_file"], "/home/me/.unravel/runs/3fa9c1.sched");
  EXPECT_FALSE(failed.contains("version"));
}

TEST(PredictionJson, HasNoFailedRunsWithoutAFailure) {
  const auto json = nlohmann::json::parse(prediction_json({}));

  EXPECT_EQ(json["failures"], 0);
  EXPECT_EQ(json["failed_runs"], nlohmann::json::array());
}

}  // namespace
}  // namespace unravel
