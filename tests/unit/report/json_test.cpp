#include "report/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "sample_runs.hpp"

namespace unravel {
namespace {

TEST(Json, OfAFailingRun) {
  const unravel::Run run = deadlocked_run();

  nlohmann::ordered_json json = nlohmann::ordered_json::parse(run_json({.run = &run}));

  // Compressed bytes may change with the library that makes them.
  EXPECT_EQ(schedule_from_string(json["schedule"].get<std::string>()).value(), run.schedule);
  json["schedule"] = "u1.";
  expect_golden("run.json", json.dump(2) + "\n");
}

TEST(Json, TellsAccessesThatWereNotMadeYetFromThoseThatWere) {
  unravel::Run run = plain_counter_run();
  run.steps[4].value = "1";

  const auto json = nlohmann::json::parse(run_json({.run = &run, .with_operations = true}));

  EXPECT_EQ(json["operations"][4]["value"], "1");
  const auto& left = json["operations"][1];
  EXPECT_EQ(left["operation"], "store");
  EXPECT_EQ(left["clock"], "1+3");
  EXPECT_EQ(left["object"], "counter");
  EXPECT_EQ(left["result"], "not yet");
  EXPECT_TRUE(left["value"].is_null());
  EXPECT_EQ(left["site"]["line"], 13);
  EXPECT_EQ(json["operations"][4]["result"], "done");
}

TEST(Json, OfAPassedRunHasANullFailure) {
  const unravel::Run run;

  const auto json = nlohmann::json::parse(run_json({.run = &run, .reproduced = true}));

  EXPECT_TRUE(json["failure"].is_null());
  EXPECT_EQ(json["outcome"], "passed");
  EXPECT_EQ(json["reproduced"], true);
  EXPECT_EQ(json["version"], 1);
}

TEST(Json, TellsHowMuchOutputWasLeftOutIfAny) {
  unravel::Run run = deadlocked_run();
  const auto whole = nlohmann::json::parse(run_json({.run = &run}));
  run.output_left_out = 12;
  run.error_output_left_out = 34;
  const auto cut = nlohmann::json::parse(run_json({.run = &run}));

  EXPECT_FALSE(whole.contains("output_left_out") || whole.contains("error_output_left_out"));
  EXPECT_EQ(cut["output_left_out"], 12);
  EXPECT_EQ(cut["error_output_left_out"], 34);
}

TEST(Json, NeverTellsAnEnvironment) {
  unravel::Run run = deadlocked_run();
  run.environment = std::make_shared<const Environment>(Environment{.variables = {"PW=hunter2"}});

  EXPECT_EQ(run_json({.run = &run, .with_operations = true}).find("hunter2"), std::string::npos);
}

TEST(Json, TellsWhatBroughtAFailureBackOnAnotherBuild) {
  const unravel::Run run = deadlocked_run();
  const auto by = [&](std::optional<ReproducedBy> means) {
    return nlohmann::json::parse(run_json({.run = &run, .reproduced_by = means}));
  };

  EXPECT_FALSE(by(std::nullopt).contains("reproduced_by"));
  EXPECT_EQ(by(ReproducedBy::kConstraints)["reproduced_by"], "constraints");
  EXPECT_TRUE(by(ReproducedBy::kNothing)["reproduced_by"].is_null());
}

TEST(Json, NamesTheFileOfAScheduleThatIsTooLong) {
  unravel::Run run;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    wire::Slice& slice = run.schedule.slices.emplace_back();
    slice.thread.ordinal = i * 2654435761u >> 20;
    slice.until.operations = std::uint64_t{i} * i * 7919 % 104729;
  }

  const auto json =
      nlohmann::json::parse(run_json({.run = &run, .schedule_file = ".unravel/runs/a.sched"}));

  EXPECT_TRUE(json["schedule"].is_null());
  EXPECT_EQ(json["schedule_file"], ".unravel/runs/a.sched");
}

TEST(Json, KeepsAll64BitsOfASeed) {
  unravel::Run run;
  run.summary.seed = ~std::uint64_t{0};

  EXPECT_NE(run_json({.run = &run}).find("\"seed\": 18446744073709551615"), std::string::npos);
}

TEST(Json, IsValidWhateverTheProgramCallsItself) {
  unravel::Run run = run_with_odd_names();
  run.program.arguments = {"\xff\xfe", "a\"b\n"};

  const auto json = nlohmann::json::parse(run_json({.run = &run}));

  EXPECT_EQ(json["program"]["arguments"][1], "a\"b\n");
}

TEST(Json, OfAList) {
  const unravel::Run run;

  const auto json = nlohmann::json::parse(list_json({{.run = &run}, {.run = &run}}));

  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["runs"].size(), 2u);
}

TEST(Json, OfAnError) {
  const auto json = nlohmann::json::parse(error_json({.what = "a", .why = "b", .hint = "c"}));

  EXPECT_EQ(json["error"]["what"], "a");
  EXPECT_EQ(json["version"], 1);
}

TEST(CheckJson, HasAllFieldsWhateverCameOfIt) {
  Checked fixed;
  fixed.run = "3fa1b2";
  fixed.verdict = CheckVerdict::kFixed;
  fixed.neighbours = 200;
  fixed.key = "assert: main a.c:7";
  fixed.others = {{"signal: worker a.c:9", "90cc17", true}};
  Checked gone;
  gone.run = "90cc17";
  gone.reason = "./prog is not there any more";

  const auto json = nlohmann::json::parse(check_json({fixed, gone}));

  EXPECT_EQ(json["version"], 1);
  const nlohmann::json expected = {
      {{"run", "3fa1b2"},
       {"verdict", "fixed"},
       {"neighbours", 200},
       {"unresolved", 0},
       {"reproduced_by", nullptr},
       {"key", "assert: main a.c:7"},
       {"reason", nullptr},
       {"other_failures", {"signal: worker a.c:9"}},
       {"others", {{{"run", "90cc17"}, {"key", "signal: worker a.c:9"}, {"verified", true}}}}},
      {{"run", "90cc17"},
       {"verdict", "not-applicable"},
       {"neighbours", 0},
       {"unresolved", 0},
       {"reproduced_by", nullptr},
       {"key", nullptr},
       {"reason", "./prog is not there any more"},
       {"other_failures", nlohmann::json::array()},
       {"others", nlohmann::json::array()}}};
  EXPECT_EQ(json["results"], expected);
}

}  // namespace
}  // namespace unravel
