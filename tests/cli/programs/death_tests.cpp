// Death tests of GoogleTest, in the style that its first argument names, beside a thread.
//
// libraries: GTest::gtest
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

std::mutex lock;
int counter = 0;

void add() {
  for (int i = 0; i < 3; ++i) {
    const std::lock_guard hold(lock);
    ++counter;
  }
}

void say_and_abort() {
  fputs("so it ends\n", stderr);
  abort();
}

TEST(DeathTest, AlongsideNothing) {
  EXPECT_DEATH(say_and_abort(), "so it ends");
  EXPECT_EXIT(exit(3), testing::ExitedWithCode(3), "");
}

TEST(DeathTest, AlongsideAThread) {
  std::thread thread(add);
  EXPECT_DEATH(say_and_abort(), "so it ends");
  EXPECT_EXIT(raise(SIGKILL), testing::KilledBySignal(SIGKILL), "");
  EXPECT_EXIT(_exit(0), testing::ExitedWithCode(0), "");
  EXPECT_DEATH(*static_cast<volatile int*>(nullptr) = 1, "");
  EXPECT_DEATH(std::terminate(), "");
  EXPECT_EXIT(
      {
        std::thread other(add);
        other.join();
        exit(4);
      },
      testing::ExitedWithCode(4), "");
  add();
  thread.join();
  EXPECT_EQ(counter, 6);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-') testing::FLAGS_gtest_death_test_style = argv[1];
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
