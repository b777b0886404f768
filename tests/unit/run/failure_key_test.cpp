#include "run/failure_key.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

Frame frame(std::string function, std::string file, int line) {
  return {.function = std::move(function), .file = std::move(file), .line = line};
}

Failure failure_at(FailureKind kind, Frame site) {
  Failure failure;
  failure.kind = kind;
  failure.stack = {site};
  failure.site = std::move(site);
  return failure;
}

TEST(Key, IsKindAndPlace) {
  Failure failure = failure_at(FailureKind::kAssert, frame("worker", "src/a.c", 31));
  failure.detail = "x == 17";
  failure.thread = 4;

  set_key(failure, {});

  EXPECT_EQ(failure.key, "assert: worker src/a.c:31");
  EXPECT_FALSE(failure.weak_key);
}

TEST(Key, OfAnExitIsItsStatus) {
  Failure failure = failure_at(FailureKind::kExit, frame("main", "a.c", 3));
  failure.detail = "exit status 3";

  set_key(failure, {});

  EXPECT_EQ(failure.key, "exit: exit status 3");
  EXPECT_FALSE(failure.weak_key);
}

TEST(Key, OfAnotherOutputIsTheSameWhateverLineDiffers) {
  Failure failure;
  failure.kind = FailureKind::kOracle;
  failure.detail = "output differs from expected: line 3: expected 'x', got 'y'";

  set_key(failure, {});

  EXPECT_EQ(failure.key, "oracle: output differs from expected");
}

TEST(Key, OfADeadlockDoesNotDependOnWhichThreadIsNamedFirst) {
  const CycleSites first{.held = "f a.c:1", .wanted = "f a.c:2"};
  const CycleSites second{.held = "g a.c:7", .wanted = "g a.c:8"};
  Failure one = failure_at(FailureKind::kDeadlock, frame("f", "a.c", 2));
  Failure other = failure_at(FailureKind::kDeadlock, frame("g", "a.c", 8));

  set_key(one, {first, second});
  set_key(other, {second, first});

  EXPECT_EQ(one.key, other.key);
  EXPECT_EQ(one.key, "deadlock: held f a.c:1, wanted f a.c:2; held g a.c:7, wanted g a.c:8");
}

TEST(Key, OfADeadlockKeepsTheOrderOfItsCycle) {
  const CycleSites a{.held = "a", .wanted = "a"}, b{.held = "b", .wanted = "b"},
      c{.held = "c", .wanted = "c"};
  Failure one, other;
  one.kind = other.kind = FailureKind::kDeadlock;

  set_key(one, {a, b, c});
  set_key(other, {a, c, b});

  EXPECT_NE(one.key, other.key);
}

TEST(Key, OfHeapCorruptionIsWeak) {
  Failure failure = failure_at(FailureKind::kSignal, frame("worker", "a.c", 9));
  failure.stack = {frame("raise", "", 0), frame("malloc_printerr", "", 0),
                   frame("worker", "a.c", 9)};

  set_key(failure, {});

  EXPECT_TRUE(failure.weak_key);
}

TEST(Key, WithoutAPlaceIsWeakAndHasNoAddress) {
  Failure failure;
  failure.kind = FailureKind::kSignal;
  failure.detail = "SIGKILL";

  set_key(failure, {});

  EXPECT_EQ(failure.key, "signal: SIGKILL");
  EXPECT_TRUE(failure.weak_key);
}

TEST(Place, OfCodeWithoutSourceIsAnOffsetIntoItsFile) {
  Frame unknown{.function = "f", .module = "/usr/lib/libx.so", .offset = 0x1234};

  EXPECT_EQ(describe_place(unknown), "f libx.so+0x1234");
}

}  // namespace
}  // namespace unravel
