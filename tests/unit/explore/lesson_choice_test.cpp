#include "explore/lesson_choice.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

using Chosen = std::vector<std::size_t>;

Observation run(std::uint64_t behaviour, std::uint32_t new_sites = 0, std::uint32_t new_pairs = 0) {
  Observation seen;
  seen.run.behaviour = behaviour;
  seen.run.new_sites = new_sites;
  seen.run.new_pairs = new_pairs;
  return seen;
}

std::vector<Observation> dull(std::size_t runs) { return std::vector<Observation>(runs, run(1)); }

TEST(LessonChoice, IsWhatExecutedSomethingNew) {
  LessonChoice lessons;
  EXPECT_EQ(lessons.choose({run(1), run(2, 0, 3), run(3, 1, 0), run(4), run(5, 4, 0)}),
            (Chosen{4, 2, 1}))
      << "sites before pairs, and the most first";
}

TEST(LessonChoice, IsOneOfEachBehaviourAndNoMoreThanAFew) {
  LessonChoice lessons;
  EXPECT_EQ(lessons.choose({run(1, 1), run(1, 1), run(2, 1)}), (Chosen{0, 2}));
  EXPECT_EQ(lessons.choose({run(1, 1), run(2, 2), run(3, 3), run(4, 4), run(5, 5)}),
            (Chosen{4, 3, 2, 1}));
}

TEST(LessonChoice, IsNoRunThatFailedOrDidNotEnd) {
  LessonChoice lessons;
  Observation failed = run(1, 5);
  failed.run.outcome = Outcome::kFailed;
  Observation unresolved = run(2, 5);
  unresolved.run.outcome = Outcome::kUnresolved;
  EXPECT_EQ(lessons.choose({failed, unresolved}), Chosen{});
}

TEST(LessonChoice, IsNowAndThenAnotherRun) {
  LessonChoice lessons;
  EXPECT_EQ(lessons.choose(dull(LessonChoice::kOften - 1)), Chosen{});
  std::vector<Observation> next = dull(3);
  next[1].is_new_behaviour = true;
  EXPECT_EQ(lessons.choose(next), Chosen{1}) << "a new order of things, if there is one";
  EXPECT_EQ(lessons.choose(dull(LessonChoice::kOften)), Chosen{0});
}

TEST(LessonChoice, ComesMoreSeldomAsLongAsNothingNewComes) {
  LessonChoice lessons;
  const auto runs_to_next = [&] {
    std::uint64_t runs = 0;
    while (lessons.choose(dull(1)).empty()) ++runs;
    return runs + 1;
  };
  EXPECT_EQ(runs_to_next(), 50u);
  lessons.learnt(false);
  EXPECT_EQ(runs_to_next(), 100u);
  lessons.learnt(false);
  EXPECT_EQ(runs_to_next(), 200u);
  lessons.learnt(true);
  EXPECT_EQ(runs_to_next(), 50u);
  for (int i = 0; i < 20; ++i) lessons.learnt(false);
  EXPECT_EQ(runs_to_next(), LessonChoice::kSeldom);
}

}  // namespace
}  // namespace unravel
