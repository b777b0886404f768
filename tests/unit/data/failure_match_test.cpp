#include "data/failure_match.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

Failure failure(FailureKind kind, std::string key, std::string detail = {}) {
  Failure made;
  made.kind = kind;
  made.key = std::move(key);
  made.detail = std::move(detail);
  made.site = Frame{.function = "worker", .file = "a.c", .line = 1, .module = {}, .offset = 0};
  return made;
}

TEST(FailureMatch, IgnoresTheLine) {
  EXPECT_TRUE(is_same_failure(failure(FailureKind::kSignal, "signal: worker src/a.c:31"),
                              failure(FailureKind::kSignal, "signal: worker src/a.c:7")));
}

TEST(FailureMatch, IgnoresTheOffsetOfCodeWithoutSource) {
  EXPECT_TRUE(is_same_failure(failure(FailureKind::kSignal, "signal: worker libx.so+0x1234"),
                              failure(FailureKind::kSignal, "signal: worker libx.so+0x12f")));
}

TEST(FailureMatch, TellsFunctionsFilesAndKindsApart) {
  const Failure one = failure(FailureKind::kSignal, "signal: worker a.c:31");

  EXPECT_FALSE(is_same_failure(one, failure(FailureKind::kSignal, "signal: reader a.c:31")));
  EXPECT_FALSE(is_same_failure(one, failure(FailureKind::kSignal, "signal: worker b.c:31")));
  EXPECT_FALSE(is_same_failure(one, failure(FailureKind::kTerminate, "terminate: worker a.c:31")));
}

TEST(FailureMatch, TellsAssertionsOfOneFunctionApartByTheirText) {
  const Failure one = failure(FailureKind::kAssert, "assert: main a.c:31",
                              "a.c:31: main: Assertion `counter == 2' failed.");

  EXPECT_TRUE(is_same_failure(one, failure(FailureKind::kAssert, "assert: main a.c:33",
                                           "a.c:33: main: Assertion `counter == 2' failed.")));
  EXPECT_FALSE(is_same_failure(one, failure(FailureKind::kAssert, "assert: main a.c:31",
                                            "a.c:31: main: Assertion `sum == 4' failed.")));
}

TEST(FailureMatch, FindsAnAssertionWithoutAPlaceByItsText) {
  const auto assertion = [](const std::string& detail) {
    Failure made = failure(FailureKind::kAssert, "assert: " + detail, detail);
    made.site.reset();
    return made;
  };

  EXPECT_TRUE(is_same_failure(assertion("a.c:31: main: Assertion `sum == 4' failed."),
                              assertion("a.c:33: main: Assertion `sum == 4' failed.")));
}

TEST(FailureMatch, KeepsWhatIsNoLine) {
  EXPECT_FALSE(is_same_failure(failure(FailureKind::kExit, "exit: exit status:3"),
                               failure(FailureKind::kExit, "exit: exit status:4")));
}

TEST(FailureMatch, FindsADeadlockWhoseCycleIsToldFromAnotherThread) {
  // By lines the first edge is told first in one build, the second in the other.
  const Failure before = failure(
      FailureKind::kDeadlock,
      "deadlock: held left a.c:10, wanted left a.c:11; held left a.c:9, wanted right a.c:8");
  const Failure now =
      failure(FailureKind::kDeadlock,
              "deadlock: held left a.c:12, wanted right a.c:11; held left a.c:13, wanted left "
              "a.c:14");

  EXPECT_TRUE(is_same_failure(before, now));
}

TEST(FailureMatch, TellsDeadlocksApartByTheirFunctions) {
  EXPECT_FALSE(is_same_failure(failure(FailureKind::kDeadlock,
                                       "deadlock: held f a.c:1, wanted f a.c:2; held g a.c:3, "
                                       "wanted g a.c:4"),
                               failure(FailureKind::kDeadlock,
                                       "deadlock: held f a.c:1, wanted f a.c:2; held h a.c:3, "
                                       "wanted h a.c:4")));
}

TEST(FailureMatch, TakesTimeoutsForTheSameWhereverTheyStruck) {
  EXPECT_TRUE(is_same_failure(failure(FailureKind::kTimeout, "timeout: worker a.c:1"),
                              failure(FailureKind::kTimeout, "timeout: reader b.c:2")));
}

TEST(FailureMatch, TakesAHeaderOfTheLibraryForAnyPlaceInWhatWasKept) {
  const std::string header = "std::mutex::lock() /usr/include/c++/12/bits/std_mutex.h:100";
  const std::string kept =
      "deadlock: held " + header + ", wanted f a.cpp:1; held " + header + ", wanted g a.cpp:2";
  const std::string now =
      "deadlock: held g a.cpp:9, wanted f a.cpp:1; held f a.cpp:8, wanted g a.cpp:2";
  EXPECT_TRUE(is_same_key(kept, now));
  EXPECT_FALSE(is_same_key(now, kept)) << "what is found now has the program's lines";
  EXPECT_TRUE(is_same_key(kept,
                          "deadlock: held f a.cpp:8, wanted g a.cpp:2; held g a.cpp:9, "
                          "wanted f a.cpp:1"))
      << "from another thread on";
  EXPECT_FALSE(is_same_key(kept,
                           "deadlock: held g a.cpp:9, wanted f a.cpp:1; held f a.cpp:8, "
                           "wanted g a.cpp:3"));
  EXPECT_FALSE(is_same_key(kept, "deadlock: held g a.cpp:9, wanted f a.cpp:1"));
  EXPECT_FALSE(is_same_key("assert: f a.cpp:1", "assert: f a.cpp:2"));
  EXPECT_FALSE(is_same_key(kept, "deadlock"));
}

}  // namespace
}  // namespace unravel
