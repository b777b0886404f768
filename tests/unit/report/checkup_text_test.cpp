#include "report/checkup_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "report/json.hpp"

namespace unravel {
namespace {

Checkup controlled() {
  Checkup checkup;
  checkup.program.arguments = {"./prog"};
  checkup.first.threads = 3;
  checkup.forked.runs = 2;
  checkup.anew.runs = 2;
  checkup.events = 41;
  checkup.has_hooks = true;
  return checkup;
}

Checkup ill() {
  Checkup checkup = controlled();
  checkup.has_hooks = false;
  checkup.anew.differed = 2;
  Difference& difference = checkup.difference.emplace();
  difference.run = 4;
  difference.started = Started::kAnew;
  difference.position = 17;
  wire::Event event;
  event.thread.ordinal = 1;
  event.clock.operations = 5;
  event.site = wire::Site::of(1, 0x1234);
  event.operation = wire::Operation::kLock;
  event.object = 0x5555'5555'8010;
  difference.event_before = event;
  event.object = 0x5555'5556'8010;
  difference.event_now = event;
  difference.source = Source::kAddress;
  difference.stack = {{.function = "pick(int)", .file = "table.cpp", .line = 12, .module = "prog"}};
  checkup.concerns = {{.name = "OpenMP (GCC)",
                       .weight = Concern::Weight::kCertain,
                       .evidence = "prog needs libgomp.so.1",
                       .meaning = "Its threads cannot be seen.",
                       .advice = "Set OMP_NUM_THREADS=1."},
                      {.name = "one CPU",
                       .weight = Concern::Weight::kNote,
                       .evidence = "one CPU may be used here",
                       .meaning = "Runs cannot be made side by side.",
                       .advice = "Allow more."}};
  return checkup;
}

TEST(CheckupText, OfAControlledProgramIsShort) {
  EXPECT_EQ(checkup_text(controlled(), 100, Paint(false)),
            "./prog is controlled: 5 runs of one schedule, all the same\n"
            "  5 runs of one schedule (2 forked after the start, 2 started anew): 3 threads, 41 "
            "events in each\n"
            "  hooks: yes; threads are switched at memory accesses, too\n");
}

/// Without the line breaks, which depend on the width.
std::string in_one_line(const Checkup& checkup) {
  std::string line;
  for (const char c : checkup_text(checkup, 100, Paint(false))) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space || line.empty() || line.back() != ' ') line += is_space ? ' ' : c;
  }
  return line;
}

TEST(CheckupText, SaysHowMuchLaterARunWasRepeated) {
  Checkup checkup = controlled();
  checkup.anew.runs = 1;
  checkup.later.runs = 1;
  checkup.seconds_later = 20.2;

  EXPECT_NE(in_one_line(checkup).find(
                "5 runs of one schedule (2 forked after the start, 1 started anew, 1 started "
                "20 s later, beside a busy process)"),
            std::string::npos);

  checkup.forked.runs = checkup.later.runs = 0;
  EXPECT_NE(in_one_line(checkup).find("(each started anew)"), std::string::npos);
}

TEST(CheckupText, OfWhatOnlyDiffersLaterBlamesTime) {
  Checkup checkup = ill();
  checkup.anew.differed = 0;
  checkup.later = {.runs = 1, .differed = 1};
  checkup.difference->started = Started::kLater;
  checkup.difference->source = Source::kTime;
  checkup.difference->causes = {"stat"};

  const std::string text = in_one_line(checkup);

  EXPECT_NE(text.find("1 of 5 repetitions differed, only after some time"), std::string::npos)
      << text;
  EXPECT_NE(text.find("the date of a file; it calls stat."), std::string::npos) << text;
  const auto json = nlohmann::json::parse(checkup_json(checkup));
  EXPECT_EQ(json["first_difference"]["started"], "later");
  EXPECT_EQ(json["later"]["differed"], 1);
  EXPECT_EQ(json["differed"], 1);
}

TEST(CheckupText, CallsADescriptorADescriptor) {
  wire::Event event;
  event.operation = wire::Operation::kWrite;
  event.object = 8;
  EXPECT_NE(describe(event).find("write fd 8"), std::string::npos) << describe(event);
  event.operation = wire::Operation::kJoin;
  EXPECT_NE(describe(event).find("join T8"), std::string::npos) << describe(event);
}

TEST(CheckupText, OfWhatDiffersAndIsNotControlled) {
  expect_golden("checkup.txt", checkup_text(ill(), 80, Paint(false)));
}

TEST(CheckupText, OfANoteAloneDoesNotMakeAProgramUncontrolled) {
  Checkup checkup = ill();
  checkup.difference.reset();
  EXPECT_FALSE(checkup.controlled());

  checkup.concerns.erase(checkup.concerns.begin());

  EXPECT_TRUE(checkup.controlled());
}

TEST(CheckupText, HasAMeaningAndAdviceForEverySource) {
  for (const Source source : {Source::kAddress, Source::kTime, Source::kRandom, Source::kInput,
                              Source::kUncontrolledThread, Source::kUnknown}) {
    Difference difference;
    difference.source = source;
    EXPECT_FALSE(source_text(difference).meaning.empty()) << name(source);
    EXPECT_FALSE(source_text(difference).advice.empty()) << name(source);
  }
}

TEST(CheckupJson, HasWhatIsPromised) {
  const auto good = nlohmann::json::parse(checkup_json(controlled()));
  EXPECT_EQ(good["controlled"], true);
  EXPECT_EQ(good["runs"], 5);
  EXPECT_TRUE(good["first_difference"].is_null());
  EXPECT_TRUE(good["uncontrolled"].empty());

  const auto bad = nlohmann::json::parse(checkup_json(ill()));
  EXPECT_EQ(bad["version"], 1);
  EXPECT_EQ(bad["controlled"], false);
  EXPECT_EQ(bad["first_difference"]["source"], "address");
  EXPECT_EQ(bad["first_difference"]["stack"][0]["line"], 12);
  EXPECT_EQ(bad["uncontrolled"].size(), 2);
}

}  // namespace
}  // namespace unravel
