#include "data/targets.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

Stack stack_of(const std::string& function, const std::string& file) {
  Frame inner;
  inner.function = function;
  inner.file = file;
  Frame main;
  main.function = "main";
  main.file = "/src/main.c";
  return {inner, main};
}

Failure failed_assertion() {
  Failure failure;
  failure.kind = FailureKind::kAssert;
  failure.detail = "queue.size() == 0";
  failure.thread = 1;
  failure.stack = stack_of("drain(Queue&)", "/src/queue.cpp");
  failure.threads = {{1, "running", failure.stack},
                     {2, "blocked in lock", stack_of("feed", "/src/feeder.cpp")}};
  return failure;
}

/// T1 and T2 wait for each other, T3 for somebody else.
Failure deadlock() {
  Failure failure;
  failure.kind = FailureKind::kDeadlock;
  failure.detail = "T1→mutex 1→T2→mutex 2→T1";
  failure.thread = 1;
  failure.stack = stack_of("move_to", "/src/a.c");
  failure.threads = {{1, "blocked in lock", failure.stack},
                     {2, "blocked in lock", stack_of("move_from", "/src/b.c")},
                     {3, "waiting in wait", stack_of("idle", "/src/c.c")},
                     {12, "blocked in join", stack_of("wait_for_all", "/src/d.c")}};
  return failure;
}

bool matches(const std::vector<std::string>& items, const Failure& failure,
             const std::string& error_output = {}) {
  const Result<Targets> targets = parse_targets(items);
  return targets.value().match(failure, error_output);
}

TEST(Targets, ThatAreNotGivenAreAllFailuresButATimeout) {
  Failure timeout;
  timeout.kind = FailureKind::kTimeout;

  EXPECT_TRUE(matches({}, failed_assertion()));
  EXPECT_TRUE(matches({}, deadlock()));
  EXPECT_FALSE(matches({}, timeout));
  EXPECT_TRUE(matches({"timeout"}, timeout));
}

TEST(Targets, OfAnyKindThatIsNamedMatch) {
  EXPECT_TRUE(matches({"assert"}, failed_assertion()));
  EXPECT_TRUE(matches({"deadlock", "assert"}, failed_assertion()));
  EXPECT_FALSE(matches({"deadlock", "signal"}, failed_assertion()));
}

TEST(Targets, WithoutAKindLeaveOutTimeoutsStill) {
  const Targets targets = parse_targets({"text:still running"}).value();

  EXPECT_FALSE(targets.allow(FailureKind::kTimeout));
  EXPECT_TRUE(targets.allow(FailureKind::kSignal));
}

TEST(Targets, ByTextLookAtTheDetailAndAtTheErrorOutput) {
  EXPECT_TRUE(matches({"text:size() == 0"}, failed_assertion()));
  EXPECT_TRUE(matches({"text:lost an item"}, failed_assertion(), "oh: lost an item\n"));
  EXPECT_FALSE(matches({"text:lost an item"}, failed_assertion(), "oh: lost items\n"));
  EXPECT_TRUE(matches({"text:no", "text:size"}, failed_assertion()));
}

TEST(Targets, ByTextDoNotLookAtTheStack) {
  EXPECT_FALSE(matches({"text:drain"}, failed_assertion()));
}

TEST(Targets, ByStackLookAtFunctionsAndFilesOfTheFailingThread) {
  EXPECT_TRUE(matches({"stack:drain"}, failed_assertion()));
  EXPECT_TRUE(matches({"stack:main"}, failed_assertion()));
  EXPECT_TRUE(matches({"stack:/queue.cpp"}, failed_assertion()));
  EXPECT_FALSE(matches({"stack:feed"}, failed_assertion()));
  EXPECT_TRUE(matches({"stack:feed", "stack:drain"}, failed_assertion()));
}

TEST(Targets, ByStackLookAtAllThreadsOfACycleAndAtNoOther) {
  EXPECT_TRUE(matches({"stack:move_to"}, deadlock()));
  EXPECT_TRUE(matches({"stack:move_from"}, deadlock()));
  EXPECT_FALSE(matches({"stack:idle"}, deadlock()));
  EXPECT_FALSE(matches({"stack:wait_for_all"}, deadlock()));
}

TEST(Targets, ByStackLookAtAllThreadsWhereNobodyIsLeftToRun) {
  Failure failure = deadlock();
  failure.kind = FailureKind::kLostWakeup;
  failure.detail = "blocked for ever: no thread is left that could wake it";

  EXPECT_TRUE(matches({"stack:idle"}, failure));
  EXPECT_FALSE(matches({"stack:nobody"}, failure));
}

TEST(Targets, OfSeveralGroupsMustFitInAll) {
  EXPECT_TRUE(matches({"assert", "text:queue", "stack:drain"}, failed_assertion()));
  EXPECT_FALSE(matches({"signal", "text:queue", "stack:drain"}, failed_assertion()));
  EXPECT_FALSE(matches({"assert", "text:stack", "stack:drain"}, failed_assertion()));
  EXPECT_FALSE(matches({"assert", "text:queue", "stack:feed"}, failed_assertion()));
}

TEST(Targets, AreReadInAnyOrder) {
  const Result<Targets> targets =
      parse_targets({"text:a: b", "lost-wakeup", "stack:ns::f(int)", "oracle", "text:c"});

  ASSERT_TRUE(targets);
  EXPECT_EQ(*targets, (Targets{.kinds = {FailureKind::kLostWakeup, FailureKind::kOracle},
                               .texts = {"a: b", "c"},
                               .stacks = {"ns::f(int)"}}));
  EXPECT_FALSE(targets->empty());
  EXPECT_TRUE(parse_targets({})->empty());
}

TEST(Targets, ThatSayNothingAreRefusedWithWhatThereIs) {
  for (const std::string item : {"", "deadlok", "Text:x", "deadlock:x"}) {
    const Result<Targets> targets = parse_targets({"assert", item});

    ASSERT_FALSE(targets) << item;
    EXPECT_EQ(targets.error().what, "there is no kind of failure '" + item + "'");
    EXPECT_NE(targets.error().why.find("lost-wakeup"), std::string::npos);
    EXPECT_NE(targets.error().hint.find("text:WORDS"), std::string::npos);
    EXPECT_NE(targets.error().hint.find("stack:NAME"), std::string::npos);
  }
  for (const std::string item : {"text:", "stack:"}) {
    EXPECT_EQ(parse_targets({item}).error().what, "there is nothing after '" + item + "'");
  }
}

}  // namespace
}  // namespace unravel
