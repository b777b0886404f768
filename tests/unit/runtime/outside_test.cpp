/// What comes from outside, recorded and brought about again, in small programs.
#include <gtest/gtest.h>

#include <string>

#include "sim/sim_program.hpp"

namespace unravel {
namespace {

using sim::SimArrival;
using sim::SimProgram;
using sim::SimRun;
using sim::SimSchedule;
using wire::Following;

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kTimerSlack = 50'000;

const wire::Rule kStay{};

SimProgram with(SimProgram program, std::vector<SimArrival> outside) {
  program.outside = std::move(outside);
  return program;
}

SimRun replay(const SimProgram& program, const SimRun& recorded) {
  return run(program, recorded.schedule, Following::kStrict);
}

void expect_divergence(const SimRun& run, const std::string& why) {
  EXPECT_TRUE(run.diverged());
  EXPECT_EQ(run.words.text, why);
}

// --- Messages and deadlines ---

const SimProgram kImpatient{.threads = {{"T0", {"receive x for 10ms", "late = $result"}}},
                            .start = {{"late", 0}}};

TEST(Outside, ADeadlineThatCameFirstComesFirstAgain) {
  const SimRun recorded = run(with(kImpatient, {{"x", 7, 50 * kMillisecond}}), kStay);
  ASSERT_EQ(recorded.value("late"), 2);
  EXPECT_EQ(recorded.choices(), "T0:0+1 signal 0, T0:0+1 external 0");
  EXPECT_EQ(recorded.now, 10 * kMillisecond + kTimerSlack);

  const SimRun replayed = replay(with(kImpatient, {{"x", 7, 0}}), recorded);

  EXPECT_EQ(difference(recorded, replayed), "");
}

TEST(Outside, AMessageThatCameFirstComesFirstAgain) {
  const SimRun recorded = run(with(kImpatient, {{"x", 7, kMillisecond}}), kStay);
  ASSERT_EQ(recorded.value("late"), 0);
  EXPECT_EQ(recorded.choices(), "T0:0+1 passed 1000000, T0:0+1 external 7");
  EXPECT_EQ(recorded.now, kMillisecond);

  const SimRun replayed = replay(with(kImpatient, {{"x", 7, 5'000 * kMillisecond}}), recorded);

  EXPECT_EQ(difference(recorded, replayed), "");
}

TEST(Outside, TimeThatPassedForOneDecidesWhatAnotherSees) {
  // The sleeper wakes before the message comes, or after.
  const SimProgram program{
      .threads = {{"T0", {"receive x", "saw = woke"}}, {"T1", {"sleep 5ms", "woke = 1"}}},
      .start = {{"woke", 0}, {"saw", 0}}};
  const SimProgram early = with(program, {{"x", 1, kMillisecond}});
  const SimProgram late = with(program, {{"x", 1, 9 * kMillisecond}});

  const SimRun before = run(early, kStay);
  const SimRun after = run(late, kStay);

  ASSERT_EQ(before.value("saw"), 0);
  ASSERT_EQ(after.value("saw"), 1);
  EXPECT_EQ(difference(before, replay(late, before)), "");
  EXPECT_EQ(difference(after, replay(early, after)), "");
}

TEST(Outside, EqualDeadlinesEndBothWaitsAtOnce) {
  const SimProgram program{.threads = {{"T0", {"receive x for 5ms", "a = $result"}},
                                       {"T1", {"receive y for 5ms", "b = $result"}}},
                           .start = {{"a", 0}, {"b", 0}}};
  const SimRun recorded = run(program, kStay);
  ASSERT_EQ(recorded.value("a") + recorded.value("b"), 4);
  EXPECT_EQ(recorded.choices(), "T1:1+1 signal 0, T1:1+1 external 0, T0:0+1 external 0");

  const SimRun replayed = replay(with(program, {{"x", 1, 0}, {"y", 1, 0}}), recorded);

  EXPECT_EQ(difference(recorded, replayed), "");
}

TEST(Outside, WhatComesInOnePortionNowIsTakenInTheSameOnes) {
  const SimProgram program{
      .threads = {{"T0", {"receive_some x 9", "a = x", "receive_some x 9", "b = x"}}},
      .start = {{"a", 0}, {"b", 0}}};
  const SimProgram portions =
      with(program, {{"x", 1, 0}, {"x", 2, 0}, {"x", 4, 50 * kMillisecond}});
  const SimProgram at_once = with(program, {{"x", 1, 0}, {"x", 2, 0}, {"x", 4, 0}});
  const SimProgram one_by_one = with(
      program, {{"x", 1, kMillisecond}, {"x", 2, 40 * kMillisecond}, {"x", 4, 90 * kMillisecond}});

  const SimRun recorded = run(portions, kStay);

  ASSERT_EQ(recorded.value("a"), 3);
  ASSERT_EQ(recorded.value("b"), 4);
  EXPECT_EQ(difference(recorded, replay(at_once, recorded)), "");
  EXPECT_EQ(difference(recorded, replay(one_by_one, recorded)), "");
}

TEST(Outside, OnlyWhatWasReadyThenIsReadyAgain) {
  const SimProgram program{.threads = {{"T0", {"poll x y", "ready = $result"}}},
                           .start = {{"ready", 0}, {"x", 0}, {"y", 0}}};
  const SimRun recorded = run(with(program, {{"x", 1, 90 * kMillisecond}, {"y", 1, 0}}), kStay);
  ASSERT_EQ(recorded.value("ready"), 2);

  EXPECT_EQ(difference(recorded, replay(with(program, {{"x", 1, 0}, {"y", 1, 0}}), recorded)), "");
  // The other one comes first now.
  EXPECT_EQ(difference(recorded, replay(with(program, {{"x", 1, 0}, {"y", 1, 5}}), recorded)), "");
}

TEST(Outside, AnAttemptThatFoundNothingFindsNothingAgain) {
  const SimProgram program{.threads = {{"T0", {"tryreceive x", "busy = $result", "receive x"}}},
                           .start = {{"busy", 0}}};
  const SimRun recorded = run(with(program, {{"x", 3, kMillisecond}}), kStay);
  ASSERT_EQ(recorded.value("busy"), 1);

  const SimRun replayed = replay(with(program, {{"x", 3, 0}}), recorded);

  EXPECT_EQ(difference(recorded, replayed), "");
}

// --- What does not come again ---

const SimProgram kPatient{.threads = {{"T0", {"receive x", "got = x"}}}, .start = {{"got", 0}}};

TEST(Outside, AMessageThatNeverComesIsADivergence) {
  const SimRun recorded = run(with(kPatient, {{"x", 3, 0}}), kStay);

  expect_divergence(replay(with(kPatient, {}), recorded),
                    "the next thread waits for something outside that does not come");
}

TEST(Outside, AnotherMessageIsADivergence) {
  const SimRun recorded = run(with(kPatient, {{"x", 3, 0}}), kStay);

  expect_divergence(replay(with(kPatient, {{"x", 4, 0}}), recorded),
                    "something else came from outside than in the recorded run");
}

TEST(Outside, AnAnswerThatTheScheduleLacksIsADivergenceButNotLeniently) {
  const SimProgram program = with(kPatient, {{"x", 3, kMillisecond}});
  SimSchedule schedule = run(program, kStay).schedule;
  schedule.choices.clear();

  expect_divergence(run(program, schedule, Following::kStrict),
                    "something came from outside that did not come in the recorded run");
  const SimRun lenient = run(program, schedule, Following::kLenient);
  EXPECT_TRUE(lenient.passed());
  EXPECT_EQ(lenient.value("got"), 3);
}

TEST(Outside, LenientlyAnotherMessageIsAsGood) {
  const SimRun recorded = run(with(kPatient, {{"x", 3, 0}}), kStay);

  const SimRun lenient = run(with(kPatient, {{"x", 4, 0}}), recorded.schedule, Following::kLenient);

  EXPECT_TRUE(lenient.passed());
  EXPECT_EQ(lenient.value("got"), 4);
}

TEST(Outside, LenientlyNothingIsWaitedForBecauseItOnceCame) {
  const SimRun recorded = run(with(kImpatient, {{"x", 7, 0}}), kStay);

  const SimRun lenient = run(kImpatient, recorded.schedule, Following::kLenient);

  EXPECT_TRUE(lenient.passed());
  EXPECT_EQ(lenient.value("late"), 2);
}

// --- Parts of schedules ---

// The deadline comes although T1 could run.
SimRun time_out_by_choice(const SimProgram& program, std::vector<wire::Choice> choices) {
  const wire::Slice slice{.thread = {},
                          .until = {1, 1},
                          .site = {},
                          .end = wire::End::kPreempted,
                          .pending = wire::Operation::kOnce};
  return run(program, SimSchedule{.slices = {slice}, .choices = std::move(choices)},
             Following::kStrict);
}

TEST(Outside, AThreadMayTimeOutByChoiceWhileItHasTheTurn) {
  const SimProgram receives{.threads = {{"T0", {"receive x for 50ms", "step"}}, {"T1", {"step"}}}};
  const SimProgram waits{
      .threads = {{"T0", {"block", "sigwait for 50ms", "step"}}, {"T1", {"step"}}}};
  const wire::Choice timeout{.thread = {}, .clock = {0, 1}, .kind = wire::ChoiceKind::kTimeout};
  const wire::Choice nothing{.thread = {}, .clock = {0, 1}, .kind = wire::ChoiceKind::kExternal};

  const SimRun received = time_out_by_choice(receives, {timeout, nothing});
  const SimRun waited = time_out_by_choice(waits, {timeout});

  EXPECT_TRUE(received.passed()) << received.words.text;
  EXPECT_EQ(received.now, 50 * kMillisecond + kTimerSlack);
  EXPECT_TRUE(waited.passed()) << waited.words.text;
  EXPECT_EQ(waited.now, 50 * kMillisecond + kTimerSlack);
}

TEST(Outside, AScheduleThatEndsWhileEverybodyWaitsGoesOnByItsRule) {
  const SimProgram program{
      .threads = {{"T0", {"receive x", "a = x"}}, {"T1", {"receive y", "b = y"}}},
      .start = {{"a", 0}, {"b", 0}},
      .outside = {{"x", 3, 20 * kMillisecond}, {"y", 4, 50 * kMillisecond}}};
  SimSchedule schedule = run(program, kStay).schedule;
  ASSERT_EQ(schedule.slices[1].end, wire::End::kBlocked);
  schedule.slices.resize(2);  // both have come to wait
  schedule.complete = false;

  const SimRun longer = run(program, schedule, Following::kStrict);

  EXPECT_TRUE(longer.passed());
  EXPECT_EQ(longer.value("a"), 3);
  EXPECT_EQ(longer.value("b"), 4);
  EXPECT_EQ(difference(longer, replay(program, longer)), "");
}

// --- Signals ---

const SimProgram kHandles{.threads = {{"T0", {"pause", "seen = handled"}}},
                          .start = {{"handled", 0}, {"seen", 0}},
                          .handler = {"handled = handled + $signal"}};

TEST(OutsideSignals, EndAPauseOnceTheyHaveBeenHandled) {
  const SimRun recorded = run(with(kHandles, {{"signal", 12, kMillisecond}}), kStay);
  ASSERT_TRUE(recorded.passed());
  EXPECT_EQ(recorded.value("seen"), 12);
  EXPECT_EQ(recorded.choices(), "T0:0+1 signal 12, T0:0+1 passed 1000000");

  // Nobody has to send it again.
  EXPECT_EQ(difference(recorded, replay(with(kHandles, {}), recorded)), "");
}

TEST(OutsideSignals, OfAChildAreWaitedForAgain) {
  SimProgram program = kHandles;
  program.has_child = true;
  const SimRun recorded = run(with(program, {{"signal", 12, 0}}), kStay);
  ASSERT_EQ(recorded.value("seen"), 12);

  EXPECT_EQ(
      difference(recorded, replay(with(program, {{"signal", 12, 700 * kMillisecond}}), recorded)),
      "");
}

TEST(OutsideSignals, AreTakenByWhoeverWaitsForThem) {
  const SimProgram program{
      .threads = {{"T0", {"block", "sigwait", "got = $result"}}, {"T1", {"block", "step"}}},
      .start = {{"got", 0}}};
  const SimRun recorded = run(with(program, {{"signal", 3, kMillisecond}}), kStay);
  ASSERT_TRUE(recorded.passed());
  ASSERT_EQ(recorded.value("got"), 3);

  EXPECT_EQ(difference(recorded, replay(with(program, {}), recorded)), "");
}

TEST(OutsideSignals, OneAfterTheOtherAtTheSameWaitStayApart) {
  // T0 is woken by the first, waits again, and is woken by the second; then T1's sleep ends.
  const SimProgram program{
      .threads = {{"T0", {"receive x", "saw = woke"}}, {"T1", {"sleep 50ms", "woke = handled"}}},
      .start = {{"handled", 0}, {"woke", 0}, {"saw", 0}},
      .handler = {"handled = handled + 1"}};
  const SimRun recorded = run(with(program, {{"signal", 2, kMillisecond},
                                             {"signal", 2, 20 * kMillisecond},
                                             {"x", 1, 90 * kMillisecond}}),
                              kStay);
  ASSERT_EQ(recorded.value("saw"), 2);
  EXPECT_EQ(recorded.disagreement, "");

  EXPECT_EQ(difference(recorded, replay(with(program, {{"x", 1, 0}}), recorded)), "");
}

TEST(OutsideSignals, OneAfterTheOtherAtABarrierStayApart) {
  SimProgram program{
      .threads = {{"T0", {"barrier k 2"}}, {"T1", {"sleep 50ms", "woke = handled", "barrier k 2"}}},
      .start = {{"handled", 0}, {"woke", 0}},
      .handler = {"handled = handled + 1"},
      .has_child = true};
  const SimRun recorded =
      run(with(program, {{"signal", 2, kMillisecond}, {"signal", 2, 20 * kMillisecond}}), kStay);
  ASSERT_EQ(recorded.value("woke"), 2);

  EXPECT_EQ(
      difference(recorded, replay(with(program, {{"signal", 2, 0}, {"signal", 2, 0}}), recorded)),
      "");
}

TEST(OutsideSignals, ThatNobodyTakesDoNotChangeWhoCouldGoOn) {
  // While both wait a signal comes that both block; then something for each of them at once.
  const SimProgram program{
      .threads = {{"T0", {"block", "receive x"}}, {"T1", {"block", "receive y"}}},
      .outside = {{"signal", 2, 10 * kMillisecond},
                  {"x", 1, 20 * kMillisecond},
                  {"y", 1, 20 * kMillisecond}}};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const SimRun recorded =
        run(program,
            {.kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed});
    ASSERT_TRUE(recorded.passed());

    EXPECT_EQ(difference(recorded, replay(program, recorded)), "") << "seed " << seed;
  }
}

TEST(OutsideSignals, ThatComeEarlierThanThenAreLeftToTheSchedule) {
  const SimProgram program{.threads = {{"T0", {"sleep 10ms", "early = $result"}}},
                           .start = {{"early", 0}}};
  const SimRun recorded = run(program, kStay);

  const SimRun replayed = replay(with(program, {{"signal", 12, 0}}), recorded);

  EXPECT_EQ(difference(recorded, replayed), "");
}

TEST(OutsideSignals, AreNoHopeForThreadsThatWaitForEachOther) {
  // Whoever waits for signals does so for ever: it does not excuse the lost wake-up.
  const SimProgram program{
      .threads = {{"T0", {"lock m", "wait c m", "unlock m"}}, {"T1", {"block", "sigwait"}}}};
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const SimRun recorded = run(program, {.kind = wire::RuleKind::kRandom, .seed = seed});
    ASSERT_EQ(recorded.failure(), wire::FailureKind::kLostWakeup);

    EXPECT_EQ(difference(recorded, replay(program, recorded)), "");
  }
}

// Handlers see how far the loop has come, which is every 1,000 points.
const SimProgram kBusy{
    .threads = {{"T0", {"$i = 0", "while $i < 2500", "step", "$i = $i + 1", "count = $i", "end"}}},
    .start = {{"count", 0}, {"seen", 0}},
    .handler = {"seen = seen + count"}};

TEST(OutsideSignals, AreSeenEveryThousandPointsWhileThreadsRun) {
  const SimRun recorded = run(with(kBusy, {{"signal", 2, 0}}), kStay);
  ASSERT_EQ(recorded.choices(), "T0:999+1 signal 2");
  EXPECT_EQ(recorded.value("seen"), 999);

  EXPECT_EQ(difference(recorded, replay(with(kBusy, {}), recorded)), "");
}

TEST(OutsideSignals, ThatHadNotComeYetAreNotSeenAgain) {
  const SimRun recorded = run(kBusy, kStay);
  ASSERT_EQ(recorded.value("seen"), 0);

  EXPECT_EQ(difference(recorded, replay(with(kBusy, {{"signal", 2, 0}}), recorded)), "");
}

TEST(OutsideSignals, AreNotFollowedLeniently) {
  const SimRun recorded = run(with(kBusy, {{"signal", 2, 0}}), kStay);

  const SimRun lenient = run(kBusy, recorded.schedule, Following::kLenient);

  EXPECT_TRUE(lenient.passed());
  EXPECT_EQ(lenient.value("seen"), 0);
}

}  // namespace
}  // namespace unravel
