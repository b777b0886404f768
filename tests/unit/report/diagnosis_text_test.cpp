#include "report/diagnosis_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "report/json.hpp"

namespace unravel {
namespace {

Diagnosis controlled() {
  Diagnosis diagnosis;
  diagnosis.program.arguments = {"./prog"};
  diagnosis.first.threads = 3;
  diagnosis.forked.runs = 2;
  diagnosis.anew.runs = 2;
  diagnosis.events = 41;
  diagnosis.has_hooks = true;
  return diagnosis;
}

Diagnosis ill() {
  Diagnosis diagnosis = controlled();
  diagnosis.has_hooks = false;
  diagnosis.anew.differed = 2;
  Difference& difference = diagnosis.difference.emplace();
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
  diagnosis.concerns = {{.name = "OpenMP (GCC)",
                         .weight = Concern::Weight::kCertain,
                         .evidence = "prog needs libgomp.so.1",
                         .meaning = "Its threads cannot be seen.",
                         .advice = "Set OMP_NUM_THREADS=1."},
                        {.name = "one CPU",
                         .weight = Concern::Weight::kNote,
                         .evidence = "one CPU may be used here",
                         .meaning = "Runs cannot be made side by side.",
                         .advice = "Allow more."}};
  return diagnosis;
}

TEST(DiagnosisText, OfAControlledProgramIsShort) {
  EXPECT_EQ(diagnosis_text(controlled(), 100, Paint(false)),
            "./prog is controlled: 5 runs of one schedule, all the same\n"
            "  5 runs of one schedule (2 forked after the start, 2 started anew): 3 threads, 41 "
            "events in each\n"
            "  hooks: yes; threads are switched at memory accesses, too\n");
}

TEST(DiagnosisText, OfWhatDiffersAndIsNotControlled) {
  expect_golden("diagnosis.txt", diagnosis_text(ill(), 80, Paint(false)));
}

TEST(DiagnosisText, OfANoteAloneDoesNotMakeAProgramUncontrolled) {
  Diagnosis diagnosis = ill();
  diagnosis.difference.reset();
  EXPECT_FALSE(diagnosis.controlled());

  diagnosis.concerns.erase(diagnosis.concerns.begin());

  EXPECT_TRUE(diagnosis.controlled());
}

TEST(DiagnosisText, HasAMeaningAndAdviceForEverySource) {
  for (const Source source : {Source::kAddress, Source::kTime, Source::kRandom, Source::kInput,
                              Source::kUncontrolledThread, Source::kUnknown}) {
    Difference difference;
    difference.source = source;
    EXPECT_FALSE(source_text(difference).meaning.empty()) << name(source);
    EXPECT_FALSE(source_text(difference).advice.empty()) << name(source);
  }
}

TEST(DiagnosisJson, HasWhatIsPromised) {
  const auto good = nlohmann::json::parse(diagnosis_json(controlled()));
  EXPECT_EQ(good["controlled"], true);
  EXPECT_EQ(good["runs"], 5);
  EXPECT_TRUE(good["first_difference"].is_null());
  EXPECT_TRUE(good["uncontrolled"].empty());

  const auto bad = nlohmann::json::parse(diagnosis_json(ill()));
  EXPECT_EQ(bad["version"], 1);
  EXPECT_EQ(bad["controlled"], false);
  EXPECT_EQ(bad["first_difference"]["source"], "address");
  EXPECT_EQ(bad["first_difference"]["stack"][0]["line"], 12);
  EXPECT_EQ(bad["uncontrolled"].size(), 2);
}

}  // namespace
}  // namespace unravel
