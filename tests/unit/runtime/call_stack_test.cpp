/// Which functions a thread is in, told by where its stack is.
#include "runtime/core/call_stack.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace unravel {
namespace {

class Calls : public testing::Test {
 protected:
  void enter(std::uintptr_t stack, std::uintptr_t place) { stack_.enter(stack, place, place + 1); }

  /// Where the functions that a call from `stack` is made in will return to, innermost first.
  std::vector<std::uintptr_t> callers_at(std::uintptr_t stack) const {
    std::vector<std::uintptr_t> callers;
    stack_.for_each_at(stack, [&](const CallFrame& frame) { callers.push_back(frame.caller); });
    return callers;
  }

  std::vector<CallFrame> frames_{CallStack::kFrames};
  CallStack stack_{frames_.data()};
};

using Places = std::vector<std::uintptr_t>;

TEST_F(Calls, AreThoseThatWereEnteredAndNotLeft) {
  enter(900, 10);
  enter(800, 20);
  enter(700, 30);
  EXPECT_EQ(callers_at(700), (Places{31, 21, 11}));
  EXPECT_EQ(callers_at(800), (Places{21, 11})) << "a call from higher up: the last has returned";
  enter(700, 40);
  EXPECT_EQ(callers_at(700), (Places{41, 21, 11})) << "another function in the same place";
}

TEST_F(Calls, ThatAnExceptionOrAJumpLeftAreGone) {
  enter(900, 10);
  for (std::uintptr_t stack = 800; stack > 100; stack -= 100) enter(stack, stack);
  // Back in the first one, and into something with a smaller frame.
  enter(860, 50);
  EXPECT_EQ(callers_at(860), (Places{51, 11}));
}

TEST_F(Calls, RepeatAPlaceWhereALoopGoesRound) {
  enter(900, 10);
  EXPECT_FALSE(stack_.repeats(900, 12));
  EXPECT_FALSE(stack_.repeats(900, 15));
  EXPECT_TRUE(stack_.repeats(900, 12)) << "back to the first block";
  EXPECT_FALSE(stack_.repeats(900, 15));
  EXPECT_TRUE(stack_.repeats(900, 15)) << "a loop of one block";
}

TEST_F(Calls, AreNoPartOfTheirCallersLoop) {
  enter(900, 100);
  EXPECT_FALSE(stack_.repeats(900, 110));
  enter(800, 10);  // lies before its caller
  EXPECT_FALSE(stack_.repeats(800, 11));
  EXPECT_FALSE(stack_.repeats(900, 120));
  enter(800, 10);
  EXPECT_FALSE(stack_.repeats(800, 11)) << "a second call is no second round";
  EXPECT_TRUE(stack_.repeats(900, 110));
}

TEST_F(Calls, WithoutAnEntryCountFromTheirFirstBlock) {
  enter(900, 100);
  EXPECT_FALSE(stack_.repeats(800, 10));
  EXPECT_FALSE(stack_.repeats(800, 20));
  EXPECT_TRUE(stack_.repeats(800, 10));
}

TEST_F(Calls, TooDeepToBeKeptAreForgottenNotMistaken) {
  std::uintptr_t stack = 1'000'000;
  for (std::uint32_t i = 0; i < CallStack::kMostFrames + 50; ++i) enter(stack -= 10, 100 + i);
  EXPECT_EQ(callers_at(stack).size(), CallStack::kMostFrames) << "those that were kept are there";
  EXPECT_FALSE(stack_.repeats(stack, 50));
  EXPECT_FALSE(stack_.repeats(stack, 40));
  EXPECT_EQ(callers_at(1'000'000 - 10), (Places{101}));
}

TEST(CallStack, OfNobodyTakesEverythingAndKnowsNothing) {
  CallStack nobody;
  nobody.enter(900, 10, 11);
  EXPECT_FALSE(nobody.repeats(900, 10));
}

}  // namespace
}  // namespace unravel
