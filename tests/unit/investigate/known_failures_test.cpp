#include "investigate/known_failures.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

KnownFailures known(std::string_view text) { return KnownFailures::parse(text, "known").value(); }

TEST(KnownFailures, AreKnownByTheirWholeKey) {
  const KnownFailures failures = known("assert: push queue.c:3\nexit: exit status 7\n");

  EXPECT_TRUE(failures.knows("assert: push queue.c:3"));
  EXPECT_TRUE(failures.knows("exit: exit status 7"));
  EXPECT_FALSE(failures.knows("assert: push queue.c:31"));
  EXPECT_FALSE(failures.knows("assert: push queue.c"));
  EXPECT_FALSE(failures.knows("exit: exit status 77"));
}

TEST(KnownFailures, AreKnownByABeginningThatEndsInAStar) {
  const KnownFailures failures = known("assert: push *\ndeadlock*\n");

  EXPECT_TRUE(failures.knows("assert: push queue.c:3"));
  EXPECT_TRUE(failures.knows("deadlock"));
  EXPECT_TRUE(failures.knows("deadlock: held f a.c:1, wanted f a.c:2"));
  EXPECT_FALSE(failures.knows("assert: pushed queue.c:3"));
  EXPECT_FALSE(failures.knows("signal: push queue.c:3"));
}

TEST(KnownFailures, MayHaveAStarInTheMiddle) {
  const KnownFailures failures = known("signal: free_all(Node*) list.cpp:9");

  EXPECT_TRUE(failures.knows("signal: free_all(Node*) list.cpp:9"));
  EXPECT_FALSE(failures.knows("signal: free_all(Node&) list.cpp:9"));
}

TEST(KnownFailures, MayBeCommentedAndSpaced) {
  const KnownFailures failures =
      known("# known since May\r\n\r\n  livelock: f a.c:1 \t\r\n#livelock*");

  EXPECT_TRUE(failures.knows("livelock: f a.c:1"));
  EXPECT_FALSE(failures.knows("livelock: f a.c:2"));
  EXPECT_FALSE(failures.knows(""));
}

TEST(KnownFailures, OfAnEmptyTextAreNone) { EXPECT_FALSE(known("").knows("deadlock")); }

TEST(KnownFailures, ThatAreNoKeysAreRefusedByTheirLine) {
  for (const std::string line : {"*", "deadlok: x", "a comment", "as*", ": x", "Assert: f a.c:1"}) {
    const auto failures = KnownFailures::parse("# ours\n\n" + line + "\nassert: f", "known.txt");

    ASSERT_FALSE(failures) << line;
    EXPECT_EQ(failures.error().what,
              "known.txt:3: '" + line + "' does not start with a kind of failure");
    EXPECT_NE(failures.error().hint.find("lost-wakeup"), std::string::npos);
  }
}

TEST(KnownFailures, OfAFileThatIsNotThereAreRefused) {
  const auto failures = KnownFailures::read("/no/such/file");

  ASSERT_FALSE(failures);
  EXPECT_NE(failures.error().what.find("/no/such/file"), std::string::npos);
}

}  // namespace
}  // namespace unravel
