#include "run/outcome.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstring>

namespace unravel {
namespace {

using Noted = wire::LastWords::Kind;

Ending noted(Noted kind, wire::FailureKind failure, const char* text = "") {
  Ending ending;
  ending.slot.last_words = kind;
  ending.words.kind = kind;
  ending.words.failure = failure;
  ending.words.thread = {.ordinal = 2};
  std::strncpy(ending.words.text, text, sizeof ending.words.text - 1);
  return ending;
}

Ending with_status(int status) {
  Ending ending;
  ending.slot.wait_status = status;
  return ending;
}

int exited(int code) { return code << 8; }

TEST(Outcome, OfARunThatExitsWithZeroIsPassed) {
  const Verdict verdict = judge(with_status(0), {});

  EXPECT_EQ(verdict.outcome, Outcome::kPassed);
  EXPECT_FALSE(verdict.failure);
  EXPECT_EQ(verdict.explanation, "");
}

TEST(Outcome, OfAnotherExitStatusIsAFailureThatNamesIt) {
  const Verdict verdict = judge(with_status(exited(3)), {});

  ASSERT_EQ(verdict.outcome, Outcome::kFailed);
  EXPECT_EQ(verdict.failure->kind, FailureKind::kExit);
  EXPECT_EQ(verdict.failure->detail, "exit status 3");
}

TEST(Outcome, OfAnExitStatusIsTheOneThatOthersSee) {
  Ending ending = noted(Noted::kFailure, wire::FailureKind::kExit);
  ending.words.number = -1;

  EXPECT_EQ(judge(ending, {}).failure->detail, "exit status 255");
}

TEST(Outcome, OfATestThatWasSkippedIsUnresolved) {
  Ending ending = noted(Noted::kFailure, wire::FailureKind::kExit);
  ending.words.number = 77;
  for (const Ending& one : {ending, with_status(exited(77))}) {
    const Verdict verdict = judge(one, {}, 77);
    EXPECT_EQ(verdict.outcome, Outcome::kUnresolved);
    EXPECT_EQ(verdict.reason, Reason::kSkipped);
    EXPECT_EQ(verdict.explanation, "the program skipped the test (exit status 77)");
    EXPECT_EQ(judge(one, {}, 78).outcome, Outcome::kFailed);
    EXPECT_EQ(judge(one, {}, std::nullopt).outcome, Outcome::kFailed);
  }
}

TEST(Outcome, OfARunThatHadOneThreadSaysNothing) {
  wire::RunSlot slot;
  slot.threads = 1;
  EXPECT_EQ(if_tested({}, slot).reason, Reason::kNoSecondThread);
  EXPECT_EQ(if_tested({}, slot).explanation,
            "the program starts no second thread: nothing to interleave");
  slot.children = 1;
  EXPECT_EQ(if_tested({}, slot).reason, Reason::kChildren);
  EXPECT_EQ(if_tested({}, slot).explanation,
            "the program starts no second thread, but a child process, which is not controlled: "
            "what runs in children is not tested");
  EXPECT_EQ(if_tested({}, slot, "a thread made by clone()").reason, Reason::kUncontrolled);
  EXPECT_EQ(if_tested({}, slot, "a thread made by clone()").explanation,
            "unravel controls only one thread of this program; a thread made by clone() is not "
            "controlled");
  slot.threads = 2;
  EXPECT_EQ(if_tested({}, slot).outcome, Outcome::kPassed);
}

TEST(Outcome, OfARunThatHadOneThreadAndFailedIsAFailure) {
  wire::RunSlot slot;
  slot.threads = 1;
  const Verdict verdict = if_tested(judge(with_status(exited(3)), {}), slot);
  EXPECT_EQ(verdict.outcome, Outcome::kFailed);
}

TEST(Outcome, OfADeadlySignalIsAFailureThatNamesIt) {
  const Verdict verdict = judge(with_status(SIGSEGV), {});

  ASSERT_EQ(verdict.outcome, Outcome::kFailed);
  EXPECT_EQ(verdict.failure->kind, FailureKind::kSignal);
  EXPECT_EQ(verdict.failure->detail, "SIGSEGV");
}

TEST(Outcome, OfASignalWithoutANameGivesItsNumber) {
  EXPECT_EQ(signal_name(SIGRTMIN + 6), "signal " + std::to_string(SIGRTMIN + 6));
}

TEST(Outcome, OfAnAssertionKeepsItsTextAndThreadAlthoughTheProcessAborted) {
  Ending ending = noted(Noted::kFailure, wire::FailureKind::kAssert, "x == 2");
  ending.slot.wait_status = SIGABRT;

  const Verdict verdict = judge(ending, {});

  ASSERT_EQ(verdict.outcome, Outcome::kFailed);
  EXPECT_EQ(verdict.failure->kind, FailureKind::kAssert);
  EXPECT_EQ(verdict.failure->detail, "x == 2");
  EXPECT_EQ(verdict.failure->thread, 2u);
}

TEST(Outcome, OfAnUncaughtExceptionNamesItsTypeAsTheSourceDoes) {
  const Verdict verdict =
      judge(noted(Noted::kFailure, wire::FailureKind::kTerminate, "St13runtime_error"), {});

  EXPECT_EQ(verdict.failure->detail, "uncaught std::runtime_error");
}

TEST(Outcome, OfADivergenceIsDivergedWhateverTheProcessDidThen) {
  Ending ending = noted(Noted::kDivergence, wire::FailureKind::kNone, "T1 is blocked");
  ending.slot.wait_status = exited(1);

  const Verdict verdict = judge(ending, {});

  EXPECT_EQ(verdict.outcome, Outcome::kDiverged);
  EXPECT_EQ(verdict.explanation, "at T2:0 the run left its schedule: T1 is blocked");
}

TEST(Outcome, OfADivergenceSaysWhatTheScheduleAskedFor) {
  Ending ending = noted(Noted::kDivergence, wire::FailureKind::kNone);
  ending.words.has_expected = 1;
  ending.words.expected = {.thread = {.ordinal = 1},
                           .until = {.operations = 4, .hooks = 1},
                           .pending = wire::Operation::kLock};

  EXPECT_EQ(judge(ending, {}).explanation,
            "at T2:0 the run left its schedule; there it has T1:4+1 before lock");
}

TEST(Outcome, OfTheRuntimesOwnTroubleIsNeverTheProgramsFailure) {
  const Verdict verdict = judge(noted(Noted::kError, wire::FailureKind::kNone, "no room"), {});

  EXPECT_EQ(verdict.outcome, Outcome::kError);
  EXPECT_FALSE(verdict.failure);
}

TEST(Outcome, OfARunThatWeEndedIsUnresolved) {
  Ending ending = with_status(SIGKILL);
  ending.stopped = "still running after 10 s, 5 steps";
  ending.out_of_time = true;

  const Verdict verdict = judge(ending, {});

  EXPECT_EQ(verdict.outcome, Outcome::kUnresolved);
  EXPECT_EQ(verdict.explanation, "still running after 10 s, 5 steps");
}

TEST(Outcome, OfARunThatWeEndedIsAFailureWhereTimeoutsAreTargets) {
  Ending ending = with_status(SIGKILL);
  ending.stopped = "still running after 10 s, 5 steps";
  ending.out_of_time = true;
  const Targets targets{.kinds = {FailureKind::kTimeout}};

  const Verdict verdict = judge(ending, targets);

  ASSERT_EQ(verdict.outcome, Outcome::kFailed);
  EXPECT_EQ(verdict.failure->kind, FailureKind::kTimeout);
}

TEST(Outcome, OfTooMuchOutputIsUnresolvedEvenWhereTimeoutsAreTargets) {
  Ending ending = with_status(SIGKILL);
  ending.stopped = "it wrote more than 5 bytes of output";
  const Targets targets{.kinds = {FailureKind::kTimeout}};

  EXPECT_EQ(judge(ending, targets).outcome, Outcome::kUnresolved);
}

TEST(Outcome, OfTooManyStepsFollowsTheTargetsAsTimeDoes) {
  Ending ending = noted(Noted::kUnresolved, wire::FailureKind::kNone, "too many steps");
  ending.slot.steps = ending.most_steps = 100;
  const Targets targets{.kinds = {FailureKind::kTimeout}};

  EXPECT_EQ(judge(ending, {}).outcome, Outcome::kUnresolved);
  EXPECT_EQ(judge(ending, targets).outcome, Outcome::kFailed);
}

TEST(Outcome, OfAFailureThatIsNoTargetIsPassedAndSaysSo) {
  const Targets targets{.kinds = {FailureKind::kDeadlock}};

  const Verdict verdict = judge(with_status(exited(3)), targets);

  EXPECT_EQ(verdict.outcome, Outcome::kPassed);
  EXPECT_EQ(verdict.explanation,
            "it ended with exit (exit status 3), which is not among the targets");
}

TEST(Outcome, OfARunOutsideAnyBatchComesFromItsLastWords) {
  Ending ending = noted(Noted::kFailure, wire::FailureKind::kAssert, "x");
  ending.slot.last_words = Noted::kNothing;

  EXPECT_EQ(judge(ending, {}).outcome, Outcome::kFailed);
}

TEST(Outcome, ByAnOracleFollowsGitBisect) {
  EXPECT_EQ(judge_oracle(0, {}).outcome, Outcome::kPassed);
  EXPECT_EQ(judge_oracle(125, {}).outcome, Outcome::kUnresolved);
  ASSERT_EQ(judge_oracle(1, {}).outcome, Outcome::kFailed);
  EXPECT_EQ(judge_oracle(1, {}).failure->kind, FailureKind::kOracle);
}

ClientEnd ended(ClientEnd::Kind kind, int number = 0) {
  ClientEnd end;
  end.kind = kind;
  end.number = number;
  return end;
}

TEST(Outcome, OfARunIsItsClientsVerdict) {
  const auto exited_with = [](int number) {
    return judge_client(ended(ClientEnd::Kind::kExited, number), {}, 77);
  };
  EXPECT_EQ(exited_with(0).outcome, Outcome::kPassed);
  EXPECT_EQ(exited_with(125).reason, Reason::kOracle);
  EXPECT_EQ(exited_with(77).reason, Reason::kSkipped);
  ASSERT_EQ(exited_with(3).outcome, Outcome::kFailed);
  EXPECT_EQ(exited_with(3).failure->kind, FailureKind::kOracle);
  EXPECT_EQ(exited_with(3).failure->detail, "client exit status 3");
  const Verdict killed = judge_client(ended(ClientEnd::Kind::kKilled, SIGSEGV), {}, 77);
  ASSERT_EQ(killed.outcome, Outcome::kFailed);
  EXPECT_EQ(killed.failure->detail, "client SIGSEGV");
}

TEST(Outcome, OfARunWithoutAVerdictOfItsClientIsUnresolved) {
  for (const ClientEnd::Kind kind : {ClientEnd::Kind::kNotStarted, ClientEnd::Kind::kUnfinished}) {
    const Verdict verdict = judge_client(ended(kind), {}, 77);
    EXPECT_EQ(verdict.outcome, Outcome::kUnresolved);
    EXPECT_EQ(verdict.reason, Reason::kClient);
    EXPECT_NE(verdict.explanation, "");
  }
}

TEST(Outcome, OfAClientIsNoFailureIfItIsNoTarget) {
  Targets targets;
  targets.kinds = {FailureKind::kDeadlock};

  const Verdict verdict = judge_client(ended(ClientEnd::Kind::kExited, 1), targets, 77);

  EXPECT_EQ(verdict.outcome, Outcome::kPassed);
  EXPECT_NE(verdict.explanation, "");
}

wire::CycleEdge edge(std::uint32_t thread, wire::Operation operation, std::uint64_t wanted) {
  wire::CycleEdge made;
  made.thread = {.ordinal = thread};
  made.wanted = wanted;
  made.wanted_operation = operation;
  return made;
}

TEST(Outcome, OfADeadlockTellsItsCycle) {
  Ending ending = noted(Noted::kFailure, wire::FailureKind::kDeadlock);
  ending.words.cycle_length = 2;
  ending.words.cycle[0] = edge(1, wire::Operation::kLock, 0x2000);
  ending.words.cycle[1] = edge(2, wire::Operation::kLock, 0x1000);

  EXPECT_EQ(judge(ending, {}).failure->detail, "T1→mutex 1→T2→mutex 2→T1");
}

TEST(Outcome, OfADeadlockWithItselfOrAJoinIsACycleToo) {
  ObjectNames names;
  const wire::CycleEdge alone[] = {edge(1, wire::Operation::kLock, 0x2000)};
  const wire::CycleEdge joined[] = {edge(0, wire::Operation::kJoin, 1),
                                    edge(1, wire::Operation::kWriteLock, 0x3000)};

  EXPECT_EQ(describe_cycle(alone, names), "T1→mutex 1→T1");
  EXPECT_EQ(describe_cycle(joined, names), "T0→join→T1→rwlock 1→T0");
}

TEST(Doubt, TurnsAStandstillThatOthersCouldEndIntoNoFailure) {
  for (const auto kind : {wire::FailureKind::kDeadlock, wire::FailureKind::kLostWakeup,
                          wire::FailureKind::kLivelock}) {
    const Verdict verdict = doubt(judge(noted(Noted::kFailure, kind), {}), "a timer");

    EXPECT_EQ(verdict.outcome, Outcome::kUnresolved);
    EXPECT_FALSE(verdict.failure);
    EXPECT_NE(verdict.explanation.find("but a timer took part"), std::string::npos);
  }
}

TEST(Doubt, LeavesEveryOtherVerdictAlone) {
  EXPECT_EQ(doubt(judge(with_status(0), {}), "a timer").outcome, Outcome::kPassed);
  EXPECT_EQ(doubt(judge(with_status(exited(3)), {}), "a timer").failure->detail, "exit status 3");
  EXPECT_EQ(doubt({Outcome::kUnresolved, std::nullopt, "why"}, "a timer").explanation, "why");
}

TEST(Outcome, OfAFailureWithALateDeadlineIsUnresolvedAndSaysWhy) {
  const Verdict failed = judge(with_status(exited(3)), {});
  ASSERT_TRUE(failed.failure);

  const Verdict verdict = cannot_tell(*failed.failure, {.computing_thread = 1,
                                                        .computed = std::chrono::milliseconds(3210),
                                                        .waiting_thread = 0,
                                                        .left = std::chrono::milliseconds(5)});

  EXPECT_EQ(verdict.outcome, Outcome::kUnresolved);
  EXPECT_EQ(name(verdict.reason), "late-deadline");
  EXPECT_FALSE(verdict.failure);
  EXPECT_EQ(
      verdict.explanation,
      "it ended as exit (exit status 3), but T1 computed for 3.2 s without a synchronisation "
      "operation while T0 waited for at most 5 ms: natively that wait would have ended. If it "
      "does not matter, use --timeouts idle");
}

TEST(Outcome, OfADamagedCycleStaysInsideItsTable) {
  wire::LastWords words;
  words.cycle_length = 4'000'000;

  EXPECT_EQ(cycle_of(words).size(), wire::kMostCycle);
}

TEST(ObjectNames, CountEachKindInTheOrderOfAppearance) {
  ObjectNames names;

  EXPECT_EQ(names.name(wire::Operation::kLock, 0x20), "mutex 1");
  EXPECT_EQ(names.name(wire::Operation::kTryLock, 0x10), "mutex 2");
  EXPECT_EQ(names.name(wire::Operation::kUnlock, 0x20), "mutex 1");
  EXPECT_EQ(names.name(wire::Operation::kWait, 0x20), "condition 1");
  EXPECT_EQ(names.name(wire::Operation::kJoin, 3), "T3");
  EXPECT_EQ(names.name(wire::Operation::kYield, 0), "");
}

TEST(Clocks, PrintWithTheirHooksOnlyWhereThereAreAny) {
  EXPECT_EQ(describe({.ordinal = 1}, {.operations = 12, .hooks = 37}), "T1:12+37");
  EXPECT_EQ(describe({.ordinal = 0}, {.operations = 12}), "T0:12");
}

}  // namespace
}  // namespace unravel
