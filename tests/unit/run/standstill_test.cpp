#include "run/standstill.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

using wire::Operation;
using wire::ThreadState;

StillThread still(std::uint32_t ordinal, ThreadState state, Operation pending, int line) {
  StillThread thread;
  thread.record.thread.ordinal = ordinal;
  thread.record.state = state;
  thread.record.pending = pending;
  thread.stack = {
      {.function = "work", .file = "server.c", .line = line, .module = "/home/me/server"}};
  return thread;
}

StillThread waiting(std::uint32_t ordinal, Operation pending, int line) {
  return still(ordinal, ThreadState::kBlocked, pending, line);
}

std::vector<wire::ThreadRecord> records_of(const std::vector<StillThread>& threads) {
  std::vector<wire::ThreadRecord> records;
  for (const StillThread& thread : threads) records.push_back(thread.record);
  return records;
}

TEST(EveryThreadWaits, UnlessOneCanRun) {
  std::vector<StillThread> threads = {
      waiting(0, Operation::kJoin, 20), still(1, ThreadState::kEnded, Operation::kNone, 1),
      still(2, ThreadState::kFree, Operation::kNone, 1), waiting(3, Operation::kRead, 10)};
  EXPECT_TRUE(every_thread_waits(records_of(threads)));

  threads.push_back(still(4, ThreadState::kRunnable, Operation::kRead, 10));
  EXPECT_FALSE(every_thread_waits(records_of(threads)));
}

TEST(EveryThreadWaits, NotWhereThereIsNone) {
  EXPECT_FALSE(every_thread_waits({}));
  EXPECT_FALSE(
      every_thread_waits(records_of({still(0, ThreadState::kEnded, Operation::kNone, 1)})));
}

TEST(Waits, TellWhoWaitsForWhatAndWhoDoesNot) {
  const std::vector<wire::ThreadRecord> records = records_of(
      {waiting(0, Operation::kJoin, 20), still(1, ThreadState::kEnded, Operation::kNone, 1),
       still(2, ThreadState::kRunnable, Operation::kLock, 5), waiting(3, Operation::kLock, 7)});
  const auto stack_at = [](wire::Site) {
    return Stack{{.function = "work", .file = "a.c", .line = 3, .module = "/home/me/a"}};
  };
  EXPECT_EQ(describe_waits(records, stack_at),
            "T0 waits in join at work a.c:3, T2 can go on, T3 waits in lock at work a.c:3");
  EXPECT_EQ(describe_waits({}, stack_at), "");

  const std::vector<wire::ThreadRecord> many(9, records[0]);
  EXPECT_TRUE(describe_waits(many, [](wire::Site) { return Stack(); }).ends_with(" and 3 more"));
}

TEST(OutsideWait, NamesTheThreadThatWaitsOutsideAndNotTheOneThatJoinsIt) {
  const std::string text = describe(
      Standstill::kOutside, {waiting(0, Operation::kJoin, 20), waiting(1, Operation::kRead, 10)});

  EXPECT_EQ(text, std::string(name(Standstill::kOutside)) + ": T1 in read at work server.c:10");
}

TEST(OutsideWait, NamesAFewOfMany) {
  std::vector<StillThread> threads;
  for (std::uint32_t i = 0; i < 5; ++i) threads.push_back(waiting(i, Operation::kAccept, 30));

  const std::string text = describe(Standstill::kOutside, threads);

  EXPECT_NE(text.find("T0 in accept at work server.c:30, T1 in accept"), text.npos) << text;
  EXPECT_TRUE(text.ends_with("T2 in accept at work server.c:30 and 2 more")) << text;
}

TEST(OutsideWait, NamesEverybodyIfNoOperationShowsIt) {
  const std::vector<StillThread> threads = {waiting(0, Operation::kJoin, 20),
                                            waiting(1, Operation::kSemWait, 10)};

  EXPECT_EQ(waiting_outside(threads).size(), 2);
}

TEST(Silence, IsToldWithThePlaceOfWhoeverHasTheTurn) {
  StillThread loops = still(1, ThreadState::kRunnable, Operation::kNone, 5);
  loops.has_turn = true;
  const std::vector<StillThread> threads = {waiting(0, Operation::kJoin, 20), loops};

  const std::string loop = describe(Standstill::kLoop, threads);
  const std::string wait = describe(Standstill::kWait, threads);

  EXPECT_TRUE(loop.starts_with("a loop without synchronisation at work server.c:5; ")) << loop;
  EXPECT_NE(wait.find("system call that is not controlled at work server.c:5; "), wait.npos);
}

TEST(Standstill, IsToldFromALimitOfAnotherKind) {
  unravel::Run run;
  EXPECT_FALSE(concern_about_standstill(run));
  run.explanation = "step limit reached";
  EXPECT_FALSE(concern_about_standstill(run));
}

TEST(Standstill, OfEachKindHasAnAnswerOfItsOwn) {
  std::vector<std::string> advice;
  for (const auto kind : {Standstill::kLoop, Standstill::kWait, Standstill::kOutside}) {
    unravel::Run run;
    run.explanation =
        "no scheduling point for 10 s: " + describe(kind, {waiting(0, Operation::kRead, 5)});

    const auto concern = concern_about_standstill(run);

    ASSERT_TRUE(concern) << run.explanation;
    EXPECT_EQ(concern->evidence, run.explanation);
    EXPECT_EQ(concern->weight, Concern::Weight::kCertain);
    advice.push_back(concern->advice);
  }
  EXPECT_NE(advice[0], advice[1]);
  EXPECT_NE(advice[1], advice[2]);
  EXPECT_NE(advice[2].find("client"), std::string::npos);
}

}  // namespace
}  // namespace unravel
