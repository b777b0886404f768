#include "report/diff_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <sstream>

#include "golden.hpp"
#include "report/diff_json.hpp"
#include "sample_runs.hpp"

namespace unravel {
namespace {

const Paint kPlain(false);

/// As lost_update_run(), but T1 ends before T2 begins, and nothing is lost.
unravel::Run passing_run() {
  unravel::Run run = lost_update_run();
  run.id = "90cc17";
  run.summary.outcome = Outcome::kPassed;
  run.summary.failure.reset();
  run.summary.preemptions = 0;
  run.failure.reset();
  std::stable_partition(run.steps.begin(), run.steps.end() - 2,
                        [](const Step& step) { return step.event.thread.ordinal == 1; });
  return run;
}

/// Many operations of T3 in front of everything.
unravel::Run with_long_beginning(unravel::Run run) {
  Step step = run.steps[0];
  step.event.thread.ordinal = 3;
  for (std::uint64_t i = 20; i > 0; --i) {
    step.event.clock.operations = i;
    run.steps.insert(run.steps.begin(), step);
  }
  return run;
}

std::string text_of(const unravel::Run& left, const unravel::Run& right,
                    const DiffTextOptions& options = {}, Paint paint = kPlain) {
  const StepDiff diff = diff_steps(left, right);
  return diff_text(left, right, diff, options, paint) + first_difference_line(diff) + "\n";
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, width(line));
  return most;
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(DiffText, ShowsAFailureBesideARunThatPassed) {
  expect_golden("diff_lost_update.txt", text_of(lost_update_run(), passing_run()));
}

TEST(DiffText, WithColours) {
  unravel::Run other = passing_run();
  other.steps.back().value = "7";
  expect_golden("diff_colours.txt", text_of(lost_update_run(), other, {}, Paint(true)));
}

TEST(DiffText, FoldsWhatIsAlikeForLong) {
  const unravel::Run left = with_long_beginning(lost_update_run());
  const unravel::Run right = with_long_beginning(passing_run());

  expect_golden("diff_folded.txt", text_of(left, right));
  const std::string all = text_of(left, right, {.around = TableOptions::kAllRows});
  EXPECT_EQ(all.find("equal step"), all.npos) << all;
  EXPECT_NE(all.find("T3:1 "), all.npos) << all;
  EXPECT_NE(all.find("T3:20 "), all.npos) << all;
}

TEST(DiffText, OfRunsThatAreAlikeFoldsEverything) {
  const std::string text = text_of(lost_update_run(), lost_update_run());

  EXPECT_NE(text.find("… 12 equal steps …\n"), text.npos) << text;
  EXPECT_TRUE(text.ends_with("\nthe same steps; 4 earlier operations could not be compared\n"))
      << text;
}

TEST(DiffText, SaysThatAllStepsAreTheSameWhereAllWereCompared) {
  unravel::Run run = lost_update_run();
  run.summary.operations = run.steps.size();

  EXPECT_EQ(first_difference_line(diff_steps(run, run)), "the same steps");
}

TEST(DiffText, FoldsNoSingleRow) {
  unravel::Run right = lost_update_run();
  right.steps[1].value = "7";
  right.steps[5].value = "7";

  const std::string text = text_of(lost_update_run(), right, {.around = 1});

  // The fourth row is near neither; behind the seventh there are more.
  EXPECT_EQ(text.find("1 equal step"), text.npos) << text;
  EXPECT_NE(text.find("… 5 equal steps …"), text.npos) << text;
}

TEST(DiffText, MarksTheSameStepWithAnotherValue) {
  unravel::Run right = lost_update_run();
  unravel::Run left = right;
  left.steps[2].value = "1";
  right.steps[2].value = "2";

  const StepDiff diff = diff_steps(left, right);

  EXPECT_EQ(diff.first_difference, 2u);
  EXPECT_EQ(diff.rows[2].mark, DiffRow::Mark::kOtherValue);
  const std::string text = text_of(left, right);
  EXPECT_NE(text.find("lock mutex 1 = 1"), text.npos) << text;
  EXPECT_NE(text.find(" ~ T2:2  lock mutex 1 = 2"), text.npos) << text;
  EXPECT_NE(text.find("step 3: left T2:2 lock mutex 1 = 1 at lost.c:15 deposit(), right T2:2 lock "
                      "mutex 1 = 2 at"),
            text.npos)
      << text;
}

TEST(DiffText, MarksTheSameStepWithAnotherAnswer) {
  for (const wire::EventResult result :
       {wire::EventResult::kFailed, wire::EventResult::kTimedOut}) {
    unravel::Run right = lost_update_run();
    right.steps[2].event.result = result;
    EXPECT_EQ(diff_steps(lost_update_run(), right).first_difference, 2u);
  }
  unravel::Run left = lost_update_run();
  left.steps[3].event.operation = wire::Operation::kSignal;
  unravel::Run right = left;
  right.steps[3].event.value = 1;
  EXPECT_EQ(diff_steps(left, right).first_difference, 3u) << "one of them woke somebody";
}

TEST(DiffText, KnowsAnObjectByItsAddressWhereItsNumberDiffers) {
  unravel::Run left = lost_update_run();
  left.steps[2].event.object = 0x1000;
  unravel::Run right = left;
  right.steps[2].object = "mutex 2";
  EXPECT_EQ(diff_steps(left, right).first_difference, std::nullopt);

  right.steps[2].event.object = 0x2000;
  EXPECT_EQ(diff_steps(left, right).first_difference, 2u);
}

TEST(DiffText, AStepElsewhereIsAnotherStep) {
  unravel::Run right = lost_update_run();
  right.steps[2].stack[0].line = 16;

  const StepDiff diff = diff_steps(lost_update_run(), right);

  EXPECT_EQ(diff.first_difference, 2u);
  EXPECT_EQ(diff.rows[2].mark, DiffRow::Mark::kLeftOnly);
  EXPECT_EQ(diff.rows[3].mark, DiffRow::Mark::kRightOnly);
}

TEST(DiffText, TellsWhatComesNextOnBothSides) {
  unravel::Run right = lost_update_run();
  right.steps.resize(11);
  right.summary.operations = 15;

  EXPECT_EQ(first_difference_line(diff_steps(lost_update_run(), right)),
            "the first difference: step 12: left T0:4 join T2 at lost.c:28 main(), right nothing "
            "more; 4 earlier operations could not be compared");
}

TEST(DiffText, AnAccessThatTheOtherTableHasNoRowForIsNoDifference) {
  const unravel::Run left = plain_counter_run();
  unravel::Run right = left;
  right.steps.erase(right.steps.begin() + 4);  // T1 made the store

  const StepDiff diff = diff_steps(left, right);

  EXPECT_EQ(diff.rows[4].mark, DiffRow::Mark::kToldByOne);
  EXPECT_EQ(diff.first_difference, std::nullopt);
  const std::string text = text_of(left, right, {.around = TableOptions::kAllRows});
  EXPECT_NE(text.find(" ·\n"), text.npos) << text;
}

TEST(DiffText, AnAccessThatTheOtherRunNeverCameToIsADifference) {
  const unravel::Run left = plain_counter_run();
  unravel::Run right = left;
  std::erase_if(right.steps, [](const Step& step) {
    return step.event.thread.ordinal == 1 && step.event.clock.hooks > 0;
  });

  const StepDiff diff = diff_steps(left, right);

  EXPECT_EQ(diff.first_difference, 1u);
  EXPECT_EQ(diff.rows[4].mark, DiffRow::Mark::kLeftOnly) << "T1 got no further than its start";
}

TEST(DiffText, AThreadThatWasLeftIsADifference) {
  const unravel::Run left = plain_counter_run();
  unravel::Run right = left;
  right.steps.erase(right.steps.begin() + 1);  // T1 before its store

  const StepDiff diff = diff_steps(left, right);

  EXPECT_EQ(diff.first_difference, 1u);
  EXPECT_EQ(diff.rows[1].mark, DiffRow::Mark::kLeftOnly);
}

TEST(DiffText, DoesNotCompareWhatOneRunHasNoStepsOf) {
  // The steps of the right one begin two later.
  const unravel::Run left = lost_update_run();
  unravel::Run right = left;
  right.steps.erase(right.steps.begin(), right.steps.begin() + 2);

  const StepDiff diff = diff_steps(left, right);

  EXPECT_EQ(diff.first_difference, std::nullopt);
  EXPECT_EQ(diff.rows.size(), 10u);
  EXPECT_EQ(diff.left_earlier, 6u);
  EXPECT_EQ(diff.right_earlier, 6u);
  EXPECT_NE(text_of(left, right).find("… 6 earlier operations, not compared"), std::string::npos);
}

TEST(DiffText, ComparesARunThatHasAllItsStepsFromTheBeginning) {
  const unravel::Run left = lost_update_run();
  unravel::Run right = left;
  right.steps.erase(right.steps.begin(), right.steps.begin() + 2);
  right.summary.operations = right.steps.size();

  EXPECT_EQ(diff_steps(left, right).first_difference, 0u);
}

/// With the events of its steps behind those of four operations of T5.
unravel::Run with_events(unravel::Run run) {
  wire::Event event;
  event.thread.ordinal = 5;
  event.operation = wire::Operation::kLock;
  while (run.events.size() < 4) {
    ++event.clock.operations;
    run.events.push_back(event);
  }
  for (const Step& step : run.steps) run.events.push_back(step.event);
  return run;
}

TEST(DiffText, KnowsByEventsThatWhatHasNoStepsIsAlike) {
  const unravel::Run run = with_events(lost_update_run());

  const std::string text = text_of(run, run);

  EXPECT_NE(text.find("… 4 earlier operations, equal"), text.npos) << text;
  EXPECT_TRUE(text.ends_with("\nthe same steps\n")) << text;
}

TEST(DiffText, TellsByEventsWhereRunsPartBeforeTheirSteps) {
  const unravel::Run left = with_events(lost_update_run());
  unravel::Run right = left;
  right.events[2].operation = wire::Operation::kUnlock;

  EXPECT_EQ(first_difference_line(diff_steps(left, right)),
            "the first difference: earlier, event 3: left T5:3 lock, right T5:3 unlock; in the "
            "stored steps: the same steps");
  const auto json = nlohmann::json::parse(diff_json(left, right, diff_steps(left, right)));
  EXPECT_EQ(json["earlier_difference"]["event"], 2);
  EXPECT_EQ(json["earlier_difference"]["right"]["operation"], "unlock");
  EXPECT_TRUE(json["first_difference"].is_null());
}

TEST(DiffText, TellsThatOneRunDidMoreBeforeItsSteps) {
  const unravel::Run left = with_events(lost_update_run());
  unravel::Run right = left;
  right.events.erase(right.events.begin() + 3);

  EXPECT_TRUE(first_difference_line(diff_steps(left, right))
                  .starts_with("the first difference: earlier, event 4: left T5:4 lock, right T1:2 "
                               "lock; in the stored steps: "));
}

TEST(DiffText, NeverIsWiderThanTheScreen) {
  const unravel::Run runs[] = {deadlocked_run(),    lost_update_run(),    passing_run(),
                               plain_counter_run(), run_with_odd_names(), run_of_many_threads(200)};
  for (const unravel::Run& left : runs) {
    for (const unravel::Run& right : runs) {
      const StepDiff diff = diff_steps(left, right);
      for (std::size_t columns = 40; columns <= 200; columns += 9) {
        const std::string text = diff_text(left, right, diff, {.columns = columns}, kPlain);
        EXPECT_LE(widest_line(text), columns) << text;
      }
    }
  }
}

TEST(DiffText, KeepsControlCharactersFromTheScreen) {
  const std::string text = text_of(run_with_odd_names(), run_with_odd_names(),
                                   {.columns = 200, .around = TableOptions::kAllRows});

  EXPECT_EQ(text.find('\033'), text.npos) << text;
  EXPECT_NE(text.find("red"), text.npos) << text;
}

TEST(DiffText, LeavesOutTheFunctionsOfLocals) {
  unravel::Run run = lost_update_run();
  for (Step& step : run.steps) {
    if (step.object == "mutex 1") step.object = "bank.lock in main()";
  }

  const std::string text = text_of(run, run, {.columns = 200, .around = TableOptions::kAllRows});

  EXPECT_NE(text.find("T1:2  lock bank.lock "), text.npos) << text;
  EXPECT_EQ(text.find("in main()"), text.npos) << text;
}

TEST(DiffText, OfRunsWithoutStepsHasOnlyTheirHeads) {
  unravel::Run run;
  EXPECT_EQ(lines_in(text_of(run, run, {.columns = 200})), 4u);
}

TEST(DiffJson, HasBothStepsOfARow) {
  const unravel::Run left = lost_update_run();
  const unravel::Run right = passing_run();
  const StepDiff diff = diff_steps(left, right);

  const auto json = nlohmann::json::parse(diff_json(left, right, diff));

  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["left"]["run"], "3fa9c1");
  EXPECT_EQ(json["right"]["outcome"], "passed");
  EXPECT_EQ(json["right"]["earlier_operations"], 4);
  EXPECT_TRUE(json["earlier_difference"].is_null());
  EXPECT_EQ(json["first_difference"], 2);
  EXPECT_EQ(json["rows"].size(), diff.rows.size());
  EXPECT_EQ(json["rows"][0]["left"], json["rows"][0]["right"]);
  EXPECT_EQ(json["rows"][0]["left"]["operation"], "lock");
  EXPECT_TRUE(json["rows"][2]["left"].is_null());
  EXPECT_EQ(json["rows"][2]["right"]["thread"], 1);
  EXPECT_EQ(json["rows"][2]["right"]["clock"], "4");
}

TEST(DiffJson, OfRunsThatAreAlikeHasNoDifference) {
  const unravel::Run run = lost_update_run();

  const auto json = nlohmann::json::parse(diff_json(run, run, diff_steps(run, run)));

  EXPECT_TRUE(json["first_difference"].is_null());
  EXPECT_EQ(json["rows"].size(), run.steps.size());
}

}  // namespace
}  // namespace unravel
