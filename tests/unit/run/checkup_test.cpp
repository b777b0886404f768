#include "run/checkup.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace unravel {
namespace {

wire::Event event(std::uint32_t thread, std::uint64_t operations, wire::Operation operation,
                  std::uint64_t object = 0x5555'0010) {
  wire::Event made;
  made.thread.ordinal = thread;
  made.clock.operations = operations;
  made.operation = operation;
  made.object = object;
  return made;
}

unravel::Run two_locks() {
  unravel::Run run;
  run.schedule.addresses_fixed = true;
  run.events = {event(0, 1, wire::Operation::kLock), event(1, 1, wire::Operation::kLock)};
  run.output = "one\ntwo\n";
  return run;
}

TEST(FirstDifference, OfARunThatRepeatedIsNothing) {
  EXPECT_FALSE(first_difference(two_locks(), two_locks()));
}

TEST(FirstDifference, IsTheFirstEventThatIsNotTheSame) {
  unravel::Run now = two_locks();
  now.events[1].operation = wire::Operation::kUnlock;
  now.output = "other\n";

  const auto difference = first_difference(two_locks(), now);

  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->in, Difference::In::kEvent);
  EXPECT_EQ(difference->position, 2);
  EXPECT_EQ(difference->event_before, two_locks().events[1]);
  EXPECT_EQ(difference->event_now, now.events[1]);
  EXPECT_EQ(difference->source, Source::kUnknown);
}

TEST(FirstDifference, OfARunThatEndedEarlierSaysHowItEnded) {
  unravel::Run now = two_locks();
  now.events.pop_back();
  now.summary.outcome = Outcome::kDiverged;
  now.explanation = "at T1:0+1 the run left its schedule";

  const auto difference = first_difference(two_locks(), now);

  ASSERT_TRUE(difference);
  EXPECT_FALSE(difference->event_now);
  EXPECT_EQ(difference->now, "diverged: at T1:0+1 the run left its schedule");
}

TEST(FirstDifference, OfAnObjectThatMovedByWholePagesIsItsAddress) {
  unravel::Run moved = two_locks();
  moved.events[0].object += 0x7000;
  unravel::Run another = two_locks();
  another.events[0].object += 0x28;

  EXPECT_EQ(first_difference(two_locks(), moved)->source, Source::kAddress);
  EXPECT_EQ(first_difference(two_locks(), another)->source, Source::kUnknown);
}

TEST(FirstDifference, AfterAReadOfTheSameThreadIsItsInput) {
  unravel::Run before = two_locks();
  before.events.insert(before.events.begin(), event(1, 1, wire::Operation::kRead));
  unravel::Run now = before;
  now.events[2].object += 0x28;
  unravel::Run other_thread = before;
  other_thread.events[1].object += 0x28;

  EXPECT_EQ(first_difference(before, now)->source, Source::kInput);
  EXPECT_EQ(first_difference(before, other_thread)->source, Source::kUnknown);
}

TEST(FirstDifference, OfAClockThatShowsAnotherTimeIsTime) {
  unravel::Run before = two_locks();
  before.events[0].operation = wire::Operation::kClockRead;
  unravel::Run now = before;
  now.events[0].value = 17;

  EXPECT_EQ(first_difference(before, now)->source, Source::kTime);
}

TEST(FirstDifference, OfOutputNamesTheLine) {
  unravel::Run now = two_locks();
  now.output = "one\nthree\n";

  const auto difference = first_difference(two_locks(), now);

  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->in, Difference::In::kOutput);
  EXPECT_EQ(difference->position, 2);
  EXPECT_EQ(difference->before, "two");
  EXPECT_EQ(difference->now, "three");
}

TEST(FirstDifference, OfPrintedPointersIsTheirAddress) {
  unravel::Run before = two_locks();
  before.output = "at 0x7f0011223344 now\n";
  unravel::Run now = two_locks();
  now.output = "at 0x7f0055663344 now\n";

  EXPECT_EQ(first_difference(before, now)->source, Source::kAddress);
}

Source source_of_output(const char* text_before, const char* text_now, double seconds) {
  unravel::Run before = two_locks();
  before.output = text_before;
  unravel::Run now = two_locks();
  now.output = text_now;
  return first_difference(before, now, seconds)->source;
}

TEST(FirstDifference, OfPrintedNumbersThatGrewAsRealTimeDidIsTime) {
  EXPECT_EQ(source_of_output("at 1794822167.176400\n", "at 1794822187.276400\n", 20),
            Source::kTime);
  EXPECT_EQ(source_of_output("at 1794822167176400000\n", "at 1794822167226400000\n", 0.05),
            Source::kTime);
  EXPECT_EQ(source_of_output("took 99000 us\n", "took 20199000 us\n", 20), Source::kTime);
  // It went back, or on by too much, or so little that it may be chance.
  EXPECT_EQ(source_of_output("at 1794822167.176400\n", "at 1794822147.176400\n", 20),
            Source::kUnknown);
  EXPECT_EQ(source_of_output("at 1794822167.176400\n", "at 1794822267.176400\n", 20),
            Source::kUnknown);
  EXPECT_EQ(source_of_output("process 4021\n", "process 4041\n", 20), Source::kUnknown);
  EXPECT_EQ(source_of_output("two\n", "three\n", 20), Source::kUnknown);
}

TEST(FirstDifference, OfTheEndComesBeforeThatOfOutput) {
  unravel::Run now = two_locks();
  now.output.clear();
  now.summary.outcome = Outcome::kFailed;
  now.failure.emplace();
  now.failure->detail = "exit status 1";

  const auto difference = first_difference(two_locks(), now);

  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->in, Difference::In::kOutcome);
  EXPECT_EQ(difference->now, "failed: exit, exit status 1");
}

TEST(VaryingInstructions, AreFoundCloseToThePlaceOnly) {
  std::vector<std::byte> code(10'000, std::byte{0x90});
  EXPECT_TRUE(varying_instructions(code, 5'000).empty());

  code[4'900] = std::byte{0x0f};
  code[4'901] = std::byte{0x31};
  EXPECT_EQ(varying_instructions(code, 5'000), std::vector{Source::kTime});
  EXPECT_TRUE(varying_instructions(code, 9'000).empty());
  EXPECT_TRUE(varying_instructions(code, 1'000'000).empty());

  code[5'100] = std::byte{0x0f};
  code[5'101] = std::byte{0xc7};
  code[5'102] = std::byte{0xf0};
  EXPECT_EQ(varying_instructions(code, 5'000), (std::vector{Source::kTime, Source::kRandom}));
}

TEST(VaryingInstructions, AreAlsoSystemCallsThatAskForTheTime) {
  std::vector<std::byte> code(10'000, std::byte{0x90});
  const auto put = [&](std::size_t at, std::initializer_list<unsigned> bytes) {
    for (const unsigned byte : bytes) code[at++] = std::byte(byte);
  };
  put(4'980, {0xb8, 0x27, 0, 0, 0, 0x0f, 0x05});  // getpid
  EXPECT_TRUE(varying_instructions(code, 5'000).empty());

  put(5'010, {0xb8, 0xe4, 0, 0, 0});  // clock_gettime
  EXPECT_TRUE(varying_instructions(code, 5'000).empty());
  put(5'020, {0x0f, 0x05});
  EXPECT_EQ(varying_instructions(code, 5'000), std::vector{Source::kTime});
}

TEST(Escapes, AreNamedByWarnings) {
  unravel::Run run;
  run.warnings = {"something else"};
  EXPECT_TRUE(concerns_about_escapes(run).empty());

  for (const char* what : {"a SIGEV_THREAD timer", "io_uring, by the system call",
                           "a process that outlived its run"}) {
    run.warnings.push_back(std::string(kNotControlled) + what);
  }
  const auto concerns = concerns_about_escapes(run);

  ASSERT_EQ(concerns.size(), 3);
  EXPECT_EQ(concerns[0].evidence, "a SIGEV_THREAD timer");
  EXPECT_EQ(concerns[0].name, "a thread that is not scheduled");
  EXPECT_EQ(concerns[1].name, "io_uring");
  EXPECT_EQ(concerns[2].name, "a process that outlives the run");
  EXPECT_EQ(concerns[2].weight, Concern::Weight::kPossible);
}

TEST(FirstDifference, BesideAThreadThatIsNotScheduledIsItsDoing) {
  unravel::Run now = two_locks();
  now.events[1].operation = wire::Operation::kUnlock;
  unravel::Run with_thread = now;
  with_thread.warnings = {std::string(kNotControlled) + "a thread made by clone()"};
  unravel::Run with_process = now;
  with_process.warnings = {std::string(kNotControlled) + "a process that outlived its run"};

  EXPECT_EQ(first_difference(two_locks(), with_thread)->source, Source::kUncontrolledThread);
  EXPECT_EQ(first_difference(two_locks(), with_process)->source, Source::kUnknown);
}

}  // namespace
}  // namespace unravel
